/** The words that a person agrees to on their own page, as they are shown and as they are stored. */
import type { ShownWords } from "@countersign/contract/wallet";
import type { Words } from "../words-en.ts";
import type { AccountWords } from "./account-words-en.ts";

/** A new one for every change of the words quoted here. */
const version = "2026-11-22";

export function signInWords(words: Words, say: AccountWords): ShownWords {
  return said(words.language, [say.signInAgree, words.terms, words.and, `${words.privacy}.`, words.rates]);
}

/** What stood on the screen when the person chose, the button's words last. */
export function said(language: string, words: string[]): ShownWords {
  return { version, language, words: words.join(" ") };
}
