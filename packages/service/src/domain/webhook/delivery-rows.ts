/** The rows of deliveries. Every transaction that changes several deliveries locks them first, in uuid order. */
import { dayMs, hourMs } from "@countersign/contract/time";
import { sql } from "kysely";
import type { Database, Reader, Trx } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import type { ColumnTypes } from "../../store/statements/column-types.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import { largeBytes, smallOnly } from "../../store/statements/large-columns.ts";
import {
  type ColumnPlaceholders,
  columnsIn,
  columnsOf,
  insertRows,
  isAmong,
  recordsOf,
} from "../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { Tables } from "../../store/statements/tables.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps } from "../deps.ts";
import { holdLarge } from "../large-values.ts";
import { eraseAnswers } from "./attempt-rows.ts";

/** How long the body of an acknowledged delivery is kept, in milliseconds. */
export const deliveredKeptMs = hourMs;
/** How long dead letters are kept, in milliseconds. */
export const deadLetterKeptMs = 14 * dayMs;

export type DeliveryStatus = Tables["webhook_delivery"]["status"];
/** The body of an event, as it is sent. */
export type EventBody = Record<string, unknown>;
export type NewDelivery = {
  uuid: string;
  brandUuid: string;
  /** Null: the v1 push, whose receiver is in the brand's settings. */
  endpointUuid: string | null;
  event: string;
  subjectUuid: string;
  dataKey: DataKey;
  body: EventBody;
  isTest: boolean;
};

const place = (uuid: string) => placeOf("webhook_delivery", uuid);

/** Inserts deliveries that are due now. */
export async function insertDeliveries(deps: Deps, trx: Trx, all: readonly NewDelivery[]): Promise<void> {
  const now = deps.clock.now();
  const rows = all.map((one) => ({
    uuid: one.uuid,
    environment: deps.environment,
    brand_uuid: one.brandUuid,
    endpoint_uuid: one.endpointUuid,
    event: one.event,
    subject_uuid: one.subjectUuid,
    data_key_uuid: one.dataKey.uuid,
    sealed: deps.vault.seal(one.dataKey, place(one.uuid), one.body),
    status: "pending" as const,
    created_at: now,
    next_attempt_at: now,
    expires_at: now + deliveredKeptMs,
    is_test: one.isTest,
  }));
  await insertRows(trx, "webhook_delivery", rows);
}

export type DueDelivery = Awaited<ReturnType<typeof findDueDeliveries>>[number];

/** Pending deliveries. */
export async function findDueDeliveries(db: Database, uuids: readonly string[]) {
  return (await dueStatement(db, { uuids })).rows;
}
const dueStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("webhook_delivery")
    .innerJoin("data_key", "data_key.uuid", "webhook_delivery.data_key_uuid")
    .select(["webhook_delivery.uuid", "brand_uuid", "endpoint_uuid", "data_key_uuid", "attempts", "event"])
    .select(["next_attempt_at", "data_key.wrapped"])
    .select([
      smallOnly("webhook_delivery.sealed").as("sealed"),
      largeBytes("webhook_delivery.sealed").as("large_bytes"),
    ])
    .where(({ eb, fn }) => eb("webhook_delivery.uuid", "=", fn.any(uuids)))
    .where("status", "=", "pending"),
);

/** The large body of a delivery, which `findDueDeliveries` leaves out. Null if it was erased meanwhile. */
export async function readLargeBody(db: Database, { uuid, large_bytes: bytes }: DueDelivery): Promise<Buffer | null> {
  await holdLarge(bytes, { mayWait: true });
  const row = await db.selectFrom("webhook_delivery").select("sealed").where("uuid", "=", uuid).executeTakeFirst();
  return row?.sealed ?? null;
}

type WithBody = { uuid: string; data_key_uuid: string; sealed: Buffer | null; wrapped: Buffer | null };

type Ending = { status: DeliveryStatus; finished_at: number | null };

/** When the body of a delivery that has ended expires. */
export function endOfBody({ status, finished_at }: Ending): number {
  return (finished_at ?? 0) + (status === "delivered" ? deliveredKeptMs : deadLetterKeptMs);
}

/** Whether the body of a delivery has expired. A sweep erases it soon. */
export function hasExpired({ clock }: Deps, row: Ending): boolean {
  return row.status !== "pending" && endOfBody(row) <= clock.now();
}

