/** The scopes and claims of the OpenID Provider, and the credentials that they request. */
import type { CredentialType } from "../credential/credential.ts";

/** The claims of each scope. `offline_access` requests a refresh token and no claims. */
export const openidScopes = {
  openid: ["sub", "acr", "amr", "auth_time"],
  profile: ["name", "given_name", "middle_name", "family_name", "birthdate"],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
  address: ["address"],
  birthdate: ["birthdate"],
  ssn: ["ssn"],
  offline_access: [],
} as const satisfies Record<string, readonly string[]>;

/** The scope that needs the operator's approval `openidSsn`. */
export const ssnScope = "ssn";

/** The credential with each claim's value. Claims about the sign-in itself, such as `acr`, have none. */
export const claimCredentials: Readonly<Record<string, CredentialType>> = {
  name: "FullNameCredential",
  given_name: "FullNameCredential",
  middle_name: "FullNameCredential",
  family_name: "FullNameCredential",
  birthdate: "BirthDateCredential",
  email: "EmailCredential",
  email_verified: "EmailCredential",
  phone_number: "PhoneCredential",
  phone_number_verified: "PhoneCredential",
  address: "AddressCredential",
  ssn: "SsnCredential",
};

/** The claims that `verified_claims` can contain. */
export const verifiableClaims = [
  "name",
  "given_name",
  "middle_name",
  "family_name",
  "birthdate",
  "email",
  "phone_number",
  "address",
  "ssn",
] as const;

/** The only trust framework: a proven phone, and records about it from the named sources. */
export const trustFramework = "urn:countersign:phone-and-records";

/** The type of a state ID as evidence, by the names of OpenID Connect for Identity Assurance. */
export const idDocument = "driving_permit";

/** The values of the `acr` claim: how the phone was proven. */
export const acrValues = {
  otp: "urn:countersign:acr:phone-otp",
  phone_carrier: "urn:countersign:acr:phone-carrier",
  customer_otp: "urn:countersign:acr:phone-asserted",
} as const;
