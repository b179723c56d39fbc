import type { Deps } from "../deps.ts";
import type { HealthLookup } from "./lookup.ts";
import { countCall, findLookup } from "./lookup-rows.ts";
import { claimNextAttempt, insertStep, readStep, type Step, saveStep } from "./step-rows.ts";

/** Delays before a call with a temporary answer is retried, in milliseconds. */
const retryDelaysMs = [2_000, 5_000];
/** Timeout of one call, in milliseconds. Payers take up to a minute, but it must be shorter than a job's lease. */
export const callDeadlineMs = 45_000;

/** The step that finds plans. Every other step checks one plan with its payer. */
export const discoveryStep = "discovery";

/** Identifiers of a call. The trace is stored with the answer, so the answer can be parsed again after a restart. */
type Call = { controlNumber: number; trace: string };
export type StepOutcome<Answer> =
  | { kind: "answered"; answer: Answer; trace: string }
  /** The call was made, but its answer is unknown. It is not repeated, because it was paid for. */
  | { kind: "lost" };

/** The lookup must wait until `dueAt`. */
export class StepDelayed extends Error {
  override name = "StepDelayed";
  readonly dueAt: number;
  constructor(dueAt: number) {
    super("a step has to wait");
    this.dueAt = dueAt;
  }
}

type Work<Answer> = {
  name: string;
  call(call: Call): Promise<Answer>;
  /** Whether an answer is temporary, so that the call should be retried. */
  isTemporary(answer: Answer, trace: string): boolean;
};
type Claimed<Answer> =
  | { kind: "call"; controlNumber: number; attempt: number }
  | { kind: "known"; kept: NonNullable<Step<Answer>["kept"]> }
  | { kind: "lost" };

/** Makes a paid call. The intent is stored before the call and the answer right after, so restarts do not repeat it. */
export async function runStep<Answer>(
  deps: Deps,
  lookup: HealthLookup,
  work: Work<Answer>,
): Promise<StepOutcome<Answer>> {
  const { name } = work;
  const claimed = await claimStep<Answer>(deps, lookup, name);
  if (claimed.kind === "lost") return { kind: "lost" };
  if (claimed.kind === "known") return { kind: "answered", ...claimed.kept };
  const { attempt, controlNumber } = claimed;
  const trace = deps.random.uuid().replaceAll("-", "").toUpperCase();
  const answer = await tryCall(work, { controlNumber, trace });
  if (answer === null) {
    await saveStep(deps, lookup, { name, attempt, state: "lost" });
    return { kind: "lost" };
  }
  const kept = { answer: answer.value, trace };
  const delay = work.isTemporary(answer.value, trace) ? retryDelaysMs[attempt - 1] : undefined;
  const state = delay === undefined ? "answered" : "temporary";
  // Another worker may have waited longer than the timeout and marked this call as lost.
  if (!(await saveStep(deps, lookup, { name, attempt, state, kept }))) return { kind: "lost" };
  if (delay !== undefined) throw new StepDelayed(deps.clock.now() + delay);
  return { kind: "answered", ...kept };
}

/** Null if no answer came. The call may still have been processed. */
async function tryCall<Answer>(work: Work<Answer>, call: Call): Promise<{ value: Answer } | null> {
  try {
    return { value: await work.call(call) };
  } catch {
    return null;
  }
}

async function claimStep<Answer>(deps: Deps, lookup: HealthLookup, name: string): Promise<Claimed<Answer>> {
  const now = deps.clock.now();
  // If the person withdrew in the meantime, do not send their data to a payer.
  if ((await findLookup(deps, deps.db, lookup.uuid)) === null) return { kind: "lost" };
  const first = await insertStep(deps, lookup, name);
  if (first !== null) {
    await countCall(deps, lookup.uuid, name === discoveryStep ? "autofills" : "checks");
    return { kind: "call", controlNumber: first, attempt: 1 };
  }
  const step = await readStep<Answer>(deps, lookup, name);
  if (step === null) return { kind: "lost" };
  const { state, attempts, calledAt, kept } = step;
  if (state === "answered" && kept !== null) return { kind: "known", kept };
  if (state === "lost") return { kind: "lost" };
  if (state === "calling") {
    // Another worker may still be waiting for the answer.
    if (now < calledAt + callDeadlineMs) throw new StepDelayed(calledAt + callDeadlineMs);
    await saveStep(deps, lookup, { name, attempt: attempts, state: "lost" });
    return { kind: "lost" };
  }
  const controlNumber = await claimNextAttempt(deps, lookup, { name, attempts });
  if (controlNumber === null) throw new StepDelayed(now + callDeadlineMs);
  return { kind: "call", controlNumber, attempt: attempts + 1 };
}
