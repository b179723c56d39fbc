/** Settings by dotted path, and the differences between two versions. */
import { isRecord } from "../../api/client.ts";
import { nameOf } from "../credential-requests/request-tree.ts";
import { words } from "../words.ts";

export function valueAt(settings: unknown, path: string): unknown {
  return path.split(".").reduce((value: unknown, key) => (isRecord(value) ? value[key] : undefined), settings);
}

/** Builds one patch from values by path. */
export function patchOf(edits: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of edits) put(patch, path.split("."), value);
  return patch;
}

function put(target: Record<string, unknown>, [key = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const below = target[key];
  const inner = isRecord(below) ? { ...below } : {};
  target[key] = inner;
  put(inner, rest, value);
}

export type Difference = { path: string; from: unknown; to: unknown };

export function differences(from: unknown, to: unknown, path = ""): Difference[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (!isRecord(from) || !isRecord(to)) return [{ path, from, to }];
  const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...keys].flatMap((key) => differences(from[key], to[key], path === "" ? key : `${path}.${key}`));
}

const textMax = 160;

/** A readable form of a value. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return words.none;
  if (value === true) return words.on;
  if (value === false) return words.off;
  if (Array.isArray(value) && value.every((one) => typeof one === "string"))
    return value.length === 0 ? words.none : value.join(", ");
  const entries = entryTexts(value);
  if (entries.length > 0)
    return `${entries.slice(0, entriesMax).join("; ")}${entries.length > entriesMax ? "; …" : ""}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}

/** Maximum number of list entries that one text names. */
const entriesMax = 20;

/** One line for each entry of a list, and for each part of a requested credential. Empty for other values. */
export function entryLines(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    if (!isRecord(one) || typeof one.type !== "string" || !one.type.endsWith("Credential")) return entryTexts([one]);
    const { type, mandatory } = one;
    return [requestText(type, { mandatory }), ...entryLines(one.children).map((line) => `${nameOf(type)}: ${line}`)];
  });
}

const conditions = (count: number) => (count === 1 ? "1 condition" : `${count} conditions`);

/** A text for each list entry: a network rule, a credential request or a provider. Empty for other values. */
function entryTexts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    if (!isRecord(one)) return [];
    if (Array.isArray(one.conditions) && typeof one.name === "string") return [ruleText(one.name, one.conditions, one)];
    if (typeof one.type === "string" && one.type.endsWith("Credential")) return [requestText(one.type, one)];
    return typeof one.name === "string" ? [one.name] : [];
  });
}

function ruleText(name: string, { length }: readonly unknown[], { enabled, status }: Record<string, unknown>): string {
  const state = enabled === false ? "off" : String(status).toLowerCase().replaceAll("_", " ");
  return `${name} (${state}, ${conditions(length)})`;
}

function requestText(type: string, { mandatory, children }: Record<string, unknown>): string {
  const { requirements } = words.requests;
  const [, { name }] = Object.entries(requirements).find(([one]) => one === mandatory) ?? ["", requirements.no];
  const parts = entryTexts(children);
  return `${nameOf(type)} (${[name.toLowerCase(), ...(parts.length === 0 ? [] : [parts.join(", ")])].join(": ")})`;
}
