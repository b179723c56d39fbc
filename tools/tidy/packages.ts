import type { Rule } from "./rule.ts";
import { lineAt, type Source } from "./source.ts";

const isManifest = (path: string) => /^(?:docs\/|packages\/[^/]+\/)?package\.json$/.test(path);
const dependencyKinds = ["dependencies", "devDependencies", "optionalDependencies"];

/** Name → version of the dependencies that a manifest declares. */
function declaredIn(source: Source): Map<string, string> {
  const manifest: Record<string, unknown> = JSON.parse(source.text);
  const lists = dependencyKinds
    .map((kind) => manifest[kind])
    .filter((list) => typeof list === "object" && list !== null);
  return new Map(lists.flatMap((list) => Object.entries(list)).map(([name, version]) => [name, String(version)]));
}

export const exactVersions: Rule = {
  name: "dependencies have exact versions",
  applies: isManifest,
  find: (source) =>
    [...declaredIn(source)]
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name, version]) => ({
        line: lineAt(source.text, source.text.indexOf(`"${name}"`)),
        message: `${name} "${version}": name one version (npm install --save-exact)`,
      })),
  offending: { "package.json": '{ "devDependencies": { "pg": "^8.0.0" } }' },
  clean: { "package.json": '{ "devDependencies": { "pg": "8.0.0", "server": "18.4.0-beta.17" } }' },
};

export const lockWithoutAddresses: Rule = {
  name: "the lock file names no registry",
  applies: (path) => /(?:^|\/)package-lock\.json$/.test(path),
  find: ({ text }) =>
    [...text.matchAll(/"resolved":\s*"https?:/g)].map(({ index }) => ({
      line: lineAt(text, index),
      message: "a registry URL: the setting omit-lockfile-registry-resolved of .npmrc did not apply; install again",
    })),
  offending: { "package-lock.json": '{ "resolved": "https://registry.example/pg.tgz" }' },
  clean: { "package-lock.json": '{ "resolved": "packages/service", "link": true }' },
};

export const noInstallScripts: Rule = {
  name: "no package runs a script when it is installed",
  applies: (path) => /^(?:.*\/)?\.npmrc$/.test(path),
  find: ({ text }) =>
    /^ignore-scripts=true$/m.test(text) ? [] : [{ line: 1, message: "ignore-scripts=true is missing" }],
  offending: { ".npmrc": "save-exact=true\n", "bench/peers/.npmrc": "ignore-scripts=false\n" },
  clean: { ".npmrc": "save-exact=true\nignore-scripts=true\n" },
};
