/** Requests that name an id in one place and are otherwise valid, so that the service looks the id up. */
import { randomUUID } from "node:crypto";
import type { Endpoint } from "@countersign/contract/endpoint";
import { png } from "./logo-pictures.ts";
import { frameOfKey } from "./sandbox.ts";
import type { Route } from "./served-routes.ts";
import { sampleOf } from "./wrong-values.ts";

type Json = Record<string, unknown>;
/** Where an id appears in a request. For a body, `beside` has the other members to send. */
export type Place = { in: "path" | "query" | "body"; name: string; beside: Json; takes: "uuids" | "numbers" | "words" };

/** Parameters that are not ids. They are the same for all callers. */
const notIds = new Set(["environment", "file", "type", "theme", "name"]);
/** Members that a body needs to have a meaning, although each one is optional. */
const besides: Record<string, Json> = {
  answerSandboxForward: { httpStatus: 200 },
  changeCredential: { status: "revoked" },
  patchKey: { ipRanges: [] },
};

/**
 * Returns every place of a route that can contain an id. If the body accepts a phone, the owner's phone is tried there
 * as well.
 */
export function placesOf({ path, endpoint }: Route, phone: string): Place[] {
  const ofPath = [...path.matchAll(/:(\w+)/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !notIds.has(name))
    .map((name): Place => {
      const takes =
        membersOf(endpoint?.params)[name]?.format === "uuid" ? "uuids" : name === "line" ? "numbers" : "words";
      return { in: "path", name, beside: {}, takes };
    });
  if (endpoint === null) return ofPath;
  const body = membersOf(endpoint.body);
  const takes = "uuids" as const;
  const ofBody = uuidsIn(body).flatMap((name): Place[] => [
    { in: "body", name, beside: {}, takes },
    ...(body.phone === undefined ? [] : [{ in: "body" as const, name, beside: { phone }, takes }]),
  ]);
  const isPath = (name: string) => ofPath.some((place) => place.name === name);
  return [
    ...ofPath,
    ...uuidsIn(membersOf(endpoint.query)).map((name): Place => ({ in: "query", name, beside: {}, takes })),
    ...ofBody.filter(({ name }) => !isPath(name)),
  ];
}

function uuidsIn(members: Record<string, Json>): string[] {
  return Object.entries(members).flatMap(([name, { format }]) => (format === "uuid" ? [name] : []));
}

function membersOf(schema: unknown): Record<string, Json> {
  return (schema === undefined ? {} : (plain(schema).properties ?? {})) as Record<string, Json>;
}

const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json;

type Filling = { own: Record<string, string>; id: string };

export function requestOf({ method, path, endpoint }: Route, place: Place, { own, id }: Filling) {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = place.in === "path" && place.name === name ? id : (own[name] ?? ownOf(name));
    // The id of a line begins with the number of its cell.
    return encodeURIComponent(name === "line" ? `0-${value}` : value);
  });
  const query = new URLSearchParams(
    endpoint === null ? {} : (requiredOf(endpoint.query, place, { in: "query", id }) as Record<string, string>),
  );
  return {
    method,
    path: filled,
    query: query.toString(),
    body: method === "GET" ? undefined : bodyOf(endpoint, place, id),
  };
}

/** Returns the value of another path parameter for which the caller has no id. */
const ownOf = (name: string) => (notIds.has(name) ? "sandbox" : randomUUID());

function bodyOf(
  endpoint: Endpoint | null,
  place: Place,
  id: string,
): { type: string; bytes: string | Buffer } | undefined {
  if (endpoint?.bytes !== undefined) return { type: "image/png", bytes: png() };
  if (endpoint === null) return { type: "application/x-www-form-urlencoded", bytes: "choice=continue" };
  if (endpoint.body === undefined) return undefined;
  const body: Json = {
    ...requiredOf(endpoint.body, place, { in: "body", id }),
    ...besides[endpoint.id],
    ...place.beside,
  };
  // A session key is accepted only from its own frame.
  if (place.name === "sessionKey") body.frame = frameOfKey(id);
  return { type: "application/json", bytes: JSON.stringify(body) };
}

/** Returns the required members, with the id where it belongs. The body may repeat an id of the path. */
function requiredOf(schema: unknown, place: Place, { in: here, id }: { in: Place["in"]; id: string }): Json {
  if (schema === undefined) return {};
  const { required = [], properties = {} } = plain(schema) as {
    required?: string[];
    properties?: Record<string, Json>;
  };
  const members = required.map((name) => [name, sampleOf(properties[name] ?? {})]);
  const isHere = place.in === here || (place.in === "path" && required.includes(place.name));
  return { ...Object.fromEntries(members), ...(isHere ? { [place.name]: id } : {}) };
}
