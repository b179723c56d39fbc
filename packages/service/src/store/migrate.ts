import { sql } from "kysely";
import { buildIndexes, type Indexes } from "./build-indexes.ts";
import type { Database } from "./database.ts";
import { ground } from "./migrations/0001-ground.ts";
import { issuance } from "./migrations/0002-issuance.ts";
import { webhooks } from "./migrations/0003-webhooks.ts";
import { health } from "./migrations/0004-health.ts";
import { brandLogo } from "./migrations/0005-brand-logo.ts";
import { frame } from "./migrations/0006-frame.ts";
import { account } from "./migrations/0007-account.ts";
import { member } from "./migrations/0008-member.ts";
import { idempotency } from "./migrations/0009-idempotency.ts";
import { useCount } from "./migrations/0010-use-count.ts";
import { watch } from "./migrations/0011-watch.ts";
import { production } from "./migrations/0012-production.ts";
import { webhookCare } from "./migrations/0013-webhook-care.ts";
import { brandMode } from "./migrations/0014-brand-mode.ts";
import { auditRequest } from "./migrations/0015-audit-request.ts";
import { listener } from "./migrations/0016-listener.ts";
import { claimHolder } from "./migrations/0017-claim-holder.ts";
import { indexes } from "./migrations/0018-indexes.ts";
import { laneIndexes } from "./migrations/0019-job-lanes.ts";
import { jobDue } from "./migrations/0020-job-due.ts";
import { consentEnd } from "./migrations/0021-consent-end.ts";
import { answerSubject } from "./migrations/0022-answer-subject.ts";
import { answerSubjectIndex } from "./migrations/0023-answer-subject-index.ts";
import { useCountIndex } from "./migrations/0024-use-count-index.ts";
import { keyIndexes } from "./migrations/0025-key-indexes.ts";
import { nameRequest } from "./migrations/0026-name-request.ts";
import { requestWarnings } from "./migrations/0027-request-warnings.ts";
import { codeShownToBrand } from "./migrations/0028-code-shown-to-brand.ts";
import { supersededTexts } from "./migrations/0029-superseded-texts.ts";
import { consentEvidence } from "./migrations/0030-consent-evidence.ts";
import { expiryIndexes } from "./migrations/0031-expiry-indexes.ts";
import { sealedRequest } from "./migrations/0033-sealed-request.ts";
import { leanIndexes } from "./migrations/0034-lean-indexes.ts";
import { fewerIndexes } from "./migrations/0035-fewer-indexes.ts";
import { auditOfEveryChange } from "./migrations/0036-audit-of-every-change.ts";
import { accountAuditIndexes } from "./migrations/0037-account-audit-indexes.ts";
import { deliveryExpiry, deliveryExpiryIndex, oldDeliveryIndex } from "./migrations/0038-lean-deliveries.ts";
import { cells } from "./migrations/0041-cells.ts";
import { passkeyPolicy } from "./migrations/0043-passkey-policy.ts";
import { webhookAnswers } from "./migrations/0044-webhook-answers.ts";
import { openid } from "./migrations/0045-openid.ts";
import { keyedSessions, sessionPersonIndex } from "./migrations/0046-keyed-sessions.ts";
import { takeout } from "./migrations/0047-takeout.ts";
import { presentation } from "./migrations/0048-presentation.ts";
import { keyMakers } from "./migrations/0049-key-makers.ts";
import { cellList } from "./migrations/0050-cell-list.ts";
import { passkeyNames } from "./migrations/0051-passkey-names.ts";
import { openLookups } from "./migrations/0052-open-lookups.ts";
import { waitingLogo } from "./migrations/0060-waiting-logo.ts";
import { stopOfCustomer } from "./migrations/0061-stop-of-customer.ts";
import { homeSweep } from "./migrations/0080-home-sweep.ts";
import type { StoreKind } from "./store-kinds.ts";

/**
 * Forward-only migrations, in this order. A string is SQL that runs in one transaction. An object lists indexes of
 * tables that already have rows; they are built concurrently, so that writers are not blocked.
 */
