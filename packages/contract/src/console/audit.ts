/** Console endpoints of the audit log of all accounts. */
import type { Static } from "typebox";
import { type AuditAction, auditActions, auditActors, auditVias } from "../dashboard/audit.ts";
import { anyOf, Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { forOperator, forSupport, Reason } from "./shapes.ts";

/** Groups of actions, by what an operator looks for. */
export const auditGroups = {
  looks: ["person.viewed", "stop.viewed", "brand.viewed", "audit.exported"],
  deletions: ["person.deleted"],
  decisions: [
    "approval.granted",
    "approval.revoked",
    "approval.refused",
    "name.approved",
    "name.rejected",
    "brand.limited",
  ],
  access: ["operator.invited", "operator.signedIn", "operator.removed"],
} as const satisfies Record<string, readonly AuditAction[]>;
export type AuditGroup = keyof typeof auditGroups;

const ConsoleAuditLine = t.Object({
  id: t.Integer(),
  at: Millis,
  action: t.String(),
  actor: stringEnum(...auditActors),
  /** The operator's name. Members and API keys are uuids, because names of other companies' staff are not needed here. */
  who: anyOf(t.String(), t.Null()),
  via: stringEnum(...auditVias),
  call: anyOf(t.String(), t.Null()),
  customer: anyOf(Uuid, t.Null()),
  customerName: anyOf(t.String(), t.Null()),
  brand: anyOf(Uuid, t.Null()),
  brandName: anyOf(t.String(), t.Null()),
  environment: anyOf(t.String(), t.Null()),
  subject: anyOf(t.String(), t.Null()),
  reason: anyOf(t.String(), t.Null()),
  changes: t.Integer(),
});
export type ConsoleAuditLine = Static<typeof ConsoleAuditLine>;

const instant = t.Optional(t.String({ pattern: "^[0-9]{1,15}$" }));
const filter = {
  customer: t.Optional(Uuid),
  brand: t.Optional(Uuid),
  /** A kind of actor, or the uuid of an operator, a member or an API key. */
  actor: t.Optional(anyOf(stringEnum(...auditActors), Uuid)),
  action: t.Optional(stringEnum(...auditActions)),
  group: t.Optional(stringEnum("looks", "deletions", "decisions", "access")),
  /** The person whom an operator looked at or deleted. */
  person: t.Optional(Uuid),
  from: instant,
  to: instant,
};

export const searchConsoleAudit = forSupport("searchConsoleAudit", "GET /api/console/audit", {
  summary: "Who changed what and who looked at whom, in all accounts, newest first",
  query: t.Object({ ...filter, before: instant }),
  reply: t.Object({ data: t.Array(ConsoleAuditLine), hasOlder: t.Boolean() }),
});

export const exportConsoleAudit = forOperator("exportConsoleAudit", "POST /api/console/audit-csv", {
  summary: "The audit log as CSV; the export is recorded",
  body: t.Object({ ...filter, reason: Reason }),
  /** `isWhole`: whether the file contains all entries. */
  reply: t.Object({ csv: t.String(), isWhole: t.Boolean() }),
});
