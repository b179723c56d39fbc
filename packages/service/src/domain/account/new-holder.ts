/** A number that changed hands. Its new holder starts without any data and sees nothing of the former holder. */
import { type ConsentOnScreen, consentTo, recordConsent } from "../audit/consent.ts";
import { byPerson, recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { startGeneration } from "../person.ts";
import { endPersonData } from "./end-person-data.ts";
import { type Account, openAccountSession } from "./session.ts";

/**
 * The former holder's data stays sealed under the old key, and the phone no longer leads to it. The former holder's
 * proofs and open pages end. Brands can still read what they received, until it expires. Returns the token of the new
 * holder's session.
 */
export async function takeOverNumber(deps: Deps, account: Account, consent: ConsentOnScreen): Promise<string> {
  const given = consentTo("handOver", consent);
  const { phone, fixed, customerUuid, device, requestId } = account;
  if (fixed) throw refuse(403, "The sandbox's fixed people keep their numbers.");
  return await endPersonData(deps, { operation: "handOver", account, brands: null }, async (trx) => {
    const person = await startGeneration(deps, trx, phone);
    const by = byPerson(requestId);
    const subject = { phone, personUuid: person.uuid, given };
    const recorded = await recordConsent(deps, trx, by, { ...subject, action: "handOver" });
    await recordAudit(deps, trx, by, {
      action: "account.handedOver",
      personUuid: person.uuid,
      detail: { consent: recorded },
    });
    return await openAccountSession(deps, trx, { person, phone, customerUuid, device });
  });
}
