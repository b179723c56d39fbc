import { type ConsentShown, consentTexts } from "@countersign/contract/consent";
import type { PageIntro, PageView } from "@countersign/contract/wallet";
import { useEffect, useRef, useState } from "preact/hooks";
import { Mark } from "../../ui/end-picture.tsx";
import { type Answer, api, bySession, type Outcome, type Trouble } from "../api.ts";
import { Close } from "../close.tsx";
import { onView, useConsent } from "../consent.tsx";
import { Frame } from "../frame.tsx";
import { type Host, HostContext } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { CodeScreen } from "../screens/code.tsx";
import { type End, endOfCode, ends } from "../screens/ends.ts";
import { FailureScreen } from "../screens/failure.tsx";
import { ConsentScreen, PhoneScreen, type Proving } from "../screens/phone.tsx";
import { ViewScreen } from "../screens/view.tsx";
import { noteShared } from "../sharing-state.ts";
import { offersIdInstead } from "../state-id.tsx";
import { applyTheme, fixColorScheme } from "../theme.ts";
import { type Channel, type Handed, handedKey } from "./channel.ts";
import { endingOf, endingOfCode, optedOut, uuidsOf } from "./result.ts";

type Opened = Answer<"openSession">;
type Failed = Pick<Trouble, "code" | "requestId">;
type Shown =
  | { kind: "start" }
  | { kind: "code"; phone: string; page: string; intro: PageIntro }
  | { kind: "view"; session: string; view: PageView }
  | { kind: "left" }
  /** `session`: the phone is proven and the code is used up, so a retry must use this session. */
  | { kind: "failure"; end: End; reference?: string; session?: string };

/** How long the frame waits for the session key from the brand's page, in milliseconds. */
const keyWithinMs = 10_000;
const noHost: Host = { embedded: true, at() {}, resent() {} };

/** The wallet in a brand's page. It waits for its key, opens the session, and reports the result to the page. */
export function FrameApp() {
  const { words, follow } = useLanguage();
  const [handed, setHanded] = useState<Handed>();
  const [opened, setOpened] = useState<Opened | "invalid">();
  useEffect(() => {
    // A reloaded frame gets no key. The SDK reports that to the brand's page; this screen tells the person.
    const timer = window.setTimeout(() => setOpened("invalid"), keyWithinMs);
    void handedKey().then(async (found) => {
      window.clearTimeout(timer);
      fixColorScheme(found.colorScheme);
      if (found.locale !== undefined) follow(found.locale);
      const outcome = await api.openSession({ body: { sessionKey: found.sessionKey, frame: addressHash() } });
      setHanded(found);
      if (outcome.kind === "ok") {
        // A key opens a session only once, so nothing has been shared yet.
        noteShared("nothing");
        await applyTheme(outcome.value.start.brand.theme);
        return setOpened(outcome.value);
      }
      const { code, requestId } = outcome.trouble;
      const isKey = ["OVER", "ERR001"].includes(code);
      found.channel.error(isKey ? "INVALID_SESSION_KEY" : "SHARE_CREDENTIALS_ERROR", { errorCode: code, requestId });
      setOpened("invalid");
    });
  }, []);
  if (opened === undefined) return <Frame step="loading" title={words.loading} children={null} />;
  return (
    <HostContext.Provider value={handed?.channel ?? noHost}>
      {handed === undefined || opened === "invalid" ? (
        <FailureScreen end="over" brand={undefined} />
      ) : (
        <SignupFlow opened={opened} channel={handed.channel} within={handed.within} />
      )}
    </HostContext.Provider>
  );
}

/** The key's hash in the URL. The service used it to decide which sites may frame the page. */
function addressHash(): string {
  return new URLSearchParams(window.location.search).get("s") ?? "";
}

type Props = { opened: Opened; channel: Channel; within?: string };

