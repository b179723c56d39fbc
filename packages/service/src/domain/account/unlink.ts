import type { Trx } from "../../store/database.ts";
import { unlinkConsents, unlinkConsentsOfDeleted } from "../audit/consent-rows.ts";
import type { Deps } from "../deps.ts";
import { unlinkIssued, unlinkIssuedToDeleted } from "../issuance/issued-credential-rows.ts";
import type { Phone } from "../ports.ts";

/**
 * Removes the indexes from the remaining rows of a phone's former holder, because the next holder has the same index.
 * Consents keep a hash that is bound to the person, so that a phone can still be compared with the evidence.
 */
export async function unlinkRows(
  deps: Deps,
  trx: Trx,
  { personUuid, phone }: { personUuid: string; phone: Phone },
): Promise<void> {
  await unlinkConsents(trx, personUuid, evidenceHash(deps, { personUuid, phone }));
  await unlinkIssued(trx, personUuid);
}

/**
 * Does the same for deleted people. A call that ran during a deletion may have inserted rows after the deletion was
 * committed.
 */
export async function unlinkLate(deps: Deps): Promise<void> {
  await unlinkConsentsOfDeleted(deps);
  await unlinkIssuedToDeleted(deps);
}

export function evidenceHash({ vault }: Deps, { personUuid, phone }: { personUuid: string; phone: string }): Buffer {
  return vault.keyedHash(`consent|${personUuid}`, phone);
}