/** The body of a delivery as text, exactly as it is sent. Null if it was erased. */
export function openBodyText({ vault }: Deps, { uuid, data_key_uuid, sealed, wrapped }: WithBody): string | null {
  if (sealed === null || wrapped === null) return null;
  return vault.openJson(vault.openDataKey(data_key_uuid, wrapped), place(uuid), sealed);
}

/** The parsed body of a delivery. Null if it was erased. */
export function openBody({ vault }: Deps, { uuid, data_key_uuid, sealed, wrapped }: WithBody): EventBody | null {
  if (sealed === null || wrapped === null) return null;
  return vault.open<EventBody>(vault.openDataKey(data_key_uuid, wrapped), place(uuid), sealed);
}

type Tried = Pick<DueDelivery, "uuid" | "attempts">;
const triedTypes: ColumnTypes<Tried> = columnsIn("webhook_delivery", ["uuid", "attempts"]);

/** Locks deliveries that are pending and have the expected number of attempts, in uuid order. Returns their uuids. */
export async function lockTried(trx: Trx, tried: readonly Tried[]): Promise<Set<string>> {
  const { rows } = await lockStatement(trx, columnsOf("tried", triedTypes, tried));
  return new Set(rows.map(({ uuid }) => uuid));
}
const lockStatement = statement((db, columns: ColumnPlaceholders) =>
  db
    .selectFrom("webhook_delivery")
    .innerJoin(sql<Tried>`(${recordsOf("tried", triedTypes, columns)})`.as("tried"), (join) =>
      join.onRef("webhook_delivery.uuid", "=", "tried.uuid").onRef("webhook_delivery.attempts", "=", "tried.attempts"),
    )
    .select("webhook_delivery.uuid")
    .where("webhook_delivery.status", "=", "pending")
    .orderBy("webhook_delivery.uuid")
    .forNoKeyUpdate("webhook_delivery"),
);

type Result = { uuid: string; status: DeliveryStatus; next_attempt_at: number | null; finished_at: number | null };
const resultTypes: ColumnTypes<Result> = columnsIn("webhook_delivery", [
  "uuid",
  "status",
  "next_attempt_at",
  "finished_at",
]);

/** Counts one attempt at each locked delivery and stores the result. */
export async function saveResults(trx: Trx, results: readonly Result[]): Promise<void> {
  if (results.length > 0) await resultStatement(trx, columnsOf("result", resultTypes, results));
}
const resultStatement = statement((db, columns: ColumnPlaceholders) =>
  db
    .updateTable("webhook_delivery")
    .from(sql<Result>`(${recordsOf("result", resultTypes, columns)})`.as("result"))
    .set((eb) => ({
      attempts: eb("webhook_delivery.attempts", "+", 1),
      status: eb.ref("result.status"),
      next_attempt_at: eb.ref("result.next_attempt_at"),
      finished_at: eb.ref("result.finished_at"),
    }))
    .whereRef("webhook_delivery.uuid", "=", "result.uuid"),
);

/** The deliveries of a webhook or of some subjects, or those about a person to some brands (null: to all brands). */
type Which =
  | { endpointUuid: string }
  | { subjectUuids: readonly string[] }
  | { personUuid: string; dataKeyUuid: string; brands: readonly string[] | null };

/** Ends pending deliveries as dead letters and erases all bodies. Returns the deliveries that were pending. */
export async function endDeliveries(trx: Trx, which: Which, now: number): Promise<{ uuid: string }[]> {
  const isMeant =
    "endpointUuid" in which
      ? sql<boolean>`endpoint_uuid = ${which.endpointUuid}`
      : "subjectUuids" in which
        ? sql<boolean>`subject_uuid = any(${[...which.subjectUuids]}::uuid[])`
        : sql<boolean>`(data_key_uuid = ${which.dataKeyUuid} or subject_uuid = any(array(
            select uuid from one_click where person_uuid = ${which.personUuid}
            union all select uuid from health_lookup where person_uuid = ${which.personUuid})))
          and (${which.brands}::uuid[] is null or brand_uuid = any(${which.brands}::uuid[]))`;
  const pending = trx.selectFrom("webhook_delivery").select("uuid").where(isMeant).where("status", "=", "pending");
  const [ended] = await Promise.all([
    // An attempt in progress records its result before this lock, or not at all.
    pending.orderBy("uuid").forUpdate().execute(),
    trx
      .updateTable("webhook_delivery")
      .set({ status: "deadLettered", next_attempt_at: null, finished_at: now })
      .where(isMeant)
      .where("status", "=", "pending")
      .execute(),
    trx.updateTable("webhook_delivery").set({ sealed: null }).where(isMeant).execute(),
    eraseAnswers(trx, trx.selectFrom("webhook_delivery").select("uuid").where(isMeant)),
  ]);
  return ended;
}

