import type { Trx } from "../../store/database.ts";
import type { Caller, Deps } from "../deps.ts";
import type { Phone } from "../ports.ts";

/** What can be done with somebody's data. Written in the transaction that does it. */
export type AuditAction =
  | "oneClick.released"
  | "oneClick.read"
  | "oneClick.refused"
  | "verification.verified"
  | "verification.denied";

/** On whose behalf: a caller, or a brand whose person acts on its page. */
export type Actor = { brand: { uuid: string }; apiKeyUuid: string | null; requestId: string };

export type AuditEntry = {
  action: AuditAction;
  personUuid?: string;
  oneClickUuid?: string;
  verificationUuid?: string;
  /** Facts about the deed, never personal values: types released, the error code of a refusal. */
  detail?: Record<string, string | string[]>;
};

export async function recordAudit(deps: Deps, trx: Trx, by: Actor, entry: AuditEntry): Promise<void> {
  await trx
    .insertInto("audit")
    .values({
      environment: deps.environment,
      at: deps.clock.now(),
      action: entry.action,
      brand_uuid: by.brand.uuid,
      api_key_uuid: by.apiKeyUuid,
      person_uuid: entry.personUuid ?? null,
      one_click_uuid: entry.oneClickUuid ?? null,
      verification_uuid: entry.verificationUuid ?? null,
      request_id: by.requestId,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute();
}

/** The ground of a release whose person the brand itself asked: its declaration, as its settings state it. */
export async function recordDeclaredConsent(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  about: { phone: Phone; personUuid: string; oneClickUuid: string },
): Promise<void> {
  const { consent } = caller.brand.settings;
  await trx
    .insertInto("consent")
    .values({
      uuid: deps.random.uuid(),
      environment: deps.environment,
      at: deps.clock.now(),
      action: "share",
      source: "brandDeclaration",
      brand_uuid: caller.brand.uuid,
      person_uuid: about.personUuid,
      phone_index: deps.vault.index("phone", deps.environment, about.phone),
      one_click_uuid: about.oneClickUuid,
      version: consent.version,
      language: null,
      words: consent.text,
      url: consent.url,
    })
    .execute();
}
