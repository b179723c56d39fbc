import { type ConsentKind, type ConsentShown, consentWords } from "@countersign/contract/consent";
import { invalid } from "../failure.ts";
import type { ConsentGiven } from "./record.ts";

/** The text that a screen showed, and the screen's address. */
export type Shown = ConsentShown & { url: string };

/** The record of a text that a screen showed: the words are the service's own. Refuses a version that the text never had. */
export function consentTo(kind: ConsentKind, { version, language, url }: Shown, brand?: string): ConsentGiven {
  const words = consentWords(kind, { version, language }, brand);
  if (words === null) throw invalid([{ path: "body.consent.version", message: "is not a version of this text" }]);
  return { source: "wallet", version, language, words, url };
}
