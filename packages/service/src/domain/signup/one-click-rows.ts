/** Every statement about `one_click`, except those of `readable-rows.ts` and `one-click-end-rows.ts`. */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { batched } from "../../store/statements/batch.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import { largeBytes, smallOnly } from "../../store/statements/large-columns.ts";
import { type Columns, columnsIn, columnsOf, insertedValues, isAmong } from "../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { PersonAtBrands } from "../audit/audit-rows.ts";
import type { Brand, Deps } from "../deps.ts";
import type { JourneyName } from "../journey.ts";
import { holdLarge } from "../large-values.ts";
import type { Person } from "../person-rows.ts";
import { deleteStateIdRequestsOf } from "../state-id/request-rows.ts";
import { listVerified } from "../verification/verification-rows.ts";
import { openFacts, sealFacts } from "./compact-facts.ts";
import {
  type OneClick,
  type OneClickFacts,
  type OneClickState,
  oneClickLifeMs,
  oneClickStatesBefore,
  openOneClickStates,
  type StoredOneClick,
} from "./one-click.ts";
import { deletePresentationsOf } from "./page/presentation-rows.ts";

/** A 1-Click in its new state, and the person who has its phone. `pageHash` is stored with a new 1-Click only. */
export type ToSave = { brand: Brand; oneClick: OneClick; person: Person; pageHash?: Buffer };
/** `before`: the states that the new one may follow here, if not all that allow it. */
type Change = ToSave & { before?: readonly OneClickState[] | undefined };

/** Creates a 1-Click, or moves an existing one to its new state. False if its state does not allow that. */
export async function saveOneClick(deps: Deps, trx: Trx, { before, ...input }: Change): Promise<boolean> {
  const from = before ?? oneClickStatesBefore(input.oneClick.state);
  return (await saveStatement(trx, columnsToSave(deps, [input], from))).rows.length > 0;
}

/**
 * Saves 1-Clicks as released. Returns the uuids of those that were saved. The others have ended, or lost their proof
 * while the sources were asked. If one is missing, roll back the transaction.
 */
export async function saveReleased(deps: Deps, trx: Trx, all: readonly ToSave[]): Promise<Set<string>> {
  const proofs = all.flatMap(({ oneClick: { verificationUuid } }) => verificationUuid ?? []);
  const [{ rows }, proven] = await Promise.all([
    saveStatement(trx, columnsToSave(deps, all, oneClickStatesBefore("released"))),
    listVerified(trx, proofs),
  ]);
  // A proof is lost if the person withdraws it or the number gets a new holder.
  const lost = all.filter(({ oneClick: { verificationUuid: proof } }) => proof !== null && !proven.has(proof));
  const isLost = new Set(lost.map(({ oneClick }) => oneClick.uuid));
  return new Set(rows.map(({ uuid }) => uuid).filter((uuid) => !isLost.has(uuid)));
}

type ColumnsToSave = Columns & {
  /** The states that may change to the new state. */
  before: readonly OneClickState[];
};

/** The columns of 1-Clicks that all get the same state. Sorted, so that two batches lock rows in the same order. */
function columnsToSave(deps: Deps, all: readonly ToSave[], before: readonly OneClickState[]): ColumnsToSave {
  const rows = all.map((one) => rowOf(deps, one)).sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
  return { before, ...columnsOf("one_click", rowTypes, rows) };
}

function rowOf(deps: Deps, { brand, oneClick, person, pageHash }: ToSave) {
  const now = deps.clock.now();
  const { uuid, state, facts } = oneClick;
  return {
    uuid,
    environment: deps.environment,
    brand_uuid: brand.uuid,
    journey: oneClick.journey,
    created_at: now,
    page_hash: pageHash ?? null,
    person_uuid: person.uuid,
    data_key_uuid: person.dataKey.uuid,
    verification_uuid: oneClick.verificationUuid,
    state,
    phone_method: oneClick.phoneMethod,
    settings_version: brand.settingsVersion,
    refusal: oneClick.refusal,
    sealed: sealFacts(deps.vault, person.dataKey, oneClick),
    answered_at: isEnded(state) ? now : null,
    expires_at: oneClick.reusedUntil ?? now + oneClickLifeMs,
    // For analytics: these columns remain after the sealed facts are erased.
    inputs_asked_at: state === "awaitingInputs" ? now : null,
    found_at: state === "awaitingDecision" || state === "released" ? now : null,
    risk_scored: facts.risk !== null,
    session_at: oneClick.sessionAt ?? null,
    asked_at: oneClick.asking?.at ?? null,
    risk_ms: oneClick.asking?.riskMs ?? null,
    source_ms: oneClick.asking?.sourceMs ?? null,
  };
}

