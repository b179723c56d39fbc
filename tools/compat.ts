/**
 * Compares two OpenAPI documents for breaking changes. Requests may only widen: a new optional member, another enum
 * value, a looser bound. Responses may narrow, and gain members and error codes, because callers must ignore unknown
 * ones. Nothing may be removed.
 */
type Json = { [key: string]: unknown };
type Side = "request" | "response";
type Documents = { before: unknown; after: unknown };
type Deeper = (before: unknown, after: unknown, step: string) => string[];
/** `open`: whether an answer may gain alternatives, such as error codes. */
type Place = { at: string; side: Side; open?: boolean };

/** One sentence per change that breaks existing callers. */
export function incompatibilities(before: unknown, after: unknown): string[] {
  const documents = { before, after };
  const found: string[] = [];
  for (const [path, methods] of Object.entries(memberOf(before, "paths"))) {
    for (const [method, operation] of Object.entries(objectOf(methods))) {
      const at = `${method.toUpperCase()} ${path}`;
      const now = memberOf(memberOf(memberOf(after, "paths"), path), method);
      if (Object.keys(now).length === 0) found.push(`${at} was removed`);
      else found.push(...compareOperations(documents, { at, before: objectOf(operation), after: now }));
    }
  }
  return found;
}

function compareOperations(documents: Documents, change: { at: string; before: Json; after: Json }): string[] {
  const { at, before, after } = change;
  return [
    ...(before.operationId === after.operationId ? [] : [`${at}: operationId changed`]),
    ...compareParameters(documents, change),
    ...compareBodies(documents, { at, before: before.requestBody, after: after.requestBody }),
    ...compareResponses(documents, { at, before: memberOf(before, "responses"), after: memberOf(after, "responses") }),
  ];
}

function compareParameters(documents: Documents, { at, before, after }: { at: string; before: Json; after: Json }) {
  const named = ({ parameters }: Json) =>
    new Map(listOf(parameters).map((item) => [`${objectOf(item).in} ${objectOf(item).name}`, objectOf(item)]));
  const olds = named(before);
  const news = named(after);
  const added = [...news].filter(([key, parameter]) => !olds.has(key) && parameter.required === true);
  return [
    ...added.map(([key]) => `${at}: the new parameter ${key} is required`),
    ...[...olds].flatMap(([key, old]) => {
      const now = news.get(key);
      if (now === undefined) return [`${at}: the parameter ${key} was removed`];
      const required = now.required === true && old.required !== true ? [`${at}: ${key} became required`] : [];
      const place: Place = { at: `${at} ${key}`, side: "request" };
      return [...required, ...compareSchemas(documents, old.schema, now.schema, place)];
    }),
  ];
}

function compareBodies(documents: Documents, change: { at: string; before: unknown; after: unknown }): string[] {
  const at = `${change.at} body`;
  if (change.before === undefined) return objectOf(change.after).required === true ? [`${at} became required`] : [];
  if (change.after === undefined) return [`${at} was removed`];
  const before = objectOf(change.before);
  const after = objectOf(change.after);
  const required = after.required === true && before.required !== true ? [`${at} became required`] : [];
  return [...required, ...compareSchemas(documents, schemaOf(before), schemaOf(after), { at, side: "request" })];
}

function compareResponses(documents: Documents, { at, before, after }: { at: string; before: Json; after: Json }) {
  return Object.entries(before).flatMap(([status, response]) => {
    const now = after[status];
    if (now === undefined) return [`${at}: status ${status} was removed`];
    const old = resolve(documents.before, response);
    const next = resolve(documents.after, now);
    const lost = Object.keys(memberOf(old, "headers")).filter((name) => !(name in memberOf(next, "headers")));
    const place: Place = { at: `${at} ${status}`, side: "response", open: !/^[23]/.test(status) };
    return [
      ...lost.map((name) => `${place.at}: the header ${name} was removed`),
      ...compareSchemas(documents, schemaOf(old), schemaOf(next), place),
    ];
  });
}

const depthMax = 30;

/** Bounds that may only widen in requests and narrow in responses. */
const bounds = ["maximum", "maxLength", "maxItems", "minimum", "minLength", "minItems"];

