import type { PageIntro } from "@countersign/contract/wallet";
import { useEffect, useState } from "preact/hooks";
import { codeDigits } from "../../ui/code-field.tsx";
import { Form } from "../../ui/form.tsx";
import { api, type Trouble } from "../api.ts";
import { Close } from "../close.tsx";
import { CodeActions, CodeBox, type CodeEntry, type Refusal, useCodeEntry, useCountdown } from "../code-entry.tsx";
import { Frame, LegalLink } from "../frame.tsx";
import { useHost } from "../host.ts";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { phoneText } from "../phone-field.tsx";
import type { PageAddress } from "../session.ts";
import { Masked } from "../values.tsx";
import { type End, mustReload } from "./ends.ts";
import { BackLink, FailureMark, FailureText } from "./failure.tsx";

type Props = {
  address: PageAddress & { page: string };
  intro: PageIntro;
  wrongCode: boolean;
  onProven(session: string): void;
  /**
   * Only if the person entered the phone here: they can change it, and the brand's page must be told how the code
   * ended.
   */
  typed?: { phone: string; onEdit(): void; onOptOut(): void; onEnd(end: End): void };
};

/** Asks for the code of a text. */
export function CodeScreen({ address, intro: first, wrongCode, onProven, typed }: Props) {
  const { words } = useLanguage();
  const [intro, setIntro] = useState(first);
  const [end, setEnd] = useState<End | null>(endOf(first));
  const countdown = useCountdown(intro);
  const over = end ?? (countdown.left === 0 ? "expired" : null);
  const { brand } = intro;
  const title = over === null ? words.codeTitle : words.endTitles[over];
  useEffect(() => {
    if (over !== null) typed?.onEnd(over);
  }, [over]);
  const send = useProof({ address, onProven, onEnd: setEnd });
  const entry = useCodeEntry({
    ...(wrongCode ? { trouble: words.codeWrong(first.attemptsRemaining) } : { digits: codeDigits(address.code ?? "") }),
    send,
  });
  return (
    <Frame
      step={over === null ? "verificationCode" : "error"}
      title={title}
      brand={brand}
      word={intro.title}
      mark={over === null ? undefined : <FailureMark end={over} />}
    >
      {over === null ? (
        <Sent brand={brand.name} typed={typed?.phone} masked={intro.phone} />
      ) : (
        <FailureText
          end={over}
          brand={brand}
          leads={typed === undefined ? intro.backUrl !== undefined : !mustReload(over, brand)}
        />
      )}
      {over === null ? (
        <Form onSubmit={entry.submit}>
          <CodeBox entry={entry} countdown={countdown} />
          <Next entry={entry} intro={intro} onIntro={setIntro} page={address.page} typed={typed} />
        </Form>
      ) : null}
      {over !== null && typed !== undefined ? (
        <div class="actions">
          {over === "expired" ? (
            <button type="button" class="button main" onClick={typed.onEdit}>
              {words.newCode}
            </button>
          ) : (
            <Close mustReload={mustReload(over, brand)} />
          )}
        </div>
      ) : null}
      {over === null || typed !== undefined || intro.backUrl === undefined ? null : (
        <div class="actions">
          <BackLink end={over} brand={brand} href={intro.backUrl} />
        </div>
      )}
    </Frame>
  );
}

/** Where the code was sent: to the entered number, or to the one that the brand knows. */
function Sent({ brand, typed, masked }: { brand: string; typed?: string; masked?: string }) {
  const { words } = useLanguage();
  if (typed === undefined && masked === undefined) return <p class="lead">{words.codeSent(brand)}</p>;
  return (
    <p class="lead">
      {typed === undefined ? words.codeSentBy(brand) : words.codeSentTo}{" "}
      <strong class="digits number">{typed === undefined ? <Masked text={masked ?? ""} /> : phoneText(typed)}</strong>
    </p>
  );
}

/** The brand sends the texts, so the person must return to it for another one. */
function NoText({ brand, backUrl }: { brand: string; backUrl: string | undefined }) {
  const { ask, back, end } = useLanguage().words.noText;
  return (
    <>
      <span>{ask}</span>
      <span>
        {backUrl === undefined ? back(brand) : <a href={backUrl}>{back(brand)}</a>} {end}
      </span>
    </>
  );
}

function endOf({ state }: PageIntro): End | null {
  if (state === "open") return null;
  return ({ expired: "expired", attemptsUsed: "attempts", stopped: "stopped", proven: "elsewhere" } as const)[state];
}

const endOfRefusal: Readonly<Record<string, End>> = { OCV007: "expired", OCV002: "attempts", OCE015: "over" };

type Proof = { address: Props["address"]; onProven(session: string): void; onEnd(end: End): void };

/** Sends a code to the page. */
function useProof({ address, onProven, onEnd }: Proof): (code: string) => Promise<Refusal | null> {
  const { words } = useLanguage();
  const params = { page: address.page };
  const refused = async ({ code, attemptsRemaining = 1 }: Trouble): Promise<Refusal | null> => {
    const end = endOfRefusal[code];
    if (end !== undefined) {
      onEnd(end);
      return null;
    }
    const isWrong = code === "OCV001";
    if (!isWrong || attemptsRemaining > 0)
      return { text: isWrong ? words.codeWrong(attemptsRemaining) : inlineTrouble(words, code), isWrong };
    // The last wrong code and a repeated right code get the same error. The page's state tells them apart.
    const outcome = await api.readPage({ params });
    if (outcome.kind === "trouble") return refused(outcome.trouble);
    onEnd(endOf(outcome.value) ?? "attempts");
    return null;
  };
  return async (code) => {
    const body = { code, ...(address.redirectUrl === null ? {} : { redirectUrl: address.redirectUrl }) };
    const outcome = await api.provePage({ params, body });
    if (outcome.kind === "trouble") return refused(outcome.trouble);
    onProven(outcome.value.sessionToken);
    return null;
  };
}

type NextProps = {
  entry: CodeEntry;
  intro: PageIntro;
  onIntro(intro: PageIntro): void;
  page: string;
  typed: Props["typed"];
};

function Next({ entry, intro, onIntro, page, typed }: NextProps) {
  const { words } = useLanguage();
  const host = useHost();
  const { brand, canResend, optOutUrl } = intro;
  const [mayTextHere] = useState(canResend || typed !== undefined);
  const leave =
    typed === undefined
      ? optOutUrl === undefined
        ? null
        : () => window.location.assign(optOutUrl)
      : brand.manualSignup === "hide"
        ? null
        : typed.onOptOut;
  const resend = async () => {
    const outcome = await api.resendPage({ params: { page } });
    if (outcome.kind === "ok") {
      onIntro(outcome.value);
      host.resent();
      return { said: words.resent, isSent: true };
    }
    const { code } = outcome.trouble;
    if (code === "OCV004") onIntro({ ...intro, canResend: false });
    return { said: code === "OCV004" ? "" : inlineTrouble(words, code), isSent: false };
  };
  return (
    <CodeActions
      entry={entry}
      canResend={canResend}
      textAge={(intro.now - intro.textedAt) / 1000}
      resend={resend}
      onEdit={typed?.onEdit}
      noText={mayTextHere ? words.noMoreTexts : <NoText brand={brand.name} backUrl={intro.backUrl} />}
      fine={() => (
        <>
          {words.codeAgree(brand.name)} <LegalLink to="terms" /> {words.and} <LegalLink to="privacy" />.
        </>
      )}
    >
      {leave === null ? null : (
        <button type="button" class="link" onClick={leave}>
          {words.optOut}
        </button>
      )}
    </CodeActions>
  );
}
