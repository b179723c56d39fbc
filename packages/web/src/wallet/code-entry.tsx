import type { PageIntro } from "@countersign/contract/wallet";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CodeField, codeDigits, codeLength } from "../ui/code-field.tsx";
import { CallButton } from "./call-button.tsx";
import { useLanguage } from "./language.tsx";
import { Alert, Progress } from "./status.tsx";

/** The text about a refused code. `isWrong`: the code itself was wrong. */
export type Refusal = { text: string; isWrong: boolean };
export type CodeEntry = ReturnType<typeof useCodeEntry>;

type About = {
  /** Initial digits, such as from the page's URL. They are not sent automatically. */
  digits?: string;
  /** The initial problem. */
  trouble?: string;
  /** Sends a code. Returns the problem to show, or null if the next screen follows. */
  send(code: string): Promise<Refusal | null>;
};

/**
 * The state of a code field. The sixth digit sends the code. A wrong code is cleared, so that the person can type the
 * next one from the start.
 */
export function useCodeEntry({ digits: first = "", trouble, send }: About) {
  const { words } = useLanguage();
  const [digits, setDigits] = useState(first);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | undefined>(
    trouble === undefined ? undefined : { text: trouble, isWrong: true },
  );
  const [said, say] = useState("");
  const running = useRef(false);
  /** A code that the browser read while another one was being checked. */
  const received = useRef<string | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);

  const submitCode = async (code: string) => {
    if (running.current) return;
    running.current = true;
    setSending(true);
    setRefusal(undefined);
    const found = await send(code);
    running.current = false;
    if (found === null) return;
    setSending(false);
    setRefusal(found);
    if (found.isWrong) setDigits("");
    input.current?.focus();
    webOtp.askAgain();
    const waiting = received.current;
    received.current = undefined;
    if (waiting !== undefined) type(waiting);
  };
  const submit = () => {
    if (digits.length === codeLength) return void submitCode(digits);
    if (refusal?.isWrong !== true) setRefusal({ text: words.codeIncomplete, isWrong: false });
    input.current?.focus();
  };
  const type = (text: string) => {
    if (running.current) return;
    const next = codeDigits(text);
    setDigits(next);
    setRefusal(undefined);
    say("");
    if (next.length === codeLength) void submitCode(next);
  };
  const webOtp = useWebOtp((code) => {
    if (running.current) received.current = code;
    else type(code);
  });
  useEffect(() => input.current?.focus(), []);
  return {
    digits,
    isSending,
    refusal,
    said,
    say,
    input,
    type,
    submit,
    awaitText: webOtp.askAgain,
    /** Whether the initial code is complete. Only a button may send it. */
    isPrefilled: first.length === codeLength,
  };
}

/** The field for a code. Two lines below it show the result and the remaining time. */
export function CodeBox({ entry, countdown }: { entry: CodeEntry; countdown: Countdown }) {
  const { words } = useLanguage();
  const { digits, isSending, refusal, said, input, type } = entry;
  const canRetry = refusal !== undefined && !refusal.isWrong && digits.length === codeLength;
  return (
    <>
      <CodeField
        label={words.codeLabel}
        isLabelHidden
        isSteady
        error={
          refusal === undefined ? undefined : (
            <span>
              {refusal.text}{" "}
              {canRetry ? (
                <button type="submit" class="inline">
                  {words.tryAgain}
                </button>
              ) : null}
            </span>
          )
        }
        hint={<Note entry={entry} countdown={countdown} />}
        digits={digits}
        readOnly={isSending}
        inputRef={input}
        onType={type}
      />
      <Progress text={isSending ? words.checking : countdown.isNearlyOver ? words.timeSoonOver : said} />
      <Alert text={refusal?.text} />
    </>
  );
}

function Note({ entry, countdown }: { entry: CodeEntry; countdown: Countdown }) {
  const { words } = useLanguage();
  if (entry.isSending)
    return (
      <span class="doing">
        <span class="spin" aria-hidden="true" />
        {words.checking}
      </span>
    );
  if (countdown.isNearlyOver)
    return (
      <>
        {words.timeLeft("")}
        <span class="digits">{countdown.text}</span>
      </>
    );
  return <>{entry.said}</>;
}

