import { BlockList, isIPv6 } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { KeyOwner } from "../domain/brand/brand-rows.ts";
import type { KeyRing } from "../domain/brand/key-ring.ts";
import { assertMay, may } from "../domain/brand/permission.ts";
import type { Caller } from "../domain/deps.ts";
import { refuse } from "../domain/failure.ts";
import { addressKey, type Limit, useLimit } from "./limits.ts";
import { PerRequest } from "./per-request.ts";

export type Gate = {
  keys: KeyRing;
  keyLimit: Limit;
  addressLimit: Limit;
};

/** The API key of a request: bare or after `Bearer`, in every API generation. */
export function apiKeyIn(request: FastifyRequest): string | null {
  const text = request.headers.authorization?.replace(/^bearer\s+/i, "").trim();
  return text === undefined || text === "" ? null : text;
}

/** Whether a browser sent this request. `Sec-Fetch-Mode` alone proves nothing, because servers may send it too. */
function comesFromBrowser(request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  return request.headers.origin !== undefined || (site !== undefined && site !== "none");
}

/**
 * Rate-limits a call to an open path by address. Ignores a key in the call, but throws 418 for a key that a browser
 * sent, because that key has leaked.
 */
export async function openPath(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await useLimit(gate.addressLimit, addressKey(request.ip), reply);
  const key = apiKeyIn(request);
  if (key === null || !comesFromBrowser(request)) return;
  const owner = await gate.keys.ownerOf(key);
  if (owner !== null) throw leaked(request, owner);
}

/** Marks a route that checks keys itself, because its refusals may need their own headers. */
export const guardsItself = { guardsItself: true };

/**
 * Refuses every request in which a browser sends a key, because that key has leaked. This includes pages, probes and
 * unknown paths.
 */
export function refuseLeakedKeys(app: FastifyInstance, gate: Gate): void {
  app.addHook("onRequest", (request, reply, done) => {
    const isLeak = apiKeyIn(request) !== null && comesFromBrowser(request);
    if (!isLeak || "guardsItself" in request.routeOptions.config) return done();
    openPath(gate, request, reply).then(() => done(), done);
  });
}

/**
 * Authenticates a call by its API key. Throws 401 for an invalid key, 418 for a leaked key, 403 for a brand that may
 * not call, and 429 past a limit.
 */
export async function authenticate(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const key = apiKeyIn(request);
  const owner = key === null ? null : await gate.keys.ownerOf(key);
  if (owner === null || !allowedFrom(owner, request.ip)) {
    // Guesses at keys are rate limited by address.
    await useLimit(gate.addressLimit, addressKey(request.ip), reply);
    throw refuse(401, "A valid API key is required in the Authorization header.");
  }
  if (comesFromBrowser(request)) {
    // Use the address limit, so that a stranger who found the key cannot use up the limit of the brand's servers.
    await useLimit(gate.addressLimit, addressKey(request.ip), reply);
    throw leaked(request, owner);
  }
  keyOwners.set(request, owner);
  await useLimit(gate.keyLimit, owner.apiKeyUuid, reply);
  assertMay(owner.brand, ["GET", "HEAD"].includes(request.method) ? "read" : "act");
  return { brand: owner.brand, apiKeyUuid: owner.apiKeyUuid, requestId: request.id };
}

/**
 * The owner of a key that an OpenID client sends as its secret. Null for a key of another brand, a key that may not be
 * used from there, and a brand that may not call. The caller has applied the address limit.
 */
export async function ownerOfSecret(
  gate: Gate,
  request: FastifyRequest,
  { secret, brandUuid }: { secret: string; brandUuid: string },
): Promise<KeyOwner | null> {
  const owner = await gate.keys.ownerOf(secret);
  if (owner === null || owner.brand.uuid !== brandUuid || !allowedFrom(owner, request.ip)) return null;
  // Note the owner before the last check, so the brand's request log also shows refused calls with a leaked key.
  keyOwners.set(request, owner);
  return may(owner.brand, "act") && !comesFromBrowser(request) ? owner : null;
}

const keyOwners = new PerRequest<KeyOwner>("keyOwner");

/** The owner of a request's key, for the request log. */
export function keyOwnerOf(request: FastifyRequest): KeyOwner | undefined {
  return keyOwners.get(request);
}

/**
 * Notes the owner of a leaked key. The refusal then appears in the brand's request log, where the owner sees the leak.
 */
function leaked(request: FastifyRequest, owner: KeyOwner): Error {
  keyOwners.set(request, owner);
  return refuse(418, "This API key was used in a browser. Keys belong on servers; replace this one.");
}

function allowedFrom(owner: KeyOwner, ip: string): boolean {
  if (owner.ipRanges.length === 0) return true;
  const list = new BlockList();
  for (const range of owner.ipRanges) {
    const [network = "", prefix] = range.split("/");
    const family = isIPv6(network) ? "ipv6" : "ipv4";
    list.addSubnet(network, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return list.check(ip, isIPv6(ip) ? "ipv6" : "ipv4");
}

/** A caller whose request waited longer, in milliseconds, is checked again. A revoked key must stop within a second. */
const waitMaxMs = 1_000;

const checked = new PerRequest<{ at: number; check: () => Promise<void> }>("check");

/** Checks a caller, and remembers the check for `recheck`. */
export async function checkFirst(request: FastifyRequest, check: () => Promise<void>): Promise<void> {
  await check();
  checked.set(request, { at: performance.now(), check });
}

/**
 * Checks a caller again if the request waited since the last check. Their key or session may have ended since. Returns
 * nothing if it did not wait.
 */
export function recheck(request: FastifyRequest): Promise<void> | undefined {
  const last = checked.get(request);
  if (last !== undefined && performance.now() - last.at > waitMaxMs) return checkFirst(request, last.check);
  return undefined;
}
