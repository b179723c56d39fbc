import type { AuditAction, AuditLine } from "@countersign/contract/audit";
import { nameActions } from "../brand/words-waiting.ts";
import { webhookActions } from "../webhooks/words-webhooks.ts";

type Own = Exclude<AuditAction, keyof typeof nameActions | keyof typeof webhookActions>;

const ownActions: Record<Own, string> = {
  "member.invited": "Invited a member",
  "member.joined": "Accepted the invitation",
  "member.added": "Added a member",
  "member.changed": "Changed a member",
  "member.renamed": "Changed their own name",
  "member.removed": "Removed a member",
  "member.signedIn": "Signed in",
  "session.ended": "Signed out",
  "link.created": "Created a sign-in link",
  "passkey.created": "Created a passkey",
  "passkey.deleted": "Deleted a passkey",
  "customer.created": "Created the account",
  "customer.changed": "Renamed the account",
  "brand.created": "Created a brand",
  "brand.changed": "Renamed a brand",
  "brand.limited": "Limited a brand",
  "environment.created": "Set up an environment",
  "settings.changed": "Changed settings",
  "settings.synced": "Copied settings",
  "logo.refused": "Sent a logo that was refused",
  "key.created": "Created an API key",
  "key.changed": "Changed an API key",
  "key.rolled": "Rotated an API key",
  "key.revoked": "Revoked an API key",
  "approval.requested": "Requested production",
  "approval.granted": "Granted an approval",
  "approval.revoked": "Revoked an approval",
  "listener.opened": "Started to listen for events",
  "clock.moved": "Moved the sandbox’s clock",
  "clock.reset": "Set the sandbox’s clock back to real time",
  "text.answered": "Replied to a text in the sandbox",
  "sandbox.reset": "Reset the sandbox",
  "payers.synced": "Updated the list of insurers",
  "masterKey.rotated": "Changed the master key",
  "database.migrated": "Migrated the database",
  "cell.added": "Opened a cell",
  "cell.moved": "Moved cells",
  "call.made": "Made a call",
};

const via: Readonly<Record<string, string>> = {
  dashboard: "dashboard",
  sandboxControl: "sandbox control",
  commandLine: "command line",
};

export const auditWords = {
  title: "Audit log",
  lead: "Every change to this account, who made it, and how. It never contains secrets.",
  when: "When",
  who: "Who",
  what: "What",
  actions: { ...ownActions, ...webhookActions, ...nameActions } satisfies Record<AuditAction, string>,
  /** Names of actors that have no name of their own. */
  actors: {
    member: "A member",
    apiKey: "An API key",
    operator: "The operator",
    machine: "A user of this machine",
  } satisfies Record<AuditLine["actor"], string>,
  /** Labels of changed members that are not settings, by their API names. */
  members: {
    name: "Name",
    role: "Role",
    requiresPasskey: "Require a passkey from every member",
    lastFour: "Last four characters",
    ipRanges: "Allowed IP addresses",
    overlapHours: "Hours that the old key still works",
    url: "URL",
    authentication: "Authentication",
    enabled: "State",
  },
  keyNamed: (name: string) => `API key ${name}`,
  via,
  filter: "Filter the audit log",
  actor: "Who",
  anyone: "Anyone",
  anyMember: "Any member",
  anyKey: "Any API key",
  action: "What",
  anything: "Anything",
  range: "Time",
  ranges: [
    { value: "", label: "Any time" },
    { value: "own", label: "Custom…" },
  ],
  download: "Download CSV",
  cut: "The file has only the newest entries. Choose a shorter time for older ones.",
  none: "No entries",
  noneLead: "Choose other filters, or clear them.",
};
