import { brandsOf } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";

/**
 * Deletes what a customer's brands created: verifications, texts, 1-Clicks, sessions, attempts, issued credentials and
 * earnings. Brands and the audit log stay.
 */
export async function resetCustomer(deps: Deps, customerUuid: string): Promise<number> {
  const brands = await brandsOf(deps.db, customerUuid);
  if (brands.length === 0) return 0;
  return await deps.db.inTransaction(async (trx) => {
    let removed = 0n;
    for (const table of [
      "message",
      "verification",
      "verification_past",
      "one_click",
      "health_lookup",
      "session",
      "idempotent_answer",
      "issued_credential",
      "ledger_entry",
    ] as const) {
      const result = await trx
        .deleteFrom(table)
        .where("environment", "=", deps.environment)
        .where("brand_uuid", "in", brands)
        .executeTakeFirst();
      removed += result.numDeletedRows;
    }
    await trx
      .deleteFrom("issuance")
      .where("environment", "=", deps.environment)
      .where("brand_uuid", "in", brands)
      .execute();
    await trx
      .deleteFrom("challenge_attempt")
      .where("environment", "=", deps.environment)
      .where("brand_uuid", "in", brands)
      .execute();
    return Number(removed);
  });
}
