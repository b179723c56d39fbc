import type { Insertable } from "kysely";
import type { Trx } from "../../store/database.ts";
import { hot } from "../../store/hot.ts";
import type { Tables } from "../../store/tables.ts";
import type { Brand, Deps } from "../deps.ts";
import type { Phone } from "../ports.ts";

/** What can be done with somebody's data. Written in the transaction that does it. */
export type AuditAction =
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
  | "health.read"
  | "account.signedIn"
  | "account.corrected"
  | "account.downloaded"
  | "account.withdrawn"
  | "account.reset"
  | "account.deleted"
  | "account.handedOver";

/** On whose behalf: a caller, a brand whose person acts on its page, or, without a brand, the person on their own page. */
export type Actor = { brand: { uuid: string } | null; apiKeyUuid: string | null; requestId: string };

export type AuditEntry = {
  action: AuditAction;
  personUuid?: string;
  oneClickUuid?: string;
  verificationUuid?: string;
  /** Facts about the deed, never personal values: types released, the consent it rests on, the error code of a refusal. */
  detail?: Record<string, string | string[]>;
};

export async function recordAudit(deps: Deps, trx: Trx, by: Actor, entry: AuditEntry): Promise<void> {
  await insertAudit(trx, {
    environment: deps.environment,
    at: deps.clock.now(),
    action: entry.action,
    brand_uuid: by.brand?.uuid ?? null,
    api_key_uuid: by.apiKeyUuid,
    person_uuid: entry.personUuid ?? null,
    one_click_uuid: entry.oneClickUuid ?? null,
    verification_uuid: entry.verificationUuid ?? null,
    request_id: by.requestId,
    detail: JSON.stringify(entry.detail ?? {}),
  });
}

const insertAudit = hot((db, row: Insertable<Tables["audit"]>) => db.insertInto("audit").values(row));

/** What an entry's details say to those who read it. */
export function detailOf(detail: unknown): { types: string[]; word?: string } {
  if (typeof detail !== "object" || detail === null) return { types: [] };
  const types = "types" in detail && Array.isArray(detail.types) ? detail.types.map(String) : [];
  return { types, ...("word" in detail && typeof detail.word === "string" ? { word: detail.word } : {}) };
}

/** What a person agreed to, or on whose word: the words that were shown, or the brand's declaration. */
export type ConsentGiven = {
  source: "brandDeclaration" | "wallet";
  version: string;
  language: string | null;
  words: string | null;
  url: string | null;
};

/** The ground of a release whose person the brand itself asked: its declaration, as its settings state it. */
export function declaredConsent({ settings }: Brand): ConsentGiven {
  const { version, text, url } = settings.consent;
  return { source: "brandDeclaration", version, language: null, words: text, url };
}

/** Keeps a decision, or the word it rests on; answers the record's uuid, by which its receipt is found. */
export async function recordConsent(
  deps: Deps,
  trx: Trx,
  by: Actor,
  about: {
    /** `prove`: to be texted, or recognised by the carrier. */
    action: "prove" | "share" | "decline" | "withdraw" | "correct" | "delete" | "handOver";
    phone: Phone;
    personUuid: string;
    oneClickUuid?: string;
    given: ConsentGiven;
    /** Where the deed is recorded before the word it rests on. */
    uuid?: string;
  },
): Promise<string> {
  const uuid = about.uuid ?? deps.random.uuid();
  await insertConsent(trx, {
    uuid,
    environment: deps.environment,
    at: deps.clock.now(),
    action: about.action,
    brand_uuid: by.brand?.uuid ?? null,
    person_uuid: about.personUuid,
    phone_index: deps.vault.index("phone", deps.environment, about.phone),
    one_click_uuid: about.oneClickUuid ?? null,
    ...about.given,
  });
  return uuid;
}

const insertConsent = hot((db, row: Insertable<Tables["consent"]>) => db.insertInto("consent").values(row));
