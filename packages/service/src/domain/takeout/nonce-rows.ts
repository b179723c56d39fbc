/** The rows of `takeout_nonce`: used nonces, which are kept until they expire. */
import type { HomeTrx } from "../../store/database.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import type { Deps } from "../deps.ts";
import { tokenHash } from "../token.ts";

/** Marks nonces as used. If one was used before, marks none and returns false. */
export async function insertUsedNonces(
  deps: Pick<Deps, "home" | "environment" | "random">,
  nonces: readonly { nonce: string; expiresAt: number }[],
): Promise<boolean> {
  const rows = nonces.map(({ nonce, expiresAt }) => ({
    uuid: deps.random.uuid(),
    environment: deps.environment,
    hash: tokenHash(nonce),
    expires_at: expiresAt,
  }));
  const inserted = await deps.home
    .insertInto("takeout_nonce")
    .values(rows.sort((a, b) => Buffer.compare(a.hash, b.hash)))
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === BigInt(rows.length);
}

/** Deletes what has expired. Returns how many rows there were. */
export async function deleteExpiredNonces(trx: HomeTrx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "takeout_nonce", "expires_at", expired);
  if (uuids.length > 0) await trx.deleteFrom("takeout_nonce").where("uuid", "in", uuids).execute();
  return uuids.length;
}
