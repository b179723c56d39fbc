import type { DeliveryLine } from "@countersign/contract/dashboard-webhooks";
import { useEffect } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Time, TroubleNotice } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { useLoad } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { words } from "../words.ts";
import { hasResult, resultPolling } from "./attempt-result.ts";
import { DeliveryDetails } from "./delivery.tsx";
import { webhookWords as say } from "./words-webhooks.ts";

type Params = { brand: string; environment: "sandbox" | "production"; delivery: string };

type Props = {
  params: Params;
  /** The page of the delivery. */
  to: string;
  mayChange: boolean;
  /** Called once, after the receiver's answer or a failed connection. */
  onAnswer(isAcknowledged: boolean): void;
  onClose(): void;
};

/** Waits for the receiver's answer to a test event, and shows it with the whole delivery. */
export function TestResult({ params, to, mayChange, onAnswer, onClose }: Props) {
  const { state, reload } = useLoad(() => api.readWebhookDelivery({ params }), [params.delivery]);
  const delivery = state.kind === "ok" ? state.value.delivery : null;
  const isAnswered = delivery !== null && hasResult(delivery);
  const isOver = usePolling(reload, { ...resultPolling, isOn: !isAnswered });
  useEffect(() => {
    if (isAnswered) onAnswer(delivery.status === "delivered");
  }, [isAnswered]);
  const kind = !isAnswered ? "" : delivery.status === "delivered" ? "good" : "bad";
  return (
    <div class={`note test-result ${kind}`}>
      <p role="status">{isAnswered ? <Answer delivery={delivery} /> : isOver ? say.noAnswerYet : say.testing}</p>
      <TroubleNotice trouble={state.kind === "trouble" ? state.trouble : null} />
      {state.kind === "ok" ? <DeliveryDetails {...{ params, view: state.value, mayChange }} /> : null}
      <div class="row-actions">
        <Link to={to}>{say.seeTest}</Link>
        <Button label={words.close} subject={say.testedEvent} look="small" onClick={onClose} />
      </div>
    </div>
  );
}

function Answer({ delivery: { attempts, status, nextAttemptAt } }: { delivery: DeliveryLine }) {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  const answer =
    last.httpStatus === undefined ? say.notAnswered(last.error ?? "") : say.answered(last.httpStatus, last.durationMs);
  return (
    <>
      {status === "delivered" ? say.acknowledged : say.notAcknowledged} {answer}
      {nextAttemptAt === undefined ? null : (
        <>
          {" "}
          {say.triedAgain} <Time at={nextAttemptAt} />.
        </>
      )}
    </>
  );
}
