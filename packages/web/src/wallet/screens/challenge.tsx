import { consentTexts } from "@countersign/contract/consent";
import type { PageView } from "@countersign/contract/wallet";
import { useLayoutEffect, useState } from "preact/hooks";
import { api, type Body, bySession, type Outcome } from "../api.ts";
import { onView, useConsent } from "../consent.tsx";
import { Frame, type Step } from "../frame.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { QuestionForm, type QuestionInput, useTries } from "../question.tsx";
import { canUseStateId, StateIdButton } from "../state-id.tsx";
import { ChangedNotice } from "../status.tsx";
import type { Words } from "../words-en.ts";
import { StillGets } from "./decline.tsx";
import { Leave } from "./leave.tsx";

const screens: Record<QuestionInput, { step: Step; title(words: Words): string }> = {
  "fullName.firstName": { step: "firstName", title: (words) => words.firstNameTitle },
  birthDate: { step: "birthday", title: (words) => words.birthdayTitle },
  ssn4: { step: "ssn4", title: (words) => words.ssn4Title },
};

type Props = { session: string; view: PageView; onOutcome(outcome: Outcome<PageView>): void };

/** Asks for the first name, the birthday, or the last four of the SSN. The person chooses one. */
export function ChallengeScreen({ session, view, onOutcome }: Props) {
  const { words } = useLanguage();
  const offered = view.inputs ?? [];
  const [chosen, setChosen] = useState<QuestionInput>(offered[0] ?? "birthDate");
  const current = offered.includes(chosen) ? chosen : (offered[0] ?? "birthDate");
  const { step, title } = screens[current];
  const { brand } = view;
  const [isAsking, setAsking] = useState(false);
  // The button that showed the other ways is gone, so the first way takes its focus.
  useLayoutEffect(() => {
    if (isAsking) document.querySelector<HTMLElement>(".actions > .link")?.focus();
  }, [isAsking]);
  const ways = (
    <>
      {offered
        .filter((one) => one !== current)
        .map((one) => (
          <button
            type="button"
            class="link"
            key={one}
            onClick={() => {
              setAsking(false);
              setChosen(one);
            }}
          >
            {words.instead[one]}
          </button>
        ))}
      {brand.manualSignup === "hide" ? null : <OptOut {...{ session, view, onOutcome }} />}
    </>
  );
  const tries = useTries();
  const send = async (body: Body<"amendPage">) => {
    const outcome = await api.amendPage({ ...bySession(session), body });
    if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") {
      onOutcome(outcome);
      return null;
    }
    const { code } = outcome.trouble;
    if (code === "OCE012") return { text: words.mismatch(tries.leftAfter(body)), isMismatch: true };
    return { text: code === "ERR001" ? words.badValue : inlineTrouble(words, code) };
  };
  return (
    <Frame step={step} title={title(words)} brand={brand} word={view.title}>
      <p class="lead">{words.whyMore}</p>
      <ChangedNotice view={view} />
      <QuestionForm key={current} input={current} send={send}>
        {view.stateId?.state === "offered" && canUseStateId() ? (
          <StateIdButton session={session} orType onOutcome={onOutcome} />
        ) : null}
        {offered.length === 1 || isAsking ? (
          ways
        ) : (
          <button type="button" class="link quiet" aria-expanded="false" onClick={() => setAsking(true)}>
            {words.cannotAnswer}
          </button>
        )}
      </QuestionForm>
    </Frame>
  );
}

function OptOut({ session, view, onOutcome }: Props) {
  const { pieces, shown } = useConsent(consentTexts.leave);
  const optOut = () => api.decidePage({ ...bySession(session), body: { share: false, consent: onView(shown, view) } });
  return (
    <>
      <Leave label={pieces.button} describedBy="declining" ask={optOut} onOutcome={onOutcome} />
      <StillGets brand={view.brand} />
    </>
  );
}
