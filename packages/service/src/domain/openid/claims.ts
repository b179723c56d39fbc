/** The claims of a 1-Click's values, and the values that each claim comes from. */
import type { CredentialType } from "@countersign/contract/credential";
import { fillPattern } from "../credential/format.ts";
import type { SourcedCredential } from "../ports.ts";
import type { OneClick } from "../signup/one-click.ts";

type Shared = Pick<OneClick, "phoneMethod"> & { facts: Pick<OneClick["facts"], "credentials"> };
type Leaf = Extract<SourcedCredential, { value: string }>;
type Address = Partial<
  Record<"formatted" | "street_address" | "locality" | "region" | "postal_code" | "country", string>
>;

/** A claim with the values that it was made from. */
export type SourcedClaim = { value: string | boolean | Address; from: Leaf[] };
export type SourcedClaims = Record<string, SourcedClaim>;

/** Every claim that the shared values allow. Values that were not shared give no claim. */
export function claimsOf({ facts, phoneMethod }: Shared): SourcedClaims {
  const valuesOf = (type: CredentialType) =>
    facts.credentials.filter(({ request }) => request.type === type).flatMap(({ values }) => leavesOf(values[0]));
  const claims: SourcedClaims = {};
  const add = (name: string, value: SourcedClaim["value"], from: Leaf[]) => {
    if (from.length > 0) claims[name] = { value, from };
  };
  const single = (name: string, from: Leaf[]) => add(name, from[0]?.value ?? "", from);

  const name = valuesOf("FullNameCredential");
  add("name", fillPattern("firstName middleName lastName", partsOf(name)), name);
  single("given_name", only(name, "FirstNameCredential"));
  single("middle_name", only(name, "MiddleNameCredential"));
  single("family_name", only(name, "LastNameCredential"));
  single("birthdate", valuesOf("BirthDateCredential"));
  const email = valuesOf("EmailCredential");
  single("email", email);
  // No flow proves that the person controls the address.
  add("email_verified", false, email);
  const phone = valuesOf("PhoneCredential");
  single("phone_number", phone);
  add("phone_number_verified", phoneMethod !== "customer_otp", phone);
  const address = valuesOf("AddressCredential");
  add("address", addressOf(address), address);
  single("ssn", valuesOf("SsnCredential"));
  return claims;
}

function leavesOf(credential: SourcedCredential | undefined): Leaf[] {
  if (credential === undefined) return [];
  return "value" in credential ? [credential] : credential.children.flatMap(leavesOf);
}

function only(leaves: Leaf[], type: CredentialType): Leaf[] {
  return leaves.filter((one) => one.type === type);
}

const keys: Partial<Record<CredentialType, string>> = {
  FirstNameCredential: "firstName",
  MiddleNameCredential: "middleName",
  LastNameCredential: "lastName",
  Line1Credential: "line1",
  Line2Credential: "line2",
  CityCredential: "city",
  StateCredential: "state",
  ZipCodeCredential: "zipCode",
  CountryCredential: "country",
};

function partsOf(leaves: Leaf[]): Map<string, string> {
  return new Map(leaves.map(({ type, value }) => [keys[type] ?? type, value]));
}

function addressOf(leaves: Leaf[]): Address {
  const parts = partsOf(leaves);
  const street = [parts.get("line1"), parts.get("line2")].filter((one) => one !== undefined && one !== "").join("\n");
  const region = fillPattern("city, state zipCode", parts);
  const members = {
    formatted: [street, region, parts.get("country") ?? ""].filter((line) => line !== "").join("\n"),
    street_address: street,
    locality: parts.get("city"),
    region: parts.get("state"),
    postal_code: parts.get("zipCode"),
    country: parts.get("country"),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ""));
}
