/** Takes away what brands can read of a person: of one brand, or of all that are shown, or of every one there is. */
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { destroyAnswersAbout } from "../idempotency/answer.ts";
import { deleteSessionsOf } from "../session/session-rows.ts";
import { eraseOneClicks } from "../signup/one-click-rows.ts";
import { eraseVerificationRow } from "../verification/store.ts";
import { isShown, type Shown } from "./scope.ts";

type From = { personUuid: string; dataKeyUuid: string; brands: Shown };

/**
 * Erases shares, lookups, deliveries of both, kept answers, proofs of the phone and open pages. Every process finds
 * nothing from the moment this is committed, and a repeated request makes nothing again.
 */
export async function takeBack(deps: Deps, trx: Trx, { personUuid, dataKeyUuid, brands }: From): Promise<void> {
  const now = deps.clock.now();
  const oneClicks = await eraseOneClicks(trx, { personUuid, brands }, now);
  const lookups = await trx
    .updateTable("health_lookup")
    .set({ sealed: null, sealed_result: null, erased_at: now, state: "failed", expires_at: now })
    .where("person_uuid", "=", personUuid)
    .where("erased_at", "is", null)
    .where(isShown(brands, "brand_uuid"))
    .returning("uuid")
    .execute();
  const subjects = [...oneClicks, ...lookups.map(({ uuid }) => uuid)];
  if (lookups.length > 0)
    await trx
      .deleteFrom("health_step")
      .where(
        "lookup_uuid",
        "in",
        lookups.map(({ uuid }) => uuid),
      )
      .execute();
  await endDeliveries(deps, trx, { subjects, dataKeyUuid, brands });
  if (brands === null || brands.length > 0) await destroyAnswersAbout(trx, { personUuid, brands, now });
  await deleteSessionsOf(trx, { dataKeyUuid, oneClickUuids: subjects, brands });
  const proofs = await trx
    .selectFrom("verification")
    .select("uuid")
    .where("person_uuid", "=", personUuid)
    .where("brand_uuid", "is not", null)
    .where(isShown(brands, "brand_uuid"))
    .execute();
  for (const { uuid } of proofs) await eraseVerificationRow(trx, uuid);
}

/** What was delivered loses its body; what was not is not sent any more. */
async function endDeliveries(
  deps: Deps,
  trx: Trx,
  { subjects, dataKeyUuid, brands }: { subjects: string[]; dataKeyUuid: string; brands: Shown },
): Promise<void> {
  const about = trx
    .updateTable("webhook_delivery")
    .where(({ or, eb }) =>
      or([
        eb("data_key_uuid", "=", dataKeyUuid),
        ...(subjects.length === 0 ? [] : [eb("subject_uuid", "in", subjects)]),
      ]),
    )
    .where(isShown(brands, "brand_uuid"));
  await about.set({ sealed: null }).execute();
  await about
    .set({ status: "deadLettered", next_attempt_at: null, finished_at: deps.clock.now() })
    .where("status", "=", "pending")
    .execute();
}
