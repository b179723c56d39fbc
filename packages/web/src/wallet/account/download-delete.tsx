/** Screens to download the data, to delete it, and to report that the number belonged to someone else. */
import type { AccountView } from "@countersign/contract/account";
import { consentTexts } from "@countersign/contract/consent";
import { BadgeCheck, Building2, Eye, ReceiptText, Trash2 } from "lucide";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Mark } from "../../ui/end-picture.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { CallButton } from "../call-button.tsx";
import { useConsent } from "../consent.tsx";
import { actionTrouble, inlineTrouble, useLanguage } from "../language.tsx";
import { Notice, Progress } from "../status.tsx";
import { accountApi, downloadPath, type Erased, readablePath } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";
import { dayText } from "./dates.ts";

type Props = { onBack(): void; onOver(code: string): void };

/** Offers everything as a page or a file, and says how much it is. */
export function DownloadScreen({ view, onBack }: Pick<Props, "onBack"> & { view: AccountView }) {
  const { words } = useLanguage();
  const { say, language } = useAccountWords();
  const { brands, shares, cards } = view;
  const firstAt = Math.min(...brands.map((one) => one.firstAt));
  const contents: [IconNode, string, number | string][] = [
    [Building2, say.inside.companies, brands.length],
    [Eye, say.inside.readable, shares.reduce((sum, { fields }) => sum + fields.length, 0)],
    [BadgeCheck, say.cardsTitle, cards.length],
    [ReceiptText, say.inside.activity, brands.length === 0 ? 0 : say.inside.since(dayText(firstAt, language))],
  ];
  return (
    <AccountFrame step="download" title={say.downloadTitle} onBack={onBack}>
      <p class="lead">{say.downloadText}</p>
      <ul class="list plain contents-list">
        {contents.map(([icon, name, count]) => (
          <li class="row" key={name}>
            <span class="tile">
              <Icon node={icon} />
            </span>
            <span>{name}</span>
            <strong class="digits">{count}</strong>
          </li>
        ))}
      </ul>
      <div class="actions">
        <a class="button main" href={`${readablePath(view)}&lang=${language}`} target="_blank" rel="noopener">
          {say.downloadPage}
          <span class="hidden"> {words.newTab}</span>
        </a>
        <a class="button" href={downloadPath(view)} download="countersign.json">
          {say.downloadFile}
        </a>
      </div>
    </AccountFrame>
  );
}

export function DeleteScreen({
  view,
  onBack,
  onDownload,
  onOver,
  onErased,
}: Props & { view: AccountView; onDownload(): void; onErased(erased: Erased): void }) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { fixed } = view;
  const { pieces, shown } = useConsent(fixed ? consentTexts.reset : consentTexts.delete);
  const { button } = pieces;
  const refuse = (why: string) => {
    setTrouble(why);
    input.current?.focus();
  };
  const isConfirmed = fixed || typed.trim().toUpperCase() === say.deleteWord;
  const submit = async () => {
    if (!isConfirmed || isBusy) return;
    setBusy(true);
    const outcome = await accountApi.deleteAccount({ body: { consent: shown } });
    setBusy(false);
    if (outcome.kind === "ok") return onErased(outcome.value);
    if (outcome.trouble.code === "OVER") return onOver("OVER");
    refuse((fixed ? actionTrouble : inlineTrouble)(words, outcome.trouble.code));
  };
  return (
    <AccountFrame step="delete" title={fixed ? say.resetTitle : say.deleteTitle} onBack={onBack}>
      {fixed ? <p data-consent>{pieces.text}</p> : <WhatStays />}
      {fixed ? null : (
        <button type="button" class="link before" onClick={onDownload}>
          {say.downloadTitle}
        </button>
      )}
      <Form onSubmit={submit}>
        {fixed ? (
          <Notice text={trouble} />
        ) : (
          <Field
            id="confirm"
            label={say.deleteLabel}
            error={trouble}
            inputRef={input}
            input={{
              type: "text",
              autoComplete: "off",
              autoCapitalize: "characters",
              spellcheck: false,
              value: typed,
              onInput: (event) => {
                setTyped(event.currentTarget.value);
                setTrouble(undefined);
              },
            }}
          />
        )}
        <Progress text={isBusy ? words.working : undefined} />
        <div class="actions">
          <CallButton
            type="submit"
            class="button grave full"
            data-consent
            busy={isBusy ? words.working : undefined}
            isHeld={!isConfirmed}
          >
            {button}
          </CallButton>
          <button type="button" class="button" onClick={onBack}>
            {words.cancel}
          </button>
        </div>
      </Form>
    </AccountFrame>
  );
}