const isEnded = (state: OneClickState) => !openOneClickStates.some((open) => open === state);

/** Columns that an update never changes. */
const lasting = ["uuid", "environment", "brand_uuid", "journey", "created_at", "page_hash"] as const;
const changing = [
  "person_uuid",
  "data_key_uuid",
  "verification_uuid",
  "state",
  "phone_method",
  "settings_version",
  "refusal",
  "sealed",
  "answered_at",
  "expires_at",
] as const;
/** Columns that an update may set, but never clears. */
const noted = ["inputs_asked_at", "session_at", "asked_at", "risk_ms", "source_ms"] as const;
const rowTypes = columnsIn("one_click", [...lasting, ...changing, ...noted, "found_at", "risk_scored"]);

/** Upserts 1-Clicks. Returns the uuids of those that were saved. */
const saveStatement = statement((db, columns: Placeholders<ColumnsToSave>) =>
  db
    .insertInto("one_click")
    .values(insertedValues("one_click", rowTypes, columns))
    .onConflict((conflict) =>
      conflict
        .column("uuid")
        .doUpdateSet(({ ref, fn }) => ({
          ...Object.fromEntries(changing.map((name) => [name, ref(`excluded.${name}`)])),
          ...Object.fromEntries(noted.map((name) => [name, fn.coalesce(`excluded.${name}`, `one_click.${name}`)])),
          found_at: fn.coalesce("one_click.found_at", "excluded.found_at"),
          risk_scored: sql<boolean>`excluded.risk_scored or one_click.risk_scored`,
        }))
        // Allow only valid state changes: a released 1-Click stays readable, and a decided one stays decided.
        .where(({ eb, fn }) => eb("one_click.state", "=", fn.any(columns.before)))
        // Never restore an erased 1-Click, for example one that the person deleted during this request.
        .where("one_click.erased_at", "is", null),
    )
    .returning("one_click.uuid"),
);

/** Identifies a brand's own 1-Click. */
export type OfPage = { uuid: string; brandUuid: string };

/** Reads each 1-Click that belongs to its brand and has not expired, in the order of `all`. */
async function readLive({ environment, clock }: Deps, reader: Reader, all: readonly OfPage[]) {
  const uuids = all.map(({ uuid }) => uuid);
  const { rows } = await liveStatement(reader, { environment, uuids, now: clock.now() });
  return all.map((one) => rows.find((row) => row.uuid === one.uuid && row.brand_uuid === one.brandUuid));
}

const liveStatement = statement(
  (db, { environment, uuids, now }: Placeholders<{ environment: string; uuids: string[]; now: number }>) =>
    db
      .selectFrom("one_click")
      .innerJoin("data_key", "data_key.uuid", "one_click.data_key_uuid")
      .select(["one_click.uuid", "brand_uuid", "person_uuid", "data_key_uuid", "verification_uuid", "journey", "state"])
      .select(["phone_method", "refusal", "one_click.created_at", "one_click.expires_at", "data_key.wrapped"])
      .select([smallOnly("one_click.sealed").as("sealed"), largeBytes("one_click.sealed").as("large_bytes")])
      .where(({ eb, fn }) => eb("one_click.uuid", "=", fn.any(uuids)))
      .where("one_click.environment", "=", environment)
      .where("one_click.expires_at", ">", now),
);

const readLiveTogether = batched((deps: Deps, all: readonly OfPage[]) => readLive(deps, deps.db, all));

/**
 * The brand's own 1-Click until it expires. Null for unknown, foreign, erased and expired ones, so that callers cannot
 * tell them apart.
 */
export async function findOneClick(
  deps: Deps,
  reader: Reader,
  { brand }: { brand: { uuid: string } },
  uuid: string,
): Promise<StoredOneClick | null> {
  const which = { uuid: uuid.toLowerCase(), brandUuid: brand.uuid };
  // Reads inside a transaction use its connection and are not batched.
  const row = reader === deps.db ? await readLiveTogether(deps, which) : (await readLive(deps, reader, [which]))[0];
  if (row === undefined || row.wrapped === null || row.person_uuid === null) return null;
  const sealed = row.large_bytes === 0 ? row.sealed : await readLarge(deps, reader, row);
  if (sealed === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    personUuid: row.person_uuid,
    state: row.state,
    phoneMethod: row.phone_method ?? "customer_otp",
    refusal: row.refusal,
    journey: row.journey,
    verificationUuid: row.verification_uuid,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...openFacts(deps.vault, dataKey, { ...row, sealed }),
  };
}