export const migrations: Record<string, string | Indexes> = {
  "0001-ground": ground,
  "0002-issuance": issuance,
  "0003-webhooks": webhooks,
  "0004-health": health,
  "0005-brand-logo": brandLogo,
  "0006-frame": frame,
  "0007-account": account,
  "0008-member": member,
  "0009-idempotency": idempotency,
  "0010-use-count": useCount,
  "0011-watch": watch,
  "0012-production": production,
  "0013-webhook-care": webhookCare,
  "0014-brand-mode": brandMode,
  "0015-audit-request": auditRequest,
  "0016-listener": listener,
  "0017-claim-holder": claimHolder,
  "0018-indexes": indexes,
  "0019-job-lanes": laneIndexes,
  "0020-job-due": jobDue,
  "0021-consent-end": consentEnd,
  "0022-answer-subject": answerSubject,
  "0023-answer-subject-index": answerSubjectIndex,
  "0024-use-count-index": useCountIndex,
  "0025-key-indexes": keyIndexes,
  "0026-name-request": nameRequest,
  "0027-request-warnings": requestWarnings,
  "0028-code-shown-to-brand": codeShownToBrand,
  "0029-superseded-texts": supersededTexts,
  "0030-consent-evidence": consentEvidence,
  "0031-expiry-indexes": expiryIndexes,
  "0033-sealed-request": sealedRequest,
  "0034-lean-indexes": leanIndexes,
  "0035-fewer-indexes": fewerIndexes,
  "0036-audit-of-every-change": auditOfEveryChange,
  "0037-account-audit-indexes": accountAuditIndexes,
  "0038-delivery-expiry": deliveryExpiry,
  "0039-delivery-expiry-index": deliveryExpiryIndex,
  "0040-old-delivery-index": oldDeliveryIndex,
  "0041-cells": cells,
  "0043-passkey-policy": passkeyPolicy,
  "0044-webhook-answers": webhookAnswers,
  "0045-openid": openid,
  "0046-keyed-sessions": keyedSessions,
  "0046-session-person-index": sessionPersonIndex,
  "0047-takeout": takeout,
  "0048-presentation": presentation,
  "0049-key-makers": keyMakers,
  "0050-cell-list": cellList,
  "0051-passkey-names": passkeyNames,
  "0052-open-lookups": openLookups,
  "0060-waiting-logo": waitingLogo,
  "0061-stop-of-customer": stopOfCustomer,
  "0080-home-sweep": homeSweep,
};

/** Advisory lock that every version takes, so that only one process migrates at a time. */
const migrationLock = "3853314791062309107";
/**
 * Maximum wait of a migration for a table lock. Then it fails and is retried, so that other queries do not queue behind
 * it.
 */
const lockTimeoutMs = 2_000;
const lockTriesMax = 30;

/**
 * Brings the database up to date and returns the names of the migrations that ran. Concurrent processes wait for one
 * another. Each migration has its own transaction, so its locks are released before the next one runs. Unknown
 * migrations in the database belong to a newer version that runs at the same time, and are ignored. `onStep` is called
 * before each migration.
 */
export async function migrate(
  db: Database<StoreKind>,
  onStep: (done: number, total: number) => void = () => {},
): Promise<string[]> {
  const pending = await pendingMigrations(db);
  const ran: string[] = [];
  for (const [at, name] of pending.entries()) {
    onStep(at, pending.length);
    const migration = migrations[name] ?? "";
    if (typeof migration !== "string")
      await retryLockTimeouts(() => db.connection().execute((one) => buildIndexes(one, migration, migrationLock)));
    if (await retryLockTimeouts(() => runOne(db, name, typeof migration === "string" ? migration : ""))) ran.push(name);
  }
  return ran;
}

/** Retries an action that could not lock a table in time. */
async function retryLockTimeouts<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action();
    } catch (error) {
      if (!isLockTimeout(error) || tries >= lockTriesMax) throw error;
    }
  }
}

/** False if another process has already run this migration. */
async function runOne(db: Database<StoreKind>, name: string, text: string): Promise<boolean> {
  return await db.inTransaction(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.raw(migrationLock)})`.execute(trx);
    await sql.raw(tableOfMigrations).execute(trx);
    const { rows } = await sql`select from migration where name = ${name}`.execute(trx);
    if (rows.length > 0) return false;
    await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(trx);
    for (const one of statementsOf(text)) await sql.raw(one).execute(trx);
    await sql`insert into migration (name, timestamp) values (${name}, now()::text)`.execute(trx);
    return true;
  });
}

/**
 * Splits a migration into statements, because Citus refuses several at once. No text in a migration contains a
 * semicolon.
 */
export function statementsOf(text: string): string[] {
  const statements = text.replaceAll(/--.*$/gm, "").split(";");
  return statements.filter((one) => one.trim() !== "");
}

const tableOfMigrations =
  "create table if not exists migration (name varchar(255) primary key, timestamp varchar(255) not null)";
/** `lock_not_available` and `deadlock_detected`: other queries may lock the same tables in a different order. */
const isLockTimeout = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");

/** The names of the migrations that have not run yet. */
export async function pendingMigrations(db: Database<StoreKind>): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('migration') is not null as there`.execute(
    db,
  );
  if (tables[0]?.there !== true) return Object.keys(migrations);
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations).filter((name) => !done.has(name));
}
