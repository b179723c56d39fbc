import { environments } from "@countersign/contract/brand";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { listBrandStates, setBrandName } from "../brand/brand-rows.ts";
import { type AdminDeps, changeBrands } from "../brand/manage.ts";
import type { AccountDeps } from "../deps.ts";
import { type MemberActor, recordChange } from "./account-audit-rows.ts";

/** A customer's brands, by name, with their state in each environment. */
export async function listBrands({ home }: AccountDeps, customerUuid: string): Promise<BrandLine[]> {
  const brands = new Map<string, BrandLine>();
  for (const { uuid, name, createdAt, environment, ...state } of await listBrandStates(home, customerUuid)) {
    const brand = brands.get(uuid) ?? { uuid, name, createdAt, environments: [] };
    brands.set(uuid, brand);
    const known = environments.find((one) => one === environment);
    if (known !== undefined) brand.environments.push({ environment: known, ...state });
  }
  for (const brand of brands.values()) brand.environments.sort((a, b) => b.environment.localeCompare(a.environment));
  return [...brands.values()].sort((a, b) => a.name.localeCompare(b.name) || a.uuid.localeCompare(b.uuid));
}

/** Changes the name that only members see. */
export async function rename(
  deps: AccountDeps,
  admin: AdminDeps,
  by: MemberActor,
  { uuid, before, name }: { uuid: string; before: string; name: string },
): Promise<void> {
  const changes = [{ path: "name", from: before, to: name }];
  await changeBrands(admin, async (trx) => {
    await Promise.all([
      setBrandName(trx, uuid, name),
      recordChange(deps, trx, by, { action: "brand.changed", brandUuid: uuid, changes }),
    ]);
  });
}