/** Null if the 1-Click was erased meanwhile. */
async function readLarge(
  deps: Deps,
  reader: Reader,
  { uuid, large_bytes: bytes }: { uuid: string; large_bytes: number },
): Promise<Buffer | null> {
  await holdLarge(bytes, { mayWait: reader === deps.db });
  const row = await reader.selectFrom("one_click").select("sealed").where("uuid", "=", uuid).executeTakeFirst();
  return row?.sealed ?? null;
}

/** Locks a 1-Click until the transaction ends. */
export async function lockOneClick(trx: Trx, uuid: string): Promise<void> {
  await trx.selectFrom("one_click").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
}

/** Locks 1-Clicks that have expired and are not erased yet, and returns their uuids. */
export async function lockExpiredOneClicks(trx: Trx, expired: Expired): Promise<string[]> {
  return await lockExpired(trx, "one_click", "expires_at", expired, sql`erased_at is null`);
}

/** Locks the given 1-Clicks, by uuid, if they have not expired and are still open. Returns their uuids. */
export async function lockOpenOneClicks(deps: Deps, trx: Trx, uuids: readonly string[]): Promise<Set<string>> {
  if (uuids.length === 0) return new Set();
  const { environment } = deps;
  const open = { now: deps.clock.now(), states: openOneClickStates };
  const { rows } = await lockOpenStatement(trx, { environment, uuids, ...open });
  return new Set(rows.map(({ uuid }) => uuid));
}
type ToLock = { environment: string; uuids: readonly string[]; now: number; states: readonly OneClickState[] };
const lockOpenStatement = statement((db, { environment, uuids, now, states }: Placeholders<ToLock>) =>
  db
    .selectFrom("one_click")
    .select("uuid")
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids)))
    .where("environment", "=", environment)
    .where(({ eb, fn }) => eb("state", "=", fn.any(states)))
    .where("expires_at", ">", now)
    .orderBy("uuid")
    .forUpdate(),
);

/** The 1-Click of a page: by the hash of a token, or by the verification that proves the phone on that page. */
export async function findOfPage(
  { db, environment }: Deps,
  by: { page_hash: Buffer } | { page_session_hash: Buffer } | { verification_uuid: string },
): Promise<OfPage | null> {
  const row = await db
    .selectFrom("one_click")
    .select(["uuid", "brand_uuid"])
    .where(({ and }) => and(by))
    .where("environment", "=", environment)
    .$if("verification_uuid" in by, (query) => query.where("page_hash", "is not", null))
    .executeTakeFirst();
  return row === undefined ? null : { uuid: row.uuid, brandUuid: row.brand_uuid };
}

/** The state of a 1-Click in one of these journeys whose person declined or is still deciding. */
export async function findUndecidedState(
  reader: Reader,
  { verificationUuid, journeys }: { verificationUuid: string; journeys: readonly JourneyName[] },
): Promise<OneClickState | null> {
  const row = await reader
    .selectFrom("one_click")
    .select("state")
    .where("verification_uuid", "=", verificationUuid)
    .where("journey", "in", journeys)
    .where("state", "in", [...openOneClickStates, "declined"])
    .executeTakeFirst();
  return row?.state ?? null;
}

type ByBrand = { brand: { uuid: string } };

/**
 * Changes the facts of a 1-Click under its lock, so that two changes at once both count. Returns the changed 1-Click.
 * Null if it was erased, or has another state than the given one.
 */
export async function changeFacts(
  deps: Deps,
  trx: Trx,
  { caller, oneClick: { uuid, state } }: { caller: ByBrand; oneClick: Pick<StoredOneClick, "uuid" | "state"> },
  change: (facts: OneClickFacts) => OneClickFacts,
): Promise<StoredOneClick | null> {
  await lockOneClick(trx, uuid);
  const now = await findOneClick(deps, trx, caller, uuid);
  if (now === null || now.state !== state) return null;
  const facts = change(now.facts);
  await saveFacts(deps, trx, { ...now, facts });
  return { ...now, facts };
}

/** Replaces the stored facts. The caller has locked the 1-Click and read it again. */
export async function saveFacts(deps: Deps, trx: Trx, oneClick: OneClick): Promise<void> {
  const row = await trx
    .selectFrom("one_click")
    .innerJoin("data_key", "data_key.uuid", "one_click.data_key_uuid")
    .select(["one_click.data_key_uuid", "data_key.wrapped"])
    .where("one_click.uuid", "=", oneClick.uuid)
    .executeTakeFirstOrThrow();
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  await trx
    .updateTable("one_click")
    .set({ sealed: sealFacts(deps.vault, dataKey, oneClick) })
    .where("uuid", "=", oneClick.uuid)
    .execute();
}

