/** Dashboard endpoints of the audit log, and its words. */
import type { Static } from "typebox";
import { anyOf, Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { forViewer } from "./shapes.ts";

/** What the audit log records. An endpoint or a command without an action of its own is recorded as `call.made`. */
export const auditActions = [
  "member.invited",
  "member.joined",
  "member.added",
  "member.changed",
  "member.renamed",
  "member.removed",
  "member.signedIn",
  "session.ended",
  "link.created",
  "passkey.created",
  "passkey.deleted",
  "customer.created",
  "customer.changed",
  "brand.created",
  "brand.changed",
  "brand.limited",
  "environment.created",
  "settings.changed",
  "settings.synced",
  "logo.refused",
  "key.created",
  "key.changed",
  "key.rolled",
  "key.revoked",
  "webhook.created",
  "webhook.changed",
  "webhook.rotated",
  "webhook.deleted",
  "webhook.tested",
  "listener.opened",
  "delivery.replayed",
  "delivery.revealed",
  "approval.requested",
  "approval.granted",
  "approval.revoked",
  "approval.refused",
  "name.requested",
  "name.withdrawn",
  "name.approved",
  "name.rejected",
  "clock.moved",
  "clock.reset",
  "text.answered",
  "sandbox.reset",
  "payers.synced",
  "payer.pictureChanged",
  "stateIds.authoritiesAdded",
  "stateIds.authorityRemoved",
  "masterKey.rotated",
  "database.migrated",
  "database.restored",
  "cell.added",
  "cell.moved",
  "cell.adopted",
  "operator.invited",
  "operator.signedIn",
  "operator.removed",
  "person.viewed",
  "person.deleted",
  "stop.viewed",
  "brand.viewed",
  "audit.exported",
  "call.made",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** `machine`: a user of the machine that runs the service, who needs no key for a sandbox with demo brands. */
export const auditActors = ["member", "apiKey", "operator", "machine"] as const;

/** Where a change was made. `console`: in the operator's console. */
export const auditVias = ["dashboard", "sandboxControl", "commandLine", "console"] as const;
export type AuditVia = (typeof auditVias)[number];

const AuditLine = t.Object({
  id: t.Integer(),
  at: Millis,
  action: t.String(),
  actor: stringEnum(...auditActors),
  /** The name of the member, or the name and the last four characters of the API key. Null for the others. */
  who: anyOf(t.String(), t.Null()),
  via: stringEnum(...auditVias),
  /** The endpoint or the command. */
  call: anyOf(t.String(), t.Null()),
  aboutWhom: anyOf(t.String(), t.Null()),
  brandUuid: anyOf(Uuid, t.Null()),
  brandName: anyOf(t.String(), t.Null()),
  environment: anyOf(t.String(), t.Null()),
  subject: anyOf(t.String(), t.Null()),
  /** Why the operator did it. */
  reason: anyOf(t.String(), t.Null()),
  changes: t.Array(t.Object({ path: t.String(), from: t.Optional(t.String()), to: t.Optional(t.String()) })),
});
export type AuditLine = Static<typeof AuditLine>;

const instant = t.Optional(t.String({ pattern: "^[0-9]{1,15}$" }));
const filter = {
  brand: t.Optional(Uuid),
  /** A kind of actor, or the uuid of a member or an API key. */
  actor: t.Optional(anyOf(stringEnum(...auditActors), Uuid)),
  action: t.Optional(stringEnum(...auditActions)),
  from: instant,
  to: instant,
};

export const listAudit = forViewer("listAudit", "GET /api/audit", {
  summary: "Who changed what, newest first",
  query: t.Object({ ...filter, before: t.Optional(t.String({ pattern: "^[0-9]{1,15}$" })) }),
  reply: t.Object({ data: t.Array(AuditLine), hasOlder: t.Boolean() }),
  refusals: [404],
});

export const exportAudit = forViewer("exportAudit", "GET /api/audit-csv", {
  summary: "The audit log as CSV",
  query: t.Object(filter),
  /** `isWhole`: whether the file contains all entries. */
  reply: t.Object({ csv: t.String(), isWhole: t.Boolean() }),
  refusals: [404],
});
