import type { Send } from "@countersign/contract/client";
import type { FastifyInstance } from "fastify";
import { isRecord } from "../../domain/validate.ts";
import { onView } from "./consent-shown.ts";

/**
 * Sends calls to a listener as the script of its page does: with the token of a session, if there is one. A decision
 * without `shown` is one on what the page shows now.
 */
export function scriptCalls(listener: FastifyInstance, session?: string | null): Send {
  const send = callsOf(listener, session);
  return async (request) => {
    if (!deciding.includes(request.path) || hasShown(request.body)) return await send(request);
    const view = await send({ method: "GET", path: "/api/page", query: {}, body: undefined, headers: {} });
    return await send({ ...request, body: onView(request.body, view.body) });
  };
}

const hasShown = (body: unknown) => isRecord(body) && isRecord(body.consent) && "shown" in body.consent;
const deciding = ["/api/page/decision", "/api/page/health/choice"];

function callsOf(listener: FastifyInstance, session?: string | null): Send {
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
