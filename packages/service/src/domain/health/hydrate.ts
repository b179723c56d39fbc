import type { CredentialType } from "@countersign/contract/credential";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import type { InsuredPerson, SourcedCredential } from "../ports.ts";
import { findOneClick } from "../signup/one-click-rows.ts";

export type Hydrated = { personUuid: string; oneClickUuid: string; person: InsuredPerson };

/** Takes the person's data from a released 1-Click of the brand that has not expired. Any other 1-Click is OCE015. */
export async function hydrate(deps: Deps, caller: Caller, identityUuid: string): Promise<Hydrated> {
  const oneClick = await findOneClick(deps, deps.db, caller, identityUuid);
  if (oneClick === null || oneClick.state !== "released") throw fail("OCE015", {});
  const released = oneClick.facts.credentials.flatMap(({ values }) => values.slice(0, 1));
  const value = (type: CredentialType) => valueIn(released, type);
  const addresses = released.filter(({ type }) => type === "AddressCredential");
  const inAddress = (type: CredentialType) => valueIn(addresses, type);
  const name = partsOf({
    firstName: value("FirstNameCredential"),
    middleName: value("MiddleNameCredential"),
    lastName: value("LastNameCredential"),
  });
  const address = partsOf({
    line1: inAddress("Line1Credential"),
    line2: inAddress("Line2Credential"),
    city: inAddress("CityCredential"),
    state: inAddress("StateCredential"),
    zipCode: inAddress("ZipCodeCredential"),
  });
  const single = partsOf({
    birthDate: value("BirthDateCredential"),
    ssn: value("SsnCredential"),
    sex: value("SexCredential"),
  });
  return {
    personUuid: oneClick.personUuid,
    oneClickUuid: oneClick.uuid,
    person: { ...name, ...single, ...(Object.keys(address).length === 0 ? {} : { address }) },
  };
}

/** The first value of a type, at any level. */
function valueIn(credentials: readonly SourcedCredential[], type: CredentialType): string | undefined {
  for (const one of credentials) {
    const found = "value" in one ? (one.type === type ? one.value : undefined) : valueIn(one.children, type);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Omits members without a value. */
function partsOf<Key extends string>(parts: Record<Key, string | undefined>): Partial<Record<Key, string>> {
  const result: Partial<Record<Key, string>> = {};
  for (const key in parts) if (parts[key] !== undefined) result[key] = parts[key];
  return result;
}
