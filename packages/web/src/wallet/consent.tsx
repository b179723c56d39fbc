import { type ConsentShown, consentParts } from "@countersign/contract/consent";
import type { PageView } from "@countersign/contract/wallet";
import { LegalLink } from "./frame.tsx";
import { useLanguage } from "./language.tsx";

/** A text that people agree to, in the current language. `shown` tells the service which text it must record. */
export function useConsent<Pieces>(text: { version: string; en: Pieces; es: Pieces }) {
  const { language } = useLanguage().words;
  const shown: ConsentShown = {
    version: text.version,
    language,
    // Read when the person decides: the browser may have translated the page since.
    get translated() {
      return isTranslated();
    },
  };
  return { pieces: text[language], shown };
}

/** The consent to a text, with what the view above it showed. */
export function onView(consent: ConsentShown, { shown }: Pick<PageView, "shown">) {
  return { ...consent, ...(shown === undefined ? {} : { shown }) };
}

/**
 * Whether the browser has translated this page. `ui/translation.ts` sets the first mark, Chromium the classes, and Edge
 * the attribute. Firefox changes texts in place and says nothing.
 */
function isTranslated(): boolean {
  return document.querySelector("[data-translated], .translated-ltr, .translated-rtl, [_msttexthash]") !== null;
}

/** Keeps the product's name on one line, because browsers break lines at its hyphen. */
const unbroken = (text: string) =>
  text.split(/(1-Click)/).map((part, at) => (at % 2 === 0 ? part : <span class="whole">{part}</span>));

/** Renders a piece of a consent text with its links. The element around it must have `data-consent`. */
type Props = { piece: string; brand?: string; details?: string };
export function ConsentPiece({ piece, brand, details }: Props) {
  return (
    <>
      {consentParts(piece, brand, details).map(({ text, link }) =>
        link === undefined ? unbroken(text) : <LegalLink key={link} to={link} text={text} />,
      )}
    </>
  );
}
