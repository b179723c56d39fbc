import type { Trx } from "../../store/database.ts";
import { isNewestWithdrawal } from "../audit/audit-rows.ts";
import { type ConsentOnScreen, consentTo, recordConsent } from "../audit/consent.ts";
import { recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { listOneClicksOf } from "../signup/one-click-rows.ts";
import { listVerificationsOf } from "../verification/verification-rows.ts";
import { endPersonData } from "./end-person-data.ts";
import type { Account } from "./session.ts";
import { brandsInRecord } from "./timeline.ts";

/**
 * Stops sharing with a brand. From then on, no process returns the data to the brand. A repetition records no second
 * decision, but ends the data in other databases again, because the first call may have failed before that. `shownName`:
 * the brand's name on the screen, if the page reported it.
 */
export async function withdraw(
  deps: Deps,
  account: Account,
  { brandUuid, consent, shownName }: { brandUuid: string; consent: ConsentOnScreen; shownName?: string },
): Promise<void> {
  const uuid = brandUuid.toLowerCase();
  const known = (await brandsInRecord(deps, account)).find((one) => one.uuid === uuid);
  if (known === undefined) throw refuse(404, "No such brand.");
  // The record must have the words that the person saw.
  if (shownName !== undefined && shownName !== known.name) throw refuse(409, "The brand has another name by now.");
  const given = consentTo("stop", consent, known.name);
  const { person, phone, requestId } = account;
  const by = { brand: { uuid }, apiKeyUuid: null, requestId };
  await endPersonData(deps, { operation: "withdraw", account, brands: [uuid] }, async (trx) => {
    if (await hasNothingNew(trx, { personUuid: person.uuid, brandUuid: uuid })) return false;
    const subject = { phone, personUuid: person.uuid, given };
    const recorded = await recordConsent(deps, trx, by, { ...subject, action: "withdraw" });
    await recordAudit(deps, trx, by, {
      action: "account.withdrawn",
      personUuid: person.uuid,
      detail: { consent: recorded, brandName: known.name },
    });
    return true;
  });
}

/** Whether the person has stopped sharing with the brand, and the brand has nothing new about them. */
async function hasNothingNew(trx: Trx, of: { personUuid: string; brandUuid: string }): Promise<boolean> {
  if (!(await isNewestWithdrawal(trx, of))) return false;
  const brands = [of.brandUuid];
  const [oneClicks, verifications] = await Promise.all([
    listOneClicksOf(trx, of.personUuid, { erased: false, brands }),
    listVerificationsOf(trx, of.personUuid, brands),
  ]);
  return oneClicks.length + verifications.length === 0;
}
