/** Brands, what the operator allows them to do, and their newest settings. */
import {
  type Approval,
  approvals,
  type BrandSettings,
  type Environment,
  type IntegrationType,
} from "@countersign/contract/brand";
import { usualWebhookEvents } from "@countersign/contract/webhook";
import { type RawBuilder, sql } from "kysely";
import type { KeyedStores } from "../../store/cells/keyed.ts";
import type { AnyReader, HomeReader, HomeTrx, Reader } from "../../store/database.ts";
import { announceChange } from "../../store/signals.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { Brand, BrandMode } from "../deps.ts";
import { may } from "./permission.ts";
import { type PermissionRow, permissionQuery, permittedOf } from "./permission-rows.ts";

export type KeyOwner = {
  brand: Brand;
  apiKeyUuid: string;
  ipRanges: string[];
  /** When the key ends, by the environment's clock; null if it was not rolled. */
  endsAt: number | null;
};

const currentSettings = sql<number>`(select max(version) from brand_settings s where s.brand_uuid = brand.uuid and s.environment = brand_settings.environment)`;

function brandQuery(reader: AnyReader, environment: Environment | RawBuilder<Environment>) {
  return permissionQuery(reader, environment)
    .innerJoin("brand_settings", "brand_settings.brand_uuid", "brand.uuid")
    .where("brand_settings.environment", "=", environment)
    .where("brand_settings.version", "=", currentSettings)
    .select(["brand.uuid", "brand.customer_uuid", "brand.name", "brand_settings.settings", "brand_settings.version"])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("webhook_endpoint")
            .select("uuid")
            .whereRef("webhook_endpoint.brand_uuid", "=", "brand.uuid")
            .where("webhook_endpoint.environment", "=", environment)
            .where("deleted_at", "is", null)
            .where("disabled_at", "is", null)
            .where(sql<boolean>`events <> ${sql.lit(`{${usualWebhookEvents.join()}}`)}`),
        )
        .$castTo<boolean>()
        .as("hears_signups"),
    );
}

type BrandRow = PermissionRow & {
  uuid: string;
  name: string;
  settings: BrandSettings;
  version: number;
  hears_signups: boolean;
};

function toBrand(row: BrandRow): Brand {
  return {
    uuid: row.uuid,
    name: row.name,
    settings: row.settings,
    settingsVersion: row.version,
    hearsSignups: row.hears_signups,
    ...permittedOf(row),
  };
}

export async function findBrand(
  reader: HomeReader,
  environment: Environment,
  uuid: string | null,
): Promise<Brand | null> {
  if (uuid === null) return null;
  const [row] = (await brandStatement(reader, { environment, uuid })).rows;
  return row === undefined ? null : toBrand(row);
}
const brandStatement = statement(
  (db, { environment, uuid }: Placeholders<{ environment: Environment; uuid: string }>) =>
    brandQuery(db, environment).where("brand.uuid", "=", uuid),
);

/** A brand of this customer; null for an unknown brand or another customer's. */
export async function findOwnBrand(
  reader: HomeReader,
  environment: Environment,
  customerUuid: string,
  brandUuid: string,
): Promise<Brand | null> {
  const brand = await findBrand(reader, environment, brandUuid);
  return brand?.customerUuid === customerUuid ? brand : null;
}

/** The uuids of a customer's brands. */
export async function brandUuidsOf(reader: HomeReader, customerUuid: string): Promise<string[]> {
  const rows = await reader.selectFrom("brand").select("uuid").where("customer_uuid", "=", customerUuid).execute();
  return rows.map((row) => row.uuid);
}

/** The uuids that are brands, in any environment. */
export async function existingBrands(reader: HomeReader, uuids: readonly string[]): Promise<Set<string>> {
  const rows = await reader.selectFrom("brand").select("uuid").where("uuid", "in", uuids).execute();
  return new Set(rows.map((row) => row.uuid));
}

/** The names that brands have in this service. */
export async function fullNames(reader: HomeReader, uuids: readonly string[]): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("brand")
    .select(["uuid", "name"])
    .where("uuid", "in", [...new Set(uuids)])
    .execute();
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}

