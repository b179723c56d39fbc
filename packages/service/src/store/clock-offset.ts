import { type RawBuilder, sql } from "kysely";
import type { Home } from "./database.ts";
import { announceChange } from "./signals.ts";

/** Shift of an environment's clock in milliseconds. The database stores it so that every process has the same time. */
export async function readClockOffset(db: Home, environment: string): Promise<number> {
  const row = await db
    .selectFrom("environment_clock")
    .select("offset_ms")
    .where("environment", "=", environment)
    .executeTakeFirst();
  return row?.offset_ms ?? 0;
}

/** Moves an environment's clock forward. If two processes move it at once, the later time wins. Returns the offset. */
export async function raiseClockOffset(db: Home, environment: string, offsetMs: number): Promise<number> {
  const latest = sql<number>`greatest(environment_clock.offset_ms, excluded.offset_ms)`;
  return await writeClockOffset(db, { environment, offset_ms: offsetMs }, latest);
}

export async function resetClockOffset(db: Home, environment: string): Promise<void> {
  await writeClockOffset(db, { environment, offset_ms: 0 }, sql<number>`0`);
}

async function writeClockOffset(
  db: Home,
  row: { environment: string; offset_ms: number },
  offset_ms: RawBuilder<number>,
): Promise<number> {
  const stored = await db
    .insertInto("environment_clock")
    .values(row)
    .onConflict((conflict) => conflict.column("environment").doUpdateSet({ offset_ms }))
    .returning("offset_ms")
    .executeTakeFirstOrThrow();
  await sql.raw(announceChange).execute(db);
  return stored.offset_ms;
}
