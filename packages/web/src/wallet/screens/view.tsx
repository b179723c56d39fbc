import type { PageView } from "@countersign/contract/wallet";
import type { Outcome } from "../api.ts";
import { PhoneEnding } from "../frame.tsx";
import { useHost } from "../host.ts";
import { offersIdInstead } from "../state-id.tsx";
import { ChallengeScreen } from "./challenge.tsx";
import { ConfirmIdScreen, InsteadScreen } from "./confirm-id.tsx";
import { DoneScreen } from "./done.tsx";
import { endOfCode } from "./ends.ts";
import { FailureScreen } from "./failure.tsx";
import { InsuranceScreen } from "./insurance.tsx";
import { ReviewScreen } from "./review.tsx";

type Props = { session: string; view: PageView; page: string | null; onOutcome(outcome: Outcome<PageView>): void };

/** The screen for the current step of a 1-Click after the phone is proven. */
export function ViewScreen(props: Props) {
  return (
    <PhoneEnding.Provider value={props.view.phoneEnding}>
      <StepScreen {...props} />
    </PhoneEnding.Provider>
  );
}

function StepScreen({ session, view, page, onOutcome }: Props) {
  const { embedded } = useHost();
  if (view.step === "inputs") return <ChallengeScreen session={session} view={view} onOutcome={onOutcome} />;
  if (view.step === "review" && (view.stateId?.state === "required" || view.stateId?.state === "unavailable"))
    return <ConfirmIdScreen session={session} view={view} onOutcome={onOutcome} />;
  // Other values, or a used state ID, may change what is missing, so the review begins again.
  if (view.step === "review") {
    const key = JSON.stringify([view.stateId?.state, view.fields]);
    return <ReviewScreen key={key} session={session} page={page} view={view} onOutcome={onOutcome} />;
  }
  if (view.step === "health") return <InsuranceScreen session={session} view={view} onOutcome={onOutcome} />;
  if (view.step === "done") return <DoneScreen view={view} page={page} />;
  if (offersIdInstead(view)) return <InsteadScreen session={session} view={view} onOutcome={onOutcome} />;
  const { brand, redirectUrl, title, missing } = view;
  const backUrl = embedded ? undefined : redirectUrl;
  const end = endOfCode(view.errorCode ?? "");
  return <FailureScreen end={end} brand={brand} missing={missing} backUrl={backUrl} word={title} />;
}
