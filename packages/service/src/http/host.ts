import { isIP } from "node:net";
import { isLoopbackPeer } from "@countersign/contract/loopback";
import type { FastifyRequest } from "fastify";
import { fail, refuse } from "../domain/failure.ts";

/**
 * Refuses a request without a Host header, with several, or with a host that the listener does not serve. This stops
 * DNS rebinding: a page whose host name resolves to this machine still sends that name.
 */
export function assertHost({ headers, raw }: FastifyRequest, answersTo?: (host: string) => boolean): void {
  const { host } = headers;
  // Node would refuse this request, but without our error envelope.
  if (host === undefined && raw.httpVersion === "1.1") throw fail("ERR001", {}, "The Host header is missing.");
  if (hostHeaders(raw.rawHeaders) > 1) throw fail("ERR001", {}, "The request has more than one Host header.");
  if (host !== undefined && answersTo?.(host) === false)
    throw refuse(403, "In demo mode the service answers only to this machine's own host names, such as localhost.");
}

/** Whether a Host header, with or without a port, names this machine: `localhost` or a loopback address. */
export function namesThisMachine(host: string): boolean {
  const name = host
    .replace(/:\d+$/, "")
    .replace(/^\[|\]$/g, "")
    .toLowerCase();
  return isIP(name) === 0 ? name === "localhost" : isLoopbackPeer(name);
}

/** The number of Host headers. Node keeps only the first one. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") count += 1;
  return count;
}
