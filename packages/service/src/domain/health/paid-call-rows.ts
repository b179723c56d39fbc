/** The rows of steps: paid calls of a lookup. The intent is stored before a call, and its encrypted answer after it. */
import { sql } from "kysely";
import type { Trx } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import type { PaidCallState } from "../../store/statements/tables.ts";
import type { Deps } from "../deps.ts";
import type { HealthLookup } from "./lookup.ts";

/** An answer, with the trace of its call. */
type Kept<Answer> = { answer: Answer; trace: string };
export type PaidCall<Answer> = { state: PaidCallState; attempts: number; calledAt: number; kept: Kept<Answer> | null };
type OfLookup = Pick<HealthLookup, "uuid" | "dataKey">;

const place = (lookupUuid: string, name: string) => placeOf("health_call", `${lookupUuid}|${name}`);

/** The control number of a call. Home counts, because all cells use the same clearinghouse. */
async function nextControlNumber({ home }: Deps): Promise<number> {
  const { rows } = await sql<{ number: number }>`select nextval('health_control_number') as number`.execute(home);
  const [row] = rows;
  if (row === undefined) throw new Error("the sequence gave no number");
  return row.number;
}

/**
 * Stores the first attempt of a step and returns its control number. Null if the step exists, or if the lookup was
 * erased, because nothing would erase the step then.
 */
export async function insertPaidCall(deps: Deps, { uuid }: OfLookup, name: string): Promise<number | null> {
  const number = await nextControlNumber(deps);
  const calledAt = deps.clock.now();
  // Citus cannot send an insert that selects to a cell, so these are two statements.
  return await deps.db.inTransaction(async (trx) => {
    // A person who stops sharing at this moment waits, or the step is not stored.
    const lookup = await trx
      .selectFrom("health_lookup")
      .select("uuid")
      .where("uuid", "=", uuid)
      .where("erased_at", "is", null)
      .forShare()
      .executeTakeFirst();
    if (lookup === undefined) return null;
    const first = { state: "calling", attempts: 1, control_number: number, called_at: calledAt, sealed: null } as const;
    const row = await trx
      .insertInto("health_call")
      .values({ lookup_uuid: uuid, name, ...first })
      .onConflict((conflict) => conflict.doNothing())
      .returning("control_number")
      .executeTakeFirst();
    return row?.control_number ?? null;
  });
}

/** Null if the lookup was erased. */
export async function readPaidCall<Answer>(
  deps: Deps,
  { uuid, dataKey }: OfLookup,
  name: string,
): Promise<PaidCall<Answer> | null> {
  const row = await deps.db
    .selectFrom("health_call")
    .select(["state", "attempts", "called_at", "sealed"])
    .where("lookup_uuid", "=", uuid)
    .where("name", "=", name)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { state, attempts, called_at, sealed } = row;
  return {
    state,
    attempts,
    calledAt: called_at,
    kept: sealed === null ? null : deps.vault.open<Kept<Answer>>(dataKey, place(uuid, name), sealed),
  };
}

/** Stores the next attempt of a temporary step and returns its control number. Null if another worker was first. */
export async function claimNextAttempt(
  deps: Deps,
  { uuid }: OfLookup,
  { name, attempts }: { name: string; attempts: number },
): Promise<number | null> {
  const row = await deps.db
    .updateTable("health_call")
    .set({
      state: "calling",
      attempts: attempts + 1,
      called_at: deps.clock.now(),
      control_number: await nextControlNumber(deps),
    })
    .where("lookup_uuid", "=", uuid)
    .where("name", "=", name)
    .where("state", "=", "temporary")
    .where("attempts", "=", attempts)
    .returning("control_number")
    .executeTakeFirst();
  return row?.control_number ?? null;
}

/** Stores the result of the current attempt. False if the attempt was given up in the meantime. */
export async function savePaidCall(
  deps: Deps,
  { uuid, dataKey }: OfLookup,
  input: { name: string; attempt: number; state: Exclude<PaidCallState, "calling">; kept?: Kept<unknown> },
): Promise<boolean> {
  const { numUpdatedRows } = await deps.db
    .updateTable("health_call")
    .set({
      state: input.state,
      sealed: input.kept === undefined ? null : deps.vault.seal(dataKey, place(uuid, input.name), input.kept),
    })
    .where("lookup_uuid", "=", uuid)
    .where("name", "=", input.name)
    .where("state", "=", "calling")
    .where("attempts", "=", input.attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deletePaidCalls(trx: Trx, lookupUuids: readonly string[]): Promise<void> {
  if (lookupUuids.length > 0) await trx.deleteFrom("health_call").where("lookup_uuid", "in", lookupUuids).execute();
}
