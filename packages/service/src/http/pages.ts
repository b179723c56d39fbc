import { type FastifyInstance, fastify } from "fastify";

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A listener that answers one plain page. */
export function pageServer(title: string, text: string): FastifyInstance {
  const app = fastify({ logger: false });
  app.get("/", async (_request, reply) =>
    reply
      .header("content-security-policy", policy)
      .header("referrer-policy", "no-referrer")
      .type("text/html; charset=utf-8")
      .send(
        `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>\n`,
      ),
  );
  return app;
}
