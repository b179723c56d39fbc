/** A number that changed hands: its new holder starts fresh and finds nothing of the former holder. */
import { consentTo, type Shown } from "../audit/consent.ts";
import { recordAudit, recordConsent } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { startGeneration } from "../person.ts";
import { deleteSessionsOf } from "../session/session-rows.ts";
import { eraseVerificationRow } from "../verification/erase.ts";
import { deleteAccountSessionsOf } from "./account-session-rows.ts";
import { type Account, openAccountSession } from "./session.ts";
import { unlinkRows } from "./unlink.ts";

/**
 * The former holder's data stay sealed under the old key, and no phone leads to them any more. Old proofs and open pages
 * end, since they proved the former holder. Brands can read what they were given for as long as before. Answers the
 * token of the new holder's session.
 */
export async function takeOverNumber(deps: Deps, account: Account, consent: Shown): Promise<string> {
  const given = consentTo("handOver", consent);
  const { phone, fixed, customerUuid, device, requestId } = account;
  if (fixed) throw refuse(403, "The sandbox's fixed people keep their numbers.");
  const before = account.person.uuid;
  return await deps.db.inTransaction(async (trx) => {
    const person = await startGeneration(deps, trx, { personUuid: before, phone });
    // A faster call ended this session as well.
    if (person === null) throw refuse(401, "Nobody is signed in.");
    await unlinkRows(deps, trx, { personUuid: before, phone });
    await trx
      .updateTable("one_click")
      .set({ sealed: null, erased_at: deps.clock.now(), page_hash: null, page_session_hash: null })
      .where("person_uuid", "=", before)
      .where("state", "in", ["awaitingProof", "awaitingInputs", "awaitingDecision"])
      .where("erased_at", "is", null)
      .execute();
    await deleteSessionsOf(trx, { dataKeyUuid: account.person.dataKey.uuid, oneClickUuids: [], brands: null });
    const proofs = await trx.selectFrom("verification").select("uuid").where("person_uuid", "=", before).execute();
    for (const { uuid } of proofs) await eraseVerificationRow(trx, uuid);
    await deleteAccountSessionsOf(trx, { personUuid: before, environment: deps.environment });
    const by = { brand: null, apiKeyUuid: null, requestId };
    const about = { phone, personUuid: person.uuid, given };
    const recorded = await recordConsent(deps, trx, by, { ...about, action: "handOver" });
    await recordAudit(deps, trx, by, {
      action: "account.handedOver",
      personUuid: person.uuid,
      detail: { consent: recorded },
    });
    return await openAccountSession(deps, trx, { person, phone, customerUuid, device });
  });
}