type ActionsProps = {
  entry: CodeEntry;
  canResend: boolean;
  /** Age of the newest text when the screen opened, in seconds. */
  textAge?: number;
  /** Requests a new code. Returns the text to show, and whether a new code was sent. */
  resend(): Promise<{ said: string; isSent: boolean }>;
  /** Goes back to the phone. Absent if the person did not enter it here. */
  onEdit?(): void;
  /** More actions. */
  children?: ComponentChildren;
  /** Shown if the service may not send another text. */
  noText?: ComponentChildren;
  /** The fine print below the button that sends another text. */
  after?: ComponentChildren;
  /** The fine print above the buttons. */
  fine(): ComponentChildren;
};

/** Minimum seconds between two texts. A text often takes this long to arrive. */
const resendSeconds = 30;

/** The actions below a code field. */
export function CodeActions({
  entry,
  canResend,
  textAge = 0,
  resend,
  onEdit,
  children,
  noText,
  after,
  fine,
}: ActionsProps) {
  const { words } = useLanguage();
  const { left, restart } = useWait(resendSeconds - textAge);
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    const answer = await resend();
    setAsking(false);
    if (answer.isSent) {
      entry.type("");
      entry.awaitText();
      restart(resendSeconds);
    }
    entry.say(answer.said);
    entry.input.current?.focus();
  };
  return (
    <>
      <p class="fine">{fine()}</p>
      <div class="actions">
        {entry.isPrefilled ? (
          <CallButton type="submit" class="button main" isHeld={entry.isSending}>
            {words.proceed}
          </CallButton>
        ) : null}
        {canResend && left > 0 ? (
          <p class="help muted">
            <span>
              {words.resendIn("")}
              <span class="digits">{words.seconds(left)}</span>
            </span>
          </p>
        ) : canResend ? (
          <CallButton class="button" busy={isAsking ? words.working : undefined} onClick={() => void ask()}>
            {words.resend}
          </CallButton>
        ) : noText === undefined ? null : (
          <p class="help">{noText}</p>
        )}
        {after === undefined ? null : <p class="fine">{after}</p>}
        {onEdit === undefined ? null : (
          <button type="button" class="link" onClick={onEdit}>
            {words.editPhone}
          </button>
        )}
        {children}
      </div>
    </>
  );
}

/** Counts seconds down to zero. */
function useWait(first: number): { left: number; restart(seconds: number): void } {
  const [endsAt, setEndsAt] = useState(() => performance.now() + first * 1000);
  const [left, setLeft] = useState(Math.max(0, Math.ceil(first)));
  useEffect(() => {
    const tick = () => setLeft(secondsFrom(endsAt - performance.now()));
    tick();
    const timer = window.setInterval(tick, tickMs);
    return () => window.clearInterval(timer);
  }, [endsAt]);
  return { left, restart: (seconds) => setEndsAt(performance.now() + seconds * 1000) };
}

export type Countdown = { left: number; text: string; isNearlyOver: boolean };
const tickMs = 250;
const nearlyOverSeconds = 60;

/** The remaining time of a code. The device counts down from the service's time. */
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

/**
 * Reads the code from a text that is bound to this host, if the browser supports it and the person agrees. A request of
 * the browser's ends with its first text, so the next one follows: the first text may be an older one.
 */
function useWebOtp(onCode: (code: string) => void): { askAgain(): void } {
  const latest = useRef(onCode);
  latest.current = onCode;
  const [round, setRound] = useState(0);
  const isAsking = useRef(false);
  // A browser may offer the same text again. Its code must not use another attempt.
  const known = useRef(new Set<string>());
  const askAgain = () => {
    if (!isAsking.current) setRound((before) => before + 1);
  };
  useEffect(() => {
    if (!("OTPCredential" in window) || navigator.credentials === undefined) return;
    const stop = new AbortController();
    const wanted: CredentialRequestOptions & { otp: { transport: string[] } } = {
      otp: { transport: ["sms"] },
      signal: stop.signal,
    };
    isAsking.current = true;
    navigator.credentials
      .get(wanted)
      .then((found) => {
        isAsking.current = false;
        if (stop.signal.aborted || found === null || !("code" in found) || typeof found.code !== "string") return;
        if (known.current.has(found.code)) return;
        known.current.add(found.code);
        latest.current(found.code);
        askAgain();
      })
      .catch(() => {
        // The person refused or left the screen. They can still type the code, and ask for another text.
        isAsking.current = false;
      });
    return () => stop.abort();
  }, [round]);
  return { askAgain };
}
