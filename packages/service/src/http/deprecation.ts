import type { FastifyReply } from "fastify";

/** The release of 1.0.0, which deprecates v1 and v2.0, in Unix seconds. There is no end date. */
const deprecatedSince = Date.UTC(2026, 11, 1) / 1000;
const guide = "/docs/guides/migrating";

/** Marks an answer's API generation as deprecated, with a link to the migration guide. */
export function markDeprecated(reply: FastifyReply): void {
  reply.header("deprecation", `@${deprecatedSince}`);
  reply.header("link", `<${guide}>; rel="deprecation"; type="text/html"`);
}