function compareSchemas(documents: Documents, before: unknown, after: unknown, place: Place, depth = 0): string[] {
  const old = resolve(documents.before, before);
  const now = resolve(documents.after, after);
  if (depth > depthMax) return [];
  const deeper: Deeper = (a, b, step) =>
    compareSchemas(documents, a, b, { ...place, at: `${place.at}${step}` }, depth + 1);
  const renamed = old.title !== undefined && now.title !== undefined && old.title !== now.title;
  if (isChoice(old) || isChoice(now) || renamed) return compareAlternatives(documents, old, now, place, deeper);
  const nested = ["items", "additionalProperties"].filter((key) => isObject(old[key]) && isObject(now[key]));
  return [
    ...compareValues(old, now, place),
    ...compareObjects(old, now, place, deeper),
    ...nested.flatMap((key) => deeper(old[key], now[key], ` ${key}`)),
  ];
}

function compareValues(old: Json, now: Json, { at, side }: Place): string[] {
  const [wider, narrower] = side === "request" ? [now, old] : [old, now];
  const missing = missingValues(wider, narrower);
  const changed = ["type", "format", "pattern"].filter(
    (key) => wider[key] !== undefined && JSON.stringify(wider[key]) !== JSON.stringify(narrower[key]),
  );
  const moved = bounds.filter((key) => {
    const [outer, inner] = [wider[key], narrower[key]];
    if (typeof outer !== "number") return false;
    return typeof inner !== "number" || (/^max/.test(key) ? inner > outer : inner < outer);
  });
  const verb = side === "request" ? "refuses" : "may now answer";
  return [
    ...missing.map((value) => `${at}: ${verb} ${value}`),
    ...[...changed, ...moved].map((key) => `${at}: ${key} ${old[key] ?? "(none)"} became ${now[key] ?? "(none)"}`),
  ];
}

/** Values that only the narrower schema allows. "any value" if only the wider one has a list. */
function missingValues(wider: Json, narrower: Json): string[] {
  const listed = (schema: Json) =>
    "const" in schema ? [schema.const] : schema.enum === undefined ? undefined : listOf(schema.enum);
  const allowed = listed(wider)?.map((value) => JSON.stringify(value));
  if (allowed === undefined) return [];
  const given = listed(narrower)?.map((value) => JSON.stringify(value)) ?? ["any value"];
  return given.filter((value) => !allowed.includes(value));
}

function compareObjects(old: Json, now: Json, { at, side }: Place, deeper: Deeper): string[] {
  const members = memberOf(old, "properties");
  const nowMembers = memberOf(now, "properties");
  const required = listOf(old.required);
  const nowRequired = listOf(now.required);
  const broken =
    side === "request"
      ? nowRequired.filter((name) => !required.includes(name)).map((name) => `${at}.${name} became required`)
      : required.filter((name) => !nowRequired.includes(name)).map((name) => `${at}.${name} is no longer certain`);
  const closed = side === "request" && now.additionalProperties === false && old.additionalProperties !== false;
  return [
    ...broken,
    ...(closed ? [`${at} refuses members it does not know`] : []),
    ...Object.entries(members).flatMap(([name, schema]) =>
      name in nowMembers ? deeper(schema, nowMembers[name], `.${name}`) : [`${at}.${name} was removed`],
    ),
  ];
}

/** Matches alternatives by title (error codes, request variants), or by position if they have no title. */
function compareAlternatives(documents: Documents, old: Json, now: Json, place: Place, deeper: Deeper): string[] {
  const { at, side, open } = place;
  const olds = alternativesOf(documents.before, old);
  const news = alternativesOf(documents.after, now);
  const added = side === "response" && open !== true ? [...news.keys()].filter((title) => !olds.has(title)) : [];
  return [
    ...added.map((title) => `${at} may now answer ${title}`),
    ...[...olds].flatMap(([title, schema]) => {
      if (news.has(title)) return deeper(schema, news.get(title), ` ${title}`);
      return side === "request" || open === true ? [`${at}: ${title} was removed`] : [];
    }),
  ];
}

function isChoice(schema: Json): boolean {
  return schema.oneOf !== undefined || schema.anyOf !== undefined;
}

function alternativesOf(document: unknown, schema: Json): Map<string, unknown> {
  const list = isChoice(schema) ? listOf(schema.oneOf ?? schema.anyOf) : [schema];
  return new Map(
    list.map((item, index) => [String(resolve(document, item).title ?? `alternative ${index + 1}`), item]),
  );
}

function schemaOf(holder: Json): unknown {
  return memberOf(memberOf(holder, "content"), "application/json").schema ?? {};
}

function resolve(document: unknown, value: unknown): Json {
  const { $ref } = objectOf(value);
  if (typeof $ref !== "string") return objectOf(value);
  return $ref
    .slice(2)
    .split("/")
    .reduce((found, step) => memberOf(found, step), objectOf(document));
}

function memberOf(value: unknown, key: string): Json {
  return objectOf(objectOf(value)[key]);
}
function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}
function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
