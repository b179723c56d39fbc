/** Every statement about `challenge_attempt`: the values that brands tried for a phone's challenges. */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";

type OfPhone = { environment: string; phoneIndex: Buffer };
/** One tried value of one input, as a hash. */
export type Attempt = { brand_uuid: string; input: string; value_hmac: Buffer; at: number };

/** Takes an advisory lock on a phone's attempts, because rows that do not exist yet cannot be locked. */
export async function lockAttempts(trx: Trx, { phoneIndex }: OfPhone): Promise<void> {
  await sql`select pg_advisory_xact_lock(${phoneIndex.readInt32BE(0)}, ${phoneIndex.readInt32BE(4)})`.execute(trx);
}

/** The attempts of all brands for a phone since an instant. */
export async function listChallengeAttempts(trx: Trx, of: OfPhone, since: number): Promise<Attempt[]> {
  return await trx
    .selectFrom("challenge_attempt")
    .select(["brand_uuid", "input", "value_hmac", "at"])
    .where("environment", "=", of.environment)
    .where("phone_index", "=", of.phoneIndex)
    .where("at", ">", since)
    .execute();
}

/** Counts a phone's attempts since an instant, at most some of each brand other than `brandUuid`. */
export async function countChallengeAttempts(
  reader: Reader,
  of: OfPhone,
  { brandUuid, since, ofOtherMax }: { brandUuid: string; since: number; ofOtherMax: { mismatches: number } },
): Promise<number> {
  const perBrand = await reader
    .selectFrom("challenge_attempt")
    .select(["brand_uuid", sql<number>`count(*)::int`.as("attempts")])
    .where("environment", "=", of.environment)
    .where("phone_index", "=", of.phoneIndex)
    .where("at", ">", since)
    .groupBy("brand_uuid")
    .execute();
  return perBrand.reduce(
    (sum, { brand_uuid, attempts }) =>
      sum + (brand_uuid === brandUuid ? attempts : Math.min(attempts, ofOtherMax.mismatches)),
    0,
  );
}

/** Inserts attempts, or updates the time of a value that was tried before. */
export async function upsertAttempts(trx: Trx, of: OfPhone, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await trx
    .insertInto("challenge_attempt")
    .values(attempts.map((one) => ({ environment: of.environment, phone_index: of.phoneIndex, ...one })))
    .onConflict((conflict) =>
      conflict
        .columns(["environment", "phone_index", "brand_uuid", "input", "value_hmac"])
        .doUpdateSet(({ ref }) => ({ at: ref("excluded.at") })),
    )
    .execute();
}

/** Deletes the attempts of a brand with one of these values. */
export async function deleteAttempts(
  reader: Reader,
  of: OfPhone,
  { brandUuid, hashes }: { brandUuid: string; hashes: readonly Buffer[] },
): Promise<void> {
  if (hashes.length === 0) return;
  await reader
    .deleteFrom("challenge_attempt")
    .where("environment", "=", of.environment)
    .where("phone_index", "=", of.phoneIndex)
    .where("brand_uuid", "=", brandUuid)
    .where("value_hmac", "in", hashes)
    .execute();
}

/** Deletes all attempts of a phone. */
export async function deleteAttemptsOfPhone(trx: Trx, of: OfPhone): Promise<void> {
  await trx
    .deleteFrom("challenge_attempt")
    .where("environment", "=", of.environment)
    .where("phone_index", "=", of.phoneIndex)
    .execute();
}

/** Deletes attempts that were counted at `before` or earlier. */
export async function deleteOldAttempts(reader: Reader, environment: string, before: number): Promise<void> {
  await reader
    .deleteFrom("challenge_attempt")
    .where("environment", "=", environment)
    .where("at", "<=", before)
    .execute();
}
