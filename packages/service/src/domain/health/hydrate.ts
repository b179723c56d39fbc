import type { CredentialType } from "@countersign/contract/credential";
import { stateCodeOf } from "../credential/us-regions.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import type { InsuredPerson, SourcedCredential } from "../ports.ts";
import { findOneClick } from "../signup/one-click-rows.ts";

/** The details by which a payer finds a person. */
export type NamedBy = "firstName" | "lastName" | "birthDate";
/**
 * A person's data for a lookup. `sourced`: the details that a source verified. A detail that the person typed, or that an
 * issuer stored without checking it, may name a stranger.
 */
export type Hydrated = { personUuid: string; oneClickUuid: string; person: InsuredPerson; sourced: NamedBy[] };

/**
 * Reads the person's data from the brand's released 1-Click. Throws OCE015 if it is unknown, not released, or expired.
 */
export async function hydrate(deps: Deps, caller: Caller, identityUuid: string): Promise<Hydrated> {
  const oneClick = await findOneClick(deps, deps.db, caller, identityUuid);
  if (oneClick === null || oneClick.state !== "released") throw fail("OCE015", {});
  const released = oneClick.facts.credentials.flatMap(({ values }) => values.slice(0, 1));
  const value = (type: CredentialType) => leafIn(released, type)?.value;
  const isSourced = (type: CredentialType) => {
    const method = leafIn(released, type)?.verificationMethod ?? null;
    return method !== null && method !== "self_attested";
  };
  const addresses = released.filter(({ type }) => type === "AddressCredential");
  const inAddress = (type: CredentialType) => leafIn(addresses, type)?.value;
  const name = partsOf({
    firstName: value("FirstNameCredential"),
    middleName: value("MiddleNameCredential"),
    lastName: value("LastNameCredential"),
  });
  const parts = partsOf({
    line1: inAddress("Line1Credential"),
    line2: inAddress("Line2Credential"),
    city: inAddress("CityCredential"),
    state: inAddress("StateCredential"),
    zipCode: inAddress("ZipCodeCredential"),
  });
  const address = withStateCode(parts);
  const single = partsOf({
    birthDate: value("BirthDateCredential"),
    ssn: value("SsnCredential"),
    sex: value("SexCredential"),
  });
  return {
    personUuid: oneClick.personUuid,
    oneClickUuid: oneClick.uuid,
    person: { ...name, ...single, ...(Object.keys(address).length === 0 ? {} : { address }) },
    sourced: [
      ...(isSourced("FirstNameCredential") ? (["firstName"] as const) : []),
      ...(isSourced("LastNameCredential") ? (["lastName"] as const) : []),
      ...(isSourced("BirthDateCredential") ? (["birthDate"] as const) : []),
    ],
  };
}

/** The address with the code of its state, because sources also write its name. */
export function withStateCode<Address extends { state?: string }>(address: Address): Address {
  const { state } = address;
  return state === undefined ? address : { ...address, state: stateCodeOf(state) ?? state };
}

/** The first value of a type, at any level. */
function leafIn(credentials: readonly SourcedCredential[], type: CredentialType): Leaf | undefined {
  for (const one of credentials) {
    const found = "value" in one ? (one.type === type ? one : undefined) : leafIn(one.children, type);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Leaf = Extract<SourcedCredential, { value: string }>;

/** Omits members without a value. */
function partsOf<Key extends string>(parts: Record<Key, string | undefined>): Partial<Record<Key, string>> {
  const result: Partial<Record<Key, string>> = {};
  for (const key in parts) if (parts[key] !== undefined) result[key] = parts[key];
  return result;
}
