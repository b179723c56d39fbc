import type { FastifyRequest } from "fastify";
import { PerRequest } from "./per-request.ts";

/** A caller whose request waited longer, in milliseconds, is checked again. A revoked key must stop within a second. */
const waitMaxMs = 1_000;

const checked = new PerRequest<{ at: number; check: () => Promise<void> }>("check");

/** Checks a caller, and remembers the check for `recheck`. */
export async function checkFirst(request: FastifyRequest, check: () => Promise<void>): Promise<void> {
  await check();
  checked.set(request, { at: performance.now(), check });
}

/** Checks a caller again if the request waited since the last check. Their key or session may have ended since. */
export async function recheck(request: FastifyRequest): Promise<void> {
  const last = checked.get(request);
  if (last !== undefined && performance.now() - last.at > waitMaxMs) await checkFirst(request, last.check);
}
