/**
 * Builds what the wallet and the dashboard serve into `dist/<hash of its sources>`, once per hash, and names that folder in
 * `dist/current`. A service that runs keeps what it read; a build that is interrupted is not seen.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The script of the first load, compressed with gzip: the larger of the two forms we send. */
const firstLoadMax = 45 * 1024;
/** The same of the dashboard, which is opened at a desk. */
const dashboardLoadMax = 50 * 1024;
const web = import.meta.dirname;
const dist = join(web, "dist");
/** What is loaded by itself: a name, and the source that it begins with. */
const entries = { wallet: "src/wallet/main.tsx", demo: "src/demo/sdk-page.ts", dashboard: "src/dashboard/main.tsx" };

type Chunk = { file: string; isEntry?: boolean; css?: string[]; imports?: string[] };

const hash = await hashOfSources();
if (!(await isCurrent(hash))) await build(hash);

async function hashOfSources(): Promise<string> {
  const sources = globSync(["src/**/*", "build.ts", "package.json", "tsconfig.json", "../contract/src/*.ts"], {
    cwd: web,
    exclude: ["src/test/**"],
  });
  const made = createHash("sha256");
  for (const path of sources.filter((one) => /\.\w+$/.test(one)).sort()) {
    made.update(`${path}\n`).update(await readFile(join(web, path)));
  }
  return made.digest("hex").slice(0, 16);
}

async function isCurrent(wanted: string): Promise<boolean> {
  const current = await readFile(join(dist, "current"), "utf8").catch(() => "");
  return current.trim() === wanted && existsSync(join(dist, wanted, "entry.json"));
}

async function build(name: string): Promise<void> {
  const startedAt = performance.now();
  const temporary = join(dist, `.building-${process.pid}`);
  const { build: bundle } = await import("vite");
  await bundle({
    root: web,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: temporary,
      emptyOutDir: true,
      manifest: "manifest.json",
      target: "es2022",
      modulePreload: { polyfill: false },
      // Nothing as a data address: the pages' policy allows files of ours only.
      assetsInlineLimit: 0,
      rolldownOptions: { input: entries },
    },
  });
  const manifest: Record<string, Chunk> = JSON.parse(await readFile(join(temporary, "manifest.json"), "utf8"));
  await compress(join(temporary, "assets"));
  const built = await Promise.all(
    Object.entries(entries).map(async ([app, source]) => [app, await loadOf(temporary, manifest, source)] as const),
  );
  await writeFile(join(temporary, "entry.json"), JSON.stringify(Object.fromEntries(built)));
  await place(temporary, name);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stderr.write(
    `Built the web applications in ${seconds} s; script of a first load: ${built.map(([app, { firstLoadBytes }]) => `${app} ${(firstLoadBytes / 1024).toFixed(1)} KB`).join(", ")}.\n`,
  );
}

/** What a page of an entry names, and how much script it loads at first; too much is an error. */
async function loadOf(folder: string, manifest: Record<string, Chunk>, source: string) {
  const first = manifest[source];
  if (first === undefined) throw new Error(`${source} was not built`);
  const firstLoadBytes = await sizeOf(folder, scriptsOf(manifest, first));
  const most = source === entries.dashboard ? dashboardLoadMax : firstLoadMax;
  if (firstLoadBytes > most)
    throw new Error(`${source} loads ${firstLoadBytes} bytes of script at first; ${most} is the most`);
  const bare = (file: string) => relative("assets", file);
  return { script: bare(first.file), styles: stylesOf(manifest, first).map(bare), firstLoadBytes };
}

function stylesOf(manifest: Record<string, Chunk>, chunk: Chunk): string[] {
  const beneath = (chunk.imports ?? []).flatMap((name) => {
    const found = manifest[name];
    return found === undefined ? [] : stylesOf(manifest, found);
  });
  return [...new Set([...beneath, ...(chunk.css ?? [])])];
}

function scriptsOf(manifest: Record<string, Chunk>, chunk: Chunk): string[] {
  const beneath = (chunk.imports ?? []).flatMap((name) => {
    const found = manifest[name];
    return found === undefined ? [] : scriptsOf(manifest, found);
  });
  return [...new Set([chunk.file, ...beneath])];
}

async function sizeOf(folder: string, files: string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await readFile(join(folder, `${file}.gz`))).length));
  return sizes.reduce((sum, one) => sum + one, 0);
}

/** Beside each text its compressed forms, made once instead of on each request. */
async function compress(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const texts = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const plain = await readFile(join(folder, name));
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(plain, { level: 9 }));
      await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(plain, quality));
    }),
  );
}

async function place(temporary: string, name: string): Promise<void> {
  const final = join(dist, name);
  // Another process may have built the same in the meantime; then theirs is as good.
  await rename(temporary, final).catch(() => rm(temporary, { recursive: true, force: true }));
  await writeFile(join(dist, `current-${process.pid}`), `${name}\n`);
  await rename(join(dist, `current-${process.pid}`), join(dist, "current"));
  const older = (await readdir(dist)).filter((one) => /^[0-9a-f]{16}$/.test(one) && one !== name);
  for (const one of older) await rm(join(dist, one), { recursive: true, force: true });
}
