import { approvals, type IntegrationType } from "@countersign/contract/brand";
import { createBrand, createCustomer, type Ledger, replaceSettings } from "./manage.ts";

/** A customer or brand that a fresh environment starts with. */
export type SeedCustomer = { uuid: string; name: string; email: string };
export type SeedBrand = {
  uuid: string;
  apiKey: string;
  name: string;
  customerUuid: string;
  integrationType: IntegrationType;
  settings: Record<string, unknown>;
};

/** Makes what is not there yet; what is there keeps its changes. */
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
  }
}

/** Puts brands back to the settings they were seeded with. */
export async function reseed(ledger: Ledger, brands: readonly SeedBrand[]): Promise<void> {
  for (const brand of brands) {
    await replaceSettings(ledger, brand.uuid, {
      ...brand,
      settings: { ...brand.settings, integrationType: brand.integrationType },
    });
  }
}
