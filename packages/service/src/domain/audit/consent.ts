import { type ConsentKind, type ConsentShown, consentWords, recordedLanguage } from "@countersign/contract/consent";
import type { Trx } from "../../store/database.ts";
import type { Brand, Deps } from "../deps.ts";
import { invalid } from "../failure.ts";
import type { Phone } from "../ports.ts";
import { type ConsentRow, findConsentRow, insertConsents } from "./consent-rows.ts";
import type { Actor } from "./record.ts";

/** The text that a screen showed, and the screen's address. */
export type ConsentOnScreen = ConsentShown & { url: string };

/**
 * What a person agreed to: the text on one of our screens, what the brand declares about its own screen, or what the
 * person asked the operator.
 */
export type ConsentGiven = {
  source: "brandDeclaration" | "wallet" | "operator";
  version: string;
  language: string | null;
  words: string | null;
  url: string | null;
};

/**
 * The consent to a text of ours that a screen showed. Throws for any version but the one that the service serves.
 * `details`: what the text says is shared.
 */
export function consentTo(
  kind: ConsentKind,
  { url, ...shown }: ConsentOnScreen,
  brand?: string,
  details?: string,
): ConsentGiven {
  const words = consentWords(kind, shown, brand, details);
  if (words === null)
    throw invalid([{ path: "body.consent.version", message: "Load the page again: its text has changed." }]);
  return { source: "wallet", version: shown.version, language: recordedLanguage(shown), words, url };
}

/** The consent that a brand declares in its settings because it asks the person itself. */
export function declaredConsent({ settings }: Brand): ConsentGiven {
  const { version, text, url } = settings.consent;
  return { source: "brandDeclaration", version, language: null, words: text, url };
}

export type ConsentEntry = {
  /** `prove`: the person agreed to be texted, or to be recognized by the carrier. */
  action: "prove" | "share" | "decline" | "withdraw" | "correct" | "delete" | "handOver" | "addToWallet";
  phone: Phone;
  personUuid: string;
  oneClickUuid?: string;
  given: ConsentGiven;
  /** The record's uuid, if an earlier row already refers to it. */
  uuid?: string;
};

/** Records a consent or another decision. Returns the record's uuid, by which its receipt is found. */
export async function recordConsent(deps: Deps, trx: Trx, by: Actor, entry: ConsentEntry): Promise<string> {
  const row = consentRow(deps, by, entry);
  await insertConsents(trx, [row]);
  return row.uuid;
}

export function consentRow(deps: Deps, by: Actor, entry: ConsentEntry): ConsentRow {
  return {
    uuid: entry.uuid ?? deps.random.uuid(),
    environment: deps.environment,
    at: deps.clock.now(),
    action: entry.action,
    brand_uuid: by.brand?.uuid ?? null,
    person_uuid: entry.personUuid,
    phone_index: deps.vault.index("phone", deps.environment, entry.phone),
    one_click_uuid: entry.oneClickUuid ?? null,
    ...entry.given,
  };
}

/** What a person agreed to earlier in a 1-Click. Null if no screen asked. */
export async function findConsent(
  deps: Deps,
  { uuid, personUuid }: { uuid: string; personUuid: string },
  action: ConsentEntry["action"],
): Promise<ConsentGiven | null> {
  const row = await findConsentRow(deps, { personUuid, oneClickUuid: uuid, action });
  return row === undefined || row.source === "brandRequest" ? null : { ...row, source: row.source };
}
