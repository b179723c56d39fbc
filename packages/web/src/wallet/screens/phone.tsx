import { consentTexts, provingText } from "@countersign/contract/consent";
import type { SessionStart } from "@countersign/contract/session";
import { readPhone } from "@countersign/contract/typed-text";
import type { PageIntro } from "@countersign/contract/wallet";
import { useRef, useState } from "preact/hooks";
import { Form } from "../../ui/form.tsx";
import { api, bySession, type Outcome, type Trouble } from "../api.ts";
import { useAutoSubmit } from "../auto-submit.ts";
import { CallButton } from "../call-button.tsx";
import { ConsentPiece, useConsent } from "../consent.tsx";
import { Frame } from "../frame.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { PhoneField, phoneText } from "../phone-field.tsx";
import { Problem, Status } from "../status.tsx";
import { Masked } from "../values.tsx";

/** The step after the phone: a page for its code, or a session if the phone is already proven. */
export type Proving =
  | { kind: "code"; phone: string; page: string; intro: PageIntro }
  | { kind: "proven"; session: string };
type Props = {
  session: string;
  start: SessionStart;
  /** The phone that the person entered earlier, if they came back to change it. */
  typedBefore: string;
  within?: string;
  onProving(proving: Proving): void;
  onOptOut(): void;
  onOver(trouble: Trouble): void;
};

/**
 * Asks for the phone, and offers to get it from the carrier if possible. A complete number is sent automatically, so the
 * consent text is about the number, and is directly below the button.
 */
export function PhoneScreen({ session, start, typedBefore, within, onProving, onOptOut, onOver }: Props) {
  const { words } = useLanguage();
  const { brand } = start;
  const proving = useProving({ session, start, within, onProving, onOver });
  const [typed, setTyped] = useState(phoneText(typedBefore));
  const input = useRef<HTMLInputElement>(null);
  const submit = (text = typed) => {
    sending.cancel();
    const phone = readPhone(text);
    if (phone !== null) return void proving.byPhone(phone);
    proving.refuse(words.phoneUnread);
    input.current?.focus();
  };
  const sending = useAutoSubmit(submit);
  return (
    <Frame step="phone" title={words.phoneTitle} brand={brand} word={start.title}>
      <p class="lead">{start.asksFor.data ? words.phoneLead : words.phoneLeadVerify}</p>
      <Form onSubmit={() => submit()}>
        <PhoneField
          typed={typed}
          trouble={proving.trouble}
          inputRef={input}
          setTyped={setTyped}
          onEdit={() => {
            sending.cancel();
            proving.refuse(undefined);
          }}
          onComplete={sending.complete}
        />
        <Status isBusy={proving.running !== null} trouble={proving.trouble} />
        <div class="actions">
          <CallButton
            type="submit"
            class="button main"
            aria-describedby="agree"
            busy={proving.running === "phone" ? words.working : undefined}
            isHeld={proving.running !== null}
          >
            {words.proceed}
          </CallButton>
          <Agreement start={start} />
          {start.autofill ? (
            <CallButton
              class="button phone-only"
              aria-describedby="agree"
              busy={proving.running === "device" ? words.looking : undefined}
              isHeld={proving.running !== null}
              onClick={() => void proving.byDevice()}
            >
              {words.phoneAutofill}
            </CallButton>
          ) : null}
          {brand.manualSignup === "hide" ? null : (
            <button type="button" class="link" onClick={onOptOut}>
              {words.optOut}
            </button>
          )}
        </div>
      </Form>
    </Frame>
  );
}

/** Asks for consent only, because the phone is known. */
export function ConsentScreen(props: Omit<Props, "typedBefore" | "within">) {
  const { words } = useLanguage();
  const { start, onOptOut } = props;
  const { brand, phone = "" } = start;
  const proving = useProving(props);
  return (
    <Frame step="consent" title={words.consentTitle} brand={brand} word={start.title}>
      <p class="lead">
        <strong class="digits number">
          <Masked text={phone} />
        </strong>
      </p>
      <p class="lead">{start.asksFor.data ? words.phoneLead : words.phoneLeadVerify}</p>
      <Agreement start={start} />
      <Status isBusy={proving.running !== null} trouble={undefined} />
      <div class="actions">
        <CallButton
          class="button main"
          aria-describedby="agree"
          busy={proving.running === null ? undefined : words.working}
          onClick={() => void proving.continueSession()}
        >
          {words.proceed}
        </CallButton>
        <Problem text={proving.trouble} />
        {brand.manualSignup === "hide" ? null : (
          <button type="button" class="link" onClick={onOptOut}>
            {words.optOut}
          </button>
        )}
      </div>
    </Frame>
  );
}

