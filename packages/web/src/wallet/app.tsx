import type { PageIntro, PageView } from "@countersign/contract/wallet";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, bySession, type Outcome, type Trouble } from "./api.ts";
import { Frame } from "./frame.tsx";
import { useLanguage } from "./language.tsx";
import { CodeScreen } from "./screens/code.tsx";
import { type End, endOfCode } from "./screens/ends.ts";
import { FailureScreen } from "./screens/failure.tsx";
import { ViewScreen } from "./screens/view.tsx";
import { announce, dropSession, follow, keepSession, type PageAddress, readSession } from "./session.ts";
import { applyTheme } from "./theme.ts";

type Shown =
  | { kind: "loading" }
  | { kind: "code"; intro: PageIntro }
  | { kind: "view"; session: string; view: PageView }
  | { kind: "failure"; end: End; reference?: string };
type Props = { address: PageAddress; intro: PageIntro | null; wrongCode: boolean };

/** Shows the screen for the service's state: the code before the proof, then the current step of the 1-Click. */
export function App({ address, intro, wrongCode }: Props) {
  const { words } = useLanguage();
  const { page } = address;
  const [shown, setShown] = useState<Shown>({ kind: "loading" });
  const [known, setKnown] = useState(intro);
  const { proceed, showOutcome } = useProceed({ address, setKnown, setShown });

  useEffect(() => {
    void proceed(intro);
    return page === null ? undefined : follow(page, () => void proceed(null));
  }, []);
  useEffect(() => {
    // A wallet app may return to this tab. Its URL differs only in the fragment, so the browser does not reload the
    // page.
    const onReturn = () => {
      if (window.location.hash.startsWith("#wallet=")) window.location.reload();
    };
    window.addEventListener("hashchange", onReturn);
    return () => window.removeEventListener("hashchange", onReturn);
  }, []);

  if (shown.kind === "loading")
    return <Frame step="loading" title={words.loading} brand={known?.brand} children={null} />;
  if (shown.kind === "failure")
    return (
      <FailureScreen
        end={shown.end}
        brand={known?.brand}
        word={known?.title}
        backUrl={known?.backUrl}
        reference={shown.reference}
        onRetry={() => void proceed(null)}
      />
    );
  if (shown.kind === "code" && page !== null)
    return (
      <CodeScreen
        key={shown.intro.state}
        address={{ ...address, page }}
        intro={shown.intro}
        wrongCode={wrongCode}
        onProven={(session) => {
          keepSession(page, session);
          void proceed(null);
        }}
      />
    );
  if (shown.kind !== "view") return null;
  const onOutcome = (outcome: Outcome<PageView>) => {
    if (outcome.kind === "ok" && outcome.value.step === "done") announce(page);
    void showOutcome(shown.session, outcome);
  };
  return <ViewScreen session={shown.session} view={shown.view} page={page} onOutcome={onOutcome} />;
}

/** Reads the page's view. After the return from a wallet app, first submits what it presented. */
async function viewOf(session: string, code: { current: string | null }): Promise<Outcome<PageView>> {
  if (code.current !== null) {
    const outcome = await api.takePresentation({ ...bySession(session), body: { code: code.current } });
    code.current = null;
    if (outcome.kind === "ok") return outcome;
  }
  return await api.viewPage(bySession(session));
}

type Proceeding = {
  address: PageAddress;
  setKnown(intro: PageIntro): void;
  setShown(shown: Shown): void;
};

/** Reads the page's state from the service and shows it. */
function useProceed({ address, setKnown, setShown }: Proceeding) {
  const { page } = address;
  const walletCode = useRef(address.walletCode);
  const fail = ({ code, requestId }: Trouble, end = endOfCode(code)) => {
    setShown({ kind: "failure", end, ...(end === "broken" ? { reference: requestId } : {}) });
  };
  const showOutcome = useCallback(async (session: string, outcome: Outcome<PageView>) => {
    if (outcome.kind === "trouble") {
      if (outcome.trouble.code === "OCE015") dropSession(page);
      return fail(outcome.trouble);
    }
    await applyTheme(outcome.value.brand.theme);
    setShown({ kind: "view", session, view: outcome.value });
  }, []);
  const proceed = useCallback(async (intro: PageIntro | null) => {
    const session = readSession(page);
    if (session !== null) return await showOutcome(session, await viewOf(session, walletCode));
    if (page === null) return fail({ code: "OCE015", problems: [] }, "unknown");
    const found: Outcome<PageIntro> =
      intro === null ? await api.readPage({ params: { page } }) : { kind: "ok", value: intro };
    if (found.kind === "trouble") {
      const { trouble } = found;
      return trouble.code === "OCE015" ? fail(trouble, "unknown") : fail(trouble);
    }
    await applyTheme(found.value.brand.theme);
    setKnown(found.value);
    setShown({ kind: "code", intro: found.value });
  }, []);
  return { proceed, showOutcome };
}
