import type { IntegrationType } from "@countersign/contract/brand";
import type { CredentialRequest, CredentialType } from "@countersign/contract/credential";

/**
 * The default requests of an integration type, used if neither the request nor the settings name any (specification,
 * "Default credential requests").
 */
export function defaultCredentialRequests(type: IntegrationType): CredentialRequest[] {
  return sets[type]();
}

type Options = Pick<CredentialRequest, "mandatory" | "allowUserInput">;

const sets: Record<IntegrationType, () => CredentialRequest[]> = {
  hosted: () => standardSet({ mandatory: "no", allowUserInput: true }),
  semiHosted: () => standardSet({ mandatory: "no" }),
  nonHosted: () => standardSet({ mandatory: "no" }),
  sdk: () => severalAddresses({ mandatory: "no", allowUserInput: true }),
  api: () => severalAddresses({ mandatory: "no" }),
  v1: () => withEmail({ allowUserInput: true }),
};

function standardSet(options: Options): CredentialRequest[] {
  return [
    fullName(options),
    { type: "PhoneCredential", ...options },
    // The specification lists the children of an address in this order.
    address(["CountryCredential", "ZipCodeCredential"], options),
    { type: "BirthDateCredential", ...options },
    { type: "SsnCredential", ...options },
  ];
}

function severalAddresses(options: Options): CredentialRequest[] {
  const several = { ...address(["ZipCodeCredential", "CountryCredential"], options), multi: true };
  return standardSet(options).map((request) => (request.type === "AddressCredential" ? several : request));
}

function withEmail(options: Options): CredentialRequest[] {
  return standardSet(options).flatMap((request): CredentialRequest[] =>
    request.type === "PhoneCredential"
      ? [
          { type: "EmailCredential", ...options },
          // The exception: the v1 default would be true.
          { ...request, allowUserInput: false },
        ]
      : [request],
  );
}

function fullName(options: Options): CredentialRequest {
  const children: CredentialType[] = ["FirstNameCredential", "MiddleNameCredential", "LastNameCredential"];
  return { type: "FullNameCredential", ...options, children: children.map((type) => ({ type, ...options })) };
}

function address(lastTwo: CredentialType[], options: Options): CredentialRequest {
  const firstFour: CredentialType[] = ["Line1Credential", "Line2Credential", "CityCredential", "StateCredential"];
  const children = [...firstFour, ...lastTwo].map((type) => ({ type, ...options }));
  return { type: "AddressCredential", ...options, children };
}