/** Brands by uuid. Unknown uuids are left out. */
export async function findBrands(
  reader: HomeReader,
  environment: Environment,
  uuids: readonly string[],
): Promise<Map<string, Brand>> {
  const found = await Promise.all([...new Set(uuids)].map((uuid) => findBrand(reader, environment, uuid)));
  return new Map(found.flatMap((brand) => (brand === null ? [] : [[brand.uuid, brand]])));
}

/** A brand that may act, so people can use its pages; null if the operator does not let it. */
export async function findActiveBrand(
  reader: HomeReader,
  environment: Environment,
  uuid: string | null,
): Promise<Brand | null> {
  const brand = await findBrand(reader, environment, uuid);
  return brand !== null && may(brand, "act") ? brand : null;
}

/** The brands among these whose credentials count: approved for issuance, and not stopped by the operator. */
export async function findIssuers(
  reader: HomeReader,
  environment: Environment,
  uuids: readonly string[],
): Promise<Set<string>> {
  const brands = await findBrands(reader, environment, [...new Set(uuids)]);
  const issuers = [...brands.values()].filter((brand) => brand.approvals.has("issuance") && may(brand, "read"));
  return new Set(issuers.map(({ uuid }) => uuid));
}

/** The names that people see for these brands. */
export async function brandNames(
  reader: HomeReader,
  environment: Environment,
  uuids: readonly string[],
): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await brandQuery(reader, environment).where("brand.uuid", "in", uuids).execute();
  return new Map(rows.map((row) => [row.uuid, row.settings.externalName]));
}

