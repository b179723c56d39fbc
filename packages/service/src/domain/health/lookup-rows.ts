/** The rows of lookups. The question and the result are encrypted with the person's key, or with a key of their own. */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import { largeBytes, smallOnly } from "../../store/statements/large-columns.ts";
import { isAmong } from "../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Caller, Deps } from "../deps.ts";
import { holdLarge } from "../large-values.ts";
import type { HealthLookup, HealthQuestion, HealthResult, HealthState } from "./lookup.ts";

const place = (uuid: string) => placeOf("health_lookup", uuid);
const resultPlace = (uuid: string) => placeOf("health_lookup.result", uuid);

/** Stores a pending lookup. False if the person of this 1-Click has already started one. */
export async function insertLookup(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  input: {
    uuid: string;
    personUuid: string | null;
    oneClickUuid: string | null;
    dataKey: DataKey;
    question: HealthQuestion;
    startedByPerson: boolean;
  },
): Promise<boolean> {
  const inserted = await trx
    .insertInto("health_lookup")
    .values({
      uuid: input.uuid,
      environment: deps.environment,
      brand_uuid: caller.brand.uuid,
      api_key_uuid: caller.apiKeyUuid,
      request_id: caller.requestId,
      person_uuid: input.personUuid,
      one_click_uuid: input.oneClickUuid,
      data_key_uuid: input.dataKey.uuid,
      settings_version: caller.brand.settingsVersion,
      state: "pending",
      held: input.startedByPerson,
      sealed: deps.vault.seal(input.dataKey, place(input.uuid), input.question),
      created_at: deps.clock.now(),
    })
    .onConflict((conflict) => conflict.column("one_click_uuid").where(sql<boolean>`held`).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** A lookup of any brand; null if the lookup or its person was erased. */
export async function findLookup(deps: Deps, reader: Reader, uuid: string): Promise<HealthLookup | null> {
  const row = await reader
    .selectFrom("health_lookup")
    .innerJoin("data_key", "data_key.uuid", "health_lookup.data_key_uuid")
    .select(["health_lookup.uuid", "brand_uuid", "api_key_uuid", "request_id", "person_uuid", "data_key_uuid"])
    .select(["settings_version", "state", "held", "health_lookup.created_at", "sealed", "data_key.wrapped"])
    .select([smallOnly("sealed_result").as("sealed_result"), largeBytes("sealed_result").as("large_bytes")])
    .where("health_lookup.uuid", "=", uuid)
    .where("health_lookup.environment", "=", deps.environment)
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", deps.clock.now())]))
    .executeTakeFirst();
  if (row === undefined || row.sealed === null || row.wrapped === null) return null;
  const sealed = row.large_bytes === 0 ? row.sealed_result : await readLarge(deps, reader, row);
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    brandUuid: row.brand_uuid,
    apiKeyUuid: row.api_key_uuid,
    requestId: row.request_id,
    personUuid: row.person_uuid,
    settingsVersion: row.settings_version,
    state: row.state,
    startedByPerson: row.held,
    dataKey,
    createdAt: row.created_at,
    question: deps.vault.open<HealthQuestion>(dataKey, place(row.uuid), row.sealed),
    result: sealed === null ? null : openResult(deps, dataKey, { uuid: row.uuid, sealed }),
  };
}

/** A result with a payer's long answer. Null if it was erased meanwhile. */
async function readLarge(
  deps: Deps,
  reader: Reader,
  { uuid, large_bytes: bytes }: { uuid: string; large_bytes: number },
): Promise<Buffer | null> {
  await holdLarge(bytes, { mayWait: reader === deps.db });
  return (await largeStatement(reader, { uuids: [uuid] })).rows[0]?.sealed_result ?? null;
}

const largeStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("health_lookup")
    .select(["uuid", "sealed_result"])
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids))),
);

function openResult(deps: Deps, dataKey: DataKey, row: { uuid: string; sealed: Buffer }): HealthResult {
  return deps.vault.open<HealthResult>(dataKey, resultPlace(row.uuid), row.sealed);
}

/** The person whom a lookup is about, even if its data was erased; null if no person is known. */
export async function findPersonOfLookup({ db, environment }: Deps, uuid: string): Promise<string | null> {
  const row = await db
    .selectFrom("health_lookup")
    .select("person_uuid")
    .where("uuid", "=", uuid)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return row?.person_uuid ?? null;
}

