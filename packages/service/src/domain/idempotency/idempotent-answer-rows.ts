/** The rows of `idempotent_answer`: answers to requests with an idempotency key, each encrypted with a key of its own. */
import { deleteKeysWithoutPerson, destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { type Expired, lockExpired } from "../../store/expired.ts";
import type { Deps } from "../deps.ts";
import { wordHash } from "../token.ts";

/** Identifies a request: its brand, the endpoint, and the caller's key. */
export type AnswerKey = { brandUuid: string; endpoint: string; key: string };
/** The stored answer: status, body as text, and the `location` header if there was one. */
export type Answer = { status: number; body: string; location?: string };

export type AnswerRow = {
  uuid: string;
  bodyHash: Buffer;
  requestId: string;
  createdAt: number;
  /** The answer. `running`: it is not stored yet. `destroyed`: the data in it must not be read any more. */
  answer: Answer | "running" | "destroyed";
};

const place = (uuid: string) => ({ table: "idempotent_answer", row: uuid });

/** Inserts a row for a request that runs now. False if the key was used before. */
export async function insertAnswer(
  deps: Deps,
  trx: Trx,
  what: { uuid: string; of: AnswerKey; bodyHash: Buffer; requestId: string },
): Promise<boolean> {
  const now = deps.clock.now();
  const dataKey = await deps.vault.createDataKey(trx, deps.environment, now);
  const inserted = await trx
    .insertInto("idempotent_answer")
    .values({
      uuid: what.uuid,
      environment: deps.environment,
      brand_uuid: what.of.brandUuid,
      endpoint: what.of.endpoint,
      key_hash: wordHash(what.of.key),
      body_hash: what.bodyHash,
      request_id: what.requestId,
      data_key_uuid: dataKey.uuid,
      sealed: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["environment", "brand_uuid", "endpoint", "key_hash"]).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 0n) return true;
  await deleteKeysWithoutPerson(trx, [dataKey.uuid]);
  return false;
}

export async function findAnswer(deps: Deps, { brandUuid, endpoint, key }: AnswerKey): Promise<AnswerRow | null> {
  const row = await deps.db
    .selectFrom("idempotent_answer")
    .innerJoin("data_key", "data_key.uuid", "idempotent_answer.data_key_uuid")
    .selectAll("idempotent_answer")
    .select("data_key.wrapped")
    .where("idempotent_answer.environment", "=", deps.environment)
    .where("brand_uuid", "=", brandUuid)
    .where("endpoint", "=", endpoint)
    .where("key_hash", "=", wordHash(key))
    .executeTakeFirst();
  if (row === undefined) return null;
  const about = { uuid: row.uuid, bodyHash: row.body_hash, requestId: row.request_id, createdAt: row.created_at };
  if (row.wrapped === null) return { ...about, answer: "destroyed" };
  if (row.sealed === null) return { ...about, answer: "running" };
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return { ...about, answer: deps.vault.open<Answer>(dataKey, place(row.uuid), row.sealed) };
}

/** Locks the row of a request that still runs, and returns its request id. Null if it has an answer. */
export async function lockRunning(trx: Trx, uuid: string): Promise<string | null> {
  const row = await trx
    .selectFrom("idempotent_answer")
    .select(["sealed", "request_id"])
    .where("uuid", "=", uuid)
    .forUpdate()
    .executeTakeFirst();
  return row?.sealed === null ? row.request_id : null;
}

/** Stores the answer. Does nothing if the row or its key is gone. */
export async function setAnswer(
  deps: Deps,
  uuid: string,
  { answer, subjectUuid }: { answer: Answer; subjectUuid: string | null },
): Promise<void> {
  const row = await deps.db
    .selectFrom("idempotent_answer")
    .innerJoin("data_key", "data_key.uuid", "idempotent_answer.data_key_uuid")
    .select(["data_key_uuid", "data_key.wrapped"])
    .where("idempotent_answer.uuid", "=", uuid)
    .executeTakeFirst();
  // No row: the brand was reset. No key: the person withdrew in the meantime.
  if (row === undefined || row.wrapped === null) return;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  await deps.db
    .updateTable("idempotent_answer")
    .set({ sealed: deps.vault.seal(dataKey, place(uuid), answer), subject_uuid: subjectUuid })
    .where("uuid", "=", uuid)
    .execute();
}

/** Deletes answers to requests that began at `now` or before, and their keys. Returns how many there were. */
export async function deleteOldAnswers(trx: Trx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "idempotent_answer", "created_at", expired);
  await deleteAnswers(trx, uuids);
  return uuids.length;
}

/** Deletes rows and their keys. */
export async function deleteAnswers(trx: Trx, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  const rows = await trx
    .deleteFrom("idempotent_answer")
    .where("uuid", "in", uuids)
    .returning("data_key_uuid")
    .execute();
  await deleteKeysWithoutPerson(
    trx,
    rows.map((row) => row.data_key_uuid),
  );
}

/**
 * Destroys the keys of answers, found by the ids of their requests or by their subject. The rows stay, so the requests
 * do not run again. `brands`: only answers to these brands.
 */
export async function destroyAnswers(
  trx: Trx,
  which: { requestIds: readonly string[]; subjectUuids: readonly string[]; brands: readonly string[] | null },
  now: number,
): Promise<void> {
  const { requestIds, subjectUuids, brands } = which;
  if (requestIds.length === 0 && subjectUuids.length === 0) return;
  const rows = await trx
    .selectFrom("idempotent_answer")
    .select("data_key_uuid")
    .where(({ or, eb, fn, val }) =>
      or([
        eb("request_id", "=", fn.any(val([...requestIds]))),
        eb("subject_uuid", "=", fn.any(val([...subjectUuids]))),
      ]),
    )
    .$if(brands !== null, (query) => query.where("brand_uuid", "in", [...(brands ?? [])]))
    .execute();
  const keys = rows.map(({ data_key_uuid }) => data_key_uuid);
  await destroyDataKeys(trx, keys, now);
}
