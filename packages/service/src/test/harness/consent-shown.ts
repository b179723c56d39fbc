import {
  type ConsentKind,
  type ConsentLanguage,
  type ConsentShown,
  consentTexts,
  consentWords,
} from "@countersign/contract/consent";

/** What a browser reports about the consent text that it showed. */
export function agreed(kind: ConsentKind, language: ConsentLanguage = "en"): ConsentShown {
  return { version: consentTexts[kind].version, language };
}

/** The recorded words of a share. The demo brands and new brands request these details unless a call names others. */
export function sharedWords(brand: string | undefined, language: ConsentLanguage = "en", details?: string) {
  const all = {
    en: "your full name, phone, address, birthday, and Social Security number",
    es: "estos datos: nombre completo, teléfono, dirección, fecha de nacimiento y número de Seguro Social",
  };
  return consentWords("share", agreed("share", language), brand, details ?? all[language]);
}
