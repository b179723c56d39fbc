import { sql } from "kysely";
import type { Database } from "./database.ts";
import { announceChange } from "./signals.ts";

/** Shift of an environment's clock in milliseconds. The database stores it so that every process has the same time. */
export async function readClockOffset(db: Database, environment: string): Promise<number> {
  const row = await db
    .selectFrom("environment_clock")
    .select("offset_ms")
    .where("environment", "=", environment)
    .executeTakeFirst();
  return row?.offset_ms ?? 0;
}

export async function writeClockOffset(db: Database, environment: string, offsetMs: number): Promise<void> {
  await db
    .insertInto("environment_clock")
    .values({ environment, offset_ms: offsetMs })
    .onConflict((conflict) => conflict.column("environment").doUpdateSet({ offset_ms: offsetMs }))
    .execute();
  await sql.raw(announceChange).execute(db);
}
