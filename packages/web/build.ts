/**
 * Builds the files that the wallet and the dashboard serve, once per hash of the sources. It writes them to
 * `dist/<hash>` and stores the hash in `dist/current`. A running service keeps the files that it has read, and an
 * interrupted build is never visible.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { packageList, packagesOf, recordFiles } from "../../tools/bundled-packages.ts";
import { sourceHash } from "../../tools/source-hash.mjs";

/** Maximum gzip size of the scripts in the first load, in bytes. Gzip is the larger of the two encodings. */
const firstLoadMax = 56 * 1024;
/** The same for the dashboard and the console. Their limit is higher because they are used on desktop computers. */
const dashboardLoadMax = 60 * 1024;
/** The typeface that pages load before their styles name it (`src/ui/tokens.css`). */
const firstTypeface = "geist-latin-wght-normal.woff2";
const web = import.meta.dirname;
const dist = join(web, "dist");
/** The entry points: a name and its source file. */
const entries = {
  wallet: "src/wallet/main.tsx",
  everything: "src/wallet/account/everything.ts",
  dashboard: "src/dashboard/main.tsx",
  demo: "src/demo/main.tsx",
  console: "src/console/main.tsx",
  testWallet: "src/demo/test-wallet.ts",
};
/** These share no chunks with the others, because each split of a shared chunk adds to everybody's first load. */
const { demo, console: operatorConsole, testWallet, ...shared } = entries;
const bundles: readonly Record<string, string>[] = [shared, { demo }, { console: operatorConsole }, { testWallet }];

type Chunk = { file: string; isEntry?: boolean; css?: string[]; assets?: string[]; imports?: string[] };

const hash = sourceHash("web");
if (!(await isCurrent(hash))) await build(hash);

async function isCurrent(wanted: string): Promise<boolean> {
  const current = await readFile(join(dist, "current"), "utf8").catch(() => "");
  return current.trim() === wanted && existsSync(join(dist, wanted, "entry.json"));
}

async function build(name: string): Promise<void> {
  const startedAt = performance.now();
  const temporary = join(dist, `.building-${process.pid}`);
  await rm(temporary, { recursive: true, force: true });
  const manifests = [];
  const files = new Set<string>();
  for (const input of bundles) manifests.push(await bundle(temporary, input, files));
  const manifest: Record<string, Chunk> = Object.assign({}, ...manifests);
  await compress(join(temporary, "assets"));
  const built = await Promise.all(
    Object.entries(entries).map(async ([app, source]) => [app, await loadOf(temporary, manifest, source)] as const),
  );
  await writeFile(join(temporary, "entry.json"), JSON.stringify(Object.fromEntries(built)));
  await writeFile(join(temporary, packageList), JSON.stringify(packagesOf(files, web)));
  await place(temporary, name);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stderr.write(
    `Built the web applications in ${seconds} s; script of a first load: ${built.map(([app, { firstLoadBytes }]) => `${app} ${(firstLoadBytes / 1024).toFixed(1)} KB`).join(", ")}.\n`,
  );
}

/** Adds the files of some entries to a folder, and returns their manifest. Adds their sources to `files`. */
async function bundle(
  folder: string,
  input: Record<string, string>,
  files: Set<string>,
): Promise<Record<string, Chunk>> {
  const { build: run } = await import("vite");
  await run({
    root: web,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    plugins: [recordFiles(files)],
    build: {
      outDir: folder,
      emptyOutDir: false,
      manifest: "manifest.json",
      target: "es2022",
      modulePreload: { polyfill: false },
      // No data URLs, because the pages' content security policy allows only our own files.
      assetsInlineLimit: 0,
      rolldownOptions: { input },
    },
  });
  return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
}

/** The script and styles of an entry, and the size of its first load. Throws if it is too large. */
async function loadOf(folder: string, manifest: Record<string, Chunk>, source: string) {
  const first = manifest[source];
  if (first === undefined) throw new Error(`${source} was not built`);
  const firstLoadBytes = await sizeOf(folder, scriptsOf(manifest, first));
  const most = [entries.dashboard, entries.console].includes(source) ? dashboardLoadMax : firstLoadMax;
  if (firstLoadBytes > most)
    throw new Error(`${source} loads ${firstLoadBytes} bytes of script at first; the limit is ${most}`);
  const bare = (file: string) => relative("assets", file);
  const [typeface] = Object.entries(manifest).flatMap(([name, { file }]) =>
    name.endsWith(firstTypeface) ? [file] : [],
  );
  return {
    script: bare(first.file),
    styles: stylesOf(manifest, first).map(bare),
    ...(typeface === undefined ? {} : { typeface: bare(typeface) }),
    firstLoadBytes,
  };
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

/** Compresses each text file once, instead of on each request. */
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
  // Another process may have built the same hash in the meantime. Then keep its result.
  await rename(temporary, final).catch(() => rm(temporary, { recursive: true, force: true }));
  await writeFile(join(dist, `current-${process.pid}`), `${name}\n`);
  await rename(join(dist, `current-${process.pid}`), join(dist, "current"));
  const older = (await readdir(dist)).filter((one) => /^[0-9a-f]{16}$/.test(one) && one !== name);
  for (const one of older) await rm(join(dist, one), { recursive: true, force: true });
}
