import { type ConsentKind, type ConsentLanguage, type ConsentShown, consentTexts } from "@countersign/contract/consent";

/** What a browser says of the text that it showed. */
export function agreed(kind: ConsentKind, language: ConsentLanguage = "en"): ConsentShown {
  return { version: consentTexts[kind].version, language };
}
