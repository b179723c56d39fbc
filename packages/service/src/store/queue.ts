import { type RawBuilder, sql } from "kysely";
import type { AnyReader, AnyTrx } from "./database.ts";
import { listLive } from "./live-processes.ts";
import { batched } from "./statements/batch.ts";
import type { ColumnTypes } from "./statements/column-types.ts";
import { numberedInsert } from "./statements/numbered-rows.ts";
import { type Placeholders, statement } from "./statements/statement.ts";

/**
 * The payload of every kind of job, by the name that its rows have. `jobs/registry.ts` has the function that runs for
 * each name.
 */
export type JobPayloads = {
  "verification.sendText": { messageUuid: string };
  "issuance.wipe": { timeOfDayMs: string };
  "webhook.deliver": { deliveryUuid: string };
  "health.run": { healthDataUuid: string };
  "account.takeBack": {
    operation: "delete" | "withdraw" | "handOver";
    personUuid: string;
    brands: string;
    before: string;
  };
  "account.textSignIn": { verificationUuid: string; messageUuid: string };
  "takeout.revoke": { listUuid: string; indexes: string };
};
export type JobName = keyof JobPayloads;

/** A job that runs once, at a time of the environment's clock. The payload contains IDs, never personal values. */
export type NewJob = {
  [Name in JobName]: {
    environment: string;
    name: Name;
    subject: string;
    dueAt: number;
    payload: JobPayloads[Name];
    /** Only a few jobs of a concurrency group run at the same time. */
    concurrencyGroup?: string;
  };
}[JobName];
/** A job as it was stored. A row may have the name of a job that only another version knows. */
export type Job = {
  id: number;
  name: string;
  payload: Record<string, string>;
  dueAt: number;
  attempts: number;
  leasedUntil: number;
  concurrencyGroup: string | null;
};

/** Lease of a claimed job, in milliseconds of real time. When it has ended, other workers can claim the job. */
export const leaseMs = 60_000;
const claimMax = 20;
/** Jobs that a claim examines beyond its limit, because other processes may have locked some of them. */
const spareCandidates = 100;

/** The worker of this process, which can start a job as soon as the job is committed. */
export type OwnWorker = {
  /** Claims a job that is about to be enqueued. Null if the job is not due, or if the worker has no free slot. */
  claim(job: NewJob): OwnClaim | null;
  /** Looks for due jobs. Without this call, the worker finds them at its next poll, within a second. */
  wake(): void;
};
/** A slot of the worker for a job that is not committed yet. */
type OwnClaim = { leasedUntil: number; processNumber: number | null; start(job: Job): void; cancel(): void };
/** The dependencies that know the worker of this process. */
type WithWorker = { worker: OwnWorker };

/**
 * Enqueues a job in the caller's transaction, so both commit together. A due job starts right after the commit. If the
 * subject already has such a job, only its due time changes.
 */
export async function enqueue(deps: WithWorker, trx: AnyTrx, job: NewJob): Promise<void> {
  await enqueueAll(deps, trx, [job]);
}

/** Like `enqueue`, for several jobs of different subjects. */
export async function enqueueAll({ worker }: WithWorker, trx: AnyTrx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const claimed = jobs.map((job) => ({ job, claim: worker.claim(job) }));
  let stored: (ClaimedRow & { subject: string })[] = [];
  trx.onEnd.push((isCommitted) => {
    for (const { job, claim } of claimed) {
      const row = stored.find(({ name, subject }) => name === job.name && subject === job.subject);
      // An existing job may be running, so it was not claimed.
      const isClaimed = isCommitted && row !== undefined && row.leased_until > 0;
      if (isClaimed) claim?.start(jobOf(row));
      else claim?.cancel();
      if (isCommitted && !isClaimed) worker.wake();
    }
  });
  const rows = claimed.map(({ job, claim }) => jobRow(job, claim));
  stored = await upsert(trx, rows);
}

/** Enqueues at most one job per subject. If it exists, the earlier due time applies, and a failed job is retried. */
export async function enqueueOnce(trx: AnyTrx, job: NewJob): Promise<void> {
  await upsertOnce(trx, [jobRow(job, null)]);
}

