import type { FastifyReply } from "fastify";

/** Release of 1.0.0, from which on v1 and v2.0 are deprecated; Unix seconds. There is no date at which they end. */
const deprecatedSince = Date.UTC(2026, 11, 1) / 1000;
const guide = "/docs/migration";

/** Says that a generation is deprecated, and where its callers read on. */
export function markDeprecated(reply: FastifyReply): void {
  reply.header("deprecation", `@${deprecatedSince}`);
  reply.header("link", `<${guide}>; rel="deprecation"; type="text/markdown"`);
}
