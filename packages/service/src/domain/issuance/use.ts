import type { Trx } from "../../store/database.ts";
import { recordLedgerEntry } from "../audit/ledger.ts";
import { existingBrands } from "../brand/brand-rows.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { Deps } from "../deps.ts";
import type { SourcedCredential } from "../ports.ts";

/** Values from other issuers. Nothing is owed for the brand's own values or the service's. */
export function usedOf(
  deps: Deps,
  by: { brand: { uuid: string } },
  given: readonly CredentialFact[],
): SourcedCredential[] {
  const nobodys = [by.brand.uuid, deps.identity.issuerUuid];
  return given.flatMap((fact) => fact.values).filter((one) => !nobodys.includes(one.issuerUuid));
}

/** Records what issuers earn from another brand's 1-Click, in the transaction that releases the values. */
export async function recordUse(
  deps: Deps,
  trx: Trx,
  by: { brand: { uuid: string } },
  about: { given: readonly CredentialFact[]; personUuid: string; oneClickUuid: string },
): Promise<void> {
  const values = usedOf(deps, by, about.given);
  if (values.length === 0) return;
  // Skip issuers that are not brands, such as a former identity source.
  const brands = await existingBrands(trx, [...new Set(values.map((one) => one.issuerUuid))]);
  for (const { id, type, issuerUuid } of values.filter((one) => brands.has(one.issuerUuid))) {
    await recordLedgerEntry(deps, trx, {
      kind: "issuedCredentialUsed",
      brandUuid: issuerUuid,
      personUuid: about.personUuid,
      subjectUuid: id,
      causeUuid: about.oneClickUuid,
      detail: { type, usedBy: by.brand.uuid },
    });
  }
}
