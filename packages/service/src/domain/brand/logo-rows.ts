/** The logos of brands: per brand and environment, the one in use and one that waits for the operator's approval. */
import type { Environment } from "@countersign/contract/brand";
import type { HomeReader, HomeTrx } from "../../store/database.ts";

export type LogoType = "png" | "jpg";
type Owner = { brandUuid: string; environment: Environment };

/** Stores a logo in place of the previous one, or of the previous one that waited. */
export async function putLogoRow(
  trx: HomeTrx,
  { brandUuid, environment, hash, type, bytes, isWaiting, now }: Owner & NewLogoRow,
): Promise<void> {
  const row = { hash, type, bytes, created_at: now };
  await trx
    .insertInto("brand_logo")
    .values({ brand_uuid: brandUuid, environment, is_waiting: isWaiting, ...row })
    .onConflict((conflict) => conflict.columns(["brand_uuid", "environment", "is_waiting"]).doUpdateSet(row))
    .execute();
}
type NewLogoRow = LogoName & { bytes: Buffer; isWaiting: boolean; now: number };

/** The SHA-256 hash and the type of a logo. Both are in its URL. */
type LogoName = { hash: Buffer; type: LogoType };

/** A logo in use. A waiting one has no URL that works. */
export async function findLogoBytes(
  reader: HomeReader,
  environment: Environment,
  { hash, type }: LogoName,
): Promise<Buffer | null> {
  const row = await reader
    .selectFrom("brand_logo")
    .select("bytes")
    .where("environment", "=", environment)
    .where("hash", "=", hash)
    .where("type", "=", type)
    .where("is_waiting", "=", false)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

/** The picture that waits for the operator; null if none was uploaded. */
export async function findWaitingLogo(
  reader: HomeReader,
  { brandUuid, environment }: Owner,
): Promise<{ type: LogoType; bytes: Buffer } | null> {
  const row = await reader
    .selectFrom("brand_logo")
    .select(["type", "bytes"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where("is_waiting", "=", true)
    .executeTakeFirst();
  return row ?? null;
}

/** Starts to use the logo that waits, in place of the former one. */
export async function useWaitingLogo(trx: HomeTrx, owner: Owner): Promise<void> {
  await deleteLogo(trx, { ...owner, isWaiting: false });
  await trx
    .updateTable("brand_logo")
    .set({ is_waiting: false })
    .where("brand_uuid", "=", owner.brandUuid)
    .where("environment", "=", owner.environment)
    .execute();
}

export async function deleteLogo(
  trx: HomeTrx,
  { brandUuid, environment, isWaiting }: Owner & { isWaiting: boolean },
): Promise<void> {
  await trx
    .deleteFrom("brand_logo")
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where("is_waiting", "=", isWaiting)
    .execute();
}
