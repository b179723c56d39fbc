/** Generates values that a schema does not accept. */
import assert from "node:assert/strict";

type Json = Record<string, unknown>;
/** A document with one error, and the error's path, such as `fullName.firstName`. */
export type Wrong = { what: string; path: string; document: unknown };

const stringLong = "x".repeat(1_000_000);
const byFormat: Record<string, string> = {
  uuid: "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21",
  email: "a@example.com",
  date: "1989-08-01",
  uri: "https://example.com/",
  ipv6: "::1",
  "day-in-ms": "618278400000",
};

/**
 * Returns a value that the schema accepts, with every optional member. Free texts are `text`, as far as its length
 * fits.
 */
export function sampleOf(schema: Json, text = "x"): unknown {
  if (Array.isArray(schema.anyOf)) return sampleOf(schema.anyOf[0], text);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.type === "object")
    return Object.fromEntries(Object.entries(members(schema)).map(([name, one]) => [name, sampleOf(one, text)]));
  if (schema.type === "array") return [sampleOf(schema.items as Json, text)];
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 0;
  return sampleText(schema, text);
}

function sampleText(schema: Json, text: string): string {
  if (typeof schema.format === "string")
    return byFormat[schema.format] ?? assert.fail(`no sample for ${schema.format}`);
  if (typeof schema.pattern !== "string") {
    const { minLength = 0, maxLength = text.length } = schema as { minLength?: number; maxLength?: number };
    return text.padEnd(minLength, "x").slice(0, maxLength);
  }
  const { pattern } = schema;
  const candidates = [
    "0",
    "00",
    "0000",
    "94303",
    "000000",
    "0000000000",
    "+12125550010",
    "#000000",
    "000000000",
    "yyyy",
    "x",
    "xx",
    "1",
    "0-1",
    "x".repeat(43),
  ];
  return candidates.find((one) => new RegExp(pattern, "u").test(one)) ?? assert.fail(`no sample for ${pattern}`);
}

function members(schema: Json): Record<string, Json> {
  return (schema.properties ?? {}) as Record<string, Json>;
}

/**
 * Returns documents with one wrong value each: every member, at any depth, in every way that its schema can reject.
 * `takesNull`: `null` for an optional member is not wrong.
 */
export function wrongDocuments(schema: Json, options = { takesNull: false }): Wrong[] {
  return wrongOf(schema, "", options).map(({ what, path, value }) => ({
    what,
    path,
    document: replaced(sampleOf(schema), path === "" ? [] : path.split("."), value),
  }));
}

type WrongValue = { what: string; path: string; value: unknown };
/** Marks a member that is left out. */
const missing = Symbol("missing");

function wrongOf(schema: Json, path: string, options: { takesNull: boolean }): WrongValue[] {
  const here = (what: string, value: unknown): WrongValue => ({ what, path, value });
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  if (Array.isArray(schema.anyOf)) {
    const others = schema.anyOf.slice(1).map((one: Json) => one.type);
    return wrongOf(schema.anyOf[0], path, options).filter(
      ({ value, path: at }) => at !== path || !others.includes(typeOf(value)),
    );
  }
  if (schema.type === "object") {
    const required = (schema.required ?? []) as string[];
    return [
      ...[[], "x", 5, null].map((value) => here("a type other than object", value)),
      ...required.map((name) => ({ what: "missing", path: below(name), value: missing })),
      ...Object.entries(members(schema)).flatMap(([name, one]) => {
        const wrong = wrongOf(one, below(name), options);
        const isLeftOut = ({ path: at, value }: WrongValue) => at === below(name) && value === null;
        return options.takesNull && !required.includes(name) ? wrong.filter((each) => !isLeftOut(each)) : wrong;
      }),
    ];
  }
  if (schema.type === "array") {
    const items = schema.items as Json;
    const tooMany = Array.from({ length: Number(schema.maxItems) + 1 }, () => sampleOf(items));
    return [
      ...[{}, "x", 5, null].map((value) => here("a type other than array", value)),
      ...(schema.maxItems === undefined ? [] : [here("too many", tooMany)]),
      ...wrongOf(items, below("0"), options),
    ];
  }
  if (schema.type === "boolean") return ["true", 1, null, []].map((value) => here("a type other than boolean", value));
  if (schema.type === "integer" || schema.type === "number")
    return wrongNumbers(schema).map((value) => here("number", value));
  return wrongTexts(schema).map(([what, value]) => here(what, value));
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function wrongNumbers(schema: Json): unknown[] {
  return [
    "5",
    null,
    [],
    ...(schema.type === "integer" ? [1.5] : []),
    ...(typeof schema.minimum === "number" ? [schema.minimum - 1] : []),
    ...(typeof schema.maximum === "number" ? [schema.maximum + 1] : []),
  ];
}

function wrongTexts(schema: Json): [string, unknown][] {
  const isFree = schema.format === undefined && schema.pattern === undefined && schema.enum === undefined;
  return [
    ...[5, null, ["x"], {}].map((value): [string, unknown] => ["a type other than string", value]),
    ["NUL", "a\0b"],
    ["a lone surrogate", "a\ud800b"],
    ["a megabyte", stringLong],
    // A pattern for printable text accepts a question mark, but no control character.
    ...(isFree ? [] : [["an invalid format or value", matches(schema, "?") ? "\u0001" : "?"] as [string, unknown]]),
    ...(schema.format === "uuid" ? [["a URN", `urn:uuid:${byFormat.uuid}`] as [string, unknown]] : []),
  ];
}

function matches({ pattern }: Json, text: string): boolean {
  return typeof pattern === "string" && new RegExp(pattern).test(text);
}

function replaced(document: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(document)) return document.map((one) => replaced(one, rest, value));
  const copy = { ...(document as Json) };
  if (rest.length === 0 && value === missing) delete copy[name];
  else copy[name] = replaced(copy[name], rest, value);
  return copy;
}
