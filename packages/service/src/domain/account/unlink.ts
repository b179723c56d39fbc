import { unlinkConsentsOfDeleted } from "../audit/consent-rows.ts";
import type { Deps } from "../deps.ts";
import { unlinkIssuedToDeleted } from "../issuance/issued-credential-rows.ts";

/**
 * Removes the indexes of former holders' phones from rows that stay, because the next holder has the same index. A call
 * that ran during a deletion may have inserted rows after the deletion was committed.
 */
export async function unlinkLate(deps: Deps): Promise<void> {
  await unlinkConsentsOfDeleted(deps);
  await unlinkIssuedToDeleted(deps);
}

/** Replaces a phone's index in consents: the phone can still be compared with the evidence, but only of this person. */
export function evidenceHash({ vault }: Deps, { personUuid, phone }: { personUuid: string; phone: string }): Buffer {
  return vault.keyedHash(`consent|${personUuid}`, phone);
}
