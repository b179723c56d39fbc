/** The rows of attempts that are offered to a listener. An offer exists only while its attempt runs. */
import type { Database, Trx } from "../../store/database.ts";

/** Offers an attempt. Replaces an offer of a process that died. */
export async function insertOffer(
  db: Database,
  input: { deliveryUuid: string; endpointUuid: string; startedAt: number },
): Promise<void> {
  const fresh = { taken: false, started_at: input.startedAt, http_status: null, error: null, duration_ms: null };
  await db
    .insertInto("listener_offer")
    .values({ delivery_uuid: input.deliveryUuid, endpoint_uuid: input.endpointUuid, ...fresh })
    .onConflict((conflict) => conflict.column("delivery_uuid").doUpdateSet(fresh))
    .execute();
}

/** Takes at most `max` offers of a listener. Each one is taken only once. */
export async function takeOffers(
  db: Database,
  { endpointUuid, max }: { endpointUuid: string; max: number },
): Promise<{ deliveryUuid: string; startedAt: number }[]> {
  const rows = await db
    .updateTable("listener_offer")
    .set({ taken: true })
    .where("delivery_uuid", "in", (eb) =>
      eb
        .selectFrom("listener_offer")
        .select("delivery_uuid")
        .where("endpoint_uuid", "=", endpointUuid)
        .where("taken", "=", false)
        .limit(max)
        .forUpdate()
        .skipLocked(),
    )
    .returning(["delivery_uuid", "started_at"])
    .execute();
  return rows.map((row) => ({ deliveryUuid: row.delivery_uuid, startedAt: row.started_at }));
}

/** Stores the result of an offer that was taken. False if there is no such offer or it has a result. */
export async function answerOffer(
  db: Database,
  input: {
    deliveryUuid: string;
    endpointUuid: string;
    httpStatus: number | null;
    error: string | null;
    durationMs: number;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("listener_offer")
    .set({ http_status: input.httpStatus, error: input.error, duration_ms: input.durationMs })
    .where("delivery_uuid", "=", input.deliveryUuid)
    .where("endpoint_uuid", "=", input.endpointUuid)
    .where("taken", "=", true)
    .where("duration_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findListenerOffer(db: Database, deliveryUuid: string) {
  return await db
    .selectFrom("listener_offer")
    .select(["taken", "http_status", "error", "duration_ms"])
    .where("delivery_uuid", "=", deliveryUuid)
    .executeTakeFirst();
}

export async function deleteOffer(db: Database, deliveryUuid: string): Promise<void> {
  await db.deleteFrom("listener_offer").where("delivery_uuid", "=", deliveryUuid).execute();
}

export async function deleteOffersOf(trx: Trx, endpointUuid: string): Promise<void> {
  await trx.deleteFrom("listener_offer").where("endpoint_uuid", "=", endpointUuid).execute();
}
