import { type RawBuilder, sql } from "kysely";
import type { Database, Reader, Trx } from "./database.ts";
import { gathered } from "./gather.ts";
import { hot } from "./hot.ts";
import { type Columns, type ColumnTypes, columnsOf, namesOf, recordsOf } from "./records.ts";

/** One thing to be done once, at a time of the environment's clock. The payload holds ids, never values. */
export type NewJob = {
  environment: string;
  name: string;
  subject: string;
  dueAt: number;
  payload: Record<string, string>;
  /** Of one lane only a few run at once. */
  lane?: string;
};
export type Job = {
  id: number;
  name: string;
  payload: Record<string, string>;
  dueAt: number;
  attempts: number;
  leasedUntil: number;
  lane: string | null;
};

/** How long a claimed job is left alone, milliseconds of real time; a worker that died loses its claim after that. */
const leaseMs = 60_000;
export const claimMax = 20;

export type JobRow = ReturnType<typeof jobRow>;
export function jobRow({ dueAt, lane, ...job }: NewJob) {
  return { ...job, due_at: dueAt, lane: lane ?? null };
}

/** Always in the caller's transaction: the job exists exactly if what asked for it does. The same subject again moves the time. */
export async function enqueue(trx: Trx, job: NewJob): Promise<void> {
  await upsertHot(trx, jobColumnsOf([jobRow(job)]));
}

const jobTypes: ColumnTypes<JobRow> = {
  environment: "text",
  name: "text",
  subject: "text",
  payload: "jsonb",
  due_at: "bigint",
  lane: "text",
};
export const jobColumnsOf = (rows: readonly JobRow[]) => columnsOf("job", jobTypes, rows);
const upsertHot = hot((db, columns: Columns) => upsertJobs(db, columns));

/** `columns`: those of the rows, among others. `subjects`: only of those. */
export function upsertJobs(db: Pick<Reader, "insertInto">, columns: Columns, subjects?: RawBuilder<unknown>) {
  const which = subjects === undefined ? undefined : sql`subject in (${subjects})`;
  return db
    .insertInto("job")
    .columns(namesOf(jobTypes))
    .expression(recordsOf("job", jobTypes, columns, which))
    .onConflict((conflict) =>
      conflict.columns(["environment", "name", "subject"]).doUpdateSet((asked) => ({
        due_at: asked.ref("excluded.due_at"),
        payload: asked.ref("excluded.payload"),
        attempts: 0,
        leased_until: 0,
        failed_at: null,
      })),
    );
}

/** One job of its subject, however often it is asked for: the earlier time counts, and one that had failed is tried again. */
export async function enqueueOnce(trx: Trx, job: NewJob): Promise<void> {
  await upsertOnceHot(trx, jobColumnsOf([jobRow(job)]));
}

/** `which`: of those that this is true of. */
function upsertJobsOnce(db: Pick<Reader, "insertInto">, columns: Columns, which?: RawBuilder<unknown>) {
  return db
    .insertInto("job")
    .columns(namesOf(jobTypes))
    .expression(recordsOf("job", jobTypes, columns, which))
    .onConflict((conflict) =>
      conflict.columns(["environment", "name", "subject"]).doUpdateSet((row) => ({
        due_at: row.fn<number>("least", [row.ref("job.due_at"), row.ref("excluded.due_at")]),
        payload: row.ref("excluded.payload"),
        failed_at: null,
      })),
    );
}
const upsertOnceHot = hot((db, columns: Columns) => upsertJobsOnce(db, columns));

/** How far ahead a job must be so that no worker takes it while a transaction is open, milliseconds. */
const aheadMs = 60_000;

/**
 * The same for a job that many ask for at once: one that is well ahead is left as it is. Whoever writes it holds it until
 * their transaction ends, and everybody else would wait for that.
 */
export async function enqueueAhead(trx: Trx, job: NewJob, now: number): Promise<void> {
  await upsertAheadHot(trx, aheadColumnsOf([job], now));
}

/** `soon`: a job that is due before is not well ahead. */
export const aheadColumnsOf = (jobs: readonly NewJob[], now: number): Ahead => ({
  ...jobColumnsOf(jobs.map(jobRow)),
  soon: now + aheadMs,
});
export type Ahead = Columns & { soon: number };

export function upsertJobsAhead(db: Pick<Reader, "insertInto">, columns: Ahead) {
  const isMissing = sql`not exists (
    select from job as ahead
     where (ahead.environment, ahead.name, ahead.subject) = (record.environment, record.name, record.subject)
       and ahead.failed_at is null and ahead.due_at > ${columns.soon} and ahead.due_at <= record.due_at)`;
  return upsertJobsOnce(db, columns, isMissing);
}
const upsertAheadHot = hot((db, columns: Ahead) => upsertJobsAhead(db, columns));

/** What one claim may take. `now` is the environment's time, `realNow` the machine's. */
export type Claim = {
  now: number;
  realNow: number;
  /** The number of the process that claims, by which others know when it is gone. */
  holder?: number | null;
  limit?: number;
  /** Of all lanes together; and of each. */
  lanedMax?: number;
  laneMax?: number;
  /** How many of each lane run here already. */
  running?: Record<string, number>;
};

/**
 * Takes due jobs, each for one worker, and of each lane no more than it may still run. Jobs of lanes and those of none lie
 * in an index each: however many wait in lanes, the others are found at once.
 */
