import { type BrandTable, deleteOfBrands } from "../../store/delete-of-brands.ts";
import { brandsOf } from "../brand/brand-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { queueRevocations } from "../takeout/status.ts";
import { endTakeouts } from "../takeout/takeout-rows.ts";

/** The tables of the objects that brands create, in the order of deletion. */
const objectTables: readonly BrandTable[] = [
  "message",
  "verification",
  "verification_past",
  "one_click",
  "health_lookup",
  "issued_credential",
  "ledger_entry",
];
/** Objects that are found by a key of their own. */
const keyedTables: readonly BrandTable[] = ["session", "idempotent_answer"];
/** Tables whose rows are not counted as objects. Issued credentials refer to `issuance`. */
const otherTables: readonly BrandTable[] = ["issuance", "challenge_attempt", "webhook_delivery"];

/**
 * Deletes what a customer's brands created: verifications, texts, 1-Clicks, sessions, attempts, issued credentials and
 * earnings. It also deletes their webhook deliveries. Brands and the audit log stay. Returns the number of deleted objects.
 */
export async function resetCustomer(deps: HomeDeps, customerUuid: string): Promise<number> {
  const { home, environment, cells, everyKeyed } = deps;
  const brands = await brandsOf(home, customerUuid);
  if (brands.length === 0) return 0;
  await home.inTransaction((trx) => deleteOfBrands(trx, "openid_artifact", { environment, brands }));
  let count = 0;
  for (const keyed of everyKeyed()) {
    const deletedFrom = (table: BrandTable) =>
      keyed.inTransaction((trx) => deleteOfBrands(trx, table, { environment, brands }));
    for (const table of keyedTables) count += await deletedFrom(table);
  }
  for (const cell of cells.all()) count += await resetCell(cell, brands);
  return count;
}

async function resetCell(deps: Deps, brands: readonly string[]): Promise<number> {
  const { db, environment } = deps;
  return await db.inTransaction(async (trx) => {
    await queueRevocations(deps, trx, await endTakeouts(deps, trx, { brands }));
    const deletedFrom = (table: BrandTable) => deleteOfBrands(trx, table, { environment, brands });
    const [counts] = await Promise.all([
      Promise.all(objectTables.map(deletedFrom)),
      Promise.all(otherTables.map(deletedFrom)),
    ]);
    return counts.reduce((sum, one) => sum + one, 0);
  });
}
