/**
 * Builds the published files. `dist/sdk.js` is the file for a script tag. It is built once per hash of the sources;
 * `dist/current` stores that hash, and the compressed files are next to the script. `node build.ts package` also builds
 * the modules and their declarations for the npm package.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { sourceHash } from "../../tools/source-hash.mjs";

/** Maximum gzip size of `sdk.js`, in bytes. Brands' pages have to load it. */
const scriptBytesMax = 5_000;
const sdk = import.meta.dirname;
const root = resolve(sdk, "../..");

/** Builds `sdk.js` if the sources have changed since the last build. */
export async function buildScript(folder = join(sdk, "dist")): Promise<void> {
  const hash = sourceHash("sdk");
  const current = await readFile(join(folder, "current"), "utf8").catch(() => "");
  if (current.trim() === hash && existsSync(join(folder, "sdk.js"))) return;
  const code = await bundled();
  const compressed = gzipSync(code, { level: 9 });
  const bytes = compressed.length;
  if (bytes > scriptBytesMax) throw new Error(`sdk.js has ${bytes} bytes of gzip; the limit is ${scriptBytesMax}`);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await mkdir(folder, { recursive: true });
  await place(folder, "sdk.js", code);
  await place(folder, "sdk.js.gz", compressed);
  await place(folder, "sdk.js.br", brotliCompressSync(code, quality));
  await place(folder, "current", `${hash}\n`);
  process.stderr.write(`Built sdk.js: ${bytes} bytes of gzip.\n`);
}

/** The compiler's options for each kind of module. Bundlers and `import` get the first, `require` gets the second. */
const kinds = {
  esm: [],
  cjs: ["--module", "commonjs", "--moduleResolution", "bundler", "--verbatimModuleSyntax", "false"],
};

/** Builds the modules of both kinds and their declarations, without minification. */
export async function buildPackage(folder = join(sdk, "dist")): Promise<void> {
  for (const [kind, options] of Object.entries(kinds)) {
    const out = join(folder, kind);
    await rm(out, { recursive: true, force: true });
    compileInto(out, options);
    for (const name of ["script.js", "script.d.ts"]) await rm(join(out, name));
    // The compiler leaves `.ts` paths in the declarations, but the package does not contain the sources.
    for (const name of globSync("*.d.ts", { cwd: out })) {
      const text = await readFile(join(out, name), "utf8");
      await writeFile(join(out, name), text.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
    }
  }
  await writeFile(join(folder, "cjs/package.json"), '{ "type": "commonjs", "sideEffects": false }\n');
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
}

function compileInto(folder: string, options: readonly string[]): void {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const emit = ["--noEmit", "false", "--declaration", "--rewriteRelativeImportExtensions", ...options];
  const folders = ["--rootDir", join(sdk, "src"), "--outDir", folder];
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", sdk, ...emit, ...folders], { encoding: "utf8" });
  if (status !== 0) throw new Error(`building the modules failed:\n${stdout}`);
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

/** Replaces the file atomically, so a running service reads either the old or the new content. */
async function place(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const temporary = join(folder, `.${name}-${process.pid}`);
  await writeFile(temporary, content);
  await rename(temporary, join(folder, name));
}

if (import.meta.main) {
  await buildScript();
  if (process.argv[2] === "package") await buildPackage();
}
