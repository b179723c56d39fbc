import type { Send } from "@countersign/contract/client";
import type { FastifyInstance } from "fastify";

/** Sends calls to a listener as the script of its page does: with the token of a session, if there is one. */
export function scriptCalls(listener: FastifyInstance, session?: string | null): Send {
  return async ({ method, path, query, body, headers }) => {
    const response = await listener.inject({
      method,
      url: path,
      query,
      headers: { ...headers, ...(typeof session === "string" ? { authorization: `Bearer ${session}` } : {}) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, headers: {}, body: response.json() };
  };
}
