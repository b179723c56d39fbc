import type { Deps } from "../deps.ts";
import { destroyAnswersOf } from "../idempotency/answer.ts";
import { eraseExpired } from "../signup/erase.ts";

/** Job: erases an expired 1-Click's data together with the idempotent answers that contain it. */
export async function eraseOneClick(deps: Deps, { oneClickUuid }: { oneClickUuid: string }): Promise<void> {
  await deps.db.inTransaction(async (trx) => {
    const personUuid = (await eraseExpired(deps, trx, oneClickUuid))?.personUuid ?? null;
    if (personUuid !== null) await destroyAnswersOf(trx, { personUuid, oneClickUuid, now: deps.clock.now() });
  });
}