export async function claim(db: Database, environment: string, at: Claim): Promise<Job[]> {
  const { now, realNow, holder = null, limit = claimMax, lanedMax = limit, laneMax = claimMax, running = {} } = at;
  const leasedUntil = realNow + leaseMs;
  const room = { limit, lanedMax, laneMax, running: JSON.stringify(running) };
  const { rows } = await claimHot(db, { environment, now, realNow, leasedUntil, holder, ...room });
  return rows
    .map((row) => ({
      id: row.id,
      name: row.name,
      payload: row.payload,
      dueAt: row.due_at,
      attempts: row.attempts,
      leasedUntil: row.leased_until,
      lane: row.lane,
    }))
    .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
}

type Claiming = Required<Omit<Claim, "running">> & { environment: string; leasedUntil: number; running: string };
const claimHot = hot((db, asked: Claiming) => {
  const { environment, now, realNow, leasedUntil, holder, limit, lanedMax, laneMax, running } = asked;
  const free = sql`${laneMax}::int - coalesce((${running}::jsonb ->> lane)::int, 0)`;
  const due = sql`environment = ${environment} and failed_at is null and due_at <= ${now} and leased_until <= ${realNow}`;
  // Window functions cannot lock rows: the candidates are ranked first, and locked by what takes them.
  const statement = sql<ClaimedRow>`
    with laned as (
      select id, lane, due_at from job
       where ${due} and lane is not null and ${lanedMax}::int > 0 and ${free} > 0
       order by due_at, id limit ${claimMax * 10}
    ), candidate as (
      (select id from job where ${due} and lane is null order by due_at, id limit ${claimMax * 10})
      union all
      (select id from (select id, due_at, lane, row_number() over (partition by lane order by due_at, id) as place from laned) ranked
        where place <= ${free} order by due_at, id limit ${lanedMax})
    ), taken as (
      select id from job where id in (select id from candidate) and ${due}
       order by due_at, id limit ${limit} for update skip locked
    )
    update job set leased_until = ${leasedUntil}, attempts = attempts + 1, claimed_by = ${holder}
     where id in (select id from taken)
    returning id, name, payload, due_at, attempts, leased_until, lane`;
  return { compile: () => statement.compile(db) };
});

type ClaimedRow = {
  id: number;
  name: string;
  payload: Record<string, string>;
  due_at: number;
  attempts: number;
  leased_until: number;
  lane: string | null;
};

/** Gives back what a process that was killed had claimed, where no other process can be at work. */
export async function releaseClaims(db: Database): Promise<void> {
  await db.updateTable("job").set({ leased_until: 0 }).where("leased_until", ">", 0).execute();
}

/** Done: unless it was asked for again meanwhile, which ended our lease. */
export const finish = gathered(async (db: Database, jobs: readonly Pick<Job, "id" | "leasedUntil">[]) => {
  await finishHot(db, { ids: jobs.map(({ id }) => id), leases: jobs.map(({ leasedUntil }) => leasedUntil) });
  return jobs.map(() => undefined);
});
const finishHot = hot((db, { ids, leases }: { ids: number[]; leases: number[] }) => ({
  compile: () =>
    sql`
      delete from job using unnest(${ids}::bigint[], ${leases}::bigint[]) as done (id, leased_until)
       where job.id = done.id and job.leased_until = done.leased_until`.compile(db),
}));

/** Failed: again at `dueAt`, or never when that is null. */
export async function postpone(db: Database, job: Job, dueAt: number | null, now: number): Promise<void> {
  await db
    .updateTable("job")
    .set(dueAt === null ? { failed_at: now } : { due_at: dueAt, leased_until: 0, claimed_by: null })
    .where("id", "=", job.id)
    .where("leased_until", "=", job.leasedUntil)
    .execute();
}

/** Jobs that have not failed, out of both indexes, as `job`; `which` says more of them. */
export function openJobs(environment: string, which: RawBuilder<unknown>) {
  const where = sql`environment = ${environment} and failed_at is null and ${which}`;
  return sql`(
    select id, due_at, leased_until, claimed_by from job where ${where} and lane is null
    union all
    select id, due_at, leased_until, claimed_by from job where ${where} and lane is not null) as job`;
}

/** Whether a job is due that nobody has claimed. */
export async function isAnyDue(db: Database, environment: string, now: number): Promise<boolean> {
  const { rows } = await sql`
    select from ${openJobs(environment, sql`due_at <= ${now} and leased_until = 0`)} limit 1`.execute(db);
  return rows.length > 0;
}

/** When the next job is due; null when there is none. */
export async function nextDueAt(db: Database, environment: string): Promise<number | null> {
  const open = sql`select min(due_at) from job where environment = ${environment} and failed_at is null`;
  const { rows } = await sql<{ due_at: number | null }>`
    select least((${open} and lane is null), (${open} and lane is not null)) as due_at`.execute(db);
  return rows[0]?.due_at ?? null;
}

export type QueueState = { due: number; failed: number; oldestDueMs: number };

/** How far the work of an environment is behind, by its clock. */
export async function queueState(db: Database, environment: string, now: number): Promise<QueueState> {
  const { rows } = await sql<QueueState>`
    select count(*)::int as due, coalesce(${now} - min(due_at), 0)::bigint as "oldestDueMs",
           (select count(*)::int from job where environment = ${environment} and failed_at is not null) as failed
      from ${openJobs(environment, sql`due_at <= ${now}`)}`.execute(db);
  return rows[0] ?? { due: 0, failed: 0, oldestDueMs: 0 };
}