/** Locks a delivery and reads it. */
export async function lockDelivery(trx: Trx, uuid: string) {
  return await trx
    .selectFrom("webhook_delivery")
    .innerJoin("data_key", "data_key.uuid", "webhook_delivery.data_key_uuid")
    .selectAll("webhook_delivery")
    .select("data_key.wrapped")
    .where("webhook_delivery.uuid", "=", uuid)
    .forUpdate("webhook_delivery")
    .executeTakeFirst();
}

/** Makes a locked delivery due now, with a new body. Its count of attempts starts again. */
export async function restartDelivery(
  deps: Deps,
  trx: Trx,
  row: { uuid: string; data_key_uuid: string; wrapped: Buffer | null },
  body: EventBody,
): Promise<void> {
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  const now = deps.clock.now();
  await trx
    .updateTable("webhook_delivery")
    .set({
      sealed: deps.vault.seal(dataKey, place(row.uuid), body),
      status: "pending",
      attempts: 0,
      next_attempt_at: now,
      expires_at: now + deliveredKeptMs,
      finished_at: null,
    })
    .where("uuid", "=", row.uuid)
    .execute();
}

/** Locks deliveries that the sweep must look at now. */
export async function lockExpiredDeliveries(trx: Trx, expired: Expired) {
  const uuids = await lockExpired(trx, "webhook_delivery", "expires_at", expired);
  if (uuids.length === 0) return [];
  return await trx
    .selectFrom("webhook_delivery")
    .select(["uuid", "event", "status", "next_attempt_at", "finished_at", "is_test", "data_key_uuid"])
    .where("uuid", "in", uuids)
    .execute();
}

/** Sets when the sweep looks at locked deliveries again. */
export async function setExpiry(trx: Trx, dates: readonly { uuid: string; expiresAt: number }[]): Promise<void> {
  if (dates.length === 0) return;
  const [uuids, times] = [dates.map(({ uuid }) => uuid), dates.map(({ expiresAt }) => expiresAt)];
  await trx
    .updateTable("webhook_delivery")
    .from(
      sql<{
        uuid: string;
        at: number;
      }>`(select * from unnest(${uuids}::uuid[], ${times}::bigint[]) as d (uuid, at))`.as("dated"),
    )
    .set((eb) => ({ expires_at: eb.ref("dated.at") }))
    .whereRef("webhook_delivery.uuid", "=", "dated.uuid")
    .execute();
}

export async function deleteDeliveries(trx: Trx, uuids: readonly string[]): Promise<void> {
  if (uuids.length > 0) await trx.deleteFrom("webhook_delivery").where("uuid", "in", uuids).execute();
}

/** Erases bodies and the texts of answers. The sweep skips these deliveries from then on. */
export async function eraseBodies(trx: Trx, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  const erased = { sealed: null, expires_at: null };
  await Promise.all([
    trx.updateTable("webhook_delivery").set(erased).where("uuid", "in", uuids).execute(),
    eraseAnswers(trx, trx.selectFrom("webhook_delivery").select("uuid").where("uuid", "in", uuids)),
  ]);
}

export async function findBrandOfDelivery(deps: Deps, uuid: string): Promise<string | undefined> {
  const row = await deps.db
    .selectFrom("webhook_delivery")
    .select("brand_uuid")
    .where("uuid", "=", uuid)
    .where("environment", "=", deps.environment)
    .executeTakeFirst();
  return row?.brand_uuid;
}

/** Which of these webhooks have a pending delivery, or one with a body. */
export async function listUnended(reader: Reader, endpointUuids: readonly string[]): Promise<string[]> {
  const rows = await reader
    .selectFrom("webhook_delivery")
    .select("endpoint_uuid")
    .distinct()
    .where(({ eb, fn, val }) => eb("endpoint_uuid", "=", fn.any(val([...endpointUuids]))))
    .where(({ or, eb }) => or([eb("status", "=", "pending"), eb("sealed", "is not", null)]))
    .execute();
  return rows.flatMap(({ endpoint_uuid }) => endpoint_uuid ?? []);
}

/** The brands of deliveries, by the delivery's uuid. */
export async function brandsOfDeliveries(db: Reader, uuids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("webhook_delivery")
    .select(["uuid", "brand_uuid"])
    .where(isAmong("uuid", uuids))
    .execute();
  return new Map(rows.map(({ uuid, brand_uuid }) => [uuid, brand_uuid]));
}