/** The consent text, next to the main button. */
function Agreement({ start }: { start: SessionStart }) {
  const { pieces } = useConsent(textBelow(start));
  return (
    <p class="fine" id="agree" data-consent>
      <ConsentPiece piece={pieces.text} brand={start.brand.name} />
    </p>
  );
}

const textBelow = ({ step, asksFor }: SessionStart) =>
  consentTexts[provingText({ known: step === "consent", asksFor })];

/** Proves the phone: silently by the carrier if possible, otherwise by a text. */
function useProving(props: Pick<Props, "session" | "start" | "within" | "onProving" | "onOver">) {
  const { session, start, within, onProving, onOver } = props;
  const { words } = useLanguage();
  const [running, setRunning] = useState<"phone" | "device" | null>(null);
  const [trouble, refuse] = useState<string>();
  const { shown } = useConsent(textBelow(start));
  const consent = { ...shown, shown: start.shown };

  const onTrouble = (trouble: Trouble) => {
    const { code } = trouble;
    if (code === "OVER" || code === "BROKEN") return onOver(trouble);
    refuse(code === "OCE002" || code === "ERR001" ? words.phoneUnread : inlineTrouble(words, code));
  };
  const ifIdle = async (way: "phone" | "device", what: () => Promise<Trouble | null>) => {
    if (running !== null) return;
    setRunning(way);
    refuse(undefined);
    const found = await what();
    setRunning(null);
    if (found !== null) onTrouble(found);
  };
  const proven = (outcome: Outcome<{ sessionToken: string }>): Trouble | null => {
    if (outcome.kind === "trouble") return outcome.trouble;
    onProving({ kind: "proven", session: outcome.value.sessionToken });
    return null;
  };
  const continueSession = async (verificationUuid?: string) =>
    proven(await api.continueSession({ ...bySession(session), body: { consent, verificationUuid } }));
  const begin = async (phone: string, silent: boolean): Promise<Trouble | null> => {
    const outcome = await api.beginByPhone({ ...bySession(session), body: { phone, silent, within, consent } });
    if (outcome.kind === "trouble") return outcome.trouble;
    const { page, intro, location } = outcome.value;
    if (location !== undefined) {
      const verificationUuid = await askCarrier(location);
      return await (verificationUuid === null ? begin(phone, false) : continueSession(verificationUuid));
    }
    if (page !== undefined && intro !== undefined) onProving({ kind: "code", phone, page, intro });
    return null;
  };
  return {
    running,
    trouble,
    refuse,
    byPhone: (phone: string) => ifIdle("phone", () => begin(phone, start.silent)),
    byDevice: () =>
      ifIdle("device", async () => {
        const outcome = await api.beginByDevice(bySession(session));
        if (outcome.kind === "trouble") return outcome.trouble;
        const verificationUuid = await askCarrier(outcome.value.location);
        if (verificationUuid !== null) return await continueSession(verificationUuid);
        refuse(words.autofillFailed);
        return null;
      }),
    continueSession: () => ifIdle("phone", () => continueSession()),
  };
}

/** How long the redirect to the carrier and back may take, in milliseconds. */
const carrierDeadlineMs = 15_000;

/**
 * Opens the one-use URL that redirects the device to its carrier and back. Returns the verification's uuid, which no
 * other browser gets. Null if it proved no phone.
 */
async function askCarrier(location: string): Promise<string | null> {
  try {
    const answer = await fetch(location, {
      credentials: "omit",
      cache: "no-store",
      // The service accepts the return only with this site as its referrer. The page's own policy would hide it.
      referrerPolicy: "strict-origin",
      signal: AbortSignal.timeout(carrierDeadlineMs),
    });
    const { uuid }: { uuid?: unknown } = await answer.json();
    return answer.ok && typeof uuid === "string" ? uuid : null;
  } catch {
    return null;
  }
}
