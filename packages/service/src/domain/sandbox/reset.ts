import { breaksReference } from "../../store/outage.ts";
import { tablesElsewhere, tablesInCell } from "../account/person-tables.ts";
import { brandUuidsOf } from "../brand/brand-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";

/**
 * Deletes what a customer's brands created, as `person-tables.ts` lists it. Brands and the audit log stay. Returns the
 * number of deleted rows.
 */
export async function resetCustomer(deps: HomeDeps, customerUuid: string): Promise<number> {
  const { home, environment, cells } = deps;
  const brands = await brandUuidsOf(home, customerUuid);
  if (brands.length === 0) return 0;
  let count = 0;
  for (const { reset } of Object.values(tablesElsewhere))
    if (reset.kind === "erase") count += await reset.run(deps, { environment, brands });
  for (const cell of cells.all()) count += await resetCell(cell, brands);
  return count;
}

/** Maximum number of tries. Calls that run during the reset can insert rows that refer to rows of a later table. */
const triesMax = 5;

async function resetCell(deps: Deps, brands: readonly string[], tries = triesMax): Promise<number> {
  const scope = { environment: deps.environment, brands, keys: new Set<string>() };
  try {
    return await deps.db.inTransaction(async (trx) => {
      let count = 0;
      for (const { reset } of Object.values(tablesInCell))
        if (reset.kind === "erase") count += await reset.run(deps, trx, scope);
      return count;
    });
  } catch (error) {
    if (tries > 1 && breaksReference(error)) return await resetCell(deps, brands, tries - 1);
    throw error;
  }
}
