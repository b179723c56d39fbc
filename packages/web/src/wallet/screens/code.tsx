import type { PageIntro } from "@countersign/contract/wallet";
import { useEffect, useRef, useState } from "preact/hooks";
import { CodeField, codeDigits, codeLength } from "../../ui/code-field.tsx";
import { api, type Trouble } from "../api.ts";
import { type Countdown, useCountdown } from "../countdown.ts";
import { Frame, LegalLink } from "../frame.tsx";
import { useHost } from "../host.ts";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { phoneText } from "../phone-number.ts";
import type { PageAddress } from "../session.ts";
import { useWebOtp } from "../web-otp.ts";
import { type End, FailureMark, FailureText } from "./failure.tsx";

/** How long a whole code waits before it is sent, so that a slip of the finger can be taken back. */
const undoMs = 600;

type Props = {
  address: PageAddress & { page: string };
  intro: PageIntro;
  wrongCode: boolean;
  onProven(session: string): void;
  /** Where the person typed the phone here, too: they may go back to it, and the page around the frame hears of the end. */
  typed?: { phone: string; onEdit(): void; onOptOut(): void; onEnd(end: End): void };
};

/** The verification code: one box that takes typing, pasting, autofill and WebOTP, and sends itself when it is full. */
export function CodeScreen({ address, intro: first, wrongCode, onProven, typed }: Props) {
  const { words } = useLanguage();
  const [intro, setIntro] = useState(first);
  const [end, setEnd] = useState<End | null>(endOf(first));
  const countdown = useCountdown(intro);
  const over = end ?? (countdown.left === 0 ? "expired" : null);
  const { brand } = intro;
  const title = over === null ? words.codeTitle : words.failures[over].title;
  useEffect(() => {
    if (over !== null) typed?.onEnd(over);
  }, [over]);
  const typing = useCode({ address, onProven, onEnd: setEnd, left: intro.attemptsRemaining, wrongCode });
  return (
    <Frame
      step={over === null ? "verificationCode" : "error"}
      title={title}
      brand={brand}
      word={intro.title}
      mark={over === null ? undefined : <FailureMark end={over} />}
    >
      {over === null ? (
        <Sent brand={brand.name} phone={typed?.phone} />
      ) : (
        <FailureText end={over} brand={typed === undefined ? brand : undefined} />
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          typing.submit();
        }}
      >
        <CodeBox typing={typing} over={over} countdown={countdown} />
        {over === null ? (
          <Next typing={typing} intro={intro} onIntro={setIntro} page={address.page} typed={typed} />
        ) : null}
      </form>
      {over === "expired" && typed !== undefined ? (
        <div class="actions">
          <button type="button" class="button main" onClick={typed.onEdit}>
            {words.tryAgain}
          </button>
        </div>
      ) : null}
      {over === null || typed !== undefined || intro.backUrl === undefined ? null : (
        <div class="actions">
          <a class="button main" href={intro.backUrl}>
            {words.backTo(brand.name)}
          </a>
        </div>
      )}
    </Frame>
  );
}

function Sent({ brand, phone }: { brand: string; phone?: string }) {
  const { words } = useLanguage();
  if (phone === undefined) return <p class="lead">{words.codeSent(brand)}</p>;
  return (
    <p class="lead">
      {words.codeSentTo} <strong class="digits number">{phoneText(phone)}</strong>
    </p>
  );
}

function endOf({ state }: PageIntro): End | null {
  if (state === "open") return null;
  return ({ expired: "expired", attemptsUsed: "attempts", stopped: "stopped", proven: "elsewhere" } as const)[state];
}

type Typing = ReturnType<typeof useCode>;

