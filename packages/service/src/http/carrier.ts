import type { FastifyInstance } from "fastify";
import { refuse } from "../domain/failure.ts";
import type { Guard } from "./mount.ts";

/** Longest query that a carrier comes back with. */
const answerLengthMax = 4_000;
const returnPath = /^\/1-click\/verifications\/device\/[0-9A-Za-z]{1,100}\/result$/;

/** The simulated carrier: it looks at the device and sends it back to where it came from, and nowhere else. */
export function routesCarrier(
  app: FastifyInstance,
  about: { path: string; apiUrl(): string; guard: Guard<void> },
): void {
  app.get<{ Params: { "*": string } }>(`${about.path}/*`, async (request, reply) => {
    reply.header("access-control-allow-origin", "*");
    await about.guard(request, reply);
    const path = `/${request.params["*"]}`;
    if (!returnPath.test(path)) throw refuse(404, "There is nothing under this path.");
    return await reply.redirect(`${about.apiUrl()}${path}`, 302);
  });
}

/**
 * The one address that is registered with the carrier, for all journeys: the word before the first dot of `state` says
 * where this one goes on. Whether the answer is anybody's is judged there.
 */
export function routesCarrierReturn(
  app: FastifyInstance,
  about: { path: string; apiUrl(): string; guard: Guard<void> },
): void {
  app.get(about.path, async (request, reply) => {
    reply.header("access-control-allow-origin", "*");
    await about.guard(request, reply);
    const [, answer = ""] = request.url.split("?");
    const word = new URLSearchParams(answer).get("state")?.split(".")[0] ?? "";
    const path = `/1-click/verifications/device/${word}/result`;
    if (!returnPath.test(path) || answer.length > answerLengthMax)
      throw refuse(404, "There is nothing under this path.");
    return await reply.redirect(`${about.apiUrl()}${path}?${new URLSearchParams({ answer })}`, 302);
  });
}
