/**
 * `npm run pack`: writes the published packages to `dist/`, each with its SBOM (CycloneDX): the service as a program that
 * needs no clone, and the SDK. `release-notes.md` is what the changelog says about the version.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { type BundledPackage, packageList } from "./bundled-packages.ts";
import { releaseNotes } from "./changelog.ts";
import { openapiDocuments } from "./openapi.ts";
import { licenseTexts, sbomOf } from "./sbom.ts";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
/** Where the bundle is built, and where it is in the package. It finds its other files by paths relative to it. */
const bundle = "packages/service/dist/packed";
/** Maximum size of the service's package, in bytes. `npx` downloads it before the first start. */
const serviceBytesMax = 20 * 1024 * 1024;

type Manifest = Record<string, unknown> & {
  name: string;
  version: string;
  optionalDependencies?: Record<string, string>;
};
type Packed = { filename: string; size: number; unpackedSize: number };

function run(file: string, args: string[], cwd = root): string {
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, encoding: "utf8", maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
  return stdout;
}

function packed(folder: string, args: string[] = []): Packed {
  const [done]: Packed[] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", dist, ...args], folder));
  if (done === undefined) throw new Error(`npm packed nothing in ${folder}`);
  return done;
}

function report({ filename, size, unpackedSize }: Packed): void {
  const inMegabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  process.stdout.write(`dist/${filename}: ${inMegabytes(size)}, unpacked ${inMegabytes(unpackedSize)}\n`);
}

function writeSbom({ name, version }: Manifest, shipped: readonly BundledPackage[], filename: string): void {
  const path = join(dist, filename.replace(/\.tgz$/, ".cdx.json"));
  writeFileSync(path, `${JSON.stringify(sbomOf({ name, version, shipped }), null, 2)}\n`);
}

function packService(): void {
  run(process.execPath, ["packages/service/build.ts", bundle]);
  run(process.execPath, ["tools/site/build.ts"]);
  const web = join("packages/web/dist", readFileSync(join(root, "packages/web/dist/current"), "utf8").trim());
  const site = join("docs/.vitepress/dist", readFileSync(join(root, "docs/.vitepress/dist/current"), "utf8").trim());
  const staged = mkdtempSync(join(tmpdir(), "countersign-pack-"));
  try {
    const files = [
      bundle,
      web,
      site,
      "packages/web/dist/current",
      "docs/.vitepress/dist/current",
      "packages/sdk/dist/sdk.js",
      "packages/sdk/dist/sdk.js.br",
      "packages/sdk/dist/sdk.js.gz",
      "packages/sdk/dist/current",
      "packages/service/package.json",
      "packages/service/bin/packed.mjs",
      "tools/run-pinned.mjs",
      "packages/service/src/http/mark",
      ...Object.keys(openapiDocuments()),
      "LICENSE",
      "CHANGELOG.md",
    ];
    for (const path of files) copy(join(root, path), join(staged, path));
    copy(join(root, "packages/service/README.md"), join(staged, "README.md"));
    const { name, version, description, license, type, engines, repository, optionalDependencies } =
      manifestOf("package.json");
    const manifest: Manifest = {
      ...{ name, version, description, license, type, engines },
      // Only the workflow that publishes sets it.
      ...(repository === undefined ? {} : { repository }),
      ...(optionalDependencies === undefined ? {} : { optionalDependencies }),
      bin: { countersign: "packages/service/bin/packed.mjs" },
      publishConfig: { access: "public", provenance: true },
      // Yarn would leave the package in an archive, where the programs that it starts cannot read.
      preferUnplugged: true,
    };
    const shipped = [bundle, web, site].flatMap((path): BundledPackage[] =>
      JSON.parse(readFileSync(join(root, path, packageList), "utf8")),
    );
    for (const path of [bundle, web, site]) rmSync(join(staged, path, packageList));
    writeFileSync(join(staged, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    writeFileSync(join(staged, "THIRD-PARTY-LICENSES.txt"), licenseTexts(shipped));
    const done = packed(staged);
    writeSbom(manifest, [...shipped, ...optionalPackages(manifest)], done.filename);
    report(done);
    if (done.size > serviceBytesMax) throw new Error(`${done.filename} is larger than ${serviceBytesMax} bytes`);
  } finally {
    rmSync(staged, { recursive: true });
  }
}

/** The packages that npm installs beside the service: PostgreSQL and Node of the platform. */
function optionalPackages({ optionalDependencies = {} }: Manifest): BundledPackage[] {
  return Object.entries(optionalDependencies).map(([name, version]) => ({
    name,
    version,
    folder: join(root, "node_modules", name),
  }));
}

function packSdk(): void {
  const done = packed(root, ["--workspace", "packages/sdk"]);
  writeSbom(manifestOf("packages/sdk/package.json"), [], done.filename);
  report(done);
}

function manifestOf(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function copy(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`${relative(root, from)} is missing`);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: statSync(from).isDirectory() });
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
packService();
packSdk();
const notes = releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), manifestOf("package.json").version);
writeFileSync(join(dist, "release-notes.md"), notes);
