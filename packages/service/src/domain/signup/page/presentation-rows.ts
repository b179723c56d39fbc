/** The rows of `presentation`: what a page asks the person's wallet app for, and what it presented. */
import { findWrappedKey } from "../../../store/data-key-rows.ts";
import type { Reader, Trx } from "../../../store/database.ts";
import { placeOf } from "../../../store/seal.ts";
import { type Expired, lockExpired } from "../../../store/statements/expired.ts";
import { isAmong } from "../../../store/statements/rows.ts";
import type { Deps } from "../../deps.ts";
import { tokenHash } from "../../token.ts";

const place = (uuid: string) => placeOf("presentation", uuid);

export type NewPresentation = {
  uuid: string;
  oneClickUuid: string;
  token: string;
  nonce: string;
  content: unknown;
  expiresAt: number;
};

/** Stores a request, sealed like its 1-Click. An earlier request of the 1-Click ends. False if the 1-Click is gone. */
export async function insertPresentation(deps: Deps, trx: Trx, input: NewPresentation): Promise<boolean> {
  const oneClick = await trx
    .selectFrom("one_click")
    .select("data_key_uuid")
    .where("uuid", "=", input.oneClickUuid)
    .where("state", "=", "awaitingDecision")
    .where("erased_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (oneClick === undefined) return false;
  const dataKey = await deps.vault.readDataKey(trx, oneClick.data_key_uuid);
  await trx.deleteFrom("presentation").where("one_click_uuid", "=", input.oneClickUuid).execute();
  await trx
    .insertInto("presentation")
    .values({
      uuid: input.uuid,
      environment: deps.environment,
      one_click_uuid: input.oneClickUuid,
      data_key_uuid: oneClick.data_key_uuid,
      word_hash: tokenHash(input.token),
      nonce_hash: tokenHash(input.nonce),
      code_hash: null,
      sealed: deps.vault.seal(dataKey, place(input.uuid), input.content),
      expires_at: input.expiresAt,
    })
    .execute();
  return true;
}

type By = { token: string } | { code: string; oneClickUuid: string };
export type FoundPresentation<Content> = { uuid: string; nonceHash: Buffer; content: Content };

/**
 * An open request by its token, or a presented one by its code. Null if there is none, or if its key was destroyed.
 * `Content` is the type that was sealed.
 */
export async function findPresentation<Content>(
  deps: Deps,
  reader: Reader,
  by: By,
): Promise<FoundPresentation<Content> | null> {
  const query = reader
    .selectFrom("presentation")
    .select(["uuid", "nonce_hash", "data_key_uuid", "sealed"])
    .where("environment", "=", deps.environment)
    .where("expires_at", ">", deps.clock.now());
  const row = await ("token" in by
    ? query.where("word_hash", "=", tokenHash(by.token)).where("code_hash", "is", null)
    : query.where("code_hash", "=", tokenHash(by.code)).where("one_click_uuid", "=", by.oneClickUuid)
  ).executeTakeFirst();
  if (row === undefined) return null;
  const wrapped = await findWrappedKey(reader, row.data_key_uuid);
  if (wrapped === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, wrapped);
  const content = deps.vault.open<Content>(dataKey, place(row.uuid), row.sealed);
  return { uuid: row.uuid, nonceHash: row.nonce_hash, content };
}

/** Stores what was presented, once. False if another presentation was first, or if the request or its key is gone. */
export async function setPresented(
  deps: Deps,
  { uuid, code, content }: { uuid: string; code: string; content: unknown },
): Promise<boolean> {
  return await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .selectFrom("presentation")
      .select("data_key_uuid")
      .where("uuid", "=", uuid)
      .where("code_hash", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return false;
    const wrapped = await findWrappedKey(trx, row.data_key_uuid);
    if (wrapped === null) return false;
    const dataKey = deps.vault.openDataKey(row.data_key_uuid, wrapped);
    const sealed = deps.vault.seal(dataKey, place(uuid), content);
    await trx
      .updateTable("presentation")
      .set({ code_hash: tokenHash(code), sealed })
      .where("uuid", "=", uuid)
      .execute();
    return true;
  });
}

export async function deletePresentation(trx: Trx, uuid: string): Promise<void> {
  await trx.deleteFrom("presentation").where("uuid", "=", uuid).execute();
}

/** Deletes the requests of 1-Clicks, and what was presented for them. */
export async function deletePresentationsOf(trx: Trx, oneClickUuids: readonly string[]): Promise<void> {
  if (oneClickUuids.length === 0) return;
  await trx.deleteFrom("presentation").where("one_click_uuid", "in", oneClickUuids).execute();
}

/** Deletes the requests of brands' 1-Clicks. Returns how many there were. */
export async function deletePresentationsOfBrands(
  trx: Trx,
  { environment, brands }: { environment: string; brands: readonly string[] },
): Promise<number> {
  const oneClicks = trx.selectFrom("one_click").select("uuid").where(isAmong("brand_uuid", brands));
  const { numDeletedRows } = await trx
    .deleteFrom("presentation")
    .where("environment", "=", environment)
    .where("one_click_uuid", "in", oneClicks)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes what has expired. Returns how many rows there were. */
export async function deleteExpiredPresentations(trx: Trx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "presentation", "expires_at", expired);
  if (uuids.length > 0) await trx.deleteFrom("presentation").where("uuid", "in", uuids).execute();
  return uuids.length;
}
