import type { Endpoint } from "@countersign/contract/endpoint";
import { isLoopbackPeer } from "@countersign/contract/loopback";
import type { FastifyRequest } from "fastify";
import type { OtherActor } from "../../domain/audit/account-audit-rows.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { apiKeyIn, authenticate, type Gate, openPath } from "../auth.ts";
import { callOf, recordCall } from "../changes.ts";
import { namesThisMachine } from "../host.ts";
import type { Guard, Mounting } from "../mount.ts";

/** The customer and the brand for which the sandbox is controlled. */
export type Driver = {
  customerUuid: string;
  /** The brand of the key; null if no key was needed. */
  brandUuid: string | null;
  /** The actor in the audit log. */
  by: OtherActor;
};

/**
 * Accepts a sandbox key of the customer. If demo brands exist, also accepts a request that only a user of this machine
 * can have made.
 */
export function sandboxGuard(gate: Gate, demoCustomerUuid: string | null): Guard<Driver> {
  return async (request, reply) => {
    if (apiKeyIn(request) !== null) {
      const { brand, apiKeyUuid } = await authenticate(gate, request, reply);
      const { customerUuid } = brand;
      return { customerUuid, brandUuid: brand.uuid, by: actorOf(request, { customerUuid, apiKeyUuid }) };
    }
    await openPath(gate, request, reply);
    if (demoCustomerUuid !== null && isLocal(request)) {
      const by = actorOf(request, { customerUuid: demoCustomerUuid, apiKeyUuid: null });
      return { customerUuid: demoCustomerUuid, brandUuid: null, by };
    }
    throw refuse(401, "A sandbox API key is required in the Authorization header.");
  };
}

function actorOf(
  { id, method, routeOptions }: FastifyRequest,
  { customerUuid, apiKeyUuid }: { customerUuid: string; apiKeyUuid: string | null },
): OtherActor {
  const call = callOf({ method, path: routeOptions.url ?? "" });
  return { member: { uuid: null, customerUuid }, requestId: id, via: "sandboxControl", call, apiKeyUuid };
}

/** Mounts calls of sandbox control. Each one that changes something gets an entry in the audit log. */
export function controlledBy(homeDeps: HomeDeps, guard: Guard<Driver>): Mounting<Driver> {
  const after = ({ by }: Driver, declared: Endpoint) =>
    recordCall({ home: homeDeps.home, clock: homeDeps.realClock }, by, declared);
  return { guard, prefixes: [""], homeDeps, after };
}

/**
 * Whether only a user of this machine can have made the request. A foreign page can make a local browser send requests,
 * even under a host name that it controls, so any sign of that makes it false.
 */
function isLocal(request: FastifyRequest): boolean {
  const { headers } = request;
  const peer = request.socket.remoteAddress ?? "";
  if (!isLoopbackPeer(peer)) return false;
  if (!namesThisMachine(headers.host ?? "")) return false;
  if (Object.keys(headers).some((name) => name === "forwarded" || name.startsWith("x-forwarded-"))) return false;
  if (headers.origin !== undefined && !sameOrigin(headers.origin, headers.host ?? "")) return false;
  const site = headers["sec-fetch-site"];
  const isOwn = site === undefined || site === "none" || site === "same-origin";
  if (!isOwn && !(site === "same-site" && isFollowedLink(request))) return false;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return (
    !hasBody || headers["content-length"] === "0" || /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")
  );
}

/** Whether the user follows a link to what a call reads, such as the dashboard's link to the outbox. */
function isFollowedLink({ method, headers }: FastifyRequest): boolean {
  return method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}

function sameOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}`;
}
