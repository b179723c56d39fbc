import type { FastifyInstance } from "fastify";

/** Pages of any site may read the answer. Such calls use no cookie. */
export const readableByOtherSites = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
};

/** How long browsers remember a preflight, in seconds. Chromium accepts two hours at most. */
const preflightSeconds = 7_200;

/** Answers a browser that asks whether a page of another site may call a path with headers such as `Authorization`. */
export function answerPreflights(app: FastifyInstance, path: string): void {
  app.options(path, async (_request, reply) =>
    reply
      .headers({
        ...readableByOtherSites,
        "access-control-allow-methods": "GET, HEAD, POST",
        // A star does not include Authorization.
        "access-control-allow-headers": "authorization, *",
        "access-control-max-age": String(preflightSeconds),
      })
      .status(204)
      .send(),
  );
}
