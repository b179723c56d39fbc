import {
  type ConsentKind,
  type ConsentLanguage,
  type ConsentShown,
  consentTexts,
  consentWords,
} from "@countersign/contract/consent";
import { isRecord } from "../../domain/validate.ts";

/** What a browser reports about the consent text that it showed. */
export function agreed(kind: ConsentKind, language: ConsentLanguage = "en"): ConsentShown {
  return { version: consentTexts[kind].version, language };
}

/** The body of a decision, with the `shown` of the view if the body names none. An error and an end have none. */
export function onView<Body>(body: Body, view: unknown): Body {
  if (!isRecord(body) || !isRecord(body.consent) || !isRecord(view) || view.shown === undefined) return body;
  return { ...body, consent: { shown: view.shown, ...body.consent } };
}

/** The recorded words of a share. The demo brands and new brands request these details unless a call names others. */
export function sharedWords(brand: string | undefined, language: ConsentLanguage = "en", details?: string) {
  const all = {
    en: "your full name, phone, address, birthday, and Social Security number",
    es: "estos datos: nombre completo, teléfono, dirección, fecha de nacimiento y número de Seguro Social",
  };
  return consentWords("share", agreed("share", language), brand, details ?? all[language]);
}
