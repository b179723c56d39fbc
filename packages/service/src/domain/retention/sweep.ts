/** Deletes expired rows that have no erasure job of their own. Runs nightly, in bounded batches. */
import { type RawBuilder, sql } from "kysely";
import { enqueue, enqueueOnce, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { mailKeptMs } from "../member/mail.ts";
import { idleMs } from "../member/session.ts";
import { signInKeptMs } from "../member/sign-in.ts";
import { sweepListeners } from "../webhook/listener.ts";

const dayMs = 24 * 60 * 60_000;
/** How long an opt-in (START) is remembered. A gateway may repeat its messages for that long. */
export const startKeptMs = 30 * dayMs;
/** How long the evidence of a consent is kept: five years, including leap days. */
export const consentKeptMs = 1_827 * dayMs;
/** Maximum rows per statement, and statements per table in one run. The rest waits for the next night. */
const batchMax = 5_000;
const batchesMax = 200;

/** Schedules the next sweep. A missed sweep stays due. */
export async function scheduleSweep(deps: Deps): Promise<void> {
  await deps.db.inTransaction((trx) => enqueueOnce(trx, nextSweep(deps)));
}

/** Job: deletes expired rows. Account tables use the real clock, the environment's tables its own clock. */
export async function sweep(deps: Deps): Promise<void> {
  const real = deps.realClock.now();
  const { environment } = deps;
  await drop(deps, "sign_in", sql`expires_at < ${real - signInKeptMs}`);
  await drop(deps, "passkey_challenge", sql`expires_at <= ${real}`);
  await drop(deps, "member_session", sql`expires_at <= ${real} or last_used_at <= ${real - idleMs}`);
  await drop(deps, "mail", sql`sent_at < ${real - mailKeptMs}`);
  const wanted = deps.clock.now() - startKeptMs;
  await drop(deps, "text_stop", sql`environment = ${environment} and not stopped and at < ${wanted}`);
  await endConsents(deps);
  await unlinkLate(deps);
  await sweepListeners(deps);
  // Use `enqueue`, not `enqueueOnce`: it resets the lease, so finishing the running job does not delete the new one.
  await deps.db.inTransaction((trx) => enqueue(trx, nextSweep(deps)));
}

/** Consents behind a billed issuance stay, without the person. */
async function endConsents(deps: Deps): Promise<void> {
  const isOver = sql`consent.environment = ${deps.environment} and consent.at < ${deps.clock.now() - consentKeptMs}`;
  await drop(deps, "consent", sql`${isOver} and not exists (select from issuance where consent_uuid = consent.uuid)`);
  await sql`
    update consent set person_uuid = null, phone_index = null, email_index = null, evidence_hash = null
    where ${isOver} and num_nonnulls(person_uuid, phone_index, email_index, evidence_hash) > 0`.execute(deps.db);
}

/** Unlinks rows of deleted people. A call that ran during the deletion may have inserted its rows after it. */
async function unlinkLate(deps: Deps): Promise<void> {
  for (const table of ["consent", "issued_credential"]) {
    const rows = sql.table(table);
    await sql`
      update ${rows} as late set phone_index = null, email_index = null
        from person
       where person.environment = ${deps.environment} and person.phone_index is null and person.email_index is null
         and late.person_uuid = person.uuid
         and (late.phone_index is not null or late.email_index is not null)`.execute(deps.db);
  }
}

async function drop(deps: Deps, table: string, over: RawBuilder<unknown>): Promise<void> {
  for (let batches = 0; batches < batchesMax; batches += 1) {
    const rows = sql.table(table);
    const { numAffectedRows = 0n } = await sql`
      delete from ${rows} where ctid = any(array(select ctid from ${rows} where ${over} limit ${batchMax}))`.execute(
      deps.db,
    );
    if (numAffectedRows < BigInt(batchMax)) return;
  }
}

function nextSweep(deps: Deps): NewJob {
  const dueAt = (Math.floor(deps.clock.now() / dayMs) + 1) * dayMs;
  return { environment: deps.environment, name: "retention.sweep", subject: "nightly", dueAt, payload: {} };
}
