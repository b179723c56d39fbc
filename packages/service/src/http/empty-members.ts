/**
 * Removes optional members with the value `null` from a body, because many typed clients send them for what they leave
 * out. A `null` that the schema accepts stays.
 */
import type { TSchema } from "typebox";
import { isRecord } from "../domain/validate.ts";

/** Where a value may have optional members, and below which members and items it has more of them. */
type Shape = {
  optional: ReadonlySet<string>;
  members: ReadonlyMap<string, Shape>;
  /** The shape of all members of a map. */
  each: Shape | null;
  /** Whether a map's members are optional, because its values cannot be `null`. */
  dropsEach: boolean;
  items: Shape | null;
};
const leaf: Shape = { optional: new Set(), members: new Map(), each: null, dropsEach: false, items: null };

/** Removes the empty members of a body. */
export type DropEmpty = (body: unknown) => void;

/** `isPatch`: every member is optional, however deep it lies in objects. */
export function compileEmpty(schema: TSchema, options: { isPatch: boolean } = { isPatch: false }): DropEmpty {
  const shape = shapeOf(schema, options.isPatch);
  return (body) => walk(shape, body);
}

function walk(shape: Shape, value: unknown): void {
  if (Array.isArray(value)) {
    if (shape.items !== null) for (const item of value) walk(shape.items, item);
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const isOptional = shape.optional.has(name) || (shape.dropsEach && !shape.members.has(name));
    if (member === null && isOptional) Reflect.deleteProperty(value, name);
    else walk(shape.members.get(name) ?? shape.each ?? leaf, member);
  }
}

function shapeOf(schema: unknown, isPatch: boolean): Shape {
  if (!isRecord(schema)) return leaf;
  const { anyOf, type, properties, required, additionalProperties, items } = schema;
  if (Array.isArray(anyOf)) return anyOf.map((one) => shapeOf(one, isPatch)).reduce(either, leaf);
  // A list replaces a whole list, so its items are no patches.
  if (type === "array") return { ...leaf, items: shapeOf(items, false) };
  if (type !== "object") return leaf;
  const needed = isPatch || !Array.isArray(required) ? [] : required;
  const members = Object.entries(isRecord(properties) ? properties : {});
  const optional = members.filter(([name, one]) => !needed.includes(name) && !takesNull(one)).map(([name]) => name);
  return {
    optional: new Set(optional),
    members: new Map(members.map(([name, one]) => [name, shapeOf(one, isPatch)])),
    each: isRecord(additionalProperties) ? shapeOf(additionalProperties, isPatch) : null,
    dropsEach: isRecord(additionalProperties) && !takesNull(additionalProperties),
    items: null,
  };
}

function takesNull(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some(takesNull);
  return schema.type === undefined || [schema.type].flat().includes("null");
}

/** Merges two shapes: a value of either shape may have the members of both. */
function either(one: Shape, other: Shape): Shape {
  const members = new Map(one.members);
  for (const [name, shape] of other.members) members.set(name, either(members.get(name) ?? leaf, shape));
  return {
    optional: new Set([...one.optional, ...other.optional]),
    members,
    each: one.each ?? other.each,
    dropsEach: one.dropsEach || other.dropsEach,
    items: one.items ?? other.items,
  };
}
