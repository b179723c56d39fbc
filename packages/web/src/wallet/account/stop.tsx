import type { AccountBrand, AccountView } from "@countersign/contract/account";
import { consentTexts } from "@countersign/contract/consent";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { CallButton } from "../call-button.tsx";
import { ConsentPiece, useConsent } from "../consent.tsx";
import { actionTrouble, useLanguage } from "../language.tsx";
import { Notice } from "../status.tsx";
import { accountApi } from "./account-api.ts";
import { useAccountWords } from "./account-frame.tsx";
import type { AccountWords } from "./account-words-en.ts";

/** What the person reads once sharing has stopped. */
export function stoppedText(say: AccountWords, brand: string): string {
  return `${say.stopDone(brand)} ${say.keptCopies(brand)}`;
}

type Props = { brand: AccountBrand; onView(view: AccountView): void; onOver(code: string): void };

/** Stops sharing with a brand. A confirmation in the same place says what will stop. */
export function Stop(props: Props) {
  const { say } = useAccountWords();
  const [isAsking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    setAsking(false);
    // The button exists again after the next render.
    requestAnimationFrame(() => button.current?.focus());
  };
  if (isAsking) return <Confirm {...props} onCancel={cancel} />;
  return (
    <button ref={button} type="button" class="button grave" onClick={() => setAsking(true)}>
      {say.stop}
    </button>
  );
}

function Confirm({ brand, onView, onOver, onCancel }: Props & { onCancel(): void }) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const { pieces, shown } = useConsent(consentTexts.stop);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  const question = useRef<HTMLElement>(null);
  // Before the next paint, so that the focus does not leave another button that the person reached in the meantime.
  useLayoutEffect(() => {
    heading.current?.focus();
    // Focusing shows only the heading on a small screen, so show the buttons, too.
    question.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const stop = async () => {
    setBusy(true);
    const body = { consent: shown, name: brand.name };
    const outcome = await accountApi.stopSharing({ params: { uuid: brand.uuid }, body });
    setBusy(false);
    if (outcome.kind === "ok") return onView(outcome.value);
    const { code } = outcome.trouble;
    if (code === "OVER") return onOver("OVER");
    // The page has read the brand's new name by now.
    setTrouble(code === "OTHER" ? words.changedSince : actionTrouble(words, code));
  };
  return (
    <section class="held ask" aria-labelledby="stop" ref={question}>
      <h2 id="stop" tabIndex={-1} ref={heading} aria-describedby="stop-text">
        {say.stopAsk(brand.name)}
      </h2>
      <p id="stop-text" data-consent>
        <ConsentPiece piece={pieces.text} brand={brand.name} />
      </p>
      <Notice text={trouble} />
      <div class="actions">
        <CallButton
          class="button grave full"
          data-consent
          busy={isBusy ? words.working : undefined}
          onClick={() => void stop()}
        >
          <ConsentPiece piece={pieces.button} brand={brand.name} />
        </CallButton>
        <button type="button" class="button" onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
    </section>
  );
}
