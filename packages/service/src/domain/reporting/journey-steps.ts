/** The steps of journeys, from the rows that keep their times. */
import type { JourneyOutcome, JourneyStep } from "@countersign/contract/dashboard-journeys";
import { journeys } from "../journey.ts";
import type {
  AttemptTimes,
  CallTimes,
  DeliveryTimes,
  LookupTimes,
  PaidCallTimes,
  SignupTimes,
  TextTimes,
  VerificationTimes,
} from "./journey-rows.ts";
import { lineIdOf } from "./pages.ts";

export type Step = JourneyStep;
type Tone = Step["tone"];
type More = Partial<Pick<Step, "tone" | "count" | "call" | "delivery">>;

function span(name: Step["name"], from: number, to: number | null, more: More = {}): Step {
  // The clock of a sandbox can be set back during a step.
  const end = to === null ? null : Math.max(from, to);
  return { name, from, to: end, tone: "plain", count: null, call: null, delivery: null, ...more };
}

const moment = (name: Step["name"], at: number | null, tone: Tone = "plain"): Step[] =>
  at === null ? [] : [span(name, at, at, { tone })];

/** By the time at which they began. Steps of the same time keep their order. */
export function inOrder(steps: readonly Step[]): Step[] {
  return steps.toSorted((a, b) => a.from - b.from);
}

/** `proof`: the steps of its verification, if it has one that is still kept. */
export function signupSteps(
  row: SignupTimes,
  outcome: JourneyOutcome,
  proof: { began: number; steps: readonly Step[] } | null,
): Step[] {
  const { session_at: session, answered_at: answered, erased_at: erased, expires_at: expires } = row;
  return [
    ...(session === null ? [] : [span("session", session, Math.min(proof?.began ?? row.created_at, row.created_at))]),
    ...moment("began", row.created_at),
    // A journey has one beginning.
    ...(proof?.steps ?? []).filter(({ name }) => name !== "began"),
    ...askingSteps(row),
    ...inputSteps(row, outcome),
    ...reviewSteps(row, outcome),
    ...(outcome === "shared" ? moment("shared", answered, "good") : []),
    ...(outcome === "declined" ? moment("declined", answered, "warn") : []),
    ...(outcome === "refused" ? moment("refused", answered, "bad") : []),
    ...(erased === null && outcome === "expired" ? moment("expired", expires, "warn") : []),
    ...moment("erased", erased, erased !== null && erased < expires ? "warn" : "plain"),
  ];
}

function askingSteps({ asked_at: asked, risk_ms: risk, source_ms: source, refusal }: SignupTimes): Step[] {
  if (asked === null) return [];
  const scored = asked + (risk ?? 0);
  const isRisky = refusal === "OCE017";
  return [
    ...(risk === null ? [] : [span("risk", asked, scored, { tone: isRisky ? "bad" : "plain" })]),
    ...(source === null ? [] : [span("sources", scored, scored + source)]),
  ];
}

/** When the sources' last answer was there. Null if they were not asked. */
const answerAt = ({ asked_at: asked, risk_ms: risk, source_ms: source }: SignupTimes) =>
  asked === null ? null : asked + (risk ?? 0) + (source ?? 0);

/** The time in which more inputs were needed: until the sources were asked again, or until the end. */
function inputSteps(row: SignupTimes, outcome: JourneyOutcome): Step[] {
  const { inputs_asked_at: from, asked_at: asked } = row;
  if (from === null) return [];
  if (asked !== null && asked > from) return [span("inputs", from, asked)];
  return [span("inputs", from, endOf(row, outcome), { tone: "warn" })];
}

/** The time of a review on our pages. It begins with the sources' answer, unless they asked for more inputs last. */
function reviewSteps(row: SignupTimes, outcome: JourneyOutcome): Step[] {
  const from = answerAt(row);
  const isReviewed = row.state === "awaitingDecision" || row.state === "released" || row.state === "declined";
  const isLeft = row.state === "declined" && row.inputs_asked_at !== null && row.inputs_asked_at > (row.asked_at ?? 0);
  if (from === null || !isReviewed || isLeft || journeys[row.journey].review !== "wallet") return [];
  return [span("review", from, endOf(row, outcome))];
}

/** When a signup ended. Null while it is open. */
function endOf(
  { answered_at: answered, erased_at: erased, expires_at: expires }: SignupTimes,
  outcome: JourneyOutcome,
) {
  if (answered !== null) return answered;
  return outcome === "expired" ? Math.min(erased ?? expires, expires) : null;
}

