import { BlockList, isIPv6 } from "node:net";
import type { Approval } from "@countersign/contract/brand";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { KeyRing } from "../domain/brand/key-ring.ts";
import type { KeyOwner } from "../domain/brand/store.ts";
import type { Brand, Caller } from "../domain/deps.ts";
import { refuse } from "../domain/failure.ts";
import { addressKey, type Limit, useLimit } from "./limits.ts";

export type Gate = {
  keys: KeyRing;
  /** What a brand must have been granted before any of its keys works; null: nothing. */
  needs: Approval | null;
  keyLimit: Limit;
  addressLimit: Limit;
};

/** The key of a request: bare, or after `Bearer`, in every generation. */
export function keyOf(request: FastifyRequest): string | null {
  const text = request.headers.authorization?.replace(/^bearer\s+/i, "").trim();
  return text === undefined || text === "" ? null : text;
}

/** Whether a browser sent this. `Sec-Fetch-Mode` means nothing: servers send it too. */
export function comesFromBrowser(request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  return request.headers.origin !== undefined || (site !== undefined && site !== "none");
}

/** On an open path a key is ignored, unless a browser sent it: then it has leaked. */
export async function openPath(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await useLimit(gate.addressLimit, addressKey(request.ip), reply);
  const key = keyOf(request);
  if (key === null || !comesFromBrowser(request)) return;
  const owner = await gate.keys.ownerOf(key);
  if (owner !== null) throw leaked(request, owner);
}

/** Marks a route that looks at keys by itself: its refusals may need headers of its own. */
export const guardsItself = { guardsItself: true };

/** A key that a browser sends has leaked, whatever it asks for: pages, probes and paths that do not exist included. */
export function refuseLeakedKeys(app: FastifyInstance, gate: Gate): void {
  app.addHook("onRequest", async (request, reply) => {
    if (keyOf(request) === null || !comesFromBrowser(request)) return;
    if (!("guardsItself" in request.routeOptions.config)) await openPath(gate, request, reply);
  });
}

/** Who calls with a key. */
export async function authenticate(gate: Gate, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const key = keyOf(request);
  const owner = key === null ? null : await gate.keys.ownerOf(key);
  if (owner === null || !allowedFrom(owner, request.ip)) {
    // Guesses at keys are counted by address, whatever they guess.
    await useLimit(gate.addressLimit, addressKey(request.ip), reply);
    throw refuse(401, "A valid API key is needed in the Authorization header.");
  }
  if (comesFromBrowser(request)) {
    // Whoever found the key would use up its limit, and the brand's servers with it.
    await useLimit(gate.addressLimit, addressKey(request.ip), reply);
    throw leaked(request, owner);
  }
  callers.set(request, owner);
  await useLimit(gate.keyLimit, owner.apiKeyUuid, reply);
  assertLetGo(gate, owner.brand, request.method);
  return { brand: owner.brand, apiKeyUuid: owner.apiKeyUuid, requestId: request.id };
}

const callers = new WeakMap<FastifyRequest, KeyOwner>();

/** Whose key a request carried, for the request log. */
export function keyOwnerOf(request: FastifyRequest): KeyOwner | undefined {
  return callers.get(request);
}

/** The operator's word stands above every key of the brand. */
function assertLetGo({ needs }: Gate, { mode, approvals }: Brand, method: string): void {
  if (needs !== null && !approvals.has(needs))
    throw refuse(403, `The operator has not approved this brand for ${needs}.`);
  if (mode === "stopped") throw refuse(403, "The operator of this service has stopped this brand.");
  if (mode === "readOnly" && method !== "GET")
    throw refuse(403, "The operator of this service lets this brand read only.");
}

/** The refusal is noted as the brand's own: its log of requests is where the owner learns of the leak. */
function leaked(request: FastifyRequest, owner: KeyOwner): Error {
  callers.set(request, owner);
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
