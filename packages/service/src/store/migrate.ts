import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
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

/** Forward only, in this order. */
const migrations: Record<string, string> = {
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
};

function migrator(db: Database): Migrator {
  return new Migrator({
    db,
    migrationTableName: "migration",
    migrationLockTableName: "migration_lock",
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, text]) => [
            name,
            { up: async (trx: Kysely<unknown>) => void (await sql.raw(text).execute(trx)) },
          ]),
        ),
    },
  });
}

/** Brings the database up to date; concurrent processes wait for one another. Answers the names that were run. */
export async function migrate(db: Database): Promise<string[]> {
  const { error, results } = await migrator(db).migrateToLatest();
  if (error !== undefined) throw error instanceof Error ? error : new Error(String(error));
  return (results ?? []).map((result) => result.migrationName);
}

/** The names of migrations that still have to run. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const all = await migrator(db).getMigrations();
  return all.filter((one) => one.executedAt === undefined).map((one) => one.name);
}
