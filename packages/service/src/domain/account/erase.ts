/** Deletes a person. Destroying their key makes everything sealed under it unreadable, including copies in backups. */
import { type ConsentGiven, type ConsentOnScreen, consentTo, recordConsent } from "../audit/consent.ts";
import { byPerson, recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { endPersonData } from "./end-person-data.ts";
import { requireProvenIfPossible } from "./prove.ts";
import { brandNamesIn, decisionOf, signed } from "./receipt.ts";
import type { Account } from "./session.ts";
import { shownBrands } from "./shown-brands.ts";

export type Erased = { outcome: "deleted" | "reset"; receipt: string };

/**
 * Deletes the person. A fixed test person is only reset, because all customers use it: only data of the shown brands is
 * erased.
 */
export async function erasePerson(deps: Deps, account: Account, consent: ConsentOnScreen): Promise<Erased> {
  const given = consentTo(account.fixed ? "reset" : "delete", consent);
  await requireProvenIfPossible(deps, account);
  return await endPerson(deps, account, given);
}

/** The operator acts for a person who asked. No screen showed a text, so the evidence names no words. */
const askedOperator: ConsentGiven = { source: "operator", version: "operator", language: null, words: null, url: null };

/** Deletes a person for the operator, in the same way. */
export async function erasePersonForOperator(
  deps: Deps,
  whose: Pick<Account, "person" | "phone" | "requestId">,
): Promise<Erased> {
  const { phone } = whose;
  const shown = await shownBrands(deps, { phone, customerUuid: null });
  const account = { ...whose, fixed: deps.phones.isFixed(phone), shown, sessionUuid: null };
  return await endPerson(deps, account, askedOperator);
}

type Ended = Pick<Account, "person" | "phone" | "fixed" | "shown" | "requestId"> & { sessionUuid: string | null };

async function endPerson(deps: Deps, account: Ended, given: ConsentGiven): Promise<Erased> {
  const { person, phone, fixed, shown, requestId } = account;
  const by = byPerson(requestId);
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
  return { outcome, receipt: await signed(deps, decision, await brandNamesIn(deps, [decision])) };
}
