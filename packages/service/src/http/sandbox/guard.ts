import type { FastifyRequest } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { authenticate, type Gate, keyOf, openPath } from "../auth.ts";
import { isLoopback, isLoopbackName } from "../loopback.ts";
import type { Guard } from "../mount.ts";

/** The customer and brand in whose name the sandbox is controlled. */
export type Driver = {
  customerUuid: string;
  /** The brand of the key; null if no key was needed. */
  brandUuid: string | null;
};

/**
 * Accepts a sandbox key of the customer. If demo brands exist, also accepts a request that only a user of this machine
 * can have made.
 */
export function sandboxGuard(gate: Gate, demoCustomerUuid: string | null): Guard<Driver> {
  return async (request, reply) => {
    if (keyOf(request) !== null) {
      const { brand } = await authenticate(gate, request, reply);
      return { customerUuid: brand.customerUuid, brandUuid: brand.uuid };
    }
    await openPath(gate, request, reply);
    if (demoCustomerUuid !== null && isLocal(request)) return { customerUuid: demoCustomerUuid, brandUuid: null };
    throw refuse(401, "A sandbox API key is required in the Authorization header.");
  };
}

/**
 * A foreign page can make a local browser send requests, even under a host name that it controls. Refuse a request that
 * shows any sign of this.
 */
function isLocal(request: FastifyRequest): boolean {
  const { headers } = request;
  const peer = request.socket.remoteAddress ?? "";
  if (!isLoopback(peer)) return false;
  if (!isLoopbackName(headers.host ?? "")) return false;
  if (Object.keys(headers).some((name) => name === "forwarded" || name.startsWith("x-forwarded-"))) return false;
  if (headers.origin !== undefined && !sameOrigin(headers.origin, headers.host ?? "")) return false;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "none" && site !== "same-origin") return false;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return (
    !hasBody || headers["content-length"] === "0" || /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")
  );
}

function sameOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}`;
}
