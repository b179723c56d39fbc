/**
 * The rows of `idempotent_answer`: answers to requests with an idempotency key, each encrypted with a key of its own.
 * The brand, the endpoint and the idempotency key select the database of a row, which may be another one than the
 * person's.
 */

import { findKeyed } from "../../store/cells/keyed.ts";
import { deleteDataKeys, destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Keyed, KeyedTrx } from "../../store/database.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import { largeBytes, smallOnly } from "../../store/statements/large-columns.ts";
import type { Deps } from "../deps.ts";
import { holdLarge } from "../large-values.ts";
import { tokenHash } from "../token.ts";

/** Identifies a request: its brand, the endpoint, and the caller's key. */
export type AnswerKey = { brandUuid: string; endpoint: string; idempotencyKey: string };
/**
 * The stored answer: its status and its body as text. A redirect also has its `location` and the `channel` of the
 * verification, which its headers contained. `warning` is the header of that name.
 */
export type Answer = {
  status: number;
  body: string;
  location?: string | undefined;
  channel?: string | undefined;
  warning?: string | undefined;
};

/** Identifies a row. `keyed` is its database, even if the key moves to another database while the request runs. */
export type AnswerRef = { uuid: string; keyed: Keyed };
export type AnswerRow = AnswerRef & {
  bodyHash: Buffer;
  requestId: string;
  /** The object that the request created, if it is a single one. */
  subjectUuid: string | null;
  createdAt: number;
  /** The answer. `running`: it is not stored yet. `destroyed`: its data may no longer be read. */
  answer: Answer | "running" | "destroyed";
};

/** The key that selects the database of a row. */
export function answerSelector({ brandUuid, endpoint, idempotencyKey }: AnswerKey): string {
  return tokenHash(JSON.stringify([brandUuid, endpoint, idempotencyKey])).toString("hex");
}

const place = (uuid: string) => ({ table: "idempotent_answer", row: uuid });

/** Inserts a row for a request that runs now. False if the key was used before. */
export async function insertAnswer(
  deps: Deps,
  trx: KeyedTrx,
  { uuid, key, bodyHash, requestId }: { uuid: string; key: AnswerKey; bodyHash: Buffer; requestId: string },
): Promise<boolean> {
  const now = deps.clock.now();
  const dataKey = await deps.vault.createDataKey(trx, deps.environment, now);
  const inserted = await trx
    .insertInto("idempotent_answer")
    .values({
      uuid,
      environment: deps.environment,
      brand_uuid: key.brandUuid,
      endpoint: key.endpoint,
      key_hash: tokenHash(key.idempotencyKey),
      body_hash: bodyHash,
      request_id: requestId,
      data_key_uuid: dataKey.uuid,
      sealed: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["environment", "brand_uuid", "endpoint", "key_hash"]).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 0n) return true;
  await deleteDataKeys(trx, [dataKey.uuid]);
  return false;
}

/** The answer for a key. If the key moved to another database in the last day, the answer may be in the former one. */
export async function findAnswer(deps: Deps, key: AnswerKey): Promise<AnswerRow | null> {
  return await findKeyed(deps, answerSelector(key), (keyed) => findAnswerIn(deps, keyed, key));
}

export async function findAnswerIn(deps: Deps, keyed: Keyed, key: AnswerKey): Promise<AnswerRow | null> {
  const row = await keyed
    .selectFrom("idempotent_answer")
    .innerJoin("data_key", "data_key.uuid", "idempotent_answer.data_key_uuid")
    .select(["idempotent_answer.uuid", "body_hash", "request_id", "subject_uuid", "idempotent_answer.created_at"])
    .select(["data_key_uuid", "data_key.wrapped"])
    .select([
      smallOnly("idempotent_answer.sealed").as("sealed"),
      largeBytes("idempotent_answer.sealed").as("large_bytes"),
    ])
    .where("idempotent_answer.environment", "=", deps.environment)
    .where("brand_uuid", "=", key.brandUuid)
    .where("endpoint", "=", key.endpoint)
    .where("key_hash", "=", tokenHash(key.idempotencyKey))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { uuid, body_hash: bodyHash, request_id: requestId, subject_uuid: subjectUuid, created_at: createdAt } = row;
  const found = { uuid, keyed, bodyHash, requestId, subjectUuid, createdAt };
  if (row.wrapped === null) return { ...found, answer: "destroyed" };
  const sealed = row.large_bytes === 0 ? row.sealed : await readLarge(keyed, uuid, row.large_bytes);
  if (sealed === null) return { ...found, answer: row.large_bytes === 0 ? "running" : "destroyed" };
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return { ...found, answer: deps.vault.open<Answer>(dataKey, place(row.uuid), sealed) };
}