/** What a deletion removes, what companies keep, and what we keep. */
function WhatStays() {
  const { pieces } = useConsent(consentTexts.delete);
  const rows: [IconNode, string][] = [
    [Trash2, pieces.text],
    [Building2, pieces.elsewhere],
    [ReceiptText, pieces.kept],
  ];
  return (
    <>
      <p class="lead" data-consent>
        <strong>{pieces.warning}</strong>
      </p>
      <ul class="list plain">
        {rows.map(([icon, text]) => {
          const end = text.indexOf(":") + 1;
          return (
            <li class="row pictured" key={text}>
              <span class="tile">
                <Icon node={icon} />
              </span>
              <span data-consent>
                <strong>{text.slice(0, end)}</strong>
                {text.slice(end)}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function ErasedScreen({ erased, onHome }: { erased: Erased; onHome(): void }) {
  const { say } = useAccountWords();
  const isGone = erased.outcome === "deleted";
  const [address] = useState(() => URL.createObjectURL(new Blob([`${erased.receipt}\n`], { type: "text/plain" })));
  return (
    <AccountFrame step="done" title={isGone ? say.deletedTitle : say.resetDoneTitle} mark={<Mark kind="deleted" />}>
      <p class="lead">{isGone ? say.deletedText : say.resetDoneText}</p>
      <div class="actions">
        <a class="button main" href={address} download="countersign-receipt.txt">
          {say.keepReceipt}
        </a>
        <button type="button" class="button" onClick={onHome}>
          {isGone ? say.done : say.goHome}
        </button>
      </div>
    </AccountFrame>
  );
}

/** Asks for a confirmation, because the person loses everything that the page shows. */
export function NewHolderScreen({ onBack, onOver, onView }: Props & { onView(view: AccountView, said: string): void }) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const { pieces, shown } = useConsent(consentTexts.handOver);
  const [isAsking, setAsking] = useState(false);
  const asking = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => asking.current?.focus(), [isAsking]);
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const takeOver = async () => {
    setTrouble(undefined);
    setBusy(true);
    const outcome = await accountApi.takeOverNumber({ body: { consent: shown } });
    setBusy(false);
    if (outcome.kind === "ok") return onView(outcome.value, say.newHolderDone);
    if (outcome.trouble.code === "OVER") return onOver("OVER");
    setTrouble(actionTrouble(words, outcome.trouble.code));
  };
  return (
    <AccountFrame step="newHolder" title={pieces.title} onBack={onBack}>
      <p data-consent>{pieces.text}</p>
      <p data-consent>
        <strong>{pieces.warning}</strong>
      </p>
      {isAsking ? (
        <section class="held ask" aria-labelledby="fresh">
          <h2 id="fresh" tabIndex={-1} ref={asking} aria-describedby="fresh-text">
            {say.newHolderAsk}
          </h2>
          <p id="fresh-text">{say.newHolderLoses}</p>
          <Notice text={trouble} />
          <div class="actions">
            <CallButton
              class="button grave full"
              data-consent
              busy={isBusy ? words.working : undefined}
              onClick={() => void takeOver()}
            >
              {pieces.button}
            </CallButton>
            <button type="button" class="button" onClick={onBack}>
              {words.cancel}
            </button>
          </div>
        </section>
      ) : (
        <div class="actions">
          <button type="button" class="button grave" onClick={() => setAsking(true)}>
            {pieces.button}
          </button>
          <button type="button" class="button" onClick={onBack}>
            {words.cancel}
          </button>
        </div>
      )}
    </AccountFrame>
  );
}
