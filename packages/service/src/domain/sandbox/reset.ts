import { tablesElsewhere, tablesInCell } from "../account/person-tables.ts";
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
  for (const { reset } of Object.values(tablesElsewhere))
    if (reset.kind === "erase") count += await reset.run(deps, { environment, brands });
  for (const cell of cells.all()) count += await resetCell(cell, brands);
  return count;
}

async function resetCell(deps: Deps, brands: readonly string[]): Promise<number> {
  const scope = { environment: deps.environment, brands, keys: new Set<string>() };
  return await deps.db.inTransaction(async (trx) => {
    let count = 0;
    for (const { reset } of Object.values(tablesInCell))
      if (reset.kind === "erase") count += await reset.run(deps, trx, scope);
    return count;
  });
}
