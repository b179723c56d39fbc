/** Every version of every brand's settings. */
import type { BrandSettings, Environment } from "@countersign/contract/brand";
import type { HomeReader, HomeTrx } from "../../store/database.ts";

type Version = { brandUuid: string; version: number };

/** The settings of one version. */
export async function settingsAt(
  reader: HomeReader,
  environment: Environment,
  version: Version,
): Promise<BrandSettings> {
  return (await readVersion(reader, environment, version)).settings;
}

/** When a version was stored. */
export async function settingsStoredAt(
  reader: HomeReader,
  environment: Environment,
  version: Version,
): Promise<number> {
  return (await readVersion(reader, environment, version)).created_at;
}

async function readVersion(reader: HomeReader, environment: Environment, { brandUuid, version }: Version) {
  return await reader
    .selectFrom("brand_settings")
    .select(["settings", "created_at"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
}

/** Stores a new version. If the version exists, it stays. */
export async function insertSettings(
  trx: HomeTrx,
  input: Version & { environment: Environment; settings: BrandSettings; now: number },
): Promise<void> {
  await trx
    .insertInto("brand_settings")
    .values({
      brand_uuid: input.brandUuid,
      environment: input.environment,
      version: input.version,
      settings: JSON.stringify(input.settings),
      created_at: input.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
