import { unlinkConsentsOfDeleted } from "../audit/consent-rows.ts";
import type { Deps } from "../deps.ts";
import { unlinkIssuedToDeleted } from "../issuance/issued-credential-rows.ts";

/**
 * Removes the phone indexes of former holders from rows that stay, because the next holder has the same index. A call
 * that ran during a deletion may have inserted such rows after it.
 */
export async function unlinkLate(deps: Deps): Promise<void> {
  await unlinkConsentsOfDeleted(deps);
  await unlinkIssuedToDeleted(deps);
}

/**
 * The hash that replaces a phone's index in consents. It can prove that a consent is about a phone of this person only.
 */
export function evidenceHash({ vault }: Deps, { personUuid, phone }: { personUuid: string; phone: string }): Buffer {
  return vault.keyedHash(`consent|${personUuid}`, phone);
}
