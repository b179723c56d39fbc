import type { Deps } from "../deps.ts";
import { eraseVerificationRow } from "./store.ts";

/** Job: deletes a verification and its texts, 24 hours after it began. */
export async function eraseVerification(deps: Deps, { verificationUuid }: { verificationUuid: string }): Promise<void> {
  await deps.db.inTransaction((trx) => eraseVerificationRow(trx, verificationUuid));
}