type JobRow = ReturnType<typeof jobRow>;
function jobRow({ dueAt, concurrencyGroup, ...job }: NewJob, claimed: OwnClaim | null) {
  return {
    ...job,
    due_at: dueAt,
    concurrency_group: concurrencyGroup ?? null,
    attempts: claimed === null ? 0 : 1,
    leased_until: claimed?.leasedUntil ?? 0,
    claimed_by: claimed?.processNumber ?? null,
  };
}
const jobTypes: ColumnTypes<JobRow> = {
  environment: "text",
  name: "text",
  subject: "text",
  payload: "jsonb",
  due_at: "bigint",
  concurrency_group: "text",
  attempts: "integer",
  leased_until: "bigint",
  claimed_by: "integer",
};

/** Inserts jobs. If the subject already has such a job, `changes` says how it changes. */
const upsertJobs = (changes: string) =>
  numberedInsert<JobRow, ClaimedRow & { subject: string }>(
    "job",
    jobTypes,
    `on conflict (environment, name, subject) do update
       set payload = excluded.payload, failed_at = null, ${changes}
     returning id, name, payload, due_at, attempts, leased_until, concurrency_group, subject`,
  );
const upsert = upsertJobs("due_at = excluded.due_at, attempts = 0, leased_until = 0, claimed_by = null");
const upsertOnce = upsertJobs("due_at = least(job.due_at, excluded.due_at)");

/** `now` is the environment's time, and `realNow` is the machine's time. */
type At = { now: number; realNow: number };
/** The limits of one claim. */
export type Claim = At & {
  /** Number of the claiming process. Other processes use it to detect that the process has died. */
  processNumber?: number | null;
  limit?: number;
  /** Limit for all concurrency groups together, and limit per group. */
  groupedMax?: number;
  groupMax?: number;
  /** Number of jobs per concurrency group that already run in this process. */
  running?: Record<string, number>;
};

/**
 * Claims due jobs, each for one worker, and at most as many per concurrency group as may still run. Grouped and
 * ungrouped jobs have separate indexes, so a backlog of grouped jobs does not slow down the search for others.
 */
export async function claim(db: AnyReader, environment: string, at: Claim): Promise<Job[]> {
  const {
    now,
    realNow,
    processNumber = null,
    limit = claimMax,
    groupedMax = limit,
    groupMax = claimMax,
    running = {},
  } = at;
  const leasedUntil = realNow + leaseMs;
  const room = { limit, groupedMax, groupMax, running: JSON.stringify(running) };
  const { rows } = await claimStatement(db, { environment, now, realNow, leasedUntil, processNumber, ...room });
  return rows.map(jobOf).sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
}

type Claiming = Required<Omit<Claim, "running">> & { environment: string; leasedUntil: number; running: string };
const claimStatement = statement((db, asked: Placeholders<Claiming>) => {
  const { environment, now, realNow, leasedUntil, processNumber, limit, groupedMax, groupMax, running } = asked;
  const free = sql`${groupMax}::int - coalesce((${running}::jsonb ->> concurrency_group)::int, 0)`;
  const due = sql`environment = ${environment} and failed_at is null and due_at <= ${now} and leased_until <= ${realNow}`;
  // Window functions can't lock rows, so a first step ranks the candidates and a second step locks them.
  const statement = sql<ClaimedRow>`
    with grouped as (
      select id, concurrency_group, due_at from job
       where ${due} and concurrency_group is not null and ${groupedMax}::int > 0 and ${free} > 0
       order by due_at, id limit ${limit}::int + ${spareCandidates}
    ), candidate as (
      (select id from job where ${due} and concurrency_group is null
        order by due_at, id limit ${limit}::int + ${spareCandidates})
      union all
      (select id from (
          select id, due_at, concurrency_group,
                 row_number() over (partition by concurrency_group order by due_at, id) as place from grouped) ranked
        where place <= ${free} order by due_at, id limit ${groupedMax})
    ), taken as (
      select id from job where id in (select id from candidate) and ${due}
       order by due_at, id limit ${limit} for update skip locked
    )
    update job set leased_until = ${leasedUntil}, attempts = attempts + 1, claimed_by = ${processNumber}
     where id in (select id from taken)
    returning id, name, payload, due_at, attempts, leased_until, concurrency_group`;
  return { compile: () => statement.compile(db) };
});