/** Null if the row was deleted meanwhile. */
async function readLarge(keyed: Keyed, uuid: string, bytes: number): Promise<Buffer | null> {
  await holdLarge(bytes, { mayWait: true });
  const row = await keyed.selectFrom("idempotent_answer").select("sealed").where("uuid", "=", uuid).executeTakeFirst();
  return row?.sealed ?? null;
}

/** The request id of a row without an answer. Null if it has one, or if there is no such row. */
export async function findRunning({ uuid, keyed }: AnswerRef): Promise<string | null> {
  const row = await keyed
    .selectFrom("idempotent_answer")
    .select("request_id")
    .where("uuid", "=", uuid)
    .where("sealed", "is", null)
    .executeTakeFirst();
  return row?.request_id ?? null;
}

/** Stores the answer. Does nothing if the row or its key is gone. */
export async function setAnswer(
  deps: Deps,
  { uuid, keyed }: AnswerRef,
  { answer, subjectUuid }: { answer: Answer; subjectUuid: string | null },
): Promise<void> {
  const row = await keyed
    .selectFrom("idempotent_answer")
    .innerJoin("data_key", "data_key.uuid", "idempotent_answer.data_key_uuid")
    .select(["data_key_uuid", "data_key.wrapped"])
    .where("idempotent_answer.uuid", "=", uuid)
    .executeTakeFirst();
  // No row: the brand was reset. No key: the person withdrew in the meantime.
  if (row === undefined || row.wrapped === null) return;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  await keyed
    .updateTable("idempotent_answer")
    .set({ sealed: deps.vault.seal(dataKey, place(uuid), answer), subject_uuid: subjectUuid })
    .where("uuid", "=", uuid)
    .execute();
}

/** Deletes answers to requests that began at `now` or before, and their keys. Returns how many there were. */
export async function deleteOldAnswers(trx: KeyedTrx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "idempotent_answer", "created_at", expired);
  await deleteAnswers(trx, uuids);
  return uuids.length;
}

/** Deletes rows and their keys. `runningOnly`: only those without an answer. Returns how many there were. */
export async function deleteAnswers(
  trx: KeyedTrx,
  uuids: readonly string[],
  { runningOnly = false }: { runningOnly?: boolean } = {},
): Promise<number> {
  if (uuids.length === 0) return 0;
  const rows = await trx
    .deleteFrom("idempotent_answer")
    .where("uuid", "in", uuids)
    .$if(runningOnly, (query) => query.where("sealed", "is", null))
    .returning("data_key_uuid")
    .execute();
  await deleteDataKeys(
    trx,
    rows.map((row) => row.data_key_uuid),
  );
  return rows.length;
}

/** Destroys the keys of answers. The rows stay, so the requests do not run again. */
export async function destroyAnswers(keyed: Keyed, which: AnswerSelection, now: number): Promise<void> {
  const { requestIds, subjectUuids, brands, before } = which;
  if (requestIds.length === 0 && subjectUuids.length === 0) return;
  const rows = await keyed
    .selectFrom("idempotent_answer")
    .select("data_key_uuid")
    .where(({ or, eb, fn, val }) =>
      or([
        eb("request_id", "=", fn.any(val([...requestIds]))),
        eb("subject_uuid", "=", fn.any(val([...subjectUuids]))),
      ]),
    )
    .$if(brands !== null, (query) => query.where("brand_uuid", "in", [...(brands ?? [])]))
    .$if(before !== undefined, (query) => query.where("created_at", "<", before ?? 0))
    .execute();
  const keys = rows.map(({ data_key_uuid }) => data_key_uuid);
  await keyed.inTransaction((trx) => destroyDataKeys(trx, keys, now));
}

/**
 * Selects answers by request id or by subject, and only those to these brands (null: to any). `before`: only requests
 * that began earlier.
 */
export type AnswerSelection = {
  requestIds: readonly string[];
  subjectUuids: readonly string[];
  brands: readonly string[] | null;
  before?: number | undefined;
};
