import { deleteEarningsOf } from "../audit/ledger-rows.ts";
import { brandsOf } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import { deleteLookupsOf } from "../health/lookup-rows.ts";
import { deleteAnswersOfBrands } from "../idempotency/idempotent-answer-rows.ts";
import { deleteIssuedBy } from "../issuance/issued-credential-rows.ts";
import { deleteSessionsOfBrands } from "../session/session-rows.ts";
import { deleteAttemptsOfBrands } from "../signup/challenge-attempt-rows.ts";
import { deleteOneClicksOf } from "../signup/one-click-rows.ts";
import { deleteTextsOfBrands } from "../verification/texts/message-rows.ts";
import { deleteVerificationsOfBrands } from "../verification/verification-rows.ts";

/**
 * Deletes what a customer's brands created: verifications, texts, 1-Clicks, sessions, attempts, issued credentials and
 * earnings. Brands and the audit log stay. Returns the number of deleted objects.
 */
export async function resetCustomer(deps: Deps, customerUuid: string): Promise<number> {
  const brands = await brandsOf(deps.db, customerUuid);
  if (brands.length === 0) return 0;
  const { environment } = deps;
  return await deps.db.inTransaction(async (trx) => {
    const deleted = await Promise.all([
      deleteTextsOfBrands(deps, trx, brands),
      deleteVerificationsOfBrands(deps, trx, brands),
      deleteOneClicksOf(deps, trx, brands),
      deleteLookupsOf(deps, trx, brands),
      deleteSessionsOfBrands(trx, environment, brands),
      deleteAnswersOfBrands(trx, environment, brands),
      deleteIssuedBy(trx, environment, brands),
      deleteEarningsOf(deps, trx, brands),
    ]);
    await deleteAttemptsOfBrands(trx, { environment, brands });
    return deleted.reduce((sum, count) => sum + count, 0);
  });
}
