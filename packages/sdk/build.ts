/**
 * Builds what leaves this package. `dist/sdk.js` is what a script tag gets; it is made once per hash of the sources, which
 * stands in `dist/current`, with its compressed forms beside it. `node build.ts package` adds the modules and their
 * declarations, as they are published.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Of `sdk.js` as gzip: it stands in front of a stranger's page. */
const scriptBytesMax = 5 * 1024;
const sdk = import.meta.dirname;
const root = resolve(sdk, "../..");

/** Makes `sdk.js` where the sources changed since the last time. */
export async function buildScript(folder = join(sdk, "dist")): Promise<void> {
  const hash = await hashOfSources();
  const current = await readFile(join(folder, "current"), "utf8").catch(() => "");
  if (current.trim() === hash && existsSync(join(folder, "sdk.js"))) return;
  const code = await bundled();
  const compressed = gzipSync(code, { level: 9 });
  const bytes = compressed.length;
  if (bytes > scriptBytesMax) throw new Error(`sdk.js is ${bytes} bytes of gzip; ${scriptBytesMax} is the most`);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await mkdir(folder, { recursive: true });
  await place(folder, "sdk.js", code);
  await place(folder, "sdk.js.gz", compressed);
  await place(folder, "sdk.js.br", brotliCompressSync(code, quality));
  await place(folder, "current", `${hash}\n`);
  process.stderr.write(`Built sdk.js: ${bytes} bytes of gzip.\n`);
}

/** Makes the modules and their declarations, readable as they are. */
export async function buildPackage(folder = join(sdk, "dist")): Promise<void> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const emit = ["--noEmit", "false", "--declaration", "--rewriteRelativeImportExtensions"];
  const folders = ["--rootDir", join(sdk, "src"), "--outDir", folder];
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", sdk, ...emit, ...folders], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the modules could not be built:\n${stdout}`);
  for (const name of ["script.js", "script.d.ts"]) await rm(join(folder, name));
  // The compiler leaves the sources' names in declarations, where nobody has the sources.
  for (const name of globSync("*.d.ts", { cwd: folder })) {
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), text.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
}

async function hashOfSources(): Promise<string> {
  const made = createHash("sha256");
  for (const path of globSync(["src/*.ts", "build.ts", "package.json", "tsconfig.json"], { cwd: sdk }).sort())
    made.update(`${path}\n`).update(await readFile(join(sdk, path)));
  return made.digest("hex").slice(0, 16);
}

async function bundled(): Promise<string> {
  const { build } = await import("vite");
  const made = await build({
    root: sdk,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      lib: { entry: "src/script.ts", formats: ["iife"], name: "countersign" },
    },
  });
  const [only] = Array.isArray(made) ? made : [made];
  const chunks = only !== undefined && "output" in only ? only.output : [];
  const codes = chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : ""));
  if (codes.length !== 1) throw new Error("script.ts was not built into one file");
  return codes.join("");
}

/** A service that reads it meanwhile gets the old one or the new one. */
async function place(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const temporary = join(folder, `.${name}-${process.pid}`);
  await writeFile(temporary, content);
  await rename(temporary, join(folder, name));
}

if (import.meta.main) {
  await buildScript();
  if (process.argv[2] === "package") await buildPackage();
}
