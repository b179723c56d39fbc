import { type ConsentOnScreen, consentTo, recordConsent } from "../audit/consent.ts";
import { recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { endPersonData } from "./end-person-data.ts";
import type { Account } from "./session.ts";
import { brandsInRecord } from "./timeline.ts";

/** Stops sharing with a brand. From then on, no process returns the data to the brand. */
export async function withdraw(
  deps: Deps,
  account: Account,
  { brandUuid, consent }: { brandUuid: string; consent: ConsentOnScreen },
): Promise<void> {
  const uuid = brandUuid.toLowerCase();
  const known = (await brandsInRecord(deps, account)).find((one) => one.uuid === uuid);
  if (known === undefined) throw refuse(404, "There is no such brand here.");
  const given = consentTo("stop", consent, known.name);
  const { person, phone, requestId } = account;
  const by = { brand: { uuid }, apiKeyUuid: null, requestId };
  await endPersonData(deps, { operation: "withdraw", account, brands: [uuid] }, async (trx) => {
    const subject = { phone, personUuid: person.uuid, given };
    const recorded = await recordConsent(deps, trx, by, { ...subject, action: "withdraw" });
    await recordAudit(deps, trx, by, {
      action: "account.withdrawn",
      personUuid: person.uuid,
      detail: { consent: recorded },
    });
  });
}
