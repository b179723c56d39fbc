import { type ConsentShown, consentParts } from "@countersign/contract/consent";
import { LegalLink } from "./frame.tsx";
import { useLanguage } from "./language.tsx";

/** A text that people agree to, in the current language. `shown` tells the service which text it must record. */
export function useConsent<Pieces>(text: { version: string; en: Pieces; es: Pieces }) {
  const { language } = useLanguage().words;
  const shown: ConsentShown = { version: text.version, language };
  return { pieces: text[language], shown };
}

/** Keeps the product's name on one line, because browsers break lines at its hyphen. */
const unbroken = (text: string) =>
  text.split(/(1-Click)/).map((part, at) => (at % 2 === 0 ? part : <span class="whole">{part}</span>));

/** Renders a piece of a consent text with its links. The element around it must have `data-consent`. */
export function ConsentPiece({ piece, brand }: { piece: string; brand?: string }) {
  return (
    <>
      {consentParts(piece, brand).map(({ text, link }) =>
        link === undefined ? unbroken(text) : <LegalLink key={link} to={link} text={text} />,
      )}
    </>
  );
}
