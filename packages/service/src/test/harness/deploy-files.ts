/** Reads the files in deploy/ and compares their variables and commands with the service. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { roles } from "../../config/config.ts";

export const root = resolve(import.meta.dirname, "../../../../..");
export const read = (path: string) => readFile(resolve(root, path), "utf8");
export type Json = Record<string, unknown>;
export const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** The files that name every variable that the configuration reads. */
const sources = await Promise.all(
  ["config", "adapters", "production"].map((name) => read(`packages/service/src/config/${name}.ts`)),
);
const known = new Set(
  sources
    .join()
    .match(/"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*"/g)
    ?.map((one) => one.slice(1, -1)) ?? [],
);
const isKnown = (name: string) => known.has(name.replace(/_FILE$/, ""));

export function assertVariables(names: readonly string[], where: string): void {
  assert.ok(names.length > 0, where);
  for (const name of names) assert.ok(isKnown(name), `${where}: nothing reads ${name}`);
}

/** Checks that the service would accept a command. */
export function assertCommand(args: readonly string[], where: string): void {
  const [command = "", flag, value = ""] = args;
  assert.ok(["start", "migrate", "health"].includes(command), `${where}: ${args.join(" ")}`);
  if (flag === undefined) return;
  assert.equal(flag, "--roles", where);
  assert.ok(value === "all" || value.split(",").every((one) => roles.some((role) => role === one)), where);
}

/** Returns every value under a key, at any depth of an object. */
export function everyUnder(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => everyUnder(one, key));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [...(name === key ? [one] : []), ...everyUnder(one, key)]);
}
