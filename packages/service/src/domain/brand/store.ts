import { approvals, type BrandSettings, type Environment } from "@countersign/contract/brand";
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { announceChange } from "../../store/signals.ts";
import type { Brand, BrandMode } from "../deps.ts";

export type KeyOwner = {
  brand: Brand;
  apiKeyUuid: string;
  ipRanges: string[];
  /** When the key ends, by the environment's clock; null if it was not rolled. */
  endsAt: number | null;
};

const currentSettings = sql<number>`(select max(version) from brand_settings s where s.brand_uuid = brand.uuid and s.environment = brand_settings.environment)`;

function brandQuery(reader: Reader, environment: Environment) {
  return reader
    .selectFrom("brand")
    .innerJoin("brand_settings", "brand_settings.brand_uuid", "brand.uuid")
    .where("brand_settings.environment", "=", environment)
    .where("brand_settings.version", "=", currentSettings)
    .select(["brand.uuid", "brand.customer_uuid", "brand.name", "brand_settings.settings", "brand_settings.version"])
    .select((eb) =>
      eb
        .selectFrom("brand_approval")
        .select(sql<string[]>`coalesce(array_agg(approval), '{}')`.as("approvals"))
        .whereRef("brand_approval.brand_uuid", "=", "brand.uuid")
        .where("brand_approval.environment", "=", environment)
        .as("approvals"),
    )
    .select((eb) =>
      eb
        .selectFrom("brand_mode")
        .select("mode")
        .whereRef("brand_mode.brand_uuid", "=", "brand.uuid")
        .where("brand_mode.environment", "=", environment)
        .as("mode"),
    );
}

type BrandRow = {
  uuid: string;
  customer_uuid: string;
  name: string;
  settings: BrandSettings;
  version: number;
  approvals: string[] | null;
  mode: BrandMode | null;
};

function toBrand(row: BrandRow): Brand {
  const granted = approvals.filter((one) => row.approvals?.includes(one));
  return {
    uuid: row.uuid,
    customerUuid: row.customer_uuid,
    name: row.name,
    settings: row.settings,
    settingsVersion: row.version,
    approvals: new Set(granted),
    mode: row.mode ?? "active",
  };
}

export async function findBrand(reader: Reader, environment: Environment, uuid: string | null): Promise<Brand | null> {
  if (uuid === null) return null;
  const row = await brandQuery(reader, environment).where("brand.uuid", "=", uuid).executeTakeFirst();
  return row === undefined ? null : toBrand(row);
}

/** Brands by uuid. Unknown uuids are left out. */
export async function findBrands(
  reader: Reader,
  environment: Environment,
  uuids: readonly string[],
): Promise<Map<string, Brand>> {
  const rows = await brandQuery(reader, environment)
    .where(({ eb, fn, val }) => eb("brand.uuid", "=", fn.any(val(uuids))))
    .execute();
  return new Map(rows.map((row) => [row.uuid, toBrand(row)]));
}

/** A brand whose pages people can use; null if the operator restricts the brand. */
export async function findActiveBrand(
  reader: Reader,
  environment: Environment,
  uuid: string | null,
): Promise<Brand | null> {
  const brand = await findBrand(reader, environment, uuid);
  return brand?.mode === "active" ? brand : null;
}

/** The names that people see for these brands. */
export async function brandNames(
  reader: Reader,
  environment: Environment,
  uuids: readonly string[],
): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await brandQuery(reader, environment).where("brand.uuid", "in", uuids).execute();
  return new Map(rows.map((row) => [row.uuid, row.settings.externalName]));
}

/** The settings of one version. */
export async function settingsAt(
  reader: Reader,
  environment: Environment,
  about: { brandUuid: string; version: number },
): Promise<BrandSettings> {
  const row = await reader
    .selectFrom("brand_settings")
    .select("settings")
    .where("brand_uuid", "=", about.brandUuid)
    .where("environment", "=", environment)
    .where("version", "=", about.version)
    .executeTakeFirstOrThrow();
  return row.settings;
}

/** The owner of a key; null if the key is unknown, revoked, or for another environment. */
export async function findKeyOwner(reader: Reader, environment: Environment, hash: Buffer): Promise<KeyOwner | null> {
  const row = await brandQuery(reader, environment)
    .innerJoin("api_key", "api_key.brand_uuid", "brand.uuid")
    .where("api_key.environment", "=", environment)
    .where("api_key.hash", "=", hash)
    .where("api_key.revoked_at", "is", null)
    .select(["api_key.uuid as api_key_uuid", "api_key.ip_ranges", "api_key.ends_at"])
    .executeTakeFirst();
  if (row === undefined) return null;
  return { brand: toBrand(row), apiKeyUuid: row.api_key_uuid, ipRanges: row.ip_ranges, endsAt: row.ends_at };
}

/**
 * Stores a new version of the settings; false if another change stored that version first. Deletes the stored logo if
 * the settings have none.
 */
export async function insertSettings(
  trx: Trx,
  about: { brandUuid: string; environment: Environment; version: number; settings: BrandSettings; now: number },
): Promise<boolean> {
  const result = await trx
    .insertInto("brand_settings")
    .values({
      brand_uuid: about.brandUuid,
      environment: about.environment,
      version: about.version,
      settings: JSON.stringify(about.settings),
      created_at: about.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  const isNew = result.numInsertedOrUpdatedRows === 1n;
  if (isNew && about.settings.styling.logoUrl === null)
    await trx
      .deleteFrom("brand_logo")
      .where("brand_uuid", "=", about.brandUuid)
      .where("environment", "=", about.environment)
      .execute();
  return isNew;
}

/** Notifies every process on commit that its cached brands and keys may be stale. */
export async function announceBrandChange(trx: Trx): Promise<void> {
  await sql.raw(announceChange).execute(trx);
}

/** Whether a brand has ever been used, which restricts changes of its integration type. */
export async function hasTraffic(reader: Reader, environment: Environment, brandUuid: string): Promise<boolean> {
  const { rows } = await sql<{ seen: boolean }>`
    select exists (select from one_click where brand_uuid = ${brandUuid} and environment = ${environment})
        or exists (select from verification where brand_uuid = ${brandUuid} and environment = ${environment})
        or exists (select from health_lookup where brand_uuid = ${brandUuid} and environment = ${environment})
        or exists (select from session where brand_uuid = ${brandUuid} and environment = ${environment})
        or exists (select from issuance where brand_uuid = ${brandUuid} and environment = ${environment}) as seen
  `.execute(reader);
  return rows[0]?.seen === true;
}