type ClaimedRow = {
  id: number;
  name: string;
  payload: Record<string, string>;
  due_at: number;
  attempts: number;
  leased_until: number;
  concurrency_group: string | null;
};

function jobOf({ id, name, payload, attempts, ...row }: ClaimedRow): Job {
  const { due_at: dueAt, leased_until: leasedUntil, concurrency_group: concurrencyGroup } = row;
  return { id, name, payload, attempts, dueAt, leasedUntil, concurrencyGroup };
}

/** Releases the claims of a killed process. Call this only where no other process can be running jobs. */
export async function releaseClaims(db: AnyReader): Promise<void> {
  await db.updateTable("job").set({ leased_until: 0 }).where("leased_until", ">", 0).execute();
}

/** A claimed job, as the transaction that ends it names it. `attempts` counts the runs that have started, also this. */
export type ClaimedJob = Pick<Job, "id" | "leasedUntil" | "attempts">;

/** Deletes a finished job. Concurrent calls are batched. */
export const finish = batched(async (db: AnyReader, jobs: readonly ClaimedJob[]) => {
  await endJobs(db, jobs);
  return jobs.map(() => undefined);
});

/** Deletes finished jobs. A job that was enqueued again in the meantime stays, because that ended our lease. */
export async function endJobs(db: AnyReader, jobs: readonly ClaimedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await endStatement(db, { ids: jobs.map(({ id }) => id), leases: jobs.map(({ leasedUntil }) => leasedUntil) });
}
const endStatement = statement((db, { ids, leases }: Placeholders<{ ids: number[]; leases: number[] }>) => ({
  compile: () =>
    sql`
      delete from job using unnest(${ids}::bigint[], ${leases}::bigint[]) as done (id, leased_until)
       where job.id = done.id and job.leased_until = done.leased_until`.compile(db),
}));

/** A job that runs again at `dueAt`. Its count of attempts starts again. */
export type LaterJob = Pick<Job, "id" | "dueAt">;

/**
 * Reschedules jobs that run again. Call it only in the transaction that saves the subject's result. It also ends any
 * other claim of the job, so a duplicate run does not delete the job.
 */
export async function repeatJobs(trx: AnyTrx, jobs: readonly LaterJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await repeatStatement(trx, { ids: jobs.map(({ id }) => id), due: jobs.map(({ dueAt }) => dueAt) });
}
const repeatStatement = statement((db, { ids, due }: Placeholders<{ ids: number[]; due: number[] }>) => ({
  compile: () =>
    sql`
      update job set due_at = later.due_at, attempts = 0, leased_until = 0, claimed_by = null
        from unnest(${ids}::bigint[], ${due}::bigint[]) as later (id, due_at)
       where job.id = later.id`.compile(db),
}));

/** Records a failed run. The job runs again at `dueAt`, or never if `dueAt` is null. */
export async function postpone(db: AnyReader, job: Job, dueAt: number | null, now: number): Promise<void> {
  await db
    .updateTable("job")
    .set(dueAt === null ? { failed_at: now } : { due_at: dueAt, leased_until: 0, claimed_by: null })
    .where("id", "=", job.id)
    .where("leased_until", "=", job.leasedUntil)
    .execute();
}

/** Gives a claimed job back without counting the attempt. Any process may claim it again at `dueAt`. */
export async function returnJob(db: AnyReader, job: Job, dueAt: number): Promise<void> {
  await db
    .updateTable("job")
    .set({ due_at: dueAt, leased_until: 0, claimed_by: null, attempts: job.attempts - 1 })
    .where("id", "=", job.id)
    .where("leased_until", "=", job.leasedUntil)
    .execute();
}

/** Jobs that have not failed, read from both indexes and named `job`. `which` is a further condition. */
function openJobs(environment: string, which: RawBuilder<unknown>) {
  const where = sql`environment = ${environment} and failed_at is null and ${which}`;
  return sql`(
    select id, due_at, leased_until, claimed_by from job where ${where} and concurrency_group is null
    union all
    select id, due_at, leased_until, claimed_by from job where ${where} and concurrency_group is not null) as job`;
}

