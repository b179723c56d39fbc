import type { Deps } from "../deps.ts";
import { eraseVerificationRow } from "./store.ts";

/** Job: 24 hours after it began, a verification and its texts are gone. */
export async function eraseVerification(deps: Deps, { verificationUuid }: { verificationUuid: string }): Promise<void> {
  await deps.db.transaction().execute((trx) => eraseVerificationRow(trx, verificationUuid));
}
