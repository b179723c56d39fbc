import type { FastifyInstance } from "fastify";

const cacheSeconds = 86_400;
export const markPath = "/mark.svg";
/** The product's mark: a C that a tick completes. It is readable on light and dark backgrounds, from 16 pixels. */
export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7.5" fill="#0b6e4f"/><path d="M20.6 7.6A9.4 9.4 0 1 0 24.9 19M12.4 15.2l4 4L26.2 8.6" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** Serves the mark. Browsers request `/favicon.ico` for answers without an icon, such as JSON. */
export function routesMark(app: FastifyInstance): void {
  for (const path of [markPath, "/favicon.ico"])
    app.get(path, async (_request, reply) =>
      reply.header("cache-control", `public, max-age=${cacheSeconds}`).type("image/svg+xml").send(mark),
    );
}
