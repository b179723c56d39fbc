import { approvals, type IntegrationType } from "@countersign/contract/brand";
import { endKeysOf } from "./api-key-rows.ts";
import { findBrand } from "./brand-rows.ts";
import {
  type AdminDeps,
  changeBrands,
  changeSettings,
  createBrand,
  createCustomer,
  replaceSettings,
} from "./manage.ts";

/** The customers and brands that a new environment starts with. */
export type SeedCustomer = { uuid: string; name: string; email: string };
export type SeedBrand = {
  uuid: string;
  apiKey: string;
  name: string;
  customerUuid: string;
  integrationType: IntegrationType;
  settings: Record<string, unknown>;
};

/** Creates what is missing. Existing customers and brands keep their changes. */
export async function seed(
  deps: AdminDeps,
  input: { customers: readonly SeedCustomer[]; brands: readonly SeedBrand[] },
): Promise<void> {
  for (const customer of input.customers) await createCustomer(deps, customer);
  for (const brand of input.brands) {
    await createBrand(deps, {
      ...brand,
      settings: { ...brand.settings, integrationType: brand.integrationType },
      approvals,
    });
    await followPorts(deps, brand);
  }
}

/** Ends the keys of seeded brands, which are public. `seed` creates the seeded ones again. */
export async function endSeeded(
  deps: AdminDeps,
  brands: readonly Pick<SeedBrand, "uuid" | "apiKey">[],
): Promise<number> {
  const which = { brands: brands.map(({ uuid }) => uuid), seeded: brands.map(({ apiKey }) => apiKey) };
  return await changeBrands(deps, (trx) => endKeysOf(deps, trx, which));
}

/** Updates the default redirect of a seeded brand if the service now uses another port for the same page. */
async function followPorts(deps: AdminDeps, brand: SeedBrand): Promise<void> {
  const { redirectUrl } = brand.settings;
  if (typeof redirectUrl !== "string") return;
  const stored = (await findBrand(deps.home, deps.environment, brand.uuid))?.settings.redirectUrl ?? null;
  if (stored === null || stored === redirectUrl) return;
  if (new URL(stored).pathname === new URL(redirectUrl).pathname)
    await changeSettings(deps, brand.uuid, { redirectUrl });
}

/** Resets brands to the settings they were seeded with. */
export async function reseed(deps: AdminDeps, brands: readonly SeedBrand[]): Promise<void> {
  for (const brand of brands) {
    await replaceSettings(deps, brand.uuid, {
      ...brand,
      settings: { ...brand.settings, integrationType: brand.integrationType },
    });
  }
}
