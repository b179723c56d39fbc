import type { PageIntro, PageView, ShownWords } from "@countersign/contract/wallet";
import { useEffect, useState } from "preact/hooks";
import { api, type Opened, type Outcome } from "../api.ts";
import { proveWords } from "../consent.ts";
import { Frame } from "../frame.tsx";
import { type Host, HostContext } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { CodeScreen } from "../screens/code.tsx";
import { type End, endOfCode, FailureScreen } from "../screens/failure.tsx";
import { ConsentScreen, PhoneScreen, type Proving } from "../screens/phone.tsx";
import { ViewScreen } from "../screens/view.tsx";
import { keepTo, wearTheme } from "../theme.ts";
import { type Channel, type Handed, handedKey } from "./channel.ts";
import { endingOf, endingOfCode, optedOut, uuidsOf } from "./result.ts";

type Shown =
  | { kind: "start" }
  | { kind: "code"; phone: string; page: string; intro: PageIntro }
  | { kind: "view"; session: string; view: PageView }
  | { kind: "left" }
  | { kind: "failure"; end: End; reference?: string };

/** How long the page around the frame may take to hand over its key, milliseconds. */
const keyWithinMs = 10_000;
const unheard: Host = { embedded: true, at() {}, resent() {} };

/** The wallet in a brand's page: waits for its key, opens the session, and tells the page how it ends. */
export function FrameApp() {
  const { words } = useLanguage();
  const [handed, setHanded] = useState<Handed>();
  const [opened, setOpened] = useState<Opened | "invalid">();
  useEffect(() => {
    // A frame that was loaded again gets no key: the page around it knows, and the person is told here.
    const timer = window.setTimeout(() => setOpened("invalid"), keyWithinMs);
    void handedKey().then(async (found) => {
      window.clearTimeout(timer);
      keepTo(found.colorScheme);
      const outcome = await api.open({ sessionKey: found.sessionKey, frame: addressHash() });
      setHanded(found);
      if (outcome.kind === "ok") {
        await wearTheme(outcome.value.start.brand.theme);
        return setOpened(outcome.value);
      }
      const isKey = ["OVER", "ERR001"].includes(outcome.trouble.code);
      found.channel.error(isKey ? "INVALID_SESSION_KEY" : "SHARE_CREDENTIALS_ERROR");
      setOpened("invalid");
    });
  }, []);
  if (opened === undefined) return <Frame step="loading" title={words.loading} children={null} />;
  return (
    <HostContext.Provider value={handed?.channel ?? unheard}>
      {handed === undefined || opened === "invalid" ? (
        <FailureScreen end="over" />
      ) : (
        <Way opened={opened} channel={handed.channel} within={handed.within} />
      )}
    </HostContext.Provider>
  );
}

/** What the address carries of the key: by this it was decided which sites may frame the document. */
function addressHash(): string {
  return new URLSearchParams(window.location.search).get("s") ?? "";
}

type Props = { opened: Opened; channel: Channel; within?: string };

function Way({ opened, channel, within }: Props) {
  const { words } = useLanguage();
  const { start, sessionToken } = opened;
  const [shown, setShown] = useState<Shown>({ kind: "start" });
  const [phone, setPhone] = useState("");
  const end = (code: string, about?: PageView) => {
    const ending = about === undefined ? endingOfCode(code) : endingOf(about);
    if (ending === null) return;
    if ("error" in ending) channel.error(ending.error);
    else channel.result(ending.result);
  };
  const over = (code: string, reference?: string) => {
    end(code);
    setShown({ kind: "failure", end: endOfCode(code), reference });
  };
  const show = async (session: string, outcome: Outcome<PageView>) => {
    if (outcome.kind === "trouble") return over(outcome.trouble.code, outcome.trouble.requestId);
    const view = await withoutReview(session, outcome.value, proveWords(words, start));
    complete(channel, view);
    end("", view);
    setShown({ kind: "view", session, view });
  };
  const goOn = async (session: string) => {
    await show(session, await api.view(session));
  };
  const onProving = (proving: Proving) => {
    if (proving.kind === "proven") return void goOn(proving.session);
    setPhone(proving.phone);
    setShown(proving);
  };
  const onOptOut = () => {
    channel.result(optedOut);
    setShown({ kind: "left" });
  };
  useTimeout(opened, () => over("OVER"));

  const { brand } = start;
  const first = { session: sessionToken, start, onProving, onOptOut, onOver: over };
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
        address={{ page: shown.page, code: null, redirectUrl: null }}
        intro={shown.intro}
        wrongCode={false}
        onProven={(session) => void goOn(session)}
        typed={{
          phone: shown.phone,
          onEdit: () => setShown({ kind: "start" }),
          onOptOut,
          onEnd: (found) => found === "attempts" && end("OCV002"),
        }}
      />
    );
  if (shown.kind === "left")
    return (
      <Frame step="done" title={words.leftTitle} brand={brand} word={start.title}>
        <p class="lead">{words.leftText(brand.name)}</p>
      </Frame>
    );
  if (shown.kind === "failure")
    return <FailureScreen end={shown.end} brand={brand} reference={shown.reference} word={start.title} />;
  return (
    <ViewScreen
      session={shown.session}
      view={shown.view}
      page={null}
      onOutcome={(outcome) => void show(shown.session, outcome)}
    />
  );
}

/** Where the brand asks for nothing, there is nothing to review: the words of the first screen were all there is to agree to. */
async function withoutReview(session: string, view: PageView, consent: ShownWords): Promise<PageView> {
  if (view.step !== "review" || view.fields?.length !== 0) return view;
  const outcome = await api.decide(session, { share: true, consent });
  return outcome.kind === "ok" ? outcome.value : { ...view, step: "error", errorCode: outcome.trouble.code };
}

/** Which part of the way is behind the person: verify once the phone is proven, signup once they shared, health once they said which plan. */
function complete(channel: Channel, view: PageView): void {
  const { step, outcome, verificationUuid } = view;
  const uuids = uuidsOf(view);
  // A phone on the brand's word was not verified by us.
  if (verificationUuid !== undefined) channel.completed("1-click-verify", uuids);
  const isShared = step === "health" || (step === "done" && ["shared", "insured", "uninsured"].includes(outcome ?? ""));
  if (isShared) channel.completed("1-click-signup", uuids);
  if (outcome === "insured") channel.completed("1-click-health", uuids);
}

/** When the session's time is over, by the service's clock. */
function useTimeout({ expiresAt, start }: Opened, onOver: () => void): void {
  useEffect(() => {
    const timer = window.setTimeout(onOver, expiresAt - start.now);
    return () => window.clearTimeout(timer);
  }, []);
}
