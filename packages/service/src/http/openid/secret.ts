import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { type Gate, ownerOfSecret } from "../auth.ts";

/** Whether a secret is an API key of the client's brand, and may be used for this request. */
export type SecretCheck = (raw: IncomingMessage | undefined, clientId: string, secret: string) => Promise<boolean>;

/** Compares secrets with the stored hashes of API keys. `requests`: the requests in progress. */
export function secretCheck(gate: Gate, requests: WeakMap<IncomingMessage, FastifyRequest>): SecretCheck {
  return async (raw, clientId, secret) => {
    const request = raw === undefined ? undefined : requests.get(raw);
    if (request === undefined) return false;
    return (await ownerOfSecret(gate, request, { secret, brandUuid: clientId })) !== null;
  };
}
