import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";

/**
 * Job: erases a 1-Click's data once it has expired. If the 1-Click was continued and expires later, reschedules itself.
 * `alongside` runs in the same transaction.
 */
export async function eraseOneClick(
  deps: Deps,
  { oneClickUuid }: { oneClickUuid: string },
  alongside: (trx: Trx, erased: { personUuid: string; oneClickUuid: string; now: number }) => Promise<void>,
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .selectFrom("one_click")
      .select(["expires_at", "person_uuid"])
      .where("uuid", "=", oneClickUuid)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return;
    if (row.expires_at > now) {
      await enqueue(trx, {
        environment: deps.environment,
        name: "signup.erase",
        subject: oneClickUuid,
        dueAt: row.expires_at,
        payload: { oneClickUuid },
      });
      return;
    }
    await trx.updateTable("one_click").set({ sealed: null, erased_at: now }).where("uuid", "=", oneClickUuid).execute();
    const personUuid = row.person_uuid;
    if (personUuid !== null) await alongside(trx, { personUuid, oneClickUuid, now });
  });
}
