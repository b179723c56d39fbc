/** The rows of attempts: every call of a webhook, with its result and the sealed text of the answer. */
import type { Delivery } from "@countersign/contract/webhook";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Database, Reader, Trx } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import { insertRows } from "../../store/statements/rows.ts";
import type { Tables } from "../../store/statements/tables.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps } from "../deps.ts";

/** How many characters of an answer's body are kept. */
export const answerTextMax = 1_024;

export type NewAttempt = {
  deliveryUuid: string;
  at: number;
  httpStatus: number | null;
  error: string | null;
  durationMs: number;
  sealed: Buffer | null;
};
type AttemptKey = { deliveryUuid: string; at: number };
/** What is listed of an attempt. `hasText`: the answer's text can be revealed. */
export type ListedAttempt = Delivery["attempts"][number] & { hasText: boolean };

const place = ({ deliveryUuid, at }: AttemptKey) => placeOf("webhook_attempt", `${deliveryUuid}|${at}`);

/** The text of an answer, to store. Null if it is empty. */
export function sealAnswer(
  { vault }: Deps,
  { data_key_uuid, wrapped }: { data_key_uuid: string; wrapped: Buffer | null },
  attempt: AttemptKey,
  text: string,
): Buffer | null {
  if (text === "") return null;
  return vault.seal(vault.openDataKey(data_key_uuid, wrapped), place(attempt), text.slice(0, answerTextMax));
}

export async function insertAttempts(trx: Trx, attempts: readonly NewAttempt[]): Promise<void> {
  const rows = attempts.map(({ deliveryUuid, at, httpStatus, error, durationMs, sealed }) => ({
    delivery_uuid: deliveryUuid,
    at,
    http_status: httpStatus,
    error,
    duration_ms: durationMs,
    sealed,
  }));
  await insertRows(trx, "webhook_attempt", rows);
}

/** Every attempt at the given deliveries, by delivery uuid, oldest first. */
export async function listAttempts(
  db: Database,
  deliveries: readonly { uuid: string }[],
): Promise<Map<string, ListedAttempt[]>> {
  const result = new Map<string, ListedAttempt[]>(deliveries.map(({ uuid }) => [uuid, []]));
  if (result.size === 0) return result;
  const rows = await db
    .selectFrom("webhook_attempt")
    .select(["delivery_uuid", "at", "http_status", "error", "duration_ms"])
    .select(sql<boolean>`sealed is not null`.as("has_text"))
    .where("delivery_uuid", "in", [...result.keys()])
    .orderBy("id")
    .execute();
  for (const one of rows) {
    result.get(one.delivery_uuid)?.push({
      at: one.at,
      ...(one.http_status === null ? {} : { httpStatus: one.http_status }),
      ...(one.error === null ? {} : { error: one.error }),
      durationMs: one.duration_ms,
      hasText: one.has_text,
    });
  }
  return result;
}

/** The texts of the answers to a delivery, oldest first. */
export async function openAnswers(
  { vault }: Deps,
  reader: Reader,
  { deliveryUuid, key }: { deliveryUuid: string; key: DataKey },
): Promise<{ at: number; text: string }[]> {
  const rows = await reader
    .selectFrom("webhook_attempt")
    .select(["at", "sealed"])
    .where("delivery_uuid", "=", deliveryUuid)
    .orderBy("id")
    .execute();
  return rows.flatMap(({ at, sealed }) =>
    sealed === null ? [] : [{ at, text: vault.open<string>(key, place({ deliveryUuid, at }), sealed) }],
  );
}

/** Erases the texts of the answers to some deliveries. */
export async function eraseAnswers(
  trx: Trx,
  deliveries: SelectQueryBuilder<Tables, "webhook_delivery", { uuid: string }>,
) {
  await trx
    .updateTable("webhook_attempt")
    .set({ sealed: null })
    .where("delivery_uuid", "in", deliveries)
    .where("sealed", "is not", null)
    .execute();
}
