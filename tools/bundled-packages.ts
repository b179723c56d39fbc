/** Which npm packages have code in a build. `tools/pack.ts` reads the lists for the licenses and the SBOM. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package in a build, such as `vue` 3.5.45. `folder` is absolute. */
export type BundledPackage = { name: string; version: string; folder: string };

/** The file with the list, in the folder of a build. */
export const packageList = "packages.json";

type Output = Record<string, { type: string; moduleIds?: string[]; originalFileNames?: string[] }>;

/** A plugin of Rolldown, Rollup and Vite that adds the files of each build to `files`. */
export function recordFiles(files: Set<string>) {
  return {
    name: "record-files",
    generateBundle(_options: unknown, output: Output) {
      for (const { moduleIds = [], originalFileNames = [] } of Object.values(output))
        for (const file of [...moduleIds, ...originalFileNames]) files.add(file);
    },
  };
}

/** The packages of some files, each version once, by name. Files outside `node_modules` are our own. */
export function packagesOf(files: Iterable<string>, root: string): BundledPackage[] {
  const folders = [...files].flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const found = [...new Set(folders)].map((folder) => {
    const absolute = join(folder.startsWith("/") ? "/" : root, folder.replace(/^\0/, ""));
    const { name, version } = JSON.parse(readFileSync(join(absolute, "package.json"), "utf8"));
    return { name, version, folder: absolute };
  });
  return [...new Map(found.map((one) => [`${one.name}@${one.version}`, one])).values()].sort((a, b) =>
    a.name.localeCompare(b.name, "en"),
  );
}
