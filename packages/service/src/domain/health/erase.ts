import { destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";

/** How long to wait before checking again for deliveries that need the lookup's own key. */
const keyWaitMs = 24 * 60 * 60_000;

/**
 * Job: erases the data of an expired lookup, including payers' answers. A key that belongs only to the lookup is
 * destroyed once no webhook delivery needs it.
 */
export async function eraseLookup(deps: Deps, { healthDataUuid }: { healthDataUuid: string }): Promise<void> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .selectFrom("health_lookup")
      .select(["expires_at", "data_key_uuid", "person_uuid"])
      .where("uuid", "=", healthDataUuid)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined || row.expires_at === null) return;
    if (row.expires_at > now) return await again(deps, trx, healthDataUuid, row.expires_at);
    await trx.deleteFrom("health_step").where("lookup_uuid", "=", healthDataUuid).execute();
    await trx
      .updateTable("health_lookup")
      .set({ sealed: null, sealed_result: null, erased_at: now })
      .where("uuid", "=", healthDataUuid)
      .where("erased_at", "is", null)
      .execute();
    if (row.person_uuid !== null) return;
    const delivering = await trx
      .selectFrom("webhook_delivery")
      .select("uuid")
      .where("data_key_uuid", "=", row.data_key_uuid)
      .where("sealed", "is not", null)
      .limit(1)
      .executeTakeFirst();
    if (delivering !== undefined) return await again(deps, trx, healthDataUuid, now + keyWaitMs);
    await destroyDataKeys(trx, [row.data_key_uuid], now);
  });
}

async function again(deps: Deps, trx: Trx, healthDataUuid: string, dueAt: number): Promise<void> {
  await enqueue(trx, {
    environment: deps.environment,
    name: "health.erase",
    subject: healthDataUuid,
    dueAt,
    payload: { healthDataUuid },
  });
}