/** The owner of a key; null if the key is unknown, revoked, or for another environment. */
export async function findKeyOwner(
  reader: HomeReader,
  environment: Environment,
  hash: Buffer,
): Promise<KeyOwner | null> {
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

/** Locks a brand until the transaction ends. The lock does not block inserts that reference the brand. */
export async function lockBrandRow(trx: HomeTrx, uuid: string): Promise<void> {
  await trx.selectFrom("brand").select("uuid").where("uuid", "=", uuid).forNoKeyUpdate().execute();
}

/** Locks a brand and reads it. */
export async function lockBrand(trx: HomeTrx, environment: Environment, uuid: string): Promise<Brand | null> {
  await lockBrandRow(trx, uuid);
  return await findBrand(trx, environment, uuid);
}

/** Stores a brand. An existing brand keeps its name and its customer. */
export async function insertBrand(
  trx: HomeTrx,
  { uuid, customerUuid, name, now }: { uuid: string; customerUuid: string; name: string; now: number },
): Promise<void> {
  await trx
    .insertInto("brand")
    .values({ uuid, customer_uuid: customerUuid, name, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Sets the name that only members see. */
export async function setBrandName(trx: HomeTrx, uuid: string, name: string): Promise<void> {
  await trx.updateTable("brand").set({ name }).where("uuid", "=", uuid).execute();
}

/** Sets a brand's mode. An active brand has no row. */
export async function setBrandMode(
  trx: HomeTrx,
  { brandUuid, environment, mode, now }: BrandIn & { mode: BrandMode; now: number },
): Promise<void> {
  await trx
    .deleteFrom("brand_mode")
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .execute();
  if (mode !== "active")
    await trx.insertInto("brand_mode").values({ brand_uuid: brandUuid, environment, mode, set_at: now }).execute();
}
type BrandIn = { brandUuid: string; environment: Environment };

/** Grants approvals. An approval that the brand has keeps its time. */
export async function grantApprovals(
  trx: HomeTrx,
  { brandUuid, environment, granted, now }: BrandIn & { granted: readonly Approval[]; now: number },
): Promise<void> {
  if (granted.length === 0) return;
  await trx
    .insertInto("brand_approval")
    .values(granted.map((approval) => ({ brand_uuid: brandUuid, environment, approval, granted_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function revokeApproval(
  trx: HomeTrx,
  { brandUuid, environment, approval }: BrandIn & { approval: Approval },
): Promise<void> {
  await trx
    .deleteFrom("brand_approval")
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where("approval", "=", approval)
    .execute();
}

/** Which of some brands have an approval. */
export async function brandsWith(
  reader: HomeReader,
  { environment, approval, brands }: { environment: Environment; approval: Approval; brands: readonly string[] },
): Promise<Set<string>> {
  if (brands.length === 0) return new Set();
  const rows = await reader
    .selectFrom("brand_approval")
    .select("brand_uuid")
    .where("environment", "=", environment)
    .where("approval", "=", approval)
    .where("brand_uuid", "in", brands)
    .execute();
  return new Set(rows.map((row) => row.brand_uuid));
}

/** A brand's approvals with their times, in the order of the contract. */
export async function listApprovals(
  reader: HomeReader,
  { brandUuid, environment }: BrandIn,
): Promise<{ approval: Approval; grantedAt: number }[]> {
  const rows = await reader
    .selectFrom("brand_approval")
    .select(["approval", "granted_at"])
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .execute();
  const times = new Map(rows.map((row) => [row.approval, row.granted_at]));
  return approvals.flatMap((approval) => {
    const grantedAt = times.get(approval);
    return grantedAt === undefined ? [] : [{ approval, grantedAt }];
  });
}

export type BrandState = {
  uuid: string;
  customer: string;
  name: string;
  createdAt: number;
  environment: Environment;
  version: number;
  mode: BrandMode;
  externalName: string;
  integrationType: IntegrationType;
};

/** A customer's brands (null: all brands), one row per environment in which they have settings. */
export async function listBrandStates(reader: HomeReader, customerUuid: string | null): Promise<BrandState[]> {
  const rows = await reader
    .selectFrom("brand")
    .innerJoin("brand_settings", "brand_settings.brand_uuid", "brand.uuid")
    .$if(customerUuid !== null, (query) => query.where("brand.customer_uuid", "=", customerUuid ?? ""))
    .distinctOn(["brand.uuid", "brand_settings.environment"])
    .leftJoin("brand_mode", (join) =>
      join
        .onRef("brand_mode.brand_uuid", "=", "brand.uuid")
        .onRef("brand_mode.environment", "=", "brand_settings.environment"),
    )
    .select(["brand.uuid", "brand.name", "brand.created_at as createdAt", "brand.customer_uuid as customer"])
    .select(["brand_settings.version", "brand_mode.mode"])
    .select(sql<Environment>`brand_settings.environment`.as("environment"))
    .select(sql<string>`settings ->> 'externalName'`.as("externalName"))
    .select(sql<IntegrationType>`settings ->> 'integrationType'`.as("integrationType"))
    .orderBy("brand.uuid")
    .orderBy("brand_settings.environment")
    .orderBy("brand_settings.version", "desc")
    .execute();
  return rows.map((row) => ({ ...row, mode: row.mode ?? "active" }));
}

/** Notifies every process on commit that its cached brands and keys may be stale. */
export async function announceBrandChange(trx: HomeTrx): Promise<void> {
  await sql.raw(announceChange).execute(trx);
}

/** Whether a brand has ever been used in any of the cells, which restricts changes of its integration type. */
export async function hasTraffic(
  { cells, keyed }: { cells(): readonly Reader[]; keyed: Pick<KeyedStores, "every"> },
  environment: Environment,
  brandUuid: string,
): Promise<boolean> {
  for (const store of keyed.every()) {
    const ofBrand = store.selectFrom("session").select("uuid").where("brand_uuid", "=", brandUuid);
    if ((await ofBrand.where("environment", "=", environment).limit(1).executeTakeFirst()) !== undefined) return true;
  }
  return await inAny(
    cells(),
    sql<{ found: boolean }>`
    select exists (select from one_click where brand_uuid = ${brandUuid} and environment = ${environment})
        or exists (select from verification where brand_uuid = ${brandUuid} and environment = ${environment})
        or exists (select from health_lookup where brand_uuid = ${brandUuid} and environment = ${environment})
        or exists (select from issuance where brand_uuid = ${brandUuid} and environment = ${environment}) as found`,
  );
}

/** Whether a 1-Click of the brand has been answered, in any of the cells. */
export async function hasAnsweredOneClick(
  cells: readonly Reader[],
  environment: Environment,
  brandUuid: string,
): Promise<boolean> {
  return await inAny(
    cells,
    sql<{ found: boolean }>`
    select exists (select from one_click where brand_uuid = ${brandUuid} and environment = ${environment}
                      and state = 'released') as found`,
  );
}

async function inAny(cells: readonly Reader[], query: RawBuilder<{ found: boolean }>): Promise<boolean> {
  const answers = await Promise.all(cells.map((reader) => query.execute(reader)));
  return answers.some(({ rows }) => rows[0]?.found === true);
}
