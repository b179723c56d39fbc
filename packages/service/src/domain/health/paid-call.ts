/** Paid calls of a lookup. Their rows (`paid-call-rows.ts`) name each call, so that it is made once, also after a restart. */
import { findBrand } from "../brand/brand-rows.ts";
import { may } from "../brand/permission.ts";
import type { Deps } from "../deps.ts";
import type { HealthLookup } from "./lookup.ts";
import { countCall, findLookup } from "./lookup-rows.ts";
import { claimNextAttempt, insertPaidCall, readPaidCall, savePaidCall } from "./paid-call-rows.ts";

/** Delays before a call with a temporary answer is retried, in milliseconds. */
const retryDelaysMs = [2_000, 5_000];
/** Timeout of one call, in milliseconds. Payers take up to a minute, but it must be shorter than a job's lease. */
export const callDeadlineMs = 45_000;

/** The call that finds plans. Every other call checks one plan with its payer. */
export const discoveryCall = "discovery";

/** Identifiers of a call. The trace is stored with the answer, so the answer can be parsed again after a restart. */
type Call = { controlNumber: number; trace: string };
/** The lookup must wait until `dueAt`, and then run again. */
export type Delayed = { kind: "delayed"; dueAt: number };
type CallOutcome<Answer> =
  | { kind: "answered"; answer: Answer; trace: string }
  /** The call was made, but its answer is unknown. It is not repeated, because it was paid for. */
  | { kind: "lost" }
  | Delayed;

type Work<Answer> = {
  name: string;
  call(call: Call): Promise<Answer>;
  /** Whether an answer is temporary, so that the call should be retried. */
  isTemporary(answer: Answer, trace: string): boolean;
};
/** The right to make a call, or the outcome of an earlier one. */
type Claimed<Answer> = { kind: "call"; controlNumber: number; attempt: number } | CallOutcome<Answer>;

/** Makes a paid call. The intent is stored before the call and the answer right after, so restarts do not repeat it. */
export async function callOnce<Answer>(
  deps: Deps,
  lookup: HealthLookup,
  work: Work<Answer>,
): Promise<CallOutcome<Answer>> {
  const { name } = work;
  const claimed = await claimCall<Answer>(deps, lookup, name);
  if (claimed.kind !== "call") return claimed;
  const { attempt, controlNumber } = claimed;
  const trace = deps.random.uuid().replaceAll("-", "").toUpperCase();
  const answer = await tryCall(work, { controlNumber, trace });
  if (answer === null) {
    await savePaidCall(deps, lookup, { name, attempt, state: "lost" });
    return { kind: "lost" };
  }
  const kept = { answer: answer.value, trace };
  const delay = work.isTemporary(answer.value, trace) ? retryDelaysMs[attempt - 1] : undefined;
  const state = delay === undefined ? "answered" : "temporary";
  // Another worker may have waited longer than the timeout and marked this call as lost.
  if (!(await savePaidCall(deps, lookup, { name, attempt, state, kept }))) return { kind: "lost" };
  if (delay !== undefined) return { kind: "delayed", dueAt: deps.clock.now() + delay };
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

async function claimCall<Answer>(deps: Deps, lookup: HealthLookup, name: string): Promise<Claimed<Answer>> {
  const now = deps.clock.now();
  // If the person withdrew or the brand was stopped in the meantime, do not send the person's data to a payer.
  const brand = await findBrand(deps.home, deps.environment, lookup.brandUuid);
  if (brand === null || !may(brand, "read")) return { kind: "lost" };
  if ((await findLookup(deps, deps.db, lookup.uuid)) === null) return { kind: "lost" };
  const first = await insertPaidCall(deps, lookup, name);
  if (first !== null) {
    await countCall(deps, lookup.uuid, name === discoveryCall ? "autofills" : "checks");
    return { kind: "call", controlNumber: first, attempt: 1 };
  }
  const step = await readPaidCall<Answer>(deps, lookup, name);
  if (step === null) return { kind: "lost" };
  const { state, attempts, calledAt, kept } = step;
  if (state === "answered" && kept !== null) return { kind: "answered", ...kept };
  if (state === "lost") return { kind: "lost" };
  if (state === "calling") {
    // Another worker may still be waiting for the answer.
    if (now < calledAt + callDeadlineMs) return { kind: "delayed", dueAt: calledAt + callDeadlineMs };
    const isLost = await savePaidCall(deps, lookup, { name, attempt: attempts, state: "lost" });
    // The answer may have been stored since the row was read.
    return isLost ? { kind: "lost" } : { kind: "delayed", dueAt: now };
  }
  const controlNumber = await claimNextAttempt(deps, lookup, { name, attempts });
  if (controlNumber === null) return { kind: "delayed", dueAt: now + callDeadlineMs };
  return { kind: "call", controlNumber, attempt: attempts + 1 };
}
