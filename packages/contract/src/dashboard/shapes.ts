/** Shapes that the dashboard's endpoints share. */
import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { type EndpointGroup, endpointsOf, keyedBodyBytesMax } from "../endpoint.ts";
import { anyOf, Millis, t, Uuid } from "../primitives.ts";
import type { MemberRole } from "./member.ts";

export const tag = "Dashboard";

/** Returns the function that declares operations for members with this role or a higher one. */
export const forRole = (role: MemberRole, more: Pick<EndpointGroup, "refusals"> = {}) =>
  endpointsOf({ tag, auth: "member", role, ...more });
export const forViewer = forRole("viewer");
export const forDeveloper = forRole("developer");
export const forOwner = forRole("owner");

/** A name that people read in texts and emails. The service checks it and explains each rejection in a sentence. */
export const NewName = t.String({ minLength: 1, maxLength: 100 });

/** A requested name that waits for the operator's approval, with the name in use. */
export const WaitingName = t.Object({
  /** Path of the setting, or `name` for the account's name. */
  path: t.String(),
  current: anyOf(t.String(), t.Null()),
  requested: t.String(),
  requestedAt: Millis,
});
export type WaitingName = Static<typeof WaitingName>;

/** Largest body with network rules, in bytes, as in the API. The service checks the member's session first. */
export const rulesBodyBytesMax = keyedBodyBytesMax;

export const Nothing = t.Object({});
export const ofBrand = t.Object({ brand: Uuid });
export const ofEnvironment = t.Object({ brand: Uuid, environment: Environment });
