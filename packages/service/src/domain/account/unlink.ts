import type { Deps } from "../deps.ts";
import { unlinkFromDeleted } from "../person-rows.ts";

/**
 * Removes the phone indexes of former holders from rows that stay, because the next holder has the same index. A call
 * that ran during a deletion may have inserted such rows after it.
 */
export async function unlinkLate(deps: Deps): Promise<void> {
  await unlinkFromDeleted(deps, "consent");
  await unlinkFromDeleted(deps, "issued_credential");
}

/**
 * The hash that replaces a phone's index in consents. It can prove that a consent is about a phone of this person only.
 */
export function evidenceHash({ vault }: Deps, { personUuid, phone }: { personUuid: string; phone: string }): Buffer {
  return vault.keyedHash(`consent|${personUuid}`, phone);
}
