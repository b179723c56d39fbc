import type { AccountView, SignIn } from "@countersign/contract/account";
import { consentTexts } from "@countersign/contract/consent";
import { readPhone } from "@countersign/contract/typed-text";
import { Eye, Hand, PencilLine } from "lucide";
import { useRef, useState } from "preact/hooks";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { CallButton } from "../call-button.tsx";
import { CodeActions, CodeBox, useCodeEntry, useCountdown } from "../code-entry.tsx";
import { ConsentPiece, useConsent } from "../consent.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { PhoneField, phoneText } from "../phone-field.tsx";
import { Status } from "../status.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, FailedScreen, useAccountWords } from "./account-frame.tsx";

/** Why a person who was signed in must sign in again. */
export type SignInNote = "over" | "signedOut";

type PhoneProps = {
  typedBefore: string;
  said?: SignInNote;
  onTexted(phone: string, signIn: SignIn): void;
};

/** Asks for the phone of the account. */
export function SignInScreen({ typedBefore, said, onTexted }: PhoneProps) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const { pieces, shown } = useConsent(consentTexts.signIn);
  const [typed, setTyped] = useState(phoneText(typedBefore));
  const [trouble, setTrouble] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const refuse = (why: string) => {
    setTrouble(why);
    input.current?.focus();
  };
  const submit = async () => {
    const phone = readPhone(typed);
    if (phone === null) return refuse(words.phoneUnread);
    if (isBusy) return;
    setBusy(true);
    const outcome = await accountApi.beginSignIn({ body: { phone, consent: shown } });
    setBusy(false);
    if (outcome.kind === "ok") return onTexted(phone, outcome.value);
    const { code } = outcome.trouble;
    if (code === "BUSY") return refuse(say.tooManyTexts);
    refuse(code === "OCE002" ? words.phoneUnread : inlineTrouble(words, code));
  };
  return (
    <AccountFrame step="phone" title={say.signInTitle} said={said === undefined ? undefined : say[said]}>
      <p class="lead">{say.signInLead}</p>
      <Form onSubmit={submit}>
        <PhoneField
          typed={typed}
          trouble={trouble}
          inputRef={input}
          setTyped={setTyped}
          onEdit={() => setTrouble(undefined)}
        />
        <Status isBusy={isBusy} trouble={trouble} />
        <div class="actions">
          <CallButton
            type="submit"
            class="button main"
            aria-describedby="agree"
            busy={isBusy ? words.working : undefined}
          >
            {words.proceed}
          </CallButton>
          <p class="fine" id="agree" data-consent>
            <ConsentPiece piece={pieces.text} />
          </p>
        </div>
      </Form>
      <ul class="list plain can-do">
        {canDo.map(({ key, icon }) => (
          <li class="row pictured" key={key}>
            <span class="tile">
              <Icon node={icon} />
            </span>
            {say.canDo[key]}
          </li>
        ))}
      </ul>
    </AccountFrame>
  );
}

/** What the page is for. */
const canDo = [
  { key: "see", icon: Eye },
  { key: "stop", icon: Hand },
  { key: "change", icon: PencilLine },
] as const;

const endOfRefusal: Readonly<Record<string, "expired" | "attempts">> = {
  OCV005: "expired",
  OCV007: "expired",
  OCV002: "attempts",
};

type CodeProps = {
  phone: string;
  signIn: SignIn;
  onSignIn(signIn: SignIn): void;
  onEdit(): void;
  onSigned(view: AccountView): void;
};

/** Asks for the code that signs the person in. */
export function SignInCodeScreen({ phone, signIn, onSignIn, onEdit, onSigned }: CodeProps) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const countdown = useCountdown(signIn);
  const [refused, setEnd] = useState<"expired" | "attempts" | null>(null);
  const end = refused ?? (countdown.left === 0 ? "expired" : null);
  const send = async (code: string) => {
    const outcome = await accountApi.finishSignIn({ body: { signIn: signIn.signIn, code } });
    if (outcome.kind === "ok") {
      onSigned(outcome.value);
      return null;
    }
    const { code: why, attemptsRemaining = 1 } = outcome.trouble;
    const isWrong = why === "OCV001";
    const found = endOfRefusal[why] ?? (isWrong && attemptsRemaining === 0 ? "attempts" : null);
    setEnd(found);
    if (found !== null) return null;
    return { text: isWrong ? words.codeWrong(attemptsRemaining) : inlineTrouble(words, why), isWrong };
  };
  const entry = useCodeEntry({ send });
  const resend = async () => {
    const outcome = await accountApi.resendSignIn({ body: { signIn: signIn.signIn } });
    if (outcome.kind === "ok") {
      onSignIn(outcome.value);
      return { said: say.resentIf, isSent: true };
    }
    const { code } = outcome.trouble;
    if (code === "OCV004") onSignIn({ ...signIn, canResend: false });
    const said = { OCV004: words.noMoreTexts, BUSY: say.tooManyTexts }[code];
    return { said: said ?? inlineTrouble(words, code), isSent: false };
  };
  if (end !== null) return <FailedScreen end={end} onRetry={onEdit} />;
  return (
    <AccountFrame step="verificationCode" title={words.codeTitle}>
      <p class="lead">
        {say.codeSentIf} <strong class="digits number">{phoneText(phone)}</strong>
      </p>
      <Form onSubmit={entry.submit}>
        <CodeBox entry={entry} countdown={countdown} />
        <CodeActions
          entry={entry}
          canResend={signIn.canResend}
          resend={resend}
          onEdit={onEdit}
          after={say.noText}
          fine={() => say.codeAgree}
        />
      </Form>
    </AccountFrame>
  );
}
