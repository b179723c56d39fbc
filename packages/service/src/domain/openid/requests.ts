/** Converts the scopes and claims of an authorization request to the credential requests of its 1-Click. */
import { type CredentialRequest, type CredentialType, compositeChildren } from "@countersign/contract/credential";
import { claimCredentials, openidScopes, ssnScope } from "@countersign/contract/openid-claims";

/** What a client requests. `claims` is the parameter of that name, as JSON. */
export type Requested = { scope: string; claims?: string };

export type ClaimsMember = Record<string, unknown>;
export type ClaimsParameter = { userinfo: ClaimsMember; id_token: ClaimsMember };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the parameter `claims`. Its syntax was checked before. */
export function readClaims(text: string | undefined): ClaimsParameter {
  const parsed: unknown = text === undefined ? {} : JSON.parse(text);
  const member = (name: "userinfo" | "id_token") => {
    const value = isObject(parsed) ? parsed[name] : undefined;
    return isObject(value) ? value : {};
  };
  return { userinfo: member("userinfo"), id_token: member("id_token") };
}

/** The names of all claims that are requested by name, including those inside `verified_claims`. */
export function namedClaims({ userinfo, id_token }: ClaimsParameter): string[] {
  return [...new Set([userinfo, id_token].flatMap((member) => [...Object.keys(member), ...verifiedNames(member)]))];
}

function verifiedNames({ verified_claims: verified }: ClaimsMember): string[] {
  return isObject(verified) && isObject(verified.claims) ? Object.keys(verified.claims) : [];
}

/** The credentials to request, in the order of the contract. The SSN is requested by its scope only. */
export function credentialRequests({ scope, claims }: Requested): CredentialRequest[] {
  const scopes = scope.split(" ");
  const byScope = Object.entries(openidScopes).flatMap(([name, names]) => (scopes.includes(name) ? [...names] : []));
  const named = namedClaims(readClaims(claims)).filter((name) => name !== ssnScope);
  const types = [...byScope, ...named].flatMap((name) =>
    Object.hasOwn(claimCredentials, name) ? [claimCredentials[name]] : [],
  );
  return order.filter((type) => types.includes(type)).map(requestOf);
}

const order = [
  "FullNameCredential",
  "PhoneCredential",
  "EmailCredential",
  "AddressCredential",
  "BirthDateCredential",
  "SsnCredential",
] as const satisfies readonly CredentialType[];

/** Nothing is mandatory: OpenID Connect Core 5.5.1 allows no error for a claim that is missing. */
function requestOf(type: (typeof order)[number]): CredentialRequest {
  const options = { mandatory: "no" as const, allowUserInput: type !== "PhoneCredential" };
  if (type !== "FullNameCredential" && type !== "AddressCredential") return { type, ...options };
  const parts = compositeChildren[type];
  return { type, ...options, children: parts.map((part) => ({ type: part, ...options })) };
}
