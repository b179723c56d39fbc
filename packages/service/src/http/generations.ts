import type { AmendRequest } from "@countersign/contract/v2";
import type { FastifyReply } from "fastify";

/** The day of release 1.0.0 in `CHANGELOG.md`, which deprecates v1 and v2.0. They have no end date, so no `Sunset`. */
const deprecatedOn = "2026-12-01";
const guide = "/docs/guides/migrating";

/** Marks an answer's API generation as deprecated (RFC 9745), with a link to the migration guide. */
export function markDeprecated(reply: FastifyReply): void {
  reply.header("deprecation", `@${Date.parse(deprecatedOn) / 1000}`);
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