/** The lookup that the person of a 1-Click started. */
export async function findLookupStartedByPerson(
  deps: Deps,
  oneClickUuid: string,
  reader: Reader = deps.db,
): Promise<HealthLookup | null> {
  const row = await reader
    .selectFrom("health_lookup")
    .select("uuid")
    .where("one_click_uuid", "=", oneClickUuid)
    .where(sql<boolean>`held`)
    .executeTakeFirst();
  return row === undefined ? null : await findLookup(deps, reader, row.uuid);
}

/**
 * How many lookups of a brand have no result yet; counts up to `max`. Parallel calls wait until the transaction ends, so
 * each one counts the lookups of the calls before it. Call it after all other locks, to avoid deadlocks.
 */
export async function countOpenLookups(
  { environment }: Deps,
  trx: Trx,
  brandUuid: string,
  max: number,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`health_lookup ${brandUuid}`}, 0))`.execute(trx);
  const open = trx
    .selectFrom("health_lookup")
    .select("uuid")
    .where("environment", "=", environment)
    .where("brand_uuid", "=", brandUuid)
    .where(sql<boolean>`state in ('pending', 'processing')`)
    .limit(max);
  const { count } = await trx
    .selectFrom(open.as("open"))
    .select((row) => row.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Marks a pending lookup as processing. Only the first of several workers changes it. */
export async function markProcessing(deps: Deps, uuid: string): Promise<void> {
  await deps.db
    .updateTable("health_lookup")
    .set({ state: "processing" })
    .where("uuid", "=", uuid)
    .where("state", "=", "pending")
    .execute();
}

/** Counts a paid call for billing. */
export async function countCall(deps: Deps, uuid: string, counted: "autofills" | "checks"): Promise<void> {
  await deps.db
    .updateTable("health_lookup")
    .set((row) => ({ [counted]: row(counted, "+", 1) }))
    .where("uuid", "=", uuid)
    .execute();
}

/** Stores a result if the lookup's current state is one of `after`; otherwise returns false. */
export async function saveResult(
  deps: Deps,
  trx: Trx,
  { uuid, dataKey }: HealthLookup,
  input: { state: HealthState; result: HealthResult; after: readonly HealthState[]; expiresAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("health_lookup")
    .set({
      state: input.state,
      sealed_result: deps.vault.seal(dataKey, resultPlace(uuid), input.result),
      finished_at: deps.clock.now(),
      expires_at: input.expiresAt,
    })
    .where("uuid", "=", uuid)
    .where("state", "in", input.after)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks lookups that have expired and are not erased yet, and returns their uuids. */
export async function lockExpiredLookups(trx: Trx, expired: Expired): Promise<string[]> {
  return await lockExpired(trx, "health_lookup", "expires_at", expired, sql`erased_at is null`);
}

const erased = (now: number) => ({
  sealed: null,
  sealed_result: null,
  erased_at: now,
  state: "failed" as const,
  expires_at: now,
});

/** Erases the questions and the results. */
export async function eraseContents(trx: Trx, uuids: readonly string[], now: number): Promise<void> {
  if (uuids.length === 0) return;
  await trx
    .updateTable("health_lookup")
    .set({ sealed: null, sealed_result: null, erased_at: now })
    .where("uuid", "in", uuids)
    .execute();
}

/**
 * Keys that belong only to erased lookups. Webhook deliveries may need them after the lookup is erased, so those that
 * encrypt a delivery's body are left out.
 */
export async function listUnusedLookupKeys(
  reader: Reader,
  { environment, since, max }: { environment: string; since: number; max: number },
): Promise<string[]> {
  const rows = await reader
    .selectFrom("health_lookup")
    .innerJoin("data_key", "data_key.uuid", "health_lookup.data_key_uuid")
    .select("data_key.uuid")
    .where("health_lookup.environment", "=", environment)
    .where("health_lookup.person_uuid", "is", null)
    .where("health_lookup.erased_at", ">", since)
    .where("data_key.wrapped", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("webhook_delivery")
            .select("webhook_delivery.uuid")
            .whereRef("webhook_delivery.data_key_uuid", "=", "data_key.uuid")
            .where("webhook_delivery.sealed", "is not", null),
        ),
      ),
    )
    .limit(max)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Erases and ends the lookup that the person of a 1-Click started, unless they have decided. Returns its uuid. */
export async function eraseLookupStartedByPerson(
  trx: Trx,
  { oneClickUuid, now }: { oneClickUuid: string; now: number },
): Promise<string[]> {
  const rows = await trx
    .updateTable("health_lookup")
    .set(erased(now))
    .where("one_click_uuid", "=", oneClickUuid)
    .where(sql<boolean>`held`)
    .where("state", "in", ["pending", "processing", "offered"])
    .returning("uuid")
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Erases and ends all lookups about a person by some brands (null: by all brands). Returns their uuids. */
export async function eraseLookupsAbout(
  trx: Trx,
  { personUuid, brands, now }: { personUuid: string; brands: readonly string[] | null; now: number },
): Promise<string[]> {
  let query = trx
    .updateTable("health_lookup")
    .set(erased(now))
    .where("person_uuid", "=", personUuid)
    .where("erased_at", "is", null);
  if (brands !== null) query = query.where(sql<boolean>`brand_uuid = any(${[...brands]}::uuid[])`);
  const rows = await query.returning("uuid").execute();
  return rows.map(({ uuid }) => uuid);
}

/** The brands that can read plans of a person, and until when. An offered plan waits for the person's choice. */
export async function brandsWithResult({ db, clock }: Deps, personUuid: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("health_lookup")
    .select(({ fn }) => ["brand_uuid", fn.max<number>("expires_at").as("until")])
    .where("person_uuid", "=", personUuid)
    .where("state", "in", ["succeeded", "partial"])
    .where("sealed_result", "is not", null)
    .where("expires_at", ">", clock.now())
    .groupBy("brand_uuid")
    .execute();
  return new Map(rows.map(({ brand_uuid, until }) => [brand_uuid, until]));
}

/** The stored results about a person of some brands (null: of all brands). */
export async function listResultsAbout(
  deps: Deps,
  { person, brands }: { person: { uuid: string; dataKey: DataKey }; brands: readonly string[] | null },
): Promise<{ brandUuid: string; finishedAt: number; question: HealthQuestion; result: HealthResult }[]> {
  let query = deps.db
    .selectFrom("health_lookup")
    .select(["uuid", "brand_uuid", "finished_at", "sealed"])
    .select([smallOnly("sealed_result").as("sealed_result"), largeBytes("sealed_result").as("large_bytes")])
    .where("environment", "=", deps.environment)
    .where("person_uuid", "=", person.uuid)
    .where("expires_at", ">", deps.clock.now())
    .where("sealed_result", "is not", null);
  if (brands !== null) query = query.where(sql<boolean>`brand_uuid = any(${[...brands]}::uuid[])`);
  const rows = await query.execute();
  const uuids = rows.filter((row) => row.large_bytes > 0).map(({ uuid }) => uuid);
  await holdLarge(
    rows.reduce((sum, row) => sum + row.large_bytes, 0),
    { mayWait: true },
  );
  const large = uuids.length === 0 ? [] : (await largeStatement(deps.db, { uuids })).rows;
  return rows.flatMap(({ uuid, brand_uuid, finished_at, sealed, sealed_result }) => {
    const result = sealed_result ?? large.find((row) => row.uuid === uuid)?.sealed_result ?? null;
    return sealed === null || result === null
      ? []
      : [
          {
            brandUuid: brand_uuid,
            finishedAt: finished_at ?? 0,
            question: deps.vault.open<HealthQuestion>(person.dataKey, place(uuid), sealed),
            result: openResult(deps, person.dataKey, { uuid, sealed: result }),
          },
        ];
  });
}

/** When lookups of brands are erased, soonest first. */
export async function listLookupEnds(
  { db, environment, clock }: Deps,
  { brands, max }: { brands: readonly string[]; max: number },
): Promise<{ brandUuid: string; at: number }[]> {
  const rows = await db
    .selectFrom("health_lookup")
    .select(["brand_uuid", "expires_at"])
    .where("environment", "=", environment)
    .where(isAmong("brand_uuid", brands))
    .where("erased_at", "is", null)
    .where("expires_at", ">", clock.now())
    .orderBy("expires_at")
    .limit(max)
    .execute();
  return rows.flatMap(({ brand_uuid: brandUuid, expires_at: at }) => (at === null ? [] : [{ brandUuid, at }]));
}
