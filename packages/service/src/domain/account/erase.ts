/** Deletes a person. Destroying their key makes everything sealed under it unreadable, including copies in backups. */
import { destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { consentTo, recordConsent, type Shown } from "../audit/consent.ts";
import { recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { deleteIssuedTo } from "../issuance/issued-credential-rows.ts";
import { clearPerson } from "../person-rows.ts";
import { deleteAttemptsOfPhone } from "../signup/challenge-attempt-rows.ts";
import { queueRevocations } from "../takeout/status.ts";
import { deleteTakeoutsOf } from "../takeout/takeout-rows.ts";
import { eraseVerifications } from "../verification/erase.ts";
import { listVerificationsOf } from "../verification/verification-rows.ts";
import { deleteAccountSessionsOf } from "./account-session-rows.ts";
import { cannotProve } from "./prove.ts";
import { decisionOf, signed } from "./receipt.ts";
import { type Account, requireProven } from "./session.ts";
import { takeBack } from "./take-back.ts";
import { unlinkRows } from "./unlink.ts";

export type Erased = { outcome: "deleted" | "reset"; receipt: string };

/**
 * Deletes the person. A fixed test person is only reset, because all customers use it: what the shown brands have about
 * it is erased.
 */
export async function erasePerson(deps: Deps, account: Account, consent: Shown): Promise<Erased> {
  const given = consentTo(account.fixed ? "reset" : "delete", consent);
  if (!(await cannotProve(deps, account))) requireProven(account);
  const { person, phone, fixed, requestId } = account;
  const by = { brand: null, apiKeyUuid: null, requestId };
  const personUuid = person.uuid;
  const brands = fixed ? account.shown : null;
  const from = { personUuid, dataKeyUuid: person.dataKey.uuid, brands };
  const { outcome, decision } = await takeBack(deps, from, async (trx) => {
    await deleteIssuedTo(trx, personUuid, brands);
    const only = brands === null ? null : { sessionUuid: account.sessionUuid, brands };
    await queueRevocations(deps, trx, await deleteTakeoutsOf(trx, personUuid, only));
    // This is the evidence of the decision, with its time and words. It contains a hash of the phone but no values.
    const recorded = await recordConsent(deps, trx, by, { action: "delete", phone, personUuid, given });
    const outcome = fixed ? "reset" : "deleted";
    await recordAudit(deps, trx, by, { action: `account.${outcome}`, personUuid, detail: { consent: recorded } });
    const decision = await decisionOf(deps, trx, account, recorded);
    if (decision === undefined) throw new Error("a decision was not found in its own transaction");
    if (!fixed) await destroy(deps, trx, account);
    return { outcome, decision } as const;
  });
  return { outcome, receipt: await signed(deps, decision) };
}

async function destroy(deps: Deps, trx: Trx, { person, phone }: Account): Promise<void> {
  await eraseVerifications(trx, await listVerificationsOf(trx, person.uuid));
  await deleteAccountSessionsOf(trx, { personUuid: person.uuid, environment: deps.environment });
  const phoneIndex = deps.vault.index("phone", deps.environment, phone);
  await deleteAttemptsOfPhone(trx, { environment: deps.environment, phoneIndex });
  await unlinkRows(deps, trx, { personUuid: person.uuid, phone });
  await clearPerson(trx, person.uuid);
  await destroyDataKeys(trx, [person.dataKey.uuid], deps.clock.now());
}
