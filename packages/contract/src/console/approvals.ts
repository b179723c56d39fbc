/** Console endpoints of the queue of approvals: production, names, logos and add-ons. */
import type { Static } from "typebox";
import { Approval, Environment } from "../brand/brand.ts";
import { Nothing } from "../dashboard/shapes.ts";
import { anyOf, Millis, t, Uuid } from "../primitives.ts";
import { forOperator, forSupport, Reason } from "./shapes.ts";

const Change = t.Object({ path: t.String(), from: t.Optional(t.String()), to: t.Optional(t.String()) });

/** A brand's request for production. */
const WaitingProduction = t.Object({
  brand: Uuid,
  name: t.String(),
  customerName: t.String(),
  /** The name that people read in texts now. */
  externalName: anyOf(t.String(), t.Null()),
  integrationType: anyOf(t.String(), t.Null()),
  /** The checklist items that the service has checked, those that the member confirmed, and those that are not done. */
  checked: t.Array(t.String()),
  confirmed: t.Array(t.String()),
  notDone: t.Array(t.String()),
  at: t.String(),
  note: t.String(),
  /** What differs from the sandbox, in which the brand was tested. */
  changes: t.Array(Change),
  /** What the brand has in production now, such as add-ons. */
  approvals: t.Array(Approval),
});
export type WaitingProduction = Static<typeof WaitingProduction>;

/** A name or a logo that waits. */
const WaitingChange = t.Object({
  request: Uuid,
  customer: Uuid,
  customerName: t.String(),
  /** Null for the account's own name. */
  brand: anyOf(Uuid, t.Null()),
  environment: anyOf(Environment, t.Null()),
  path: t.String(),
  isLogo: t.Boolean(),
  current: anyOf(t.String(), t.Null()),
  requested: t.String(),
  /** The requested name with non-ASCII characters as code points, which makes look-alike letters visible. */
  escaped: t.String(),
  /** Whether the requested name mixes letters of two scripts, such as Latin and Cyrillic. */
  mixesScripts: t.Boolean(),
  /** Names of other customers that look like the requested one. `waits`: the name is requested, but not in use yet. */
  lookAlikes: t.Array(t.Object({ name: t.String(), customerName: t.String(), waits: t.Boolean() })),
  at: t.String(),
});
export type WaitingChange = Static<typeof WaitingChange>;

export const listWaiting = forSupport("listWaiting", "GET /api/console/approvals", {
  summary: "What waits for the operator, oldest first",
  reply: t.Object({ now: Millis, production: t.Array(WaitingProduction), names: t.Array(WaitingChange) }),
});

export const answerProduction = forOperator("answerProduction", "POST /api/console/approvals/production/:brand", {
  summary: "Grant or refuse a brand's request for production",
  params: t.Object({ brand: Uuid }),
  body: t.Object({ granted: t.Boolean(), reason: Reason }),
  reply: Nothing,
  refusals: [404, 409],
});

export const answerName = forOperator("answerName", "POST /api/console/approvals/names/:request", {
  summary: "Approve or reject a requested name or logo",
  params: t.Object({ request: Uuid }),
  body: t.Object({ approved: t.Boolean(), reason: Reason }),
  reply: Nothing,
  refusals: [404, 409],
});

export const changeAddOn = forOperator("changeAddOn", "POST /api/console/brands/:brand/approvals", {
  summary: "Grant or revoke an approval of a brand",
  params: t.Object({ brand: Uuid }),
  body: t.Object({ environment: Environment, approval: Approval, granted: t.Boolean(), reason: Reason }),
  reply: Nothing,
  refusals: [404, 409],
});
