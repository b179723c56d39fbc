import type { ConsentLanguage } from "@countersign/contract/consent";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ProductMark } from "../../ui/mark.tsx";
import { Footer } from "../frame.tsx";
import { useLanguage } from "../language.tsx";
import { FailureMark } from "../screens/failure.tsx";
import { Notice } from "../status.tsx";
import type { Words } from "../words-en.ts";
import { type AccountWords, accountEn } from "./account-words-en.ts";
import { accountEs } from "./account-words-es.ts";

type AccountStep =
  | "loading"
  | "phone"
  | "verificationCode"
  | "home"
  | "brand"
  | "birthday"
  | "ssn4"
  | "edit"
  | "download"
  | "takeOut"
  | "offer"
  | "offerCode"
  | "walletRequest"
  | "devices"
  | "delete"
  | "newHolder"
  | "done"
  | "error";

/** The words of the person's own page, in the current language. */
export function useAccountWords(): { say: AccountWords; language: ConsentLanguage } {
  const { language } = useLanguage().words;
  return { say: language === "es" ? accountEs : accountEn, language };
}

type Props = {
  step: AccountStep;
  title: string;
  /** A message about the last action. */
  said?: string;
  mark?: ComponentChildren;
  /** The letter of the company that the screen is about. */
  letter?: string;
  /** Whether a wide window shows two columns. */
  isWide?: boolean;
  onBack?(): void;
  children: ComponentChildren;
};

/** Signs the person out. Resolves to whether it worked. Null while no one is signed in. */
export const SignOut = createContext<(() => Promise<boolean>) | null>(null);

/** The last screen that was announced. */
let announced: string | null = null;

/**
 * The frame of the account page's screens: a message about the last action, a heading, a back button, and the footer. A
 * new message takes the focus; without one, a new heading does.
 */
export function AccountFrame({ step, title, said = "", mark, letter, isWide = false, onBack, children }: Props) {
  const { say } = useAccountWords();
  const onSignOut = useContext(SignOut);
  const [isStillIn, setStillIn] = useState(false);
  const signOut = async (leave: () => Promise<boolean>) => {
    setStillIn(false);
    setStillIn(!(await leave()));
  };
  const message = useRef<HTMLParagraphElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = `${step}:${title}`;
  useLayoutEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  useEffect(() => {
    const before = announced;
    announced = shown;
    // The page's title already announces the first screen of a visit.
    const isNew = before !== null && before !== shown;
    if (isNew) window.scrollTo(0, 0);
    const focused = document.activeElement;
    const isTaken = focused !== heading.current && heading.current?.closest("main")?.contains(focused) === true;
    if (isTaken) return;
    if (said !== "") message.current?.focus();
    else if (isNew) heading.current?.focus();
  }, [shown, said]);
  return (
    <div class={`card own ${isWide ? "wide" : ""}`}>
      <header class="brand bar">
        {onBack === undefined ? (
          <span class="product">
            <ProductMark /> Countersign
          </span>
        ) : (
          <button type="button" class="link back" onClick={onBack}>
            <span aria-hidden="true">‹ </span>
            {say.back}
          </button>
        )}
        {onSignOut === null ? null : (
          <button type="button" class="link" onClick={() => void signOut(onSignOut)}>
            {say.signOut}
          </button>
        )}
      </header>
      <main data-step={step} aria-busy={step === "loading" ? "true" : undefined}>
        <p class="status said" role="status" tabIndex={-1} ref={message}>
          {said}
        </p>
        {isStillIn ? <Notice text={say.stillSignedIn} /> : null}
        {mark === undefined ? null : <div class="top">{mark}</div>}
        <div class="headed">
          {letter === undefined ? null : <span class="tile" data-letter={letter} aria-hidden="true" />}
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
        </div>
        {children}
      </main>
      <Footer />
    </div>
  );
}

/** A screen for a failure or an ended session, with a retry button. */
export function FailedScreen({ end, onRetry }: { end: keyof Words["endTexts"]; onRetry(): void }) {
  const { words } = useLanguage();
  return (
    <AccountFrame step="error" title={words.endTitles[end]} mark={<FailureMark end={end} />}>
      <p class="lead" role="alert">
        {words.endTexts[end]}
      </p>
      <div class="actions">
        <button type="button" class="button main" onClick={onRetry}>
          {words.tryAgain}
        </button>
      </div>
    </AccountFrame>
  );
}
