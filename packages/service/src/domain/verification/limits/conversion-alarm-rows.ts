/** Every statement about the table `conversion_alarm`: hours in which too few texts were answered. */
import { type Selectable, sql } from "kysely";
import type { HomeReader } from "../../../store/database.ts";
import { type Placeholders, statement } from "../../../store/statement.ts";
import type { Tables } from "../../../store/tables.ts";

type Stored = Selectable<Tables["conversion_alarm"]>;
export type AlarmKind = Stored["kind"];

type AlarmQuery = { environment: string; start: number; keys: readonly Buffer[] };

/** The alarms of the hour that begins at `start`. */
export async function findAlarms(reader: HomeReader, query: AlarmQuery): Promise<Pick<Stored, "kind" | "key">[]> {
  return (await findStatement(reader, query)).rows;
}

const findStatement = statement((db, { environment, start, keys }: Placeholders<AlarmQuery>) =>
  db
    .selectFrom("conversion_alarm")
    .select(["kind", "key"])
    .where("environment", "=", environment)
    .where("window_start", "=", start)
    .where(({ eb, fn }) => eb("key", "=", fn.any(keys))),
);

/** Inserts an alarm, or updates its figures. */
export async function saveAlarm(home: HomeReader, alarm: Stored): Promise<void> {
  const { sent, verified } = alarm;
  await home
    .insertInto("conversion_alarm")
    .values(alarm)
    .onConflict((conflict) =>
      conflict.columns(["environment", "kind", "key", "window_start"]).doUpdateSet({ sent, verified }),
    )
    .execute();
}

/** The brand's alarms, newest first. */
export async function listAlarmsOf(
  reader: HomeReader,
  { environment, brandUuid, max }: { environment: string; brandUuid: string; max: number },
): Promise<Stored[]> {
  return await reader
    .selectFrom("conversion_alarm")
    .selectAll()
    .where("environment", "=", environment)
    .where("brand_uuid", "=", brandUuid)
    .orderBy("raised_at", "desc")
    .limit(max)
    .execute();
}

/** The number of alarms by kind, of windows that began after `start` and raised after `raisedAfter`. */
export async function countAlarmsByKind(
  reader: HomeReader,
  { environment, start, raisedAfter }: { environment: string; start: number; raisedAfter: number },
): Promise<{ kind: AlarmKind; count: number }[]> {
  return await reader
    .selectFrom("conversion_alarm")
    .select(["kind", sql<number>`count(*)::int`.as("count")])
    .where("environment", "=", environment)
    .where("window_start", ">", start)
    .where("raised_at", ">", raisedAfter)
    .groupBy("kind")
    .execute();
}

/** Deletes the alarms whose window began at `before` or earlier. */
export async function deleteAlarms(home: HomeReader, environment: string, before: number): Promise<void> {
  await home
    .deleteFrom("conversion_alarm")
    .where("environment", "=", environment)
    .where("window_start", "<=", before)
    .execute();
}
