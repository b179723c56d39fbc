import { type Environment, environments } from "@countersign/contract/brand";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { type MemberActor, recordChange } from "../audit/account-audit-rows.ts";
import { lastUsesOf } from "../brand/api-key-rows.ts";
import { brandsWith, listBrandStates, setBrandName } from "../brand/brand-rows.ts";
import { type AdminDeps, changeBrands } from "../brand/manage.ts";
import { assertLabel } from "../brand/name.ts";
import type { AccountDeps } from "../deps.ts";

/** A customer's brands, by name, with their state in each environment. */
export async function listBrands({ home, clock }: AccountDeps, customerUuid: string): Promise<BrandLine[]> {
  const states = await listBrandStates(home, customerUuid);
  const uuids = [...new Set(states.map(({ uuid }) => uuid))];
  const approvedIn = (environment: Environment) =>
    brandsWith(home, { environment, approval: "production", brands: uuids });
  const lastUses = await lastUsesOf(home, uuids);
  const approved = new Map(await Promise.all(environments.map(async (one) => [one, await approvedIn(one)] as const)));
  const brands = new Map<string, BrandLine>();
  for (const { uuid, name, createdAt, environment, version, mode, externalName, integrationType } of states) {
    const lastUse = lastUses.get(uuid);
    // The sandbox's clock may have been ahead, and no last request is in the future.
    const lastUsedAt = lastUse === undefined ? null : Math.min(lastUse, clock.now());
    const brand = brands.get(uuid) ?? { uuid, name, createdAt, lastUsedAt, environments: [] };
    brands.set(uuid, brand);
    const known = environments.find((one) => one === environment);
    if (known === undefined) continue;
    const isApproved = approved.get(known)?.has(uuid) === true;
    brand.environments.push({ environment: known, isApproved, version, mode, externalName, integrationType });
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
  assertLabel("body.name", name);
  const changes = [{ path: "name", from: before, to: name }];
  await changeBrands(admin, async (trx) => {
    await Promise.all([
      setBrandName(trx, uuid, name),
      recordChange(deps, trx, by, { action: "brand.changed", brandUuid: uuid, changes }),
    ]);
  });
}
