import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { type Guard, keepsReferrer } from "../mount.ts";

const returnPath = /^\/1-click\/verifications\/device\/[0-9A-Za-z]{1,100}\/result$/;

/** The simulated carrier. It redirects the device only to the path that the device came from. */
export function routesCarrier(
  app: FastifyInstance,
  options: { path: string; apiUrl(): string; guard: Guard<void> },
): void {
  app.get<{ Params: { "*": string } }>(`${options.path}/*`, async (request, reply) => {
    reply.headers(keepsReferrer).header("access-control-allow-origin", "*");
    await options.guard(request, reply);
    const path = `/${request.params["*"]}`;
    if (!returnPath.test(path)) throw refuse(404, "There is nothing under this path.");
    return await reply.redirect(`${options.apiUrl()}${path}`, 302);
  });
}
