/** The rows of sign-ins: codes emailed to members, and links. `one-time-code.ts` counts attempts and consumes codes. */
import { sql } from "kysely";
import type { Home, HomeReader, HomeTrx } from "../../store/database.ts";
import { deleteInBatches } from "../../store/statements/deletes.ts";
import { insertRows } from "../../store/statements/rows.ts";

/** Locks the sign-ins of an email address until the transaction ends, so parallel requests are counted one by one. */
export async function lockSignInsOf(trx: HomeTrx, emailIndex: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(${emailIndex.readInt32BE(0)}, ${emailIndex.readInt32BE(4)})`.execute(trx);
}

/** The number of sign-ins by code that an email address began after `since`. */
export async function countSignIns(trx: HomeTrx, emailIndex: Buffer, since: number): Promise<number> {
  const { count } = await trx
    .selectFrom("sign_in")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("email_index", "=", emailIndex)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return count;
}

/** A sign-in by code has a hash of the code and the address's index. A link has only its own hash. */
export type NewSignIn = {
  uuid: string;
  memberUuid: string | null;
  emailIndex?: Buffer;
  keyedHash?: Buffer;
  linkHash?: Buffer;
  now: number;
  expiresAt: number;
};

export async function insertSignIn(trx: HomeTrx, row: NewSignIn): Promise<void> {
  await insertRows(trx, "sign_in", [
    {
      uuid: row.uuid,
      member_uuid: row.memberUuid,
      email_index: row.emailIndex ?? null,
      code_hmac: row.keyedHash ?? null,
      link_hash: row.linkHash ?? null,
      created_at: row.now,
      expires_at: row.expiresAt,
      used_at: null,
    },
  ]);
}

/** The uuid of the member that an unused link is for. */
export async function findLink(reader: HomeReader, linkHash: Buffer, now: number): Promise<string | null> {
  const row = await reader
    .selectFrom("sign_in")
    .select("member_uuid")
    .where("link_hash", "=", linkHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.member_uuid ?? null;
}

/** Marks a link as used, once, and returns its member's uuid. Null if it was used or deleted. */
export async function takeLink(trx: HomeTrx, linkHash: Buffer, now: number): Promise<string | null> {
  const row = await trx
    .updateTable("sign_in")
    .set({ used_at: now })
    .where("link_hash", "=", linkHash)
    .where("used_at", "is", null)
    .returning("member_uuid")
    .executeTakeFirst();
  return row?.member_uuid ?? null;
}

/** Deletes a member's links, used or not. Codes stay, because they are counted. */
export async function deleteLinksOf(trx: HomeTrx, memberUuid: string): Promise<void> {
  await trx.deleteFrom("sign_in").where("member_uuid", "=", memberUuid).where("link_hash", "is not", null).execute();
}

/** Ends a member's emailed codes. Their rows stay, because they are counted. */
export async function endCodesOf(trx: HomeTrx, memberUuid: string, now: number): Promise<void> {
  await trx
    .updateTable("sign_in")
    .set({ used_at: now })
    .where("member_uuid", "=", memberUuid)
    .where("code_hmac", "is not", null)
    .where("used_at", "is", null)
    .execute();
}

export async function deleteSignInsOf(trx: HomeTrx, memberUuid: string): Promise<void> {
  await trx.deleteFrom("sign_in").where("member_uuid", "=", memberUuid).execute();
}

/** Deletes all sign-ins that expired before an instant. */
export async function deleteSignInsBefore(trx: HomeTrx, expiredBefore: number): Promise<void> {
  await trx.deleteFrom("sign_in").where("expires_at", "<", expiredBefore).execute();
}

export async function sweepSignIns(db: Home, expiredBefore: number): Promise<number> {
  return await deleteInBatches(db, "sign_in", sql`expires_at < ${expiredBefore}`);
}

/** Deletes all links and codes, also the used ones. Returns how many there were. */
export async function deleteEverySignIn(trx: HomeTrx): Promise<number> {
  return Number((await trx.deleteFrom("sign_in").executeTakeFirst()).numDeletedRows);
}
