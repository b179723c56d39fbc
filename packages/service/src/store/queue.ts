import { sql } from "kysely";
import type { Database, Trx } from "./database.ts";

/** One thing to be done once, at a time of the environment's clock. The payload holds ids, never values. */
export type NewJob = {
  environment: string;
  name: string;
  subject: string;
  dueAt: number;
  payload: Record<string, string>;
};
export type Job = {
  id: number;
  name: string;
  payload: Record<string, string>;
  dueAt: number;
  attempts: number;
  leasedUntil: number;
};

/** How long a claimed job is left alone, milliseconds of real time; a worker that died loses its claim after that. */
const leaseMs = 60_000;
export const claimMax = 20;

/** Always in the caller's transaction: the job exists exactly if what asked for it does. The same subject again moves the time. */
export async function enqueue(trx: Trx, job: NewJob): Promise<void> {
  await trx
    .insertInto("job")
    .values({
      environment: job.environment,
      name: job.name,
      subject: job.subject,
      due_at: job.dueAt,
      payload: JSON.stringify(job.payload),
      failed_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(["environment", "name", "subject"]).doUpdateSet((row) => ({
        due_at: row.ref("excluded.due_at"),
        payload: row.ref("excluded.payload"),
        attempts: 0,
        leased_until: 0,
        failed_at: null,
      })),
    )
    .execute();
}

/** One job of its subject, however often it is asked for: the earlier time counts, and one that had failed is tried again. */
export async function enqueueOnce(trx: Trx, job: NewJob): Promise<void> {
  await trx
    .insertInto("job")
    .values({
      environment: job.environment,
      name: job.name,
      subject: job.subject,
      due_at: job.dueAt,
      payload: JSON.stringify(job.payload),
      failed_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(["environment", "name", "subject"]).doUpdateSet((row) => ({
        due_at: row.fn<number>("least", [row.ref("job.due_at"), row.ref("excluded.due_at")]),
        payload: row.ref("excluded.payload"),
        failed_at: null,
      })),
    )
    .execute();
}

/** Takes due jobs, each for one worker. `now` is the environment's time, `realNow` the machine's. */
export async function claim(db: Database, environment: string, at: { now: number; realNow: number }): Promise<Job[]> {
  const due = db
    .selectFrom("job")
    .select("id")
    .where("environment", "=", environment)
    .where("failed_at", "is", null)
    .where("due_at", "<=", at.now)
    .where("leased_until", "<=", at.realNow)
    .orderBy("due_at")
    .orderBy("id")
    .limit(claimMax)
    .forUpdate()
    .skipLocked();
  const rows = await db
    .updateTable("job")
    .set({ leased_until: at.realNow + leaseMs, attempts: sql<number>`attempts + 1` })
    .where("id", "in", due)
    .returning(["id", "name", "payload", "due_at", "attempts", "leased_until"])
    .execute();
  return rows
    .map((row) => ({
      id: row.id,
      name: row.name,
      payload: row.payload,
      dueAt: row.due_at,
      attempts: row.attempts,
      leasedUntil: row.leased_until,
    }))
    .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
}

/** Done: unless it was asked for again meanwhile, which ended our lease. */
export async function finish(db: Database, job: Job): Promise<void> {
  await db.deleteFrom("job").where("id", "=", job.id).where("leased_until", "=", job.leasedUntil).execute();
}

/** Failed: again at `dueAt`, or never when that is null. */
export async function postpone(db: Database, job: Job, dueAt: number | null, now: number): Promise<void> {
  await db
    .updateTable("job")
    .set(dueAt === null ? { failed_at: now } : { due_at: dueAt, leased_until: 0 })
    .where("id", "=", job.id)
    .where("leased_until", "=", job.leasedUntil)
    .execute();
}

/** When the next job is due; null when there is none. */
export async function nextDueAt(db: Database, environment: string): Promise<number | null> {
  const row = await db
    .selectFrom("job")
    .select((eb) => eb.fn.min("due_at").as("due_at"))
    .where("environment", "=", environment)
    .where("failed_at", "is", null)
    .executeTakeFirst();
  return row?.due_at ?? null;
}
