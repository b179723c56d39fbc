import { deleteKeyWithoutPerson } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import type { NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { deleteTextsOf } from "./texts/message-rows.ts";
import { verificationKeptMs } from "./verification.ts";
import { deleteVerification, insertPastVerification } from "./verification-rows.ts";

/** The job that erases a verification, 24 hours after it began. */
export function erasure({ environment }: Deps, uuid: string, begunAt: number): NewJob {
  const dueAt = begunAt + verificationKeptMs;
  return { environment, name: "verification.erase", subject: uuid, dueAt, payload: { verificationUuid: uuid } };
}

/** Job: erases a verification and its texts. */
export async function eraseVerification(deps: Deps, { verificationUuid }: { verificationUuid: string }): Promise<void> {
  await deps.db.inTransaction((trx) => eraseVerificationRow(trx, verificationUuid));
}

/**
 * Erases a verification and its texts. For a brand's verification, keeps a row for analytics without an id or a person.
 */
export async function eraseVerificationRow(trx: Trx, uuid: string): Promise<void> {
  const [textsSent, row] = await Promise.all([deleteTextsOf(trx, uuid), deleteVerification(trx, uuid)]);
  if (row === null) return;
  const { environment, brand_uuid, channel, status, attempts_used, deliveries, created_at, expires_at, delivered_at } =
    row;
  const past = { environment, channel, status, attempts_used, deliveries, created_at, expires_at, delivered_at };
  await Promise.all([
    deleteKeyWithoutPerson(trx, row.data_key_uuid),
    ...(brand_uuid === null ? [] : [insertPastVerification(trx, { ...past, brand_uuid, texts_sent: textsSent })]),
  ]);
}
