import { importsOf, packageOf } from "./imports.ts";
import { type Finding, isCode, isTest, isTool, type Rule } from "./rule.ts";
import { lineAt, type Source, type Tree } from "./source.ts";

const isManifest = (path: string) => /^(?:packages\/[^/]+\/)?package\.json$/.test(path);
const dependencyKinds = ["dependencies", "devDependencies", "optionalDependencies"];

/** Name → version of the dependencies that a manifest declares under the given keys. */
function declaredIn(source: Source | undefined, kinds = dependencyKinds): Map<string, string> {
  const manifest: Record<string, unknown> = source === undefined ? {} : JSON.parse(source.text);
  const lists = kinds.map((kind) => manifest[kind]).filter((list) => typeof list === "object" && list !== null);
  return new Map(lists.flatMap((list) => Object.entries(list)).map(([name, version]) => [name, String(version)]));
}

/** Peers are the products that benchmarks compare with. They have their own manifest. */
const isPeer = (path: string) => path.startsWith("bench/peers/");

function manifestFor(path: string): string {
  const [folder] = /^(?:packages\/[^/]+|bench\/peers)\//.exec(path) ?? [""];
  return `${folder}package.json`;
}

/** Tests and tools run only here, where every package is installed. Shipped code must declare its own dependencies. */
function findUndeclared(source: Source, tree: Tree): Finding[] {
  const everywhere = isTest(source.path) || (isTool(source.path) && !isPeer(source.path));
  const manifests = everywhere ? [...tree.keys()].filter(isManifest) : [manifestFor(source.path)];
  const declared = new Set(manifests.flatMap((path) => [...declaredIn(tree.get(path)).keys()]));
  return importsOf(source).flatMap(({ specifier, line }) => {
    const name = packageOf(specifier);
    if (name === undefined || declared.has(name)) return [];
    const where = everywhere ? "any package.json" : manifests.join("");
    return [{ line, message: `${name} is imported but not declared in ${where}` }];
  });
}

export const declared: Rule = {
  name: "every imported package is declared",
  applies: isCode,
  find: findUndeclared,
  offending: {
    "packages/sdk/package.json": "{}",
    "packages/service/package.json": '{ "dependencies": { "pg": "8.0.0" } }',
    "packages/sdk/src/frame.ts": 'import { Client } from "pg";',
  },
  clean: {
    "packages/service/package.json": '{ "dependencies": { "pg": "8.0.0" } }',
    "packages/service/src/store/database.ts": 'import { Client } from "pg/lib";\nimport { join } from "node:path";',
    "tools/test.ts": 'import { Client } from "pg";',
  },
};

/** Programs that we run, and types that the compiler reads. */
const usedWithoutImport = /^(?:typescript|@biomejs\/biome|@types\/.+)$/;

function findUnused(source: Source, tree: Tree): Finding[] {
  const folder = source.path.slice(0, -"package.json".length);
  const users = [...tree.values()].filter(({ path }) => isCode(path) && path.startsWith(folder));
  // A string counts too: `resolve("swagger-ui-dist/package.json")` uses a package without importing it.
  const isUsed = (name: string) => users.some(({ uncommented }) => new RegExp(`["']${name}["'/]`).test(uncommented));
  const unused = [...declaredIn(source, ["dependencies", "devDependencies"]).keys()].filter(
    (name) => !usedWithoutImport.test(name) && !isUsed(name),
  );
  return unused.map((name) => ({
    line: lineAt(source.text, source.text.indexOf(`"${name}"`)),
    message: `${name} is declared but not used: remove it`,
  }));
}

export const needed: Rule = {
  name: "every declared package is used",
  applies: isManifest,
  find: findUnused,
  offending: {
    "packages/sdk/package.json": '{ "dependencies": { "pg": "8.0.0" } }',
    "packages/service/src/store/database.ts": 'import { Client } from "pg";',
  },
  clean: {
    "packages/service/package.json": '{ "dependencies": { "pg": "8.0.0" } }',
    "packages/service/src/store/database.ts": 'import { Client } from "pg";',
  },
};

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
  applies: (path) => path === "package-lock.json",
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
