import type { AccountView, SignIn } from "@countersign/contract/account";
import { consentTexts } from "@countersign/contract/consent";
import { useEffect, useRef, useState } from "preact/hooks";
import { CodeField, codeDigits, codeLength } from "../../ui/code-field.tsx";
import { Field } from "../../ui/field.tsx";
import { ConsentPiece, useConsent } from "../consent.tsx";
import { useCountdown } from "../countdown.ts";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { phoneText, readPhone } from "../phone-number.ts";
import { useWebOtp } from "../web-otp.ts";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";

type PhoneProps = {
  typedBefore: string;
  said?: string;
  onTexted(phone: string, signIn: SignIn): void;
};

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
    <AccountFrame step="phone" title={say.signInTitle} said={said}>
      <p class="lead">{say.signInLead}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          id="phone"
          label={words.phoneLabel}
          hint={words.phoneHint}
          error={trouble}
          inputRef={input}
          input={{
            type: "tel",
            name: "phone",
            inputMode: "tel",
            autoComplete: "tel-national",
            maxLength: 24,
            value: typed,
            enterKeyHint: "go",
            onInput: (event) => {
              setTyped(event.currentTarget.value);
              setTrouble(undefined);
            },
            onBlur: () => setTyped(phoneText(readPhone(typed) ?? typed)),
          }}
        />
        <p class="status" role="status">
          {isBusy ? words.working : ""}
        </p>
        <Alert text={trouble} />
        <div class="actions">
          <button type="submit" class={`button main ${isBusy ? "busy" : ""}`} aria-describedby="agree">
            {words.proceed}
          </button>
        </div>
      </form>
      <p class="fine" id="agree" data-consent>
        <ConsentPiece piece={pieces.text} />
      </p>
    </AccountFrame>
  );
}

type CodeProps = {
  phone: string;
  signIn: SignIn;
  onSignIn(signIn: SignIn): void;
  onEdit(): void;
  onSigned(view: AccountView): void;
};

export function SignInCodeScreen({ phone, signIn, onSignIn, onEdit, onSigned }: CodeProps) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const countdown = useCountdown(signIn);
  const [said, setSaid] = useState("");
  const typing = useCode(signIn, onSigned);
  const end = typing.end ?? (countdown.left === 0 ? "expired" : null);
  const resend = async () => {
    const outcome = await accountApi.resendSignIn({ body: { signIn: signIn.signIn } });
    if (outcome.kind === "ok") {
      onSignIn(outcome.value);
      setSaid(say.resentIf);
      typing.clear();
    } else {
      const { code } = outcome.trouble;
      if (code === "OCV004") onSignIn({ ...signIn, canResend: false });
      if (code === "OCV004") setSaid(words.noMoreTexts);
      else setSaid(code === "BUSY" ? say.tooManyTexts : inlineTrouble(words, code));
    }
  };
  if (end !== null)
    return (
      <AccountFrame step="error" title={words.failures[end].title}>
        <p class="lead" role="alert">
          {words.failures[end].text}
        </p>
        <div class="actions">
          <button type="button" class="button main" onClick={onEdit}>
            {words.tryAgain}
          </button>
        </div>
      </AccountFrame>
    );
  return (
    <AccountFrame step="verificationCode" title={words.codeTitle}>
      <p class="lead">
        {say.codeSentIf} <strong class="digits number">{phoneText(phone)}</strong>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          typing.submit();
        }}
      >
        <CodeField
          label={words.codeLabel}
          hint={typing.trouble === undefined ? words.codeHint : undefined}
          error={typing.trouble}
          digits={typing.digits}
          readOnly={typing.isSending}
          inputRef={typing.input}
          onType={typing.type}
        />
        <p class="time">
          <span>
            {words.timeLeft("")}
            <span class="digits">{countdown.text}</span>
          </span>
        </p>
        <p class="status" role="status">
          {typing.isSending ? words.codeChecking : countdown.isNearlyOver ? words.timeSoonOver : said}
        </p>
        <Alert text={typing.trouble} />
        <div class="actions">
          <button type="submit" class={`button main ${typing.isSending ? "busy" : ""}`}>
            {words.proceed}
          </button>
          {signIn.canResend ? (
            <button type="button" class="button" onClick={() => void resend()}>
              {words.resend}
            </button>
          ) : null}
          <button type="button" class="link" onClick={onEdit}>
            {words.editPhone}
          </button>
        </div>
        <p class="fine">
          {say.noText} {say.codeAgree}
        </p>
      </form>
    </AccountFrame>
  );
}

/** What is typed and what becomes of it; a whole code is sent at once. */
function useCode({ signIn }: SignIn, onSigned: (view: AccountView) => void) {
  const { words } = useLanguage();
  const [digits, setDigits] = useState("");
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [end, setEnd] = useState<"expired" | "attempts" | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const send = async (code: string) => {
    if (isSending) return;
    setSending(true);
    const outcome = await accountApi.finishSignIn({ body: { signIn, code } });
    if (outcome.kind === "ok") return onSigned(outcome.value);
    setSending(false);
    const { code: why, attemptsRemaining = 1 } = outcome.trouble;
    if (why === "OCV007" || why === "OCV005") return setEnd("expired");
    if (why === "OCV002" || (why === "OCV001" && attemptsRemaining === 0)) return setEnd("attempts");
    setTrouble(why === "OCV001" ? words.codeWrong(attemptsRemaining) : inlineTrouble(words, why));
    input.current?.focus();
    input.current?.select();
  };
  const type = (text: string) => {
    const next = codeDigits(text);
    setDigits(next);
    setTrouble(undefined);
    if (next.length === codeLength && next !== digits) void send(next);
  };
  const submit = () => {
    if (digits.length === codeLength) return void send(digits);
    setTrouble(words.codeIncomplete);
    input.current?.focus();
  };
  useWebOtp(type);
  useEffect(() => input.current?.focus(), []);
  return { digits, isSending, trouble, end, input, type, submit, clear: () => type("") };
}

/** Said at once to those who listen; the words beside the control say the same. */
export function Alert({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="hidden" role="alert">
      {text}
    </p>
  );
}
