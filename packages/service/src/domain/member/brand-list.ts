import { environments } from "@countersign/contract/brand";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { sql } from "kysely";
import type { Ledger } from "../brand/manage.ts";
import { announceBrandChange } from "../brand/store.ts";
import { type Actor, recordChange } from "./audit.ts";
import type { AccountDeps } from "./deps.ts";

/** A customer's brands, by name, with their state in each environment. */
export async function listBrands({ db }: AccountDeps, customerUuid: string): Promise<BrandLine[]> {
  const rows = await db
    .selectFrom("brand")
    .innerJoin("brand_settings", "brand_settings.brand_uuid", "brand.uuid")
    .where("brand.customer_uuid", "=", customerUuid)
    .distinctOn(["brand.uuid", "brand_settings.environment"])
    .leftJoin("brand_mode", (join) =>
      join
        .onRef("brand_mode.brand_uuid", "=", "brand.uuid")
        .onRef("brand_mode.environment", "=", "brand_settings.environment"),
    )
    .select(["brand.uuid", "brand.name", "brand.created_at", "brand_settings.environment", "brand_settings.version"])
    .select("brand_mode.mode")
    .select(sql<string>`settings ->> 'externalName'`.as("external_name"))
    .select(sql<BrandLine["environments"][number]["integrationType"]>`settings ->> 'integrationType'`.as("type"))
    .orderBy("brand.uuid")
    .orderBy("brand_settings.environment")
    .orderBy("brand_settings.version", "desc")
    .execute();
  const brands = new Map<string, BrandLine>();
  for (const row of rows) {
    const brand = brands.get(row.uuid) ?? {
      uuid: row.uuid,
      name: row.name,
      createdAt: row.created_at,
      environments: [],
    };
    brands.set(row.uuid, brand);
    const environment = environments.find((one) => one === row.environment);
    if (environment === undefined) continue;
    const { version, external_name: externalName, type: integrationType } = row;
    const mode = row.mode ?? "active";
    brand.environments.push({ environment, externalName, integrationType, version, mode });
  }
  for (const brand of brands.values()) brand.environments.sort((a, b) => b.environment.localeCompare(a.environment));
  return [...brands.values()].sort((a, b) => a.name.localeCompare(b.name) || a.uuid.localeCompare(b.uuid));
}

/** Changes the name that only members see. */
export async function rename(
  deps: AccountDeps,
  ledger: Ledger,
  by: Actor,
  what: { uuid: string; before: string; name: string },
): Promise<void> {
  await deps.db.inTransaction(async (trx) => {
    await trx.updateTable("brand").set({ name: what.name }).where("uuid", "=", what.uuid).execute();
    await announceBrandChange(trx);
    const changes = [{ path: "name", from: what.before, to: what.name }];
    await recordChange(deps, trx, by, { action: "brand.changed", brandUuid: what.uuid, changes });
  });
  ledger.changed();
}