const claimedNow = ({ now, realNow }: At) =>
  sql`due_at <= ${now} and leased_until > ${realNow} and claimed_by is not null`;

/** Numbers of processes that claimed due jobs and are not alive. A process that is reconnecting is included. */
export async function missingProcesses(db: AnyReader, environment: string, at: At): Promise<number[]> {
  const { rows } = await sql<{ claimed_by: number }>`
    select distinct claimed_by from ${openJobs(environment, claimedNow(at))}`.execute(db);
  if (rows.length === 0) return [];
  // Read this after the claims. Otherwise a process that starts in between would seem to be missing.
  const live = await listLive(db);
  return rows.map((row) => row.claimed_by).filter((number) => !live.has(number));
}

/** Releases the due jobs that these processes had claimed. */
export async function releaseClaimsOf(
  db: AnyReader,
  environment: string,
  { processNumbers, ...at }: At & { processNumbers: readonly number[] },
): Promise<void> {
  await sql`
    update job set leased_until = 0
     where id in (select id from ${openJobs(environment, claimedNow(at))} where claimed_by = any(${processNumbers}))
       and leased_until > ${at.realNow} and claimed_by = any(${processNumbers})`.execute(db);
}

/** Whether there is a due job that no process has claimed. */
export async function isAnyDue(db: AnyReader, environment: string, now: number): Promise<boolean> {
  const { rows } = await sql`
    select from ${openJobs(environment, sql`due_at <= ${now} and leased_until = 0`)} limit 1`.execute(db);
  return rows.length > 0;
}

/** When the next job is due; null when there is none. */
export async function nextDueAt(db: AnyReader, environment: string): Promise<number | null> {
  const open = sql`select min(due_at) from job where environment = ${environment} and failed_at is null`;
  const { rows } = await sql<{ due_at: number | null }>`
    select least((${open} and concurrency_group is null),
                 (${open} and concurrency_group is not null)) as due_at`.execute(db);
  return rows[0]?.due_at ?? null;
}

/** Jobs of these kinds that are due later, soonest first. `max`: for all kinds together. */
export async function listLaterJobs(
  db: AnyReader,
  input: { environment: string; names: readonly JobName[]; now: number; max: number },
): Promise<{ name: string; subject: string; dueAt: number }[]> {
  const later = db
    .selectFrom("job")
    .select(["name", "subject", "due_at as dueAt"])
    .where("environment", "=", input.environment)
    .where("failed_at", "is", null)
    .where("due_at", ">", input.now)
    .where("name", "in", input.names)
    .orderBy("due_at")
    .limit(input.max);
  // Each index has either the jobs with a group or those without.
  const lists = await Promise.all([
    later.where("concurrency_group", "is", null).execute(),
    later.where("concurrency_group", "is not", null).execute(),
  ]);
  return lists
    .flat()
    .sort((a, b) => a.dueAt - b.dueAt)
    .slice(0, input.max);
}

export type QueueState = { due: number; failed: number; oldestDueMs: number };

/** The number of due and failed jobs, and how late the oldest due job is, by the environment's clock. */
async function queueState(db: AnyReader, environment: string, now: number): Promise<QueueState> {
  const { rows } = await sql<QueueState>`
    select count(*)::int as due, coalesce(${now} - min(due_at), 0)::bigint as "oldestDueMs",
           (select count(*)::int from job where environment = ${environment} and failed_at is not null) as failed
      from ${openJobs(environment, sql`due_at <= ${now}`)}`.execute(db);
  return rows[0] ?? { due: 0, failed: 0, oldestDueMs: 0 };
}

/** The state of the queues of several databases. */
export async function queueStates(all: readonly AnyReader[], environment: string, now: number): Promise<QueueState> {
  const states = await Promise.all(all.map((db) => queueState(db, environment, now)));
  return {
    due: states.reduce((sum, { due }) => sum + due, 0),
    failed: states.reduce((sum, { failed }) => sum + failed, 0),
    oldestDueMs: Math.max(...states.map(({ oldestDueMs }) => oldestDueMs)),
  };
}
