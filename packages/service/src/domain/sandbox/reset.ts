import { elsewhere, inCell } from "../account/person-tables.ts";
import { brandsOf } from "../brand/brand-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";

/**
 * Deletes what a customer's brands created, as `person-tables.ts` lists it. Brands and the audit log stay. Returns the
 * number of deleted rows.
 */
export async function resetCustomer(deps: HomeDeps, customerUuid: string): Promise<number> {
  const { home, environment, cells } = deps;
  const brands = await brandsOf(home, customerUuid);
  if (brands.length === 0) return 0;
  let count = 0;
  for (const { reset } of Object.values(elsewhere))
    if (typeof reset === "function") count += await reset(deps, { environment, brands });
  for (const cell of cells.all()) count += await resetCell(cell, brands);
  return count;
}

async function resetCell(deps: Deps, brands: readonly string[]): Promise<number> {
  const of = { environment: deps.environment, brands, keys: new Set<string>() };
  return await deps.db.inTransaction(async (trx) => {
    let count = 0;
    for (const { reset } of Object.values(inCell)) if (typeof reset === "function") count += await reset(deps, trx, of);
    return count;
  });
}
