import type { Static } from "typebox";
import { described, stringEnum, t, Uuid } from "../primitives.ts";

/** Composite credential types and the children that a request may ask for, in output order. */
export const compositeChildren = {
  FullNameCredential: ["FirstNameCredential", "MiddleNameCredential", "LastNameCredential"],
  AddressCredential: [
    "Line1Credential",
    "Line2Credential",
    "CityCredential",
    "StateCredential",
    "ZipCodeCredential",
    "CountryCredential",
  ],
  AnnualIncomeCredential: ["CurrencyCredential", "AmountCredential"],
  EmployerCredential: [
    "EmployerNameCredential",
    "EmploymentStartDateCredential",
    "TitleCredential",
    "IncomeRangeCredential",
    "AnnualIncomeCredential",
  ],
  GovernmentIdCredential: [
    "DocumentTypeCredential",
    "DocumentNumberCredential",
    "DocumentImageCredential",
    "DocumentBackImageCredential",
    "IssuanceDateCredential",
    "ExpirationDateCredential",
    "StateCredential",
  ],
  PhoneInfoCredential: ["PhoneCredential", "LineTypeCredential"],
} as const satisfies Record<string, readonly string[]>;

/** Every credential type of the schema library: 43 atomic (the last nine are older synonyms) and 6 composite. */
export const credentialTypes = [
  "FirstNameCredential",
  "MiddleNameCredential",
  "LastNameCredential",
  "EmailCredential",
  "PhoneCredential",
  "BirthDateCredential",
  "SsnCredential",
  "GenderCredential",
  "SexCredential",
  "NationalityCredential",
  "CountryResidenceCredential",
  "FacialImageCredential",
  "Line1Credential",
  "Line2Credential",
  "CityCredential",
  "StateCredential",
  "ZipCodeCredential",
  "CountryCredential",
  "EmployerNameCredential",
  "EmploymentStartDateCredential",
  "TitleCredential",
  "IncomeRangeCredential",
  "AmountCredential",
  "CurrencyCredential",
  "DocumentTypeCredential",
  "DocumentNumberCredential",
  "DocumentImageCredential",
  "DocumentBackImageCredential",
  "IssuanceDateCredential",
  "ExpirationDateCredential",
  "LineTypeCredential",
  "LivenessCredential",
  "MatchCredential",
  "IdentityCredential",
  "GovernmentIdTypeCredential",
  "GovernmentIdStateCredential",
  "GovernmentIdNumberCredential",
  "GovernmentIdIssuanceDateCredential",
  "GovernmentIdExpirationDateCredential",
  "GovernmentIdDocumentImageCredential",
  "GovernmentIdDocumentBackImageCredential",
  "IncomeCurrencyCredential",
  "AnnualIncomeRangeCredential",
  "FullNameCredential",
  "AddressCredential",
  "AnnualIncomeCredential",
  "EmployerCredential",
  "GovernmentIdCredential",
  "PhoneInfoCredential",
] as const;

/** The name of a credential type. It always ends in `Credential`. */
export const CredentialType = stringEnum(...credentialTypes);
export type CredentialType = Static<typeof CredentialType>;

/** Maximum number of credentials in one request, and of children in one credential. */
export const credentialRequestsMax = 50;
export const credentialChildrenMax = 10;

/** The issuer of all data from the service's own sources. */
export const ownIssuerUuid = "5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90";
export const ownIssuerNote =
  `The service's own sources are \`${ownIssuerUuid}\`; in production, a source that the operator connected carries the ` +
  "UUID that the operator gave it.";

const requestFields = {
  type: described(CredentialType, "The credential type."),
  mandatory: t.Optional(
    described(
      stringEnum("yes", "no", "if_available"),
      "`yes`: the 1-Click fails without the value (of a composite type: without any part). `if_available`: on our screens, the person may correct a value that was found, but not leave it out. `no`: the person may leave it out. Default: `no`.",
    ),
  ),
  description: t.Optional(t.String({ maxLength: 500, description: "Shown to the user on the form field" })),
  allowUserInput: t.Optional(
    t.Boolean({ description: "Whether the person may type or change the value. Default: `false`." }),
  ),
  multi: t.Optional(t.Boolean({ description: "Return up to three values, newest first, always as an array" })),
  issuers: t.Optional(t.Array(Uuid, { maxItems: 50, description: `Acceptable issuers; empty: all. ${ownIssuerNote}` })),
  required: t.Optional(t.Boolean({ description: "v1 only, deprecated in favor of `mandatory`" })),
};
const ChildRequest = t.Object({
  ...requestFields,
  children: t.Optional(
    described(
      t.Array(t.Object({ ...requestFields }), { maxItems: credentialChildrenMax }),
      "The parts of this child that you ask for.",
    ),
  ),
});

/** One requested credential type. The service rejects children of the wrong parent and ignores `multi` on children. */
export const CredentialRequest = t.Object({
  ...requestFields,
  children: t.Optional(
    described(
      t.Array(ChildRequest, { maxItems: credentialChildrenMax }),
      "The parts of a composite type that you ask for. The value is then an object with these parts. Empty or missing: all of them, as one line of text.",
    ),
  ),
});
export type CredentialRequest = Static<typeof CredentialRequest>;

/** The key of a type in responses: camelCase, without `Credential`. */
export function credentialKey(type: string): string {
  return keys.get(type) ?? keyOf(type);
}

/** An answer has many keys, so they are made once. */
const keys: ReadonlyMap<string, string> = new Map(credentialTypes.map((type) => [type, keyOf(type)]));

function keyOf(type: string): string {
  const short = type.slice(0, -"Credential".length);
  return short.charAt(0).toLowerCase() + short.slice(1);
}
