/** Everything that we publish has one version. This finds it in the files that name it, and replaces it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Which files name the version, and where. The lock file is npm's: `npm run changeset version` updates it. */
const places: readonly { files: RegExp; version: RegExp }[] = [
  { files: /^(?:packages\/\w+\/)?package\.json$/, version: /(?<=^ {2}"version": ")[^"]+/gm },
  { files: /^packages\/\w+\/package\.json$/, version: /(?<="@countersign\/\w+": ")[^"]+/g },
  { files: /^deploy\/helm\/Chart\.yaml$/, version: /(?<=^(?:version|appVersion): ).+/gm },
  { files: /(?<!CHANGELOG)\.md$/, version: /(?<=\bcountersign-(?:sdk-)?)\d+\.\d+\.\d+(?=\.(?:tgz|cdx\.json)\b)/g },
];

/** The text of a file with this version in each place that names the product's. */
export function withVersion(path: string, text: string, version: string): string {
  return places.reduce((done, one) => (one.files.test(path) ? done.replaceAll(one.version, version) : done), text);
}

/** The tracked files that name the version, by their paths. */
export function versionedFiles(): Map<string, string> {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  const texts = tracked
    .filter((path) => places.some(({ files }) => files.test(path)) && existsSync(join(root, path)))
    .map((path): [string, string] => [path, readFileSync(join(root, path), "utf8")]);
  return new Map(texts.filter(([path, text]) => withVersion(path, text, "") !== text));
}
