import type { AnywayGets } from "@countersign/contract/wallet";
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { type AuditRow, insertAudits, insertAuditsTogether } from "./audit-rows.ts";

/** What can be done with a person's data. Each action is recorded in the transaction that does it. */
export type AuditAction =
  | "oneClick.shown"
  | "oneClick.released"
  | "oneClick.read"
  | "oneClick.refused"
  | "oneClick.declined"
  | "verification.verified"
  | "verification.denied"
  | "credential.issued"
  | "credential.read"
  | "credential.changed"
  | "health.requested"
  | "health.released"
  | "health.ended"
  | "health.read"
  | "account.signedIn"
  | "account.corrected"
  | "account.downloaded"
  | "account.withdrawn"
  | "account.tookOut"
  | "account.allowedWallet"
  | "account.withdrewCredential"
  | "account.reset"
  | "account.deleted"
  | "account.handedOver";

/** Who acts. `brand`: the brand that calls, or on whose page a person acts. Null if a person acts on their own page. */
export type Actor = { brand: { uuid: string } | null; apiKeyUuid: string | null; requestId: string };

/** A person who acts on their own page. */
export function byPerson(requestId: string): Actor {
  return { brand: null, apiKeyUuid: null, requestId };
}

export type AuditEntry = {
  action: AuditAction;
  personUuid?: string;
  oneClickUuid?: string;
  verificationUuid?: string;
  /** Facts about the action, never personal values: released types, the consent, the error code of a refusal. */
  detail?: Record<string, string | string[]>;
};

export async function recordAudit(deps: Deps, trx: Trx, by: Actor, entry: AuditEntry): Promise<void> {
  await recordAudits(trx, [auditRow(deps, by, entry)]);
}

/** Records several entries at once. */
export async function recordAudits(trx: Trx, rows: readonly AuditRow[]): Promise<void> {
  await insertAudits(trx, rows);
}

/** Records an action that writes nothing else, such as a read. Entries of the same moment are written together. */
export async function recordAuditAlone(deps: Deps, by: Actor, entry: AuditEntry): Promise<void> {
  await insertAuditsTogether(deps.db, auditRow(deps, by, entry));
}

export function auditRow(deps: Deps, by: Actor, entry: AuditEntry): AuditRow {
  return {
    environment: deps.environment,
    at: deps.clock.now(),
    action: entry.action,
    brand_uuid: by.brand?.uuid ?? null,
    api_key_uuid: by.apiKeyUuid,
    person_uuid: entry.personUuid ?? null,
    one_click_uuid: entry.oneClickUuid ?? null,
    verification_uuid: entry.verificationUuid ?? null,
    request_id: by.requestId,
    detail: entry.detail ?? {},
  };
}

/**
 * Reads the detail of an entry: the credential types, the 1-Click's purpose, such as "Signup", what the brand got
 * although the person declined, and the brand's name on the screen of a decision.
 */
export function entryDetail(detail: unknown): {
  types: string[];
  word?: string;
  anyway?: AnywayGets;
  brandName?: string;
} {
  if (typeof detail !== "object" || detail === null) return { types: [] };
  const types = "types" in detail && Array.isArray(detail.types) ? detail.types.map(String) : [];
  return {
    types,
    ...("word" in detail && typeof detail.word === "string" ? { word: detail.word } : {}),
    ...("brandName" in detail && typeof detail.brandName === "string" ? { brandName: detail.brandName } : {}),
    ...("anyway" in detail && isAnywayGets(detail.anyway) ? { anyway: detail.anyway } : {}),
  };
}

function isAnywayGets(value: unknown): value is AnywayGets {
  return value === "nothing" || value === "phone" || value === "phoneAndRisk";
}