/** Sets the hash of the session token that continues the page. */
export async function savePageSession(reader: Reader, uuid: string, hash: Buffer): Promise<void> {
  await reader.updateTable("one_click").set({ page_session_hash: hash }).where("uuid", "=", uuid).execute();
}

/** Shortens the lifetime of a 1-Click at its first read. False if the 1-Click was erased meanwhile. */
export async function endAfterFirstRead(deps: Deps, trx: Trx, uuid: string, readableMs: number): Promise<boolean> {
  const firstReadAt = sql<number>`coalesce(first_read_at, ${deps.clock.now()})`;
  const { numUpdatedRows } = await trx
    .updateTable("one_click")
    // The time after the first read can shorten the lifetime, but never extend it.
    .set({ first_read_at: firstReadAt, expires_at: sql`least(expires_at, ${firstReadAt} + ${readableMs}::bigint)` })
    .where("uuid", "=", uuid)
    .where("sealed", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Selects 1-Clicks by uuid, or those of a person: only those of some brands (null: all brands), or only open ones. */
export type ToErase =
  | { uuids: readonly string[] }
  | { personUuid: string; brands: readonly string[] | null }
  | { personUuid: string; openOnly: true };

/** Erases 1-Clicks and what wallet apps presented for them, and closes their pages. Returns those not erased before. */
export async function eraseOneClicks(trx: Trx, which: ToErase, now: number): Promise<ErasedOneClick[]> {
  const erasing = trx
    .updateTable("one_click")
    .set({ sealed: null, erased_at: now, page_hash: null, page_session_hash: null })
    .where("erased_at", "is", null)
    .returning(["uuid", "person_uuid"]);
  if ("uuids" in which && which.uuids.length === 0) return [];
  const rows = await ("uuids" in which
    ? erasing.where("uuid", "in", which.uuids)
    : "brands" in which
      ? erasing.where("person_uuid", "=", which.personUuid).where(isAmong("brand_uuid", which.brands))
      : erasing.where("person_uuid", "=", which.personUuid).where("state", "in", openOneClickStates)
  ).execute();
  const uuids = rows.map(({ uuid }) => uuid);
  await deletePresentationsOf(trx, uuids);
  await deleteStateIdRequestsOf(trx, uuids);
  return rows.map((row) => ({ uuid: row.uuid, personUuid: row.person_uuid }));
}
export type ErasedOneClick = { uuid: string; personUuid: string | null };

/** The 1-Clicks of a person at some brands (null: at all). `erased`: only those whose data was erased, or was not. */
export async function listOneClicksOf(
  reader: Reader,
  personUuid: string,
  { erased, brands = null }: { erased?: boolean; brands?: PersonAtBrands["brands"] } = {},
): Promise<string[]> {
  const rows = await reader
    .selectFrom("one_click")
    .select("uuid")
    .where("person_uuid", "=", personUuid)
    .where(isAmong("brand_uuid", brands))
    .$if(erased !== undefined, (query) => query.where("erased_at", erased === true ? "is not" : "is", null))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** The person of a 1-Click, and whether it was erased before it expired. Null if there is none. */
export async function findErasure(
  reader: Reader,
  uuid: string,
): Promise<{ personUuid: string | null; isErased: boolean } | null> {
  const row = await reader
    .selectFrom("one_click")
    .select(["person_uuid", "erased_at", "expires_at"])
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { personUuid: row.person_uuid, isErased: row.erased_at !== null && row.erased_at < row.expires_at };
}

/** Expired 1-Clicks that are not erased yet, in the order in which `lockExpiredOneClicks` locks them. */
export async function listExpiredOneClicks(
  reader: Reader,
  { environment, now, max }: Expired,
): Promise<ErasedOneClick[]> {
  const rows = await reader
    .selectFrom("one_click")
    .select(["uuid", "person_uuid"])
    .where("environment", "=", environment)
    .where("expires_at", "<=", now)
    .where("erased_at", "is", null)
    .orderBy("expires_at")
    .limit(max)
    .execute();
  return rows.map((row) => ({ uuid: row.uuid, personUuid: row.person_uuid }));
}

/** The brand of a 1-Click. */
export async function findBrandOf({ db }: Deps, uuid: string): Promise<string | null> {
  const row = await db.selectFrom("one_click").select("brand_uuid").where("uuid", "=", uuid).executeTakeFirst();
  return row?.brand_uuid ?? null;
}
