/**
 * Idempotent requests. The first request with a key runs, and its answer is stored encrypted for a day. A repeated
 * request with the same body gets that answer and changes nothing.
 */

import { isUuid } from "@countersign/contract/primitives";
import { deleteKeyWithoutPerson, destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import { placeOf } from "../../store/seal.ts";
import { findReleasedBy, hasRecorded } from "../audit/audit-rows.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { read } from "../signup/read.ts";
import { wordHash } from "../token.ts";

/** How long an answer is kept, in milliseconds. */
export const answerKeptMs = 24 * 60 * 60_000;

/** A request without an answer for this long was cut off: the process that ran it is gone. */
const abandonedMs = 60_000;

/** Identifies a request: the caller, the endpoint, the caller's key, and the body as text. */
export type Asked = { caller: Caller; endpoint: string; key: string; body: string };
/** The stored answer: status, body as text, and the `location` header if there was one. */
export type Answer = { status: number; body: string; location?: string };
export type Claim =
  /** The key is new: the caller runs the request now. */
  | { kind: "ours"; uuid: string }
  | { kind: "answered"; answer: Answer }
  /** The same key was used with another body. */
  | { kind: "otherBody" }
  /** The first request is still running. */
  | { kind: "inFlight" };

/** Claims a key for a request, or returns the state of the request that already claimed it. */
export async function claimAnswer(deps: Deps, asked: Asked): Promise<Claim> {
  const uuid = deps.random.uuid();
  const bodyHash = bodyHashOf(deps, asked);
  const isOurs = await deps.db.inTransaction(async (trx) => {
    const now = deps.clock.now();
    const dataKey = await deps.vault.createDataKey(trx, deps.environment, now);
    const inserted = await trx
      .insertInto("idempotent_answer")
      .values({
        uuid,
        environment: deps.environment,
        brand_uuid: asked.caller.brand.uuid,
        endpoint: asked.endpoint,
        key_hash: wordHash(asked.key),
        body_hash: bodyHash,
        request_id: asked.caller.requestId,
        data_key_uuid: dataKey.uuid,
        sealed: null,
        created_at: now,
      })
      .onConflict((conflict) => conflict.columns(["environment", "brand_uuid", "endpoint", "key_hash"]).doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 0n) {
      await deleteKeyWithoutPerson(trx, dataKey.uuid);
      return false;
    }
    await enqueue(trx, {
      environment: deps.environment,
      name: "idempotency.erase",
      subject: uuid,
      dueAt: now + answerKeptMs,
      payload: { answerUuid: uuid },
    });
    return true;
  });
  return isOurs ? { kind: "ours", uuid } : ((await earlierAnswer(deps, asked)) ?? { kind: "inFlight" });
}

function bodyHashOf({ vault }: Deps, { caller, endpoint, body }: Asked): Buffer {
  return vault.codeHash(`idempotency|${caller.brand.uuid}|${endpoint}`, body);
}

/** The state of the request that claimed the key, read without a write; null if the key is free. */
export async function earlierAnswer(deps: Deps, asked: Asked): Promise<Claim | null> {
  const row = await deps.db
    .selectFrom("idempotent_answer")
    .innerJoin("data_key", "data_key.uuid", "idempotent_answer.data_key_uuid")
    .selectAll("idempotent_answer")
    .select("data_key.wrapped")
    .where("idempotent_answer.environment", "=", deps.environment)
    .where("brand_uuid", "=", asked.caller.brand.uuid)
    .where("endpoint", "=", asked.endpoint)
    .where("key_hash", "=", wordHash(asked.key))
    .executeTakeFirst();
  if (row === undefined) return null;
  if (!row.body_hash.equals(bodyHashOf(deps, asked))) return { kind: "otherBody" };
  // The person withdrew, or the 1-Click ended, so the answer is gone. Do not run the request a second time.
  if (row.wrapped === null) throw fail("OCE015", {});
  if (row.sealed === null) {
    const isAbandoned = deps.clock.now() - row.created_at >= abandonedMs;
    return isAbandoned && (await giveUpAnswer(deps, row.uuid)) ? null : { kind: "inFlight" };
  }
  await readAgain(deps, asked.caller, row.request_id);
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    kind: "answered",
    answer: deps.vault.open<Answer>(dataKey, placeOf("idempotent_answer", row.uuid), row.sealed),
  };
}

