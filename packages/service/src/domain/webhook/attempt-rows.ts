/** The rows of attempts: every call of a webhook, with its result. */
import type { Delivery } from "@countersign/contract/webhook";
import type { Database, Trx } from "../../store/database.ts";
import { insertRows } from "../../store/rows.ts";

export type NewAttempt = {
  deliveryUuid: string;
  at: number;
  httpStatus: number | null;
  error: string | null;
  durationMs: number;
};

export async function insertAttempts(trx: Trx, attempts: readonly NewAttempt[]): Promise<void> {
  const rows = attempts.map(({ deliveryUuid, at, httpStatus, error, durationMs }) => ({
    delivery_uuid: deliveryUuid,
    at,
    http_status: httpStatus,
    error,
    duration_ms: durationMs,
  }));
  await insertRows(trx, "webhook_attempt", rows);
}

/** Every attempt at the given deliveries, by delivery uuid, oldest first. */
export async function listAttempts(
  db: Database,
  deliveries: readonly { uuid: string }[],
): Promise<Map<string, Delivery["attempts"]>> {
  const result = new Map<string, Delivery["attempts"]>(deliveries.map(({ uuid }) => [uuid, []]));
  if (result.size === 0) return result;
  const rows = await db
    .selectFrom("webhook_attempt")
    .selectAll()
    .where("delivery_uuid", "in", [...result.keys()])
    .orderBy("id")
    .execute();
  for (const one of rows) {
    result.get(one.delivery_uuid)?.push({
      at: one.at,
      ...(one.http_status === null ? {} : { httpStatus: one.http_status }),
      ...(one.error === null ? {} : { error: one.error }),
      durationMs: one.duration_ms,
    });
  }
  return result;
}
