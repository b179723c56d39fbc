/** Generates values that a contract schema accepts, often at their limits or with real content. */
import assert from "node:assert/strict";
import fc, { type Arbitrary } from "fast-check";

type Json = Record<string, unknown>;
/** Real values for a member, by its name. */
export type Hints = (name: string) => readonly string[] | undefined;

const depthMax = 6;
/** Generated texts and lists stay short. `hostile-values.ts` makes longer ones. */
const lengthMax = 60;
const itemsMax = 4;
const dayMs = 86_400_000;
const laterMs = 4_102_444_800_000;
const known = new Set(
  `type format pattern enum const anyOf properties required additionalProperties patternProperties items description title
   default examples minLength maxLength minimum maximum minItems maxItems uniqueItems $id`.split(/\s+/),
);

/** Generates what a schema accepts, within the limits above. An unknown keyword is an error. */
export function arbitraryOf(schema: Json, hints: Hints = () => undefined, name = "", depth = 0): Arbitrary<unknown> {
  for (const keyword of Object.keys(schema)) assert.ok(known.has(keyword), `unknown schema keyword: ${keyword}`);
  const inner = (one: unknown, as = name) => arbitraryOf(one as Json, hints, as, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map((one) => inner(one)));
  switch (schema.type) {
    case "string":
      return textOf(schema, hints(name));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "integer":
      return fc.oneof(fc.integer(rangeOf(schema)), fc.constantFrom(...Object.values(rangeOf(schema))));
    case "number":
      return fc.double({ ...rangeOf(schema), noNaN: true, noDefaultInfinity: true });
    case "array":
      return listOf(schema, inner(schema.items ?? {}));
    case "object":
      return objectOf(schema, inner, depth);
    default:
      return depth > depthMax ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
  }
}

function listOf({ minItems = 0, maxItems = itemsMax, uniqueItems }: Json, items: Arbitrary<unknown>) {
  const minLength = Number(minItems);
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(Number(maxItems), itemsMax)) };
  return uniqueItems === true ? fc.uniqueArray(items, bounds) : fc.array(items, bounds);
}

function objectOf(schema: Json, inner: (one: unknown, as?: string) => Arbitrary<unknown>, depth: number) {
  const properties = Object.entries((schema.properties ?? {}) as Json);
  const required = (schema.required ?? []) as string[];
  const others = [schema.additionalProperties, ...Object.values((schema.patternProperties ?? {}) as Json)].find(
    (one) => typeof one === "object",
  );
  const own = fc.record(
    Object.fromEntries(
      properties
        .filter(([name]) => depth <= depthMax || required.includes(name))
        .map(([name, one]) => [name, inner(one, name)]),
    ),
    { requiredKeys: required, noNullPrototype: true },
  );
  if (others === undefined) return own;
  const map = fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}$/), inner(others), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc.tuple(map, own).map(([more, sure]) => ({ ...more, ...sure }));
}

function rangeOf({ minimum, maximum }: Json): { min: number; max: number } {
  return { min: Number(minimum ?? -(2 ** 31)), max: Number(maximum ?? 2 ** 31) };
}

function textOf(
  { format, pattern, minLength = 0, maxLength = lengthMax }: Json,
  hinted: readonly string[] | undefined,
) {
  const free = freeText({ format, pattern, min: Number(minLength), max: Math.min(Number(maxLength), lengthMax) });
  return hinted === undefined || hinted.length === 0
    ? free
    : fc.oneof({ arbitrary: fc.constantFrom(...hinted), weight: 3 }, { arbitrary: free, weight: 1 });
}

type Text = { format: unknown; pattern: unknown; min: number; max: number };
function freeText({ format, pattern, min, max }: Text): Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "email") return fc.emailAddress();
  if (format === "uri") return fc.webUrl({ withQueryParameters: true, withFragments: true });
  if (format === "ipv6") return fc.ipV6();
  if (format === "date")
    return fc.integer({ min: -2_208_988_800_000 / dayMs, max: laterMs / dayMs }).map((day) => dayOf(day * dayMs));
  if (format === "day-in-ms") return fc.integer({ min: -25_567, max: 47_482 }).map((day) => String(day * dayMs));
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
  assert.ok(format === undefined || format === "code", `unknown schema format: ${String(format)}`);
  return fc.string({ unit: "grapheme", minLength: min, maxLength: Math.max(min, max) });
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
