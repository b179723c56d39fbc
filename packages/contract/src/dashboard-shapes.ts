/** What the dashboard's endpoints have in common. */
import { Environment } from "./brand.ts";
import { keyedBodyBytesMax } from "./endpoint.ts";
import type { MemberRole } from "./member.ts";
import { t, Uuid } from "./primitives.ts";

export const tag = "Dashboard";

/** For members who have at least this role. */
export const forRole = <const Role extends MemberRole>(role: Role) => ({ tag, auth: "member", role }) as const;

/** Largest body that carries network rules, bytes: the same as through the API. The member's session is checked first. */
export const rulesBodyBytesMax = keyedBodyBytesMax;

export const Nothing = t.Object({});
export const ofBrand = t.Object({ brand: Uuid });
export const ofEnvironment = t.Object({ brand: Uuid, environment: Environment });
