import type { Rule } from "./rule.ts";
import { lineAt, type Source } from "./source.ts";

const isManifest = (path: string) => /^(?:docs\/|(?:packages|tools|bench)\/[^/]+\/)?package\.json$/.test(path);
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

/**
 * Folders with their own lock file. npm runs no install scripts there. In the root, `npm pack` needs our own script.
 */
export const noScriptsApart: Rule = {
  name: "no script runs in the folders that are installed apart",
  applies: (path) => /^.+\/\.npmrc$/.test(path),
  find: ({ text }) =>
    /^ignore-scripts=true$/m.test(text) ? [] : [{ line: 1, message: "ignore-scripts=true is missing" }],
  offending: { "bench/peers/.npmrc": "save-exact=true\n" },
  clean: { "bench/peers/.npmrc": "save-exact=true\nignore-scripts=true\n" },
};

export const noInstallScripts: Rule = {
  name: "package.json denies the install script of each package that has one",
  applies: (path) => path === "package-lock.json",
  find: ({ text }, tree) => {
    const { allowScripts = {} } = JSON.parse(tree.get("package.json")?.text ?? "{}");
    return [...text.matchAll(/"node_modules\/([^"]+)": \{[^{}]*"hasInstallScript": true/g)]
      .filter(([, path = ""]) => allowScripts[path.replace(/^.*node_modules\//, "")] !== false)
      .map(({ index, 1: path }) => ({ line: lineAt(text, index), message: `${path}: deny it in allowScripts` }));
  },
  offending: {
    "package.json": "{}",
    "package-lock.json": '{ "node_modules/a": { "hasInstallScript": true } }',
  },
  clean: {
    "package.json": '{ "allowScripts": { "a": false } }',
    "package-lock.json": '{ "node_modules/a": { "hasInstallScript": true } }',
  },
};
