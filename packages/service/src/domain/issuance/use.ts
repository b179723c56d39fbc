import type { Reader } from "../../store/database.ts";
import type { Earning } from "../audit/ledger-rows.ts";
import { existingBrands } from "../brand/brand-rows.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { Deps } from "../deps.ts";
import type { SourcedCredential } from "../ports.ts";

/** Values from other issuers. Nothing is owed for the brand's own values or the service's. */
function usedOf(deps: Deps, by: { brand: { uuid: string } }, given: readonly CredentialFact[]): SourcedCredential[] {
  const nobodys = [by.brand.uuid, deps.identity.issuerUuid];
  return given.flatMap((fact) => fact.values).filter((one) => !nobodys.includes(one.issuerUuid));
}

/** What issuers earn from another brand's 1-Click. */
export async function earningsOf(
  deps: Deps,
  reader: Reader,
  by: { brand: { uuid: string } },
  about: { given: readonly CredentialFact[]; personUuid: string; oneClickUuid: string },
): Promise<Earning[]> {
  const values = usedOf(deps, by, about.given);
  if (values.length === 0) return [];
  // Skip issuers that are not brands, such as a former identity source.
  const brands = await existingBrands(reader, [...new Set(values.map((one) => one.issuerUuid))]);
  return values
    .filter((one) => brands.has(one.issuerUuid))
    .map(({ id, type, issuerUuid }) => ({
      kind: "issuedCredentialUsed",
      brandUuid: issuerUuid,
      personUuid: about.personUuid,
      subjectUuid: id,
      causeUuid: about.oneClickUuid,
      detail: { type, usedBy: by.brand.uuid },
    }));
}
