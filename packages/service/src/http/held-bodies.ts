/** Limits how many bytes of large bodies a process holds at once. Each body alone has its own limit. */
import { openBodyBytesMax } from "@countersign/contract/endpoint";
import type { FastifyReply, FastifyRequest } from "fastify";
import { refuse } from "../domain/failure.ts";
import { keyOwnerOf } from "./auth.ts";
import { addressKey } from "./limits.ts";

const allBytesMax = 64 * 1024 * 1024;
/** Of one customer, or of one address if no key names the customer. It is enough for two of the largest bodies. */
export const callerBytesMax = 16 * 1024 * 1024;

const heldBy = new Map<string, number>();
let held = 0;

/**
 * Reserves memory for a body until its answer is sent. A body of unknown length counts as the largest that `bytesMax`
 * allows. Small bodies need no reservation: a connection costs as much.
 */
export function holdBody(request: FastifyRequest, reply: FastifyReply, bytesMax: number): void {
  const bytes = Math.min(bytesMax, lengthOf(request) ?? bytesMax);
  if (bytes <= openBodyBytesMax) return;
  const caller = keyOwnerOf(request)?.brand.customerUuid ?? addressKey(request.ip);
  const ofCaller = heldBy.get(caller) ?? 0;
  if (held + bytes > allBytesMax || ofCaller + bytes > callerBytesMax)
    throw refuse(429, "Too many large bodies are being processed. Wait for the answers to those that you sent.", {
      "retry-after": "1",
    });
  held += bytes;
  heldBy.set(caller, ofCaller + bytes);
  // Emitted once, also if the connection breaks.
  reply.raw.once("close", () => {
    held -= bytes;
    const left = (heldBy.get(caller) ?? 0) - bytes;
    if (left > 0) heldBy.set(caller, left);
    else heldBy.delete(caller);
  });
}

/** Null if the sender does not say how long the body is. */
function lengthOf({ headers }: FastifyRequest): number | null {
  if (headers["transfer-encoding"] !== undefined) return null;
  return Number(headers["content-length"] ?? 0);
}