/** Frees the key of a request that was cut off before it changed anything. A change would be in the audit log. */
export async function giveUpAnswer(deps: Deps, uuid: string): Promise<boolean> {
  return await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .selectFrom("idempotent_answer")
      .select(["sealed", "request_id"])
      .where("uuid", "=", uuid)
      .forUpdate()
      .executeTakeFirst();
    if (row?.sealed !== null) return false;
    if (await hasRecorded(trx, row.request_id)) return false;
    await erase(trx, uuid);
    return true;
  });
}

/**
 * Checks that the data in a stored answer is still readable, and records the replay as a read. The person sees the
 * read, v1's five minutes start with it, and withdrawn or ended data is OCE015.
 */
async function readAgain(deps: Deps, caller: Caller, requestId: string): Promise<void> {
  const uuid = await findReleasedBy(deps.db, requestId);
  if (uuid !== null) await read(deps, caller, uuid);
}

/** Stores the answer, before it is sent to the caller. */
export async function keepAnswer(deps: Deps, uuid: string, answer: Answer): Promise<void> {
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
    .set({
      sealed: deps.vault.seal(dataKey, placeOf("idempotent_answer", uuid), answer),
      subject_uuid: subjectOf(answer),
    })
    .where("uuid", "=", uuid)
    .execute();
}

/** The uuid of the created object. Answers about a single object have it as `uuid`. */
function subjectOf({ body }: Answer): string | null {
  const told: unknown = body === "" ? null : JSON.parse(body);
  const uuid = typeof told === "object" && told !== null && "uuid" in told ? told.uuid : null;
  return typeof uuid === "string" && isUuid(uuid) ? uuid : null;
}

/**
 * Destroys the answers that released a 1-Click's data, because they must not outlive that data. The rows stay, so the
 * requests do not run again.
 */
export async function destroyAnswersOf(
  trx: Trx,
  { personUuid, oneClickUuid, now }: { personUuid: string; oneClickUuid: string; now: number },
): Promise<void> {
  const given = trx
    .selectFrom("idempotent_answer")
    .select("data_key_uuid")
    .where("request_id", "in", (query) =>
      query
        .selectFrom("audit")
        .select("request_id")
        .where("person_uuid", "=", personUuid)
        .where("one_click_uuid", "=", oneClickUuid)
        .$castTo<{ request_id: string }>(),
    );
  await destroyKeys(trx, await given.execute(), now);
}

/** Frees the key of a request that changed nothing, so it can be retried. */
export async function releaseAnswer(deps: Deps, uuid: string): Promise<void> {
  await deps.db.inTransaction((trx) => erase(trx, uuid));
}

/** Job: erases an answer after a day. */
export async function eraseAnswer(deps: Deps, { answerUuid }: { answerUuid: string }): Promise<void> {
  await deps.db.inTransaction((trx) => erase(trx, answerUuid));
}

async function erase(trx: Trx, uuid: string): Promise<void> {
  const row = await trx
    .deleteFrom("idempotent_answer")
    .where("uuid", "=", uuid)
    .returning("data_key_uuid")
    .executeTakeFirst();
  if (row !== undefined) await deleteKeyWithoutPerson(trx, row.data_key_uuid);
}

/**
 * Destroys the answers given to brands (null: all brands) about a person. The rows stay for the rest of the day, so a
 * repeated request does not run again. Answers are found by the audit log's request ids, or by the subject of an answer
 * that is not in the audit log yet.
 */
export async function destroyAnswersAbout(
  trx: Trx,
  { personUuid, brands, now }: { personUuid: string; brands: readonly string[] | null; now: number },
): Promise<void> {
  const byRequest = trx
    .selectFrom("idempotent_answer")
    .select(["data_key_uuid", "brand_uuid"])
    .where("request_id", "in", (query) =>
      query
        .selectFrom("audit")
        .select("request_id")
        .where("person_uuid", "=", personUuid)
        .$castTo<{ request_id: string }>(),
    );
  const theirs = trx
    .selectFrom("verification")
    .select("uuid")
    .where("person_uuid", "=", personUuid)
    .unionAll(trx.selectFrom("one_click").select("uuid").where("person_uuid", "=", personUuid));
  const bySubject = trx
    .selectFrom("idempotent_answer")
    .select(["data_key_uuid", "brand_uuid"])
    .where("subject_uuid", "in", theirs);
  const about = trx.selectFrom(byRequest.union(bySubject).as("about")).select("data_key_uuid");
  const keys = brands === null ? about : about.where("brand_uuid", "in", [...brands]);
  await destroyKeys(trx, await keys.execute(), now);
}

async function destroyKeys(trx: Trx, rows: readonly { data_key_uuid: string }[], now: number): Promise<void> {
  const uuids = rows.map(({ data_key_uuid }) => data_key_uuid);
  await destroyDataKeys(trx, uuids, now);
}
