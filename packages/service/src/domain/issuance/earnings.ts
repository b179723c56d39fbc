import type { Earning } from "../audit/ledger-rows.ts";
import { existingBrands } from "../brand/brand-rows.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { Deps } from "../deps.ts";
import type { SourcedCredential } from "../ports.ts";

/** The values from other issuers. Nothing is owed for the brand's own values or the service's. */
function valuesOfOtherIssuers(
  deps: Deps,
  by: { brand: { uuid: string } },
  given: readonly CredentialFact[],
): SourcedCredential[] {
  const unpaidIssuers = [by.brand.uuid, deps.vendors.identity.issuerUuid];
  return given.flatMap((fact) => fact.values).filter((one) => !unpaidIssuers.includes(one.issuerUuid));
}

type Given = { by: { brand: { uuid: string } }; given: readonly CredentialFact[] };

/** The issuers of the given values that are brands. A former identity source, for example, is not one. */
export async function issuersOf(deps: Deps, all: readonly Given[]): Promise<ReadonlySet<string>> {
  const uuids = new Set(
    all.flatMap(({ by, given }) => valuesOfOtherIssuers(deps, by, given).map((one) => one.issuerUuid)),
  );
  return uuids.size === 0 ? uuids : await existingBrands(deps.home, [...uuids]);
}

/** What issuers earn from another brand's 1-Click. `issuers`: the issuers that are brands. */
export function earningsOf(
  deps: Deps,
  issuers: ReadonlySet<string>,
  { by, given, ...subject }: Given & { personUuid: string; oneClickUuid: string },
): Earning[] {
  return valuesOfOtherIssuers(deps, by, given)
    .filter((one) => issuers.has(one.issuerUuid))
    .map(({ id, type, issuerUuid }) => ({
      kind: "issuedCredentialUsed",
      brandUuid: issuerUuid,
      personUuid: subject.personUuid,
      subjectUuid: id,
      causeUuid: subject.oneClickUuid,
      detail: { type, usedBy: by.brand.uuid },
    }));
}