export function textSteps(texts: readonly TextTimes[]): Step[] {
  return texts.map(({ status, created_at: from, sent_at: sent }) => {
    // A text that was never sent has no second time.
    const isOver = sent === null && (status === "superseded" || status === "failed");
    return span("text", from, sent ?? (isOver ? from : null), { tone: status === "failed" ? "bad" : "plain" });
  });
}

export function verificationSteps(
  row: VerificationTimes,
  outcome: JourneyOutcome,
  texts: readonly Pick<TextTimes, "sent_at">[],
): Step[] {
  const { created_at: created, delivered_at: delivered, verified_at: verified, denied_at: denied } = row;
  const sent = texts.flatMap(({ sent_at }) => sent_at ?? []);
  const from = delivered ?? sent.at(-1) ?? created;
  const ended = verified ?? denied ?? (outcome === "expired" ? row.expires_at : null);
  const tone = outcome === "failed" ? "bad" : outcome === "expired" ? "warn" : "plain";
  // The time of the last wrong code is not kept, so it is read from the calls.
  const to = ended ?? (outcome === "failed" ? from : null);
  const isByText = row.deliveries > 0 || row.attempts_used > 0;
  return [
    ...moment("began", created),
    ...moment("delivered", delivered),
    ...(isByText ? [span("code", from, to, { tone, count: row.attempts_used })] : []),
    ...moment("verified", verified, "good"),
    ...moment("denied", denied, "bad"),
    ...(outcome === "expired" ? moment("expired", row.expires_at, "warn") : []),
  ];
}

/** Ends a failed entry of codes, whose end is not kept, with the last call that tried one. */
export function codeUntilLastTry(steps: readonly Step[], calls: readonly Pick<CallTimes, "at" | "route">[]): Step[] {
  const last = calls.findLast(({ route }) => route.endsWith("/verify"));
  return steps.map((step) => {
    const isOpen = step.name === "code" && step.tone === "bad" && step.to === step.from;
    return isOpen && last !== undefined ? { ...step, to: Math.max(step.from, last.at) } : step;
  });
}

export function lookupSteps(row: LookupTimes, outcome: JourneyOutcome): Step[] {
  const { created_at: created, finished_at: finished, erased_at: erased, expires_at: expires } = row;
  const isEarly = erased !== null && (expires === null || erased < expires || finished === null);
  return [
    ...moment("began", created),
    ...(outcome === "failed" ? moment("failed", finished, "bad") : []),
    ...(outcome === "succeeded" ? moment("found", finished, "good") : []),
    ...(outcome === "partial" ? moment("found", finished, "warn") : []),
    ...moment("erased", erased, isEarly ? "warn" : "plain"),
  ];
}

const paidTones: Readonly<Record<PaidCallTimes["state"], Tone>> = {
  calling: "plain",
  answered: "good",
  temporary: "warn",
  lost: "bad",
};

/** Only the time of each call's newest attempt is kept. */
export function paidCallSteps(calls: readonly PaidCallTimes[]): Step[] {
  return calls.map(({ state, attempts, called_at: at }) =>
    span("payer", at, state === "calling" ? null : at, { tone: paidTones[state], count: attempts }),
  );
}

const toneOf = (status: number): Tone => (status < 400 ? "good" : status < 500 ? "warn" : "bad");

/** A line of the log has the time of its answer. */
export function callSteps(cell: number, calls: readonly CallTimes[]): Step[] {
  return calls.map(({ id, at, latency_ms, method, route, status, error_code: errorCode }) =>
    span(method === "GET" && status < 400 ? "read" : "call", at - latency_ms, at, {
      tone: toneOf(status),
      call: { line: lineIdOf(cell, id), method, route, status, errorCode },
    }),
  );
}

/** The attempts of each delivery, numbered, and the time that a delivery waits for its next one. */
export function attemptSteps(deliveries: readonly DeliveryTimes[], attempts: readonly AttemptTimes[]): Step[] {
  return deliveries.flatMap((delivery) => {
    const own = attempts.filter(({ delivery_uuid }) => delivery_uuid === delivery.uuid);
    const { uuid, event } = delivery;
    const tried = own.map(({ at, duration_ms, http_status: status, error }, place) => {
      const isTaken = status !== null && status >= 200 && status < 300;
      return span("attempt", at, at + duration_ms, {
        tone: isTaken ? "good" : "bad",
        count: place + 1,
        delivery: { uuid, event, status, error },
      });
    });
    const from = tried.at(-1)?.to ?? delivery.created_at;
    const about = { uuid, event, status: null, error: null };
    return delivery.status === "pending" ? [...tried, span("waiting", from, null, { delivery: about })] : tried;
  });
}
