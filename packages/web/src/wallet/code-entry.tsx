import type { PageIntro } from "@countersign/contract/wallet";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CodeField, codeDigits, codeLength } from "../ui/code-field.tsx";
import { useLanguage } from "./language.tsx";
import { Alert } from "./status.tsx";

/** Delay in milliseconds before a complete code is sent, so that the person can correct the last digit. */
const undoMs = 600;

/** The text about a code that was not accepted, and whether the code itself was wrong. */
export type Refusal = { text: string; isWrong: boolean };
export type CodeEntry = ReturnType<typeof useCodeEntry>;

type About = {
  /** Digits to begin with, such as from the page's URL. */
  digits?: string;
  /** A problem to begin with. */
  trouble?: string;
  /** Sends a code. Returns the problem to show, or null if another screen follows. */
  send(code: string): Promise<Refusal | null>;
};

/**
 * The state of a code field. A complete code is sent automatically. A code that was wrong is not sent twice, because
 * that would only cost an attempt.
 */
export function useCodeEntry({ digits: first = "", trouble: firstTrouble, send }: About) {
  const { words } = useLanguage();
  const [digits, setDigits] = useState(first);
  const [phase, setPhase] = useState<"typing" | "about" | "sending">("typing");
  const [trouble, setTrouble] = useState(firstTrouble);
  const timer = useRef<number | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const isWrong = useRef(false);

  const submitCode = async (code: string) => {
    setPhase("sending");
    const refusal = await send(code);
    if (refusal === null) return;
    setPhase("typing");
    setTrouble(refusal.text);
    isWrong.current = refusal.isWrong;
    input.current?.focus();
    if (refusal.isWrong) input.current?.select();
  };
  const submit = () => {
    window.clearTimeout(timer.current);
    if (phase === "sending") return;
    if (isWrong.current) return input.current?.select();
    if (digits.length === codeLength) return void submitCode(digits);
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
    if (next.length === codeLength) timer.current = window.setTimeout(() => void submitCode(next), undoMs);
  };
  useWebOtp(type);
  useEffect(() => {
    input.current?.focus();
    return () => window.clearTimeout(timer.current);
  }, []);
  return { digits, phase, trouble, input, type, submit };
}

type BoxProps = {
  entry: CodeEntry;
  countdown: Countdown;
  /** Whether the code has ended. The field then only shows it. */
  hasEnded: boolean;
};

/** The field for a code, the time left, and what happens with the code. */
export function CodeBox({ entry, countdown, hasEnded }: BoxProps) {
  const { words } = useLanguage();
  const { digits, phase, input, type } = entry;
  const trouble = hasEnded ? undefined : entry.trouble;
  const said = {
    typing: countdown.isNearlyOver ? words.timeSoonOver : "",
    about: words.codeAboutToSend,
    sending: words.codeChecking,
  }[phase];
  return (
    <>
      <CodeField
        label={words.codeLabel}
        error={trouble}
        hint={hasEnded || trouble !== undefined ? undefined : words.codeHint}
        digits={digits}
        readOnly={hasEnded || phase === "sending"}
        inputRef={input}
        onType={type}
      />
      {hasEnded ? null : (
        <p class="time">
          <span>
            {words.timeLeft("")}
            <span class="digits">{countdown.text}</span>
          </span>
        </p>
      )}
      <p class="status" role="status">
        {hasEnded ? "" : said}
      </p>
      <Alert text={trouble} />
    </>
  );
}

type ActionsProps = {
  entry: CodeEntry;
  canResend: boolean;
  /** Requests a new code. Returns the text to show, and whether a new code was sent. */
  resend(): Promise<{ said: string; isSent: boolean }>;
  /** Goes back to the phone. Absent if the person did not enter it here. */
  onEdit?(): void;
  /** More actions. */
  children?: ComponentChildren;
  /** The fine print. `hasSaid`: a request for a new code was answered. */
  fine(hasSaid: boolean): ComponentChildren;
};

/** The buttons below a code field. */
export function CodeActions({ entry, canResend, resend, onEdit, children, fine }: ActionsProps) {
  const { words } = useLanguage();
  const [said, setSaid] = useState("");
  const ask = async () => {
    const answer = await resend();
    if (answer.isSent) entry.type("");
    setSaid(answer.said);
    entry.input.current?.focus();
  };
  return (
    <>
      <p class="status" role="status">
        {said}
      </p>
      <div class="actions">
        <button type="submit" class={`button main ${entry.phase === "sending" ? "busy" : ""}`}>
          {words.proceed}
        </button>
        {canResend ? (
          <button type="button" class="button" onClick={() => void ask()}>
            {words.resend}
          </button>
        ) : null}
        {onEdit === undefined ? null : (
          <button type="button" class="link" onClick={onEdit}>
            {words.editPhone}
          </button>
        )}
        {children}
      </div>
      <p class="fine">{fine(said !== "")}</p>
    </>
  );
}

export type Countdown = { left: number; text: string; isNearlyOver: boolean };
const tickMs = 250;
const nearlyOverSeconds = 60;

/** The time until a code expires. The device counts from the service's time. */
export function useCountdown({ now, expiresAt }: Pick<PageIntro, "now" | "expiresAt">): Countdown {
  const [left, setLeft] = useState(() => secondsFrom(expiresAt - now));
  useEffect(() => {
    const from = performance.now();
    const tick = () => setLeft(secondsFrom(expiresAt - now - (performance.now() - from)));
    tick();
    const timer = window.setInterval(tick, tickMs);
    return () => window.clearInterval(timer);
  }, [now, expiresAt]);
  const minutes = Math.floor(left / 60);
  const text = `${minutes}:${String(left % 60).padStart(2, "0")}`;
  return { left, text, isNearlyOver: left > 0 && left <= nearlyOverSeconds };
}

function secondsFrom(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}

/** Reads the code from a text that is bound to this host, if the browser supports it and the person agrees. */
function useWebOtp(onCode: (code: string) => void): void {
  useEffect(() => {
    if (!("OTPCredential" in window) || navigator.credentials === undefined) return;
    const stop = new AbortController();
    const wanted: CredentialRequestOptions & { otp: { transport: string[] } } = {
      otp: { transport: ["sms"] },
      signal: stop.signal,
    };
    navigator.credentials
      .get(wanted)
      .then((found) => {
        if (found !== null && "code" in found && typeof found.code === "string") onCode(found.code);
      })
      .catch(() => {
        // The person refused, or left the screen. They can still type the code.
      });
    return () => stop.abort();
  }, []);
}
