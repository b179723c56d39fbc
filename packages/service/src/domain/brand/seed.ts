import { approvals, type IntegrationType } from "@countersign/contract/brand";
import { changeSettings, createBrand, createCustomer, type Ledger, replaceSettings } from "./manage.ts";
import { findBrand } from "./store.ts";

/** Customers and brands of a new environment. */
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
  ledger: Ledger,
  what: { customers: readonly SeedCustomer[]; brands: readonly SeedBrand[] },
): Promise<void> {
  for (const customer of what.customers) await createCustomer(ledger, customer);
  for (const brand of what.brands) {
    await createBrand(ledger, {
      ...brand,
      settings: { ...brand.settings, integrationType: brand.integrationType },
      approvals,
    });
    await followPorts(ledger, brand);
  }
}

/** Updates the default redirect of a seeded brand if the service now runs on another port but the page is the same. */
async function followPorts(ledger: Ledger, brand: SeedBrand): Promise<void> {
  const { redirectUrl } = brand.settings;
  if (typeof redirectUrl !== "string") return;
  const stored = (await findBrand(ledger.db, ledger.environment, brand.uuid))?.settings.redirectUrl ?? null;
  if (stored === null || stored === redirectUrl) return;
  if (new URL(stored).pathname === new URL(redirectUrl).pathname)
    await changeSettings(ledger, brand.uuid, { redirectUrl });
}

/** Resets brands to the settings they were seeded with. */
export async function reseed(ledger: Ledger, brands: readonly SeedBrand[]): Promise<void> {
  for (const brand of brands) {
    await replaceSettings(ledger, brand.uuid, {
      ...brand,
      settings: { ...brand.settings, integrationType: brand.integrationType },
    });
  }
}
