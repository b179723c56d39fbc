import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";

/**
 * Erases a 1-Click's data if it has expired, and returns whose it was. If the 1-Click was continued and expires later,
 * schedules another attempt and returns null.
 */
export async function eraseExpired(
  deps: Deps,
  trx: Trx,
  oneClickUuid: string,
): Promise<{ personUuid: string | null } | null> {
  const now = deps.clock.now();
  const row = await trx
    .selectFrom("one_click")
    .select(["expires_at", "person_uuid"])
    .where("uuid", "=", oneClickUuid)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.expires_at > now) {
    await enqueue(trx, {
      environment: deps.environment,
      name: "signup.erase",
      subject: oneClickUuid,
      dueAt: row.expires_at,
      payload: { oneClickUuid },
    });
    return null;
  }
  await trx.updateTable("one_click").set({ sealed: null, erased_at: now }).where("uuid", "=", oneClickUuid).execute();
  return { personUuid: row.person_uuid };
}
