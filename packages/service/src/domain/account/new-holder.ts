/** A number that changed hands. Its new holder starts without any data and sees nothing of the former holder. */
import { consentTo, recordConsent, type Shown } from "../audit/consent.ts";
import { recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { startGeneration } from "../person.ts";
import { endSessions } from "../session/end.ts";
import { eraseOneClicks } from "../signup/one-click-rows.ts";
import { queueRevocations } from "../takeout/status.ts";
import { deleteTakeoutsOf } from "../takeout/takeout-rows.ts";
import { eraseVerifications } from "../verification/erase.ts";
import { listVerificationsOf } from "../verification/verification-rows.ts";
import { deleteAccountSessionsOf } from "./account-session-rows.ts";
import { type Account, openAccountSession } from "./session.ts";
import { unlinkRows } from "./unlink.ts";

/**
 * The former holder's data stays sealed under the old key, and the phone no longer leads to it. The former holder's
 * proofs and open pages end. Brands can still read what they received, until it expires. Returns the token of the new
 * holder's session.
 */
export async function takeOverNumber(deps: Deps, account: Account, consent: Shown): Promise<string> {
  const given = consentTo("handOver", consent);
  const { phone, fixed, customerUuid, device, requestId } = account;
  if (fixed) throw refuse(403, "The sandbox's fixed people keep their numbers.");
  const before = account.person.uuid;
  // Sessions may be in another database, and a request may make one during the transaction.
  const sessions = { personUuid: before, brands: null, oneClickUuids: [] };
  await endSessions(deps, sessions);
  const token = await deps.db.inTransaction(async (trx) => {
    const person = await startGeneration(deps, trx, { personUuid: before, phone });
    // A concurrent call was faster and has ended this session, too.
    if (person === null) throw refuse(401, "You are not signed in.");
    await unlinkRows(deps, trx, { personUuid: before, phone });
    await eraseOneClicks(trx, { personUuid: before, openOnly: true }, deps.clock.now());
    await eraseVerifications(trx, await listVerificationsOf(trx, before));
    // A credential with this phone would speak for the wrong person, and the former holder can no longer withdraw any.
    await queueRevocations(deps, trx, await deleteTakeoutsOf(trx, before));
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
  await endSessions(deps, sessions);
  return token;
}
