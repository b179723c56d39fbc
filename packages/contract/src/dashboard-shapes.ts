/** What the dashboard's endpoints have in common. */
import type { Static } from "typebox";
import { Environment } from "./brand.ts";
import { keyedBodyBytesMax } from "./endpoint.ts";
import type { MemberRole } from "./member.ts";
import { anyOf, Millis, t, Uuid } from "./primitives.ts";

export const tag = "Dashboard";

/** For members who have at least this role. */
export const forRole = <const Role extends MemberRole>(role: Role) => ({ tag, auth: "member", role }) as const;

/** A name that people read in texts and e-mails; what it may hold the service judges, in a sentence. */
export const NewName = t.String({ minLength: 1, maxLength: 100 });

/** A name that waits for the operator, beside the one that is in use. */
export const WaitingName = t.Object({
  /** The setting, or `name` of the account. */
  path: t.String(),
  current: anyOf(t.String(), t.Null()),
  requested: t.String(),
  requestedAt: Millis,
});
export type WaitingName = Static<typeof WaitingName>;

/** Largest body that carries network rules, bytes: the same as through the API. The member's session is checked first. */
export const rulesBodyBytesMax = keyedBodyBytesMax;

export const Nothing = t.Object({});
export const ofBrand = t.Object({ brand: Uuid });
export const ofEnvironment = t.Object({ brand: Uuid, environment: Environment });