function SignupFlow({ opened, channel, within }: Props) {
  const { words } = useLanguage();
  const { start, sessionToken } = opened;
  const [phone, setPhone] = useState("");
  const { shown, setShown, reportResult, end, endWithError, show, continueWith } = useSignupFlow(opened, channel);
  const onProving = (proving: Proving) => {
    if (proving.kind === "proven") return void continueWith(proving.session);
    setPhone(proving.phone);
    setShown(proving);
  };
  const onOptOut = () => {
    reportResult(optedOut);
    setShown({ kind: "left" });
  };

  const { brand } = start;
  const first = { session: sessionToken, start, onProving, onOptOut, onOver: endWithError };
  if (shown.kind === "start")
    return start.step === "consent" ? (
      <ConsentScreen {...first} />
    ) : (
      <PhoneScreen {...first} typedBefore={phone} within={within} />
    );
  if (shown.kind === "code")
    return (
      <CodeScreen
        key={shown.page}
        address={{ page: shown.page, code: null, redirectUrl: null, walletCode: null }}
        intro={shown.intro}
        wrongCode={false}
        onProven={(session) => void continueWith(session)}
        typed={{
          phone: shown.phone,
          onEdit: () => setShown({ kind: "start" }),
          onOptOut,
          onEnd: (found) => {
            // After an expired code, the person can request another one here.
            if (found !== "expired") end({ code: { attempts: "OCV002", over: "OCE015" }[String(found)] ?? "BROKEN" });
          },
        }}
      />
    );
  if (shown.kind === "left")
    return (
      <Frame step="done" title={words.declinedTitle} brand={brand} word={start.title} mark={<Mark kind="declined" />}>
        <p class="lead">{words.getsNone(brand.name)}</p>
        {brand.manualSignup === "hide" ? null : <p class="lead">{words.next.enter}</p>}
        <div class="actions">
          <Close />
        </div>
      </Frame>
    );
  if (shown.kind === "failure") {
    const { session, reference } = shown;
    const onRetry = session === undefined ? undefined : () => void continueWith(session);
    return <FailureScreen end={shown.end} brand={brand} reference={reference} word={start.title} onRetry={onRetry} />;
  }
  return (
    <ViewScreen
      session={shown.session}
      view={shown.view}
      page={null}
      onOutcome={(outcome) => void show(shown.session, outcome)}
    />
  );
}

/** The current screen and the transitions. */
function useSignupFlow(opened: Opened, channel: Channel) {
  const { shown: consent } = useConsent(consentTexts.share);
  const [shown, setShown] = useState<Shown>({ kind: "start" });
  const { reportResult, end, isSettled } = useEndings(channel);
  const endWithError = (trouble: Failed) => {
    end(trouble);
    setShown({ kind: "failure", end: endOfCode(trouble.code), reference: trouble.requestId });
  };
  const showFailure = (session: string, { code, requestId }: Failed) => {
    const found = endOfCode(code);
    const mayRetry = ends[found].retries === true;
    // Report a failure only after a failed retry, because the brand's page removes the frame on an error.
    const isForGood = found === "broken" && code !== "BUSY" && shown.kind === "failure" && shown.end === "broken";
    if (!mayRetry || isForGood) end({ code, requestId });
    setShown({ kind: "failure", end: found, reference: requestId, ...(mayRetry ? { session } : {}) });
  };
  const show = async (session: string, outcome: Outcome<PageView>) => {
    const reached = outcome.kind === "ok" ? await withoutReview(session, outcome.value, consent) : outcome;
    if (reached.kind === "trouble") return showFailure(session, reached.trouble);
    const view = reached.value;
    complete(channel, view);
    if (!offersIdInstead(view)) end({ code: view.errorCode ?? "" }, view);
    setShown({ kind: "view", session, view });
  };
  const continueWith = async (session: string) => {
    await show(session, await api.viewPage(bySession(session)));
  };
  // A finished page does not change: a person who has shared must not read later that the page has expired.
  useTimeout(opened, () => {
    if (!isSettled()) endWithError({ code: "OVER" });
  });
  return { shown, setShown, reportResult, end, endWithError, show, continueWith };
}

/** Reports the end to the brand's page. */
function useEndings(channel: Channel) {
  const isSettled = useRef(false);
  const reportResult = (result: Parameters<Channel["result"]>[0]) => {
    isSettled.current = true;
    channel.result(result);
  };
  const end = ({ code, requestId }: Failed, view?: PageView) => {
    const ending = view === undefined ? endingOfCode(code) : endingOf(view);
    if (ending === null) return;
    if ("error" in ending) channel.error(ending.error, { errorCode: code, requestId });
    else reportResult(ending.result);
  };
  return { reportResult, end, isSettled: () => isSettled.current };
}

/** Skips the review if the brand requests no data. The first screen's text is recorded as the consent. */
async function withoutReview(session: string, view: PageView, consent: ConsentShown): Promise<Outcome<PageView>> {
  if (view.step !== "review" || view.fields?.length !== 0) return { kind: "ok", value: view };
  return await api.decidePage({ ...bySession(session), body: { share: true, consent: onView(consent, view) } });
}

/** Reports completed products: verify after the phone's proof, signup after sharing, health after a plan was chosen. */
function complete(channel: Channel, view: PageView): void {
  const { step, outcome, verificationUuid } = view;
  const uuids = uuidsOf(view);
  // If the brand asserts the phone, there is no verification.
  if (verificationUuid !== undefined) channel.completed("1-click-verify", uuids);
  const isShared = step === "health" || (step === "done" && ["shared", "insured", "uninsured"].includes(outcome ?? ""));
  if (isShared) channel.completed("1-click-signup", uuids);
  if (outcome === "insured") channel.completed("1-click-health", uuids);
}

/** Calls back when the session expires, by the service's clock. */
function useTimeout({ expiresAt, start }: Opened, onOver: () => void): void {
  useEffect(() => {
    const timer = window.setTimeout(onOver, expiresAt - start.now);
    return () => window.clearTimeout(timer);
  }, []);
}
