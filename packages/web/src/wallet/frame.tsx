import type { FrameStep } from "@countersign/contract/frame";
import type { BrandLook } from "@countersign/contract/wallet";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ProductMark } from "../ui/mark.tsx";
import { useHost } from "./host.ts";
import { useLanguage } from "./language.tsx";
import { LockUp } from "./lock-up.tsx";

export type Step = FrameStep | "loading";

type Props = {
  step: Step;
  title: string;
  brand?: BrandLook;
  /** The brand's purpose after "1-Click". */
  word?: string;
  /** An icon above the heading. */
  mark?: ComponentChildren;
  /** The least height of the screen in pixels. Default: the height of its content. */
  height?: number | undefined;
  children: ComponentChildren;
};

/** The last four digits of the proven phone, for every screen of its page. Undefined before the proof. */
export const PhoneEnding = createContext<string | undefined>(undefined);

/** The last screen that was announced. A switch of the language is not a new screen. */
let last: { shown: string; language: string } | null = null;

/**
 * The frame of every screen: the brand, the heading and the footer. The heading takes the focus when the screen
 * changes. In a brand's page, "1-Click" and the purpose replace the brand's name, which the page already shows.
 */
export function Frame({ step, title, brand, word, mark, height, children }: Props) {
  const { words } = useLanguage();
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = `${step}:${title}`;
  const host = useHost();
  const phoneEnding = useContext(PhoneEnding);
  const product = word === undefined ? undefined : `1-Click ${word}`;
  const inPage = host.embedded ? product : undefined;
  useEffect(() => host.at(step), [step]);
  useLayoutEffect(() => {
    document.title = brand === undefined ? title : `${title} · ${brand.name}`;
  }, [title, brand?.name]);
  useEffect(() => {
    // Focusing the heading announces a new screen. Skip it if one of the screen's controls has the focus.
    const taken = heading.current?.closest("main")?.contains(document.activeElement) ?? false;
    const isNew = last !== null && last.shown !== shown && last.language === words.language;
    // The first screen in a frame does not take the focus, because the brand's page hands it over.
    const isOpening = host.embedded && last?.shown.startsWith("loading:") === true;
    if (isNew && !isOpening && !taken) heading.current?.focus();
    last = { shown, language: words.language };
  }, [shown]);
  return (
    <div class="card">
      <header class="brand">
        {brand === undefined ? <ProductMark /> : <LockUp {...brand} alt={inPage === undefined ? "" : brand.name} />}
        <span class="naming">
          <span>{inPage ?? brand?.name ?? "Countersign"}</span>
          {brand?.site === undefined || inPage !== undefined ? null : <span class="site">{brand.site}</span>}
        </span>
      </header>
      <main
        data-step={step}
        aria-busy={step === "loading" ? "true" : undefined}
        style={height === undefined ? {} : { minHeight: `${height}px` }}
      >
        {product === undefined || inPage !== undefined ? null : (
          <p class="eyebrow">
            {phoneEnding === undefined ? (
              product
            ) : (
              // A narrow phone has room for the product alone.
              <>
                <span class="wordy">{words.forPhone(product, phoneEnding)}</span>
                <span class="brief">{product}</span>
              </>
            )}
          </p>
        )}
        {mark === undefined ? null : <div class="top">{mark}</div>}
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {step === "loading" ? <Skeleton /> : children}
      </main>
      <Footer />
    </div>
  );
}

/** Where the screen's parts will be, while it loads. */
function Skeleton() {
  return (
    <div class="waiting" aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}

/** The end of every screen: what the product is, the legal texts, and the other language. */
export function Footer() {
  const { words, switchTo } = useLanguage();
  const [isExplaining, setExplaining] = useState(false);
  return (
    <>
      <footer class="foot">
        <button type="button" class="secured" aria-haspopup="dialog" onClick={() => setExplaining(true)}>
          <img src="/mark.svg" alt="" width={18} height={18} />
          {words.what}
        </button>
        <nav>
          <LegalLink to="terms" text={words.termsShort} />
          <LegalLink to="privacy" text={words.privacyShort} />
          <button type="button" lang={words.otherLanguageCode} onClick={() => switchTo(words.otherLanguageCode)}>
            {words.otherLanguage}
          </button>
        </nav>
      </footer>
      {isExplaining ? <What onClose={() => setExplaining(false)} /> : null}
    </>
  );
}

/** Says in four sentences what the product is. */
function What({ onClose }: { onClose(): void }) {
  const { words } = useLanguage();
  const sheet = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => sheet.current?.showModal(), []);
  return (
    <dialog class="explains" aria-label={words.what} ref={sheet} onClose={onClose}>
      <div>
        <p class="brand">
          <ProductMark /> Countersign
        </p>
        <ul class="ticked">
          {words.whatText.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <button type="button" class="button main" onClick={() => sheet.current?.close()}>
          {words.close}
        </button>
        <a class="link" href="/" target="_blank" rel="noopener">
          {words.manage}
          <span class="hidden"> {words.newTab}</span>
        </a>
      </div>
    </dialog>
  );
}

/** A link to one of our pages. It opens a new tab, so that typed text is not lost. */
export function LegalLink({ to, text }: { to: "terms" | "privacy"; text?: string }) {
  const { words } = useLanguage();
  return (
    <a href={`/${to}?lang=${words.language}`} target="_blank" rel="noopener">
      {text ?? words[to]}
      <span class="hidden"> {words.newTab}</span>
    </a>
  );
}
