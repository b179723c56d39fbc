import { consentTexts } from "@countersign/contract/consent";
import type { PageView } from "@countersign/contract/wallet";
import { useState } from "preact/hooks";
import { api, bySession, type Outcome } from "../api.ts";
import { onView, useConsent } from "../consent.tsx";
import { Frame } from "../frame.tsx";
import { actionTrouble, useLanguage } from "../language.tsx";
import { canUseStateId, StateIdButton } from "../state-id.tsx";
import { ChangedNotice, Problem } from "../status.tsx";
import { detailName } from "../values.tsx";
import { Decline, StillGets } from "./decline.tsx";

type Props = { session: string; view: PageView; onOutcome(outcome: Outcome<PageView>): void };

/** Asks for the state ID that the brand requires before the person shares. */
export function ConfirmIdScreen({ session, view, onOutcome }: Props) {
  const { words } = useLanguage();
  const { shown } = useConsent(consentTexts.decline);
  const [isDeclining, setDeclining] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const { brand } = view;
  const decline = async () => {
    setDeclining(true);
    setTrouble(undefined);
    const outcome = await api.decidePage({
      ...bySession(session),
      body: { share: false, consent: onView(shown, view) },
    });
    setDeclining(false);
    if (outcome.kind === "ok" || outcome.trouble.code === "OCE015") return onOutcome(outcome);
    setTrouble(actionTrouble(words, outcome.trouble.code));
  };
  const { stateId: say } = words;
  const isAccepted = view.stateId?.state !== "unavailable";
  const isPossible = isAccepted && canUseStateId();
  const text = isPossible ? say.confirmText : isAccepted ? say.confirmElsewhere : say.unavailableText;
  return (
    <Frame step="review" title={isAccepted ? say.confirmTitle : say.unavailableTitle} brand={brand} word={view.title}>
      <p class="lead">{text(brand.name)}</p>
      <ChangedNotice view={view} />
      <div class="actions">
        {isPossible ? <StateIdButton session={session} isMain onOutcome={onOutcome} /> : null}
        <Decline running={isDeclining ? "decline" : null} onDecline={() => void decline()} />
        <Problem text={trouble} />
      </div>
      <StillGets brand={brand} />
    </Frame>
  );
}

/** Offers a state ID to a person whom no source knows, before the page ends without data. */
export function InsteadScreen({ session, view, onOutcome }: Props) {
  const { words } = useLanguage();
  const { brand } = view;
  const { stateId: say } = words;
  const { stateId: _, ...without } = view;
  return (
    <Frame step="review" title={say.insteadTitle} brand={brand} word={view.title}>
      <p class="lead">{say.insteadText(brand.name)}</p>
      <div class="actions">
        <StateIdButton session={session} isMain onOutcome={onOutcome} />
        <button type="button" class="button" onClick={() => onOutcome({ kind: "ok", value: without })}>
          {say.without}
        </button>
      </div>
    </Frame>
  );
}

/** Says in which details the used ID differs from a source, and which value the brand gets. */
export function IdConflicts({ view }: { view: PageView }) {
  const { words } = useLanguage();
  const { issuedBy = "", conflicts = [] } = view.stateId ?? {};
  if (conflicts.length === 0) return null;
  const named = (kept: "source" | "id") => {
    const names = conflicts.filter((one) => one.kept === kept).map((one) => detailName(words, one));
    return new Intl.ListFormat(words.language).format(names);
  };
  return (
    <>
      {(["source", "id"] as const)
        .filter((kept) => named(kept) !== "")
        .map((kept) => (
          <p class="differs" key={kept}>
            {words.stateId.differs[kept](issuedBy, named(kept), view.brand.name)}
          </p>
        ))}
    </>
  );
}
