/** Every version of every brand's settings. */
import type { BrandSettings, Environment } from "@countersign/contract/brand";
import type { HomeReader, HomeTrx } from "../../store/database.ts";

type Version = { brandUuid: string; version: number };

/** The settings of one version. */
export async function settingsAt(reader: HomeReader, environment: Environment, about: Version): Promise<BrandSettings> {
  return (await readVersion(reader, environment, about)).settings;
}

/** When a version was stored. */
export async function settingsStoredAt(reader: HomeReader, environment: Environment, about: Version): Promise<number> {
  return (await readVersion(reader, environment, about)).created_at;
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
  about: Version & { environment: Environment; settings: BrandSettings; now: number },
): Promise<void> {
  await trx
    .insertInto("brand_settings")
    .values({
      brand_uuid: about.brandUuid,
      environment: about.environment,
      version: about.version,
      settings: JSON.stringify(about.settings),
      created_at: about.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
