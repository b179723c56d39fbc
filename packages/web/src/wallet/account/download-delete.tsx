/** Screens to download the data, to delete it, and to report that the number belonged to someone else. */
import type { AccountView } from "@countersign/contract/account";
import { consentTexts } from "@countersign/contract/consent";
import { useRef, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Mark } from "../../ui/mark.tsx";
import { useConsent } from "../consent.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { Notice } from "../status.tsx";
import { accountApi, downloadPath, type Erased, readablePath } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";

type Props = { onBack(): void; onOver(code: string): void };

export function DownloadScreen({ onBack }: Pick<Props, "onBack">) {
  const { words } = useLanguage();
  const { say, language } = useAccountWords();
  return (
    <AccountFrame step="download" title={say.downloadTitle} onBack={onBack}>
      <p class="lead">{say.downloadText}</p>
      <div class="actions">
        <a class="button main" href={`${readablePath}?lang=${language}`} target="_blank" rel="noopener">
          {say.downloadPage}
          <span class="hidden"> {words.newTab}</span>
        </a>
        <a class="button" href={downloadPath} download="countersign.json">
          {say.downloadFile}
        </a>
      </div>
    </AccountFrame>
  );
}

export function DeleteScreen({
  view,
  onBack,
  onOver,
  onErased,
}: Props & { view: AccountView; onErased(erased: Erased): void }) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { fixed } = view;
  const { pieces, shown } = useConsent(fixed ? consentTexts.reset : consentTexts.delete);
  const { button, ...texts } = pieces;
  const refuse = (why: string) => {
    setTrouble(why);
    input.current?.focus();
  };
  const submit = async () => {
    if (!fixed && typed.trim().toUpperCase() !== say.deleteWord) return refuse(say.deleteUnconfirmed);
    if (isBusy) return;
    setBusy(true);
    const outcome = await accountApi.deleteAccount({ body: { consent: shown } });
    setBusy(false);
    if (outcome.kind === "ok") return onErased(outcome.value);
    if (outcome.trouble.code === "OVER") return onOver("OVER");
    refuse(inlineTrouble(words, outcome.trouble.code));
  };
  return (
    <AccountFrame step="delete" title={fixed ? say.resetTitle : say.deleteTitle} onBack={onBack}>
      {Object.values(texts).map((text) => (
        <p key={text} data-consent>
          {text}
        </p>
      ))}
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
        <p class="status" role="status">
          {isBusy ? words.working : ""}
        </p>
        <div class="actions">
          <button type="submit" class={`button grave ${isBusy ? "busy" : ""}`} data-consent>
            {button}
          </button>
        </div>
      </Form>
    </AccountFrame>
  );
}

export function ErasedScreen({ erased, onHome }: { erased: Erased; onHome(): void }) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const isGone = erased.outcome === "deleted";
  const [address] = useState(() => URL.createObjectURL(new Blob([`${erased.receipt}\n`], { type: "text/plain" })));
  return (
    <AccountFrame step="done" title={isGone ? say.deletedTitle : say.resetDoneTitle} mark={<Mark kind="done" />}>
      <p class="lead">{isGone ? say.deletedText : say.resetDoneText}</p>
      <div class="actions">
        <a class="button" href={address} download="countersign-receipt.txt">
          {say.keepReceipt}
        </a>
        <button type="button" class="button main" onClick={onHome}>
          {isGone ? words.proceed : say.goHome}
        </button>
      </div>
    </AccountFrame>
  );
}

export function NewHolderScreen({ onBack, onOver, onView }: Props & { onView(view: AccountView, said: string): void }) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const { pieces, shown } = useConsent(consentTexts.handOver);
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const takeOver = async () => {
    if (isBusy) return;
    setBusy(true);
    const outcome = await accountApi.takeOverNumber({ body: { consent: shown } });
    setBusy(false);
    if (outcome.kind === "ok") return onView(outcome.value, say.newHolderDone);
    if (outcome.trouble.code === "OVER") return onOver("OVER");
    setTrouble(inlineTrouble(words, outcome.trouble.code));
  };
  return (
    <AccountFrame step="newHolder" title={pieces.title} onBack={onBack}>
      <p data-consent>{pieces.text}</p>
      <p data-consent>
        <strong>{pieces.warning}</strong>
      </p>
      <Notice text={trouble} />
      <div class="actions">
        <button
          type="button"
          class={`button grave ${isBusy ? "busy" : ""}`}
          data-consent
          onClick={() => void takeOver()}
        >
          {pieces.button}
        </button>
      </div>
    </AccountFrame>
  );
}
