import type { AmendRequest } from "@countersign/contract/v2";
import type { FastifyReply } from "fastify";

/** The release of 1.0.0, which deprecates v1 and v2.0, in Unix seconds. There is no end date. */
const deprecatedSince = Date.UTC(2026, 11, 1) / 1000;
const guide = "/docs/guides/migrating";

/** Marks an answer's API generation as deprecated, with a link to the migration guide. */
export function markDeprecated(reply: FastifyReply): void {
  reply.header("deprecation", `@${deprecatedSince}`);
  reply.header("link", `<${guide}>; rel="deprecation"; type="text/html"`);
}

/** The path prefixes of both v2 generations. */
export const versionPrefixes: readonly string[] = ["/v2", "/v2.1"];
/** For paths that no v1 path conflicts with: they also work without a prefix. */
export const allPrefixes: readonly string[] = ["", ...versionPrefixes];

/** The inputs that OCE011 can ask for, read from a body. Drops all other members. */
export function readAdditionalInputs({ birthDate, ssn4, fullName }: AmendRequest): AmendRequest {
  return { birthDate, ssn4, fullName } satisfies Record<keyof AmendRequest, unknown>;
}
