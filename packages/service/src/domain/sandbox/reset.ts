import { type BrandTable, deleteOfBrands } from "../../store/delete-of-brands.ts";
import { brandsOf } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";

/** The tables of the objects that brands create, in the order of deletion. */
const objectTables: readonly BrandTable[] = [
  "message",
  "verification",
  "verification_past",
  "one_click",
  "health_lookup",
  "session",
  "idempotent_answer",
  "issued_credential",
  "ledger_entry",
];
/** Tables whose rows are not counted as objects. Issued credentials refer to `issuance`. */
const otherTables: readonly BrandTable[] = ["issuance", "challenge_attempt"];

/**
 * Deletes what a customer's brands created: verifications, texts, 1-Clicks, sessions, attempts, issued credentials and
 * earnings. Brands and the audit log stay. Returns the number of deleted objects.
 */
export async function resetCustomer({ db, home, environment }: Deps, customerUuid: string): Promise<number> {
  const brands = await brandsOf(home, customerUuid);
  if (brands.length === 0) return 0;
  await home.inTransaction((trx) => deleteOfBrands(trx, "openid_artifact", { environment, brands }));
  return await db.inTransaction(async (trx) => {
    const deletedFrom = (table: BrandTable) => deleteOfBrands(trx, table, { environment, brands });
    const [counts] = await Promise.all([
      Promise.all(objectTables.map(deletedFrom)),
      Promise.all(otherTables.map(deletedFrom)),
    ]);
    return counts.reduce((sum, count) => sum + count, 0);
  });
}
