/** Deletes a person. Destroying their key makes everything sealed under it unreadable, including copies in backups. */
import { type ConsentOnScreen, consentTo, recordConsent } from "../audit/consent.ts";
import { recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { endPersonData } from "./end-person-data.ts";
import { requireProvenIfPossible } from "./prove.ts";
import { brandsOf, decisionOf, signed } from "./receipt.ts";
import type { Account } from "./session.ts";

export type Erased = { outcome: "deleted" | "reset"; receipt: string };

/**
 * Deletes the person. A fixed test person is only reset, because all customers use it: only data of the shown brands is
 * erased.
 */
export async function erasePerson(deps: Deps, account: Account, consent: ConsentOnScreen): Promise<Erased> {
  const { person, phone, fixed, shown, requestId } = account;
  const given = consentTo(fixed ? "reset" : "delete", consent);
  await requireProvenIfPossible(deps, account);
  const by = { brand: null, apiKeyUuid: null, requestId };
  const outcome = fixed ? "reset" : "deleted";
  const brands = fixed ? shown : null;
  const decision = await endPersonData(deps, { operation: "delete", account, brands }, async (trx) => {
    const subject = { phone, personUuid: person.uuid, given };
    // The evidence of the decision: its time, its words and a hash of the phone, but no values.
    const recorded = await recordConsent(deps, trx, by, { ...subject, action: "delete" });
    const detail = { consent: recorded };
    await recordAudit(deps, trx, by, { action: `account.${outcome}`, personUuid: person.uuid, detail });
    return await decisionOf(deps, trx, account, recorded);
  });
  if (decision === undefined) throw new Error("a decision was not found in its own transaction");
  return { outcome, receipt: await signed(deps, decision, await brandsOf(deps, [decision])) };
}
