/**
 * Which brands a person's page shows. In a sandbox, two customers may test with the same number, and neither may learn
 * about the other, so a number belongs to the customer whose brand used it first. All customers share the fixed test
 * people. Their pages show the demo brands if DEMO is on, and none otherwise.
 */
import { findFirstBrand } from "../audit/audit-rows.ts";
import { brandUuidsOf, findBrand } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import type { Phone } from "../ports.ts";

/** The brands that are shown. Null: all brands. */
export type VisibleBrands = readonly string[] | null;

export async function shownBrands(
  deps: Deps,
  { phone, customerUuid }: { phone: Phone; customerUuid: string | null },
): Promise<VisibleBrands> {
  if (!deps.phones.sharesNumbers) return null;
  if (deps.phones.isFixed(phone)) return deps.policy.fixedPeopleShow;
  return customerUuid === null ? [] : await brandUuidsOf(deps.home, customerUuid);
}

/** The customer whose brand appears first in a person's audit entries up to `at`. Null: no customer. */
export async function ownerAt(deps: Deps, input: { personUuid: string; at: number }): Promise<string | null> {
  const brandUuid = deps.phones.sharesNumbers ? await findFirstBrand(deps, input) : null;
  return brandUuid === null ? null : ((await findBrand(deps.home, deps.environment, brandUuid))?.customerUuid ?? null);
}
