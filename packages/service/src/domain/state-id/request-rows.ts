/** The rows of `state_id_request`: open requests for state IDs. An answer deletes its row, whatever it contains. */
import { findWrappedKey } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import { isAmong } from "../../store/statements/rows.ts";
import type { Deps } from "../deps.ts";
import { tokenHash } from "../token.ts";

const place = (uuid: string) => placeOf("state_id_request", uuid);

/** Who may answer: this browser, for this 1-Click, on a page of this origin. */
export type Binding = { uuid: string; oneClickUuid: string; browser: string; origin: string };

/** Stores a request, sealed like its 1-Click. An earlier request of the 1-Click ends. False if the 1-Click is gone. */
export async function insertStateIdRequest(
  deps: Deps,
  trx: Trx,
  { uuid, oneClickUuid, browser, origin, content, expiresAt }: Binding & { content: unknown; expiresAt: number },
): Promise<boolean> {
  const oneClick = await trx
    .selectFrom("one_click")
    .select("data_key_uuid")
    .where("uuid", "=", oneClickUuid)
    .where("environment", "=", deps.environment)
    .where("erased_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (oneClick === undefined) return false;
  const dataKey = await deps.vault.readDataKey(trx, oneClick.data_key_uuid);
  await trx.deleteFrom("state_id_request").where("one_click_uuid", "=", oneClickUuid).execute();
  await trx
    .insertInto("state_id_request")
    .values({
      uuid,
      environment: deps.environment,
      one_click_uuid: oneClickUuid,
      data_key_uuid: oneClick.data_key_uuid,
      browser_hash: tokenHash(browser),
      origin,
      sealed: deps.vault.seal(dataKey, place(uuid), content),
      expires_at: expiresAt,
    })
    .execute();
  return true;
}

/**
 * Ends an open request, and returns what it contained. Null if there is none, if another answer was first, or if its
 * key was destroyed. `Content` is the type that was sealed.
 */
export async function takeStateIdRequest<Content>(deps: Deps, bound: Binding): Promise<Content | null> {
  const row = await deps.db
    .deleteFrom("state_id_request")
    .where("uuid", "=", bound.uuid)
    .where("environment", "=", deps.environment)
    .where("one_click_uuid", "=", bound.oneClickUuid)
    .where("browser_hash", "=", tokenHash(bound.browser))
    .where("origin", "=", bound.origin)
    .where("expires_at", ">", deps.clock.now())
    .returning(["data_key_uuid", "sealed"])
    .executeTakeFirst();
  if (row === undefined) return null;
  const wrapped = await findWrappedKey(deps.db, row.data_key_uuid);
  if (wrapped === null) return null;
  return deps.vault.open<Content>(deps.vault.openDataKey(row.data_key_uuid, wrapped), place(bound.uuid), row.sealed);
}

/** Deletes the requests of 1-Clicks. */
export async function deleteStateIdRequestsOf(trx: Trx, oneClickUuids: readonly string[]): Promise<void> {
  if (oneClickUuids.length === 0) return;
  await trx.deleteFrom("state_id_request").where("one_click_uuid", "in", oneClickUuids).execute();
}

/** Deletes the requests of brands' 1-Clicks. Returns how many there were. */
export async function deleteStateIdRequestsOfBrands(
  trx: Trx,
  { environment, brands }: { environment: string; brands: readonly string[] },
): Promise<number> {
  const oneClicks = trx.selectFrom("one_click").select("uuid").where(isAmong("brand_uuid", brands));
  const { numDeletedRows } = await trx
    .deleteFrom("state_id_request")
    .where("environment", "=", environment)
    .where("one_click_uuid", "in", oneClicks)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes what has expired. Returns how many rows there were. */
export async function deleteExpiredStateIdRequests(trx: Trx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "state_id_request", "expires_at", expired);
  if (uuids.length > 0) await trx.deleteFrom("state_id_request").where("uuid", "in", uuids).execute();
  return uuids.length;
}
