import { sql } from "kysely";
import type { Deps } from "../deps.ts";
import { findLookup, type HealthLookup } from "./store.ts";

/** Waits before an answered, retryable question is asked again, milliseconds. */
const retryDelaysMs = [2_000, 5_000];
/** Deadline of one call; payers take up to a minute. Below the life of a job's claim. */
export const callDeadlineMs = 45_000;

/** The step that finds plans; every other one checks one with its payer. */
export const discoveryStep = "discovery";

/** What a call gives its answer, so that the answer can be read again after a restart. */
export type Call = { controlNumber: number; trace: string };
export type StepOutcome<Answer> =
  | { kind: "answered"; answer: Answer; trace: string }
  /** The call was made, and what it brought is not known. It is not made again: it was paid for. */
  | { kind: "lost" };

/** The lookup cannot go on before then. */
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
  /** Answered, and worth asking again. */
  isTemporary(answer: Answer, trace: string): boolean;
};
type Claimed =
  | { kind: "call"; controlNumber: number; attempt: number }
  | { kind: "known"; sealed: Buffer }
  | { kind: "lost" };

const place = (lookupUuid: string, name: string) => ({ table: "health_step", row: `${lookupUuid}|${name}` });

/** One paid call: its intent is stored before it is made, its answer as soon as it is there, whoever asks again. */
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
  // Somebody who waited longer than the deadline has given this call up.
  if (!kept) return { kind: "lost" };
  if (delay !== undefined) throw new GoOnLater(deps.clock.now() + delay);
  return { kind: "answered", answer: answer.value, trace };
}

/** Null where no answer came: the call may have been made all the same. */
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
  // The person took it back meanwhile: no payer hears of them any more.
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
    // Another worker may be waiting for the answer still.
    if (now < row.called_at + callDeadlineMs) throw new GoOnLater(row.called_at + callDeadlineMs);
    await settleStep(deps, lookup, { name, attempt: row.attempts, state: "lost" });
    return { kind: "lost" };
  }
  return await claimAgain(deps, lookup, { name, attempts: row.attempts });
}

/** The next attempt at a question that was answered with "not now". */
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

/** Ends the attempt that is being made; false when it was given up meanwhile. */
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
