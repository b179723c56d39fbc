/** The logos of brands, one per brand and environment. */
import type { Environment } from "@countersign/contract/brand";
import type { HomeReader, HomeTrx } from "../../store/database.ts";

export type LogoType = "png" | "jpg";
type Owner = { brandUuid: string; environment: Environment };

/** Stores a logo in place of the previous one. */
export async function putLogoRow(
  trx: HomeTrx,
  { brandUuid, environment, hash, type, bytes, now }: Owner & LogoName & { bytes: Buffer; now: number },
): Promise<void> {
  const row = { hash, type, bytes, created_at: now };
  await trx
    .insertInto("brand_logo")
    .values({ brand_uuid: brandUuid, environment, ...row })
    .onConflict((conflict) => conflict.columns(["brand_uuid", "environment"]).doUpdateSet(row))
    .execute();
}

/** The SHA-256 hash and the type of a logo. Both are in its URL. */
type LogoName = { hash: Buffer; type: LogoType };

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
    .executeTakeFirst();
  return row?.bytes ?? null;
}

export async function deleteLogo(trx: HomeTrx, { brandUuid, environment }: Owner): Promise<void> {
  await trx
    .deleteFrom("brand_logo")
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .execute();
}
