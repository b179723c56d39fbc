/** The words that a person agrees to, as their screens show them and as they are stored. */
import type { SessionStart } from "@countersign/contract/session";
import type { ShownWords } from "@countersign/contract/wallet";
import type { Words } from "./words-en.ts";

/** The version of those in `words-*.ts` that are quoted here; a new one for every change. */
const version = "2026-11";

/** Beside Share and Don't share. */
export function shareWords(words: Words, brand: string): ShownWords {
  return shown(words, `${words.consentLead(brand)} ${words.terms} ${words.consentAnd} ${words.privacy}.`);
}

/** Beside the insurance that is shared. */
export function insuranceWords(words: Words, brand: string): ShownWords {
  return shown(words, `${words.insuranceConsent(brand)} ${words.terms} ${words.consentAnd} ${words.privacy}.`);
}

/** Below the phone. */
export function proveWords(words: Words, start: SessionStart): ShownWords {
  return shown(
    words,
    `${agreement(words, start)} ${words.terms} ${words.and} ${words.privacy}.${start.step === "phone" ? ` ${words.rates}` : ""}`,
  );
}

/** The sentence below the phone, up to its links: it names what is looked up, and the text where one is sent. */
export function agreement(words: Words, { brand, asksFor, step }: SessionStart): string {
  if (step === "consent") return words.agree.known(brand.name);
  const { data, ssn, health } = asksFor;
  if (!data) return words.agree.verify(brand.name);
  if (ssn && health) return words.agree.ssnAndHealth(brand.name);
  return words.agree[ssn ? "ssn" : health ? "health" : "data"](brand.name);
}

/** The button that was chosen instead. */
export function leaveWords(words: Words): ShownWords {
  return shown(words, words.optOut);
}

function shown({ language }: Words, text: string): ShownWords {
  return { version, language, words: text };
}