/** What is typed and what becomes of it. */
function useCode(about: {
  address: Props["address"];
  onProven(session: string): void;
  onEnd(end: End): void;
  left: number;
  wrongCode: boolean;
}) {
  const { words } = useLanguage();
  const { address, onProven, onEnd } = about;
  const [digits, setDigits] = useState(about.wrongCode ? "" : codeDigits(address.code ?? ""));
  const [phase, setPhase] = useState<"typing" | "about" | "sending">("typing");
  const [trouble, setTrouble] = useState<string | undefined>(about.wrongCode ? words.codeWrong(about.left) : undefined);
  const timer = useRef<number | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const isWrong = useRef(false);

  // The last wrong code and a right one whose answer was lost are refused alike: the page itself says which it was.
  const readEnd = async () => {
    setPhase("sending");
    const outcome = await api.readPage({ params: { page: address.page } });
    if (outcome.kind === "ok") return onEnd(endOf(outcome.value) ?? "attempts");
    onTrouble(outcome.trouble);
  };
  const onTrouble = (found: Trouble) => {
    setPhase("typing");
    if (found.code === "OCV007") return onEnd("expired");
    if (found.code === "OCV002") return onEnd("attempts");
    if (found.code === "OCE015") return onEnd("over");
    const wrong = found.code === "OCV001";
    if (wrong && found.attemptsRemaining === 0) return void readEnd();
    setTrouble(wrong ? words.codeWrong(found.attemptsRemaining ?? 1) : inlineTrouble(words, found.code));
    input.current?.focus();
    if (wrong) input.current?.select();
    isWrong.current = wrong;
  };
  const send = async (code: string) => {
    setPhase("sending");
    const body = { code, ...(address.redirectUrl === null ? {} : { redirectUrl: address.redirectUrl }) };
    const outcome = await api.provePage({ params: { page: address.page }, body });
    if (outcome.kind === "ok") onProven(outcome.value.sessionToken);
    else onTrouble(outcome.trouble);
  };
  const submit = () => {
    window.clearTimeout(timer.current);
    if (phase === "sending") return;
    // The same wrong code once more would cost a try and tell nobody anything.
    if (isWrong.current) return input.current?.select();
    if (digits.length === codeLength) return void send(digits);
    setTrouble(words.codeIncomplete);
    input.current?.focus();
  };
  const type = (text: string) => {
    window.clearTimeout(timer.current);
    const next = codeDigits(text);
    setDigits(next);
    setTrouble(undefined);
    isWrong.current = false;
    setPhase(next.length === codeLength ? "about" : "typing");
    if (next.length === codeLength) timer.current = window.setTimeout(() => void send(next), undoMs);
  };
  useWebOtp(type);
  useEffect(() => {
    input.current?.focus();
    return () => window.clearTimeout(timer.current);
  }, []);
  return { digits, phase, trouble, input, type, submit, clear: () => type("") };
}

function CodeBox({ typing, over, countdown }: { typing: Typing; over: End | null; countdown: Countdown }) {
  const { words } = useLanguage();
  const { digits, phase } = typing;
  const said = { typing: "", about: words.codeAboutToSend, sending: words.codeChecking }[phase];
  if (over !== null && (over !== "expired" || digits === "")) return null;
  return (
    <>
      <CodeField
        label={words.codeLabel}
        error={over === null ? typing.trouble : undefined}
        hint={over === null && typing.trouble === undefined ? words.codeHint : undefined}
        digits={digits}
        readOnly={over !== null || phase === "sending"}
        inputRef={typing.input}
        onType={typing.type}
      />
      {over === null ? (
        <p class="time">
          <span>
            {words.timeLeft("")}
            <span class="digits">{countdown.text}</span>
          </span>
        </p>
      ) : null}
      <p class="status" role="status">
        {over === null ? (said === "" && countdown.isNearlyOver ? words.timeSoonOver : said) : ""}
      </p>
      {over === null && typing.trouble !== undefined ? (
        <p class="hidden" role="alert">
          {typing.trouble}
        </p>
      ) : null}
    </>
  );
}

type NextProps = {
  typing: Typing;
  intro: PageIntro;
  onIntro(intro: PageIntro): void;
  page: string;
  typed: Props["typed"];
};

function Next({ typing, intro, onIntro, page, typed }: NextProps) {
  const { words } = useLanguage();
  const [said, setSaid] = useState("");
  const host = useHost();
  const { optOutUrl } = intro;
  const leave =
    typed === undefined
      ? optOutUrl === undefined
        ? null
        : () => window.location.assign(optOutUrl)
      : intro.brand.manualSignup === "hide"
        ? null
        : typed.onOptOut;
  const resend = async () => {
    const outcome = await api.resendPage({ params: { page } });
    if (outcome.kind === "ok") {
      onIntro(outcome.value);
      host.resent();
      typing.clear();
      setSaid(words.resent);
    } else if (outcome.trouble.code === "OCV004") {
      onIntro({ ...intro, canResend: false });
      setSaid(words.noMoreTexts);
    } else setSaid(inlineTrouble(words, outcome.trouble.code));
    typing.input.current?.focus();
  };
  return (
    <>
      <p class="status" role="status">
        {said}
      </p>
      <div class="actions">
        <button type="submit" class={`button main ${typing.phase === "sending" ? "busy" : ""}`}>
          {words.proceed}
        </button>
        {intro.canResend ? (
          <button type="button" class="button" onClick={() => void resend()}>
            {words.resend}
          </button>
        ) : null}
        {typed === undefined ? null : (
          <button type="button" class="link" onClick={typed.onEdit}>
            {words.editPhone}
          </button>
        )}
        {leave === null ? null : (
          <button type="button" class="link" onClick={leave}>
            {words.optOut}
          </button>
        )}
      </div>
      <p class="fine">
        {words.codeAgree(intro.brand.name)} <LegalLink to="terms" /> {words.and} <LegalLink to="privacy" />.{" "}
        {intro.canResend || said !== "" ? "" : words.noText(intro.brand.name)}
      </p>
    </>
  );
}
