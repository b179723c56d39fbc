/**
 * Removes members of a body that its schema does not have, because handlers pass whole bodies on. A warning names each
 * removed member and the known one that it was meant to be. The same holds for parameters of the query.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { nearestOf } from "../domain/edit-distance.ts";
import { isRecord } from "../domain/validate.ts";
import { PerRequest } from "./per-request.ts";

/** Maximum number of unknown members that one answer names. */
const unknownMax = 10;
/** A member name that can be repeated in a header or the request log. Any other name may be a misplaced value. */
const plainName = /^(?!.*\d{4})[A-Za-z_][A-Za-z0-9_.-]{0,59}$/;

/** The known structure of a value: the members of an object (`any` for a map) and the items of an array. */
type Shape = { members: ReadonlyMap<string, Shape> | "any" | null; items: Shape | null };
const leaf: Shape = { members: null, items: null };

/** A warning about an unknown member, in the words for the caller and those for the request log. */
type Warning = { told: string; logged: string };

/** Removes the unknown members of a body. Returns a warning for each one. */
export type RemoveUnknown = (body: unknown) => Warning[];

export function compileUnknown(schema: TSchema): RemoveUnknown {
  const shape = shapeOf(schema);
  return (body) => {
    const found = new Map<string, Warning>();
    walk(shape, { value: body, path: "" }, found);
    return [...found.values()];
  };
}

const warnings = new PerRequest<readonly string[]>("warnings");

/** The warnings of a request, for the request log. */
export function warningsOf(request: FastifyRequest): readonly string[] {
  return warnings.get(request) ?? [];
}

/** The first unknown parameters of a query, which are ignored too. A URL has room for thousands. */
function unknownIn(query: unknown, known: readonly string[]): Warning[] {
  const names = isRecord(query) ? Object.keys(query).filter((name) => !known.includes(name)) : [];
  return names.slice(0, unknownMax).map((name) => warningOf("query parameter", { path: "", name, known }));
}

/**
 * Removes unknown members of the body. Adds a `Warning` (RFC 7234) for each one, and for each unknown parameter of the
 * query, to success responses and to errors.
 */
export function dropUnknown(
  { remove, parameters }: { remove: RemoveUnknown | null; parameters: readonly string[] },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const found = [...(remove?.(request.body) ?? []), ...unknownIn(request.query, parameters)].slice(0, unknownMax);
  warn(found, request, reply);
}

/** Adds warnings to those that the answer already has. */
function warn(found: readonly Warning[], request: FastifyRequest, reply: FastifyReply): void {
  if (found.length === 0) return;
  warnings.set(request, [...warningsOf(request), ...found.map(({ logged }) => logged)]);
  const before = reply.getHeader("warning");
  const told = found.map((one) => `299 - "${one.told}"`);
  reply.header("warning", [...(typeof before === "string" ? [before] : []), ...told].join(", "));
}

/** Adds warnings about a request that was accepted. The texts must be ASCII without quotes, and name no person. */
export function warnAccepted(texts: readonly string[], request: FastifyRequest, reply: FastifyReply): void {
  warn(
    texts.map((text) => ({ told: text, logged: text })),
    request,
    reply,
  );
}

function walk(shape: Shape, { value, path }: { value: unknown; path: string }, found: Map<string, Warning>): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    if (shape.items !== null) for (const item of value) walk(shape.items, { value: item, path: `${path}[]` }, found);
    return;
  }
  const { members } = shape;
  if (members === null || members === "any") return;
  for (const [name, member] of Object.entries(value)) {
    const known = members.get(name);
    if (known === undefined) {
      Reflect.deleteProperty(value, name);
      if (found.size < unknownMax) note(found, { path, name, known: [...members.keys()] });
    } else if (typeof member === "object") walk(known, { value: member, path: joined(path, name) }, found);
  }
}

const joined = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

type Unknown = { path: string; name: string; known: readonly string[] };

function note(found: Map<string, Warning>, unknown: Unknown): void {
  const where = joined(unknown.path, shownName(unknown.name));
  if (!found.has(where)) found.set(where, warningOf("member", unknown));
}

const shownName = (name: string) => (plainName.test(name) ? name : "?");

function warningOf(what: "member" | "query parameter", { path, name, known }: Unknown): Warning {
  const nearest = nearestOf(name, known);
  const meant = nearest === undefined ? "" : `; nearest known ${what}: ${joined(path, nearest)}`;
  const warning = (shown: string) => `Unknown ${what} ${joined(path, shown)} ignored${meant}`;
  // The request log is plain text, and a name that resembles no known one may be a person's name.
  return { told: warning(shownName(name)), logged: warning(nearest === undefined ? "?" : shownName(name)) };
}

function shapeOf(schema: unknown): Shape {
  if (!isRecord(schema)) return leaf;
  const { anyOf, type, properties, additionalProperties, patternProperties, items } = schema;
  if (Array.isArray(anyOf)) return anyOf.map(shapeOf).reduce(either, leaf);
  if (type === "array") return { members: null, items: shapeOf(items) };
  if (type !== "object") return leaf;
  const isMap = (additionalProperties ?? false) !== false || patternProperties !== undefined;
  if (isMap || !isRecord(properties)) return { members: "any", items: null };
  const members = Object.entries(properties).map(([name, one]): [string, Shape] => [name, shapeOf(one)]);
  return { members: new Map(members), items: null };
}

/** Merges two shapes: a value of either shape may have the members of both. */
function either(one: Shape, other: Shape): Shape {
  return { members: eitherMembers(one.members, other.members), items: one.items ?? other.items };
}

function eitherMembers(one: Shape["members"], other: Shape["members"]): Shape["members"] {
  if (one === null || other === null) return one ?? other;
  if (one === "any" || other === "any") return "any";
  const both = new Map(one);
  for (const [name, shape] of other) both.set(name, either(both.get(name) ?? leaf, shape));
  return both;
}
