import { type ConsentKind, type ConsentLanguage, type ConsentShown, consentTexts } from "@countersign/contract/consent";

/** What a browser reports about the consent text that it showed. */
export function agreed(kind: ConsentKind, language: ConsentLanguage = "en"): ConsentShown {
  return { version: consentTexts[kind].version, language };
}
