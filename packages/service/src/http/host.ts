import type { FastifyRequest } from "fastify";
import { fail, refuse } from "../domain/failure.ts";

/**
 * Refuses a request that names no host or two, and one whose host the listener does not answer to. A page whose name was
 * made to lead here (DNS rebinding) still names itself.
 */
export function assertHost({ headers, raw }: FastifyRequest, answersTo?: (host: string) => boolean): void {
  const { host } = headers;
  // Node would refuse this itself, without the envelope.
  if (host === undefined && raw.httpVersion === "1.1") throw fail("ERR001", {}, "The Host header is missing.");
  if (hostHeaders(raw.rawHeaders) > 1) throw fail("ERR001", {}, "There is more than one Host header.");
  if (host !== undefined && answersTo?.(host) === false)
    throw refuse(403, "Where DEMO is on, the service answers only under this machine's own names, such as localhost.");
}

/** Node keeps the first of several. */
function hostHeaders(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") count += 1;
  return count;
}
