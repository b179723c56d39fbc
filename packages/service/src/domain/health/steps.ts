import { sql } from "kysely";
import type { Deps } from "../deps.ts";
import { findLookup, type HealthLookup } from "./store.ts";

/** Delays before a call with a temporary answer is retried, in milliseconds. */
const retryDelaysMs = [2_000, 5_000];
/** Timeout of one call, in milliseconds. Payers take up to a minute, but it must be shorter than a job's lease. */
export const callDeadlineMs = 45_000;

/** The step that finds plans. Every other step checks one plan with its payer. */
export const discoveryStep = "discovery";

/** Identifiers of a call. The trace is stored with the answer, so the answer can be parsed again after a restart. */
export type Call = { controlNumber: number; trace: string };
export type StepOutcome<Answer> =
  | { kind: "answered"; answer: Answer; trace: string }
  /** The call was made, but its answer is unknown. It is not repeated, because it was paid for. */
  | { kind: "lost" };

/** The lookup must wait until `dueAt`. */
export class GoOnLater extends Error {
  override name = "GoOnLater";
  readonly dueAt: number;
  constructor(dueAt: number) {
    super("a step has to wait");
    this.dueAt = dueAt;
  }
}

type Work<Answer> = {
  name: string;
  call(about: Call): Promise<Answer>;
  /** Whether an answer is temporary, so that the call should be retried. */
  isTemporary(answer: Answer, trace: string): boolean;
};
type Claimed =
  | { kind: "call"; controlNumber: number; attempt: number }
  | { kind: "known"; sealed: Buffer }
  | { kind: "lost" };

const place = (lookupUuid: string, name: string) => ({ table: "health_step", row: `${lookupUuid}|${name}` });

/** Makes a paid call. The intent is stored before the call and the answer right after, so restarts do not repeat it. */
export async function runStep<Answer>(
  deps: Deps,
  lookup: HealthLookup,
  work: Work<Answer>,
): Promise<StepOutcome<Answer>> {
  const claimed = await claimStep(deps, lookup, work.name);
  if (claimed.kind === "lost") return { kind: "lost" };
  const where = place(lookup.uuid, work.name);
  if (claimed.kind === "known") {
    const kept = deps.vault.open<{ answer: Answer; trace: string }>(lookup.dataKey, where, claimed.sealed);
    return { kind: "answered", ...kept };
  }
  const trace = deps.random.uuid().replaceAll("-", "").toUpperCase();
  const answer = await answerOf(work, { controlNumber: claimed.controlNumber, trace });
  if (answer === null) {
    await settleStep(deps, lookup, { name: work.name, attempt: claimed.attempt, state: "lost" });
    return { kind: "lost" };
  }
  const sealed = deps.vault.seal(lookup.dataKey, where, { answer: answer.value, trace });
  const delay = work.isTemporary(answer.value, trace) ? retryDelaysMs[claimed.attempt - 1] : undefined;
  const state = delay === undefined ? "answered" : "again";
  const kept = await settleStep(deps, lookup, { name: work.name, attempt: claimed.attempt, state, sealed });
  // Another worker waited longer than the timeout and marked this call as lost.
  if (!kept) return { kind: "lost" };
  if (delay !== undefined) throw new GoOnLater(deps.clock.now() + delay);
  return { kind: "answered", answer: answer.value, trace };
}

/** Null if no answer came. The call may still have been processed. */
async function answerOf<Answer>(work: Work<Answer>, about: Call): Promise<{ value: Answer } | null> {
  try {
    return { value: await work.call(about) };
  } catch {
    return null;
  }
}

const nextControlNumber = sql<number>`nextval('health_control_number')`;

async function claimStep(deps: Deps, lookup: HealthLookup, name: string): Promise<Claimed> {
  const now = deps.clock.now();
  // The person withdrew in the meantime, so no payer may learn about them.
  if ((await findLookup(deps, deps.db, lookup.uuid)) === null) return { kind: "lost" };
  const first = await deps.db
    .insertInto("health_step")
    .values({
      lookup_uuid: lookup.uuid,
      name,
      state: "calling",
      attempts: 1,
      control_number: nextControlNumber,
      called_at: now,
      sealed: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("control_number")
    .executeTakeFirst();
  if (first !== undefined) {
    const counted = name === discoveryStep ? "autofills" : "checks";
    await deps.db
      .updateTable("health_lookup")
      .set((row) => ({ [counted]: row(counted, "+", 1) }))
      .where("uuid", "=", lookup.uuid)
      .execute();
    return { kind: "call", controlNumber: first.control_number, attempt: 1 };
  }
  const row = await deps.db
    .selectFrom("health_step")
    .selectAll()
    .where("lookup_uuid", "=", lookup.uuid)
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  if (row.state === "answered" && row.sealed !== null) return { kind: "known", sealed: row.sealed };
  if (row.state === "lost") return { kind: "lost" };
  if (row.state === "calling") {
    // Another worker may still be waiting for the answer.
    if (now < row.called_at + callDeadlineMs) throw new GoOnLater(row.called_at + callDeadlineMs);
    await settleStep(deps, lookup, { name, attempt: row.attempts, state: "lost" });
    return { kind: "lost" };
  }
  return await claimAgain(deps, lookup, { name, attempts: row.attempts });
}

/** Claims the next attempt of a call whose answer was temporary. */
async function claimAgain(deps: Deps, lookup: HealthLookup, row: { name: string; attempts: number }): Promise<Claimed> {
  const now = deps.clock.now();
  const claimed = await deps.db
    .updateTable("health_step")
    .set({ state: "calling", attempts: row.attempts + 1, called_at: now, control_number: nextControlNumber })
    .where("lookup_uuid", "=", lookup.uuid)
    .where("name", "=", row.name)
    .where("state", "=", "again")
    .where("attempts", "=", row.attempts)
    .returning("control_number")
    .executeTakeFirst();
  if (claimed === undefined) throw new GoOnLater(now + callDeadlineMs);
  return { kind: "call", controlNumber: claimed.control_number, attempt: row.attempts + 1 };
}

/** Records the result of the current attempt; false if the attempt was given up in the meantime. */
async function settleStep(
  deps: Deps,
  lookup: HealthLookup,
  what: { name: string; attempt: number; state: "answered" | "again" | "lost"; sealed?: Buffer },
): Promise<boolean> {
  const settled = await deps.db
    .updateTable("health_step")
    .set({ state: what.state, sealed: what.sealed ?? null })
    .where("lookup_uuid", "=", lookup.uuid)
    .where("name", "=", what.name)
    .where("state", "=", "calling")
    .where("attempts", "=", what.attempt)
    .returning("name")
    .executeTakeFirst();
  return settled !== undefined;
}
