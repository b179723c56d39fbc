import { approvals, type IntegrationType } from "@countersign/contract/brand";
import { endKeysOf, hasKey } from "./api-key-rows.ts";
import { type BrandState, findBrand, listBrandStates, setBrandMode } from "./brand-rows.ts";
import {
  type AdminDeps,
  changeBrands,
  changeSettings,
  createBrand,
  createCustomer,
  replaceSettings,
  setMode,
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

/**
 * Creates what is missing, and opens what `endSeeded` closed. Other customers and brands keep their changes.
 * `deleteWebhooks`: deletes a brand's webhooks.
 */
export async function seed(
  deps: AdminDeps,
  input: {
    customers: readonly SeedCustomer[];
    brands: readonly SeedBrand[];
    deleteWebhooks(brandUuid: string): Promise<void>;
  },
): Promise<void> {
  for (const customer of input.customers) await createCustomer(deps, customer);
  for (const brand of input.brands) {
    // Only `endSeeded` deletes a seeded key, of a brand that it stops. A stopped brand that has its key was limited by
    // the operator, and stays so.
    const stored = (await hasKey(deps.home, brand.apiKey))
      ? null
      : await findBrand(deps.home, deps.environment, brand.uuid);
    if (stored?.mode === "stopped") {
      // The key is public, so anybody may have made these settings and webhooks.
      await reseed(deps, [brand]);
      await input.deleteWebhooks(brand.uuid);
      await setMode(deps, { brandUuid: brand.uuid, mode: "active" });
    }
    // The key comes last, because a start that is interrupted before it does all of this again.
    await createBrand(deps, {
      ...brand,
      settings: { ...brand.settings, integrationType: brand.integrationType },
      approvals,
    });
    await followPorts(deps, brand);
  }
}

/**
 * Ends the keys of seeded customers and stops their brands, in all environments: the seeded keys are public, so anybody
 * may have made the others. Returns how many keys and brands there were.
 */
export async function endSeeded(
  deps: AdminDeps,
  seeded: { customers: readonly Pick<SeedCustomer, "uuid">[]; brands: readonly Pick<SeedBrand, "uuid" | "apiKey">[] },
): Promise<{ keys: number; brands: number }> {
  return await changeBrands(deps, async (trx) => {
    const states = (await Promise.all(seeded.customers.map(({ uuid }) => listBrandStates(trx, uuid)))).flat();
    if (states.length === 0) return { keys: 0, brands: 0 };
    const brands = [...new Set(states.map(({ uuid }) => uuid))];
    const isOpenHere = ({ mode, environment }: BrandState) => mode === "active" && environment === deps.environment;
    const active = new Set(states.filter(isOpenHere).map(({ uuid }) => uuid));
    const reopened = seeded.brands.filter(({ uuid }) => active.has(uuid)).map(({ apiKey }) => apiKey);
    const keys = await endKeysOf(deps, trx, { brands, reopened });
    const open = states.filter(({ mode }) => mode !== "stopped");
    const now = deps.clock.now();
    for (const { uuid: brandUuid, environment } of open)
      await setBrandMode(trx, { brandUuid, environment, mode: "stopped", now });
    return { keys, brands: open.length };
  });
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
