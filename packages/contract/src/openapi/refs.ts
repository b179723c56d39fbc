import type { TSchema } from "typebox";

/**
 * Replaces each use of a named schema with a `$ref`, so the document contains each schema once. It compares content
 * instead of identity, because TypeBox copies a schema that becomes optional. A description at the place of use stays
 * next to the `$ref`.
 */
export function withRefs<Value>(value: Value, schemas: Readonly<Record<string, TSchema>>): Value;
export function withRefs(value: unknown, schemas: Readonly<Record<string, TSchema>>): unknown {
  return refs(value, namesOf(schemas));
}

/** The named schemas for `components.schemas`. They also refer to each other. */
export function namedSchemas(schemas: Readonly<Record<string, TSchema>>): Record<string, unknown> {
  const names = namesOf(schemas);
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, membersOf(schema, names)]));
}

type Names = ReadonlyMap<string, string>;

function namesOf(schemas: Readonly<Record<string, TSchema>>): Names {
  return new Map(Object.entries(schemas).map(([name, schema]) => [contentOf(schema), name]));
}

/** The schema without its description, as text. */
function contentOf(schema: object): string {
  return JSON.stringify({ ...schema, description: undefined });
}

function refs(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => refs(item, names));
  if (typeof value !== "object" || value === null) return value;
  const name = names.get(contentOf(value));
  if (name === undefined) return membersOf(value, names);
  const own = "description" in value ? { description: value.description } : {};
  return { $ref: `#/components/schemas/${name}`, ...own };
}

function membersOf(value: object, names: Names): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, refs(member, names)]));
}
