/** The kinds of credentials that a person can take out, and how they are described to wallets and verifiers. */
import {
  type CredentialType,
  compositeChildren,
  credentialKey,
  credentialTypes,
} from "@countersign/contract/credential";
import { valueName } from "@countersign/contract/names";
import { isCompositeType, schemaLibrary } from "@countersign/contract/schema-library";
import type { HomeDeps } from "../deps.ts";
import { issuerUrl, takeoutPath, typeOf } from "./addresses.ts";
import { signatureAlgorithm } from "./keys.ts";

/** What the service itself verified. Each value of a credential can be disclosed alone. */
export const ownKinds = ["phone", "name", "birthdate", "address"] as const;
export type OwnKind = (typeof ownKinds)[number];

type Path = readonly [string, ...string[]];
type Kind = { type: CredentialType; paths: readonly Path[] };
type Named = { locale: string; name: string };

const own: Record<OwnKind, Kind> = {
  phone: { type: "PhoneCredential", paths: [["phone_number"]] },
  name: { type: "FullNameCredential", paths: [["given_name"], ["middle_name"], ["family_name"]] },
  birthdate: { type: "BirthDateCredential", paths: [["birthdate"]] },
  address: {
    type: "AddressCredential",
    paths: [
      ["address"],
      ["address", "street_address"],
      ["address", "locality"],
      ["address", "region"],
      ["address", "postal_code"],
      ["address", "country"],
    ],
  },
};

/**
 * The kind of a credential that a brand issued. The brand vouches for the values, so this is never one of our kinds.
 */
export function issuedKind(type: CredentialType): string {
  return `issued-${type}`;
}

/** The claim that names the brand. */
export const issuedBy = "issued_by";

const kinds: ReadonlyMap<string, Kind> = new Map([
  ...Object.entries(own),
  ...credentialTypes.map((type): [string, Kind] => {
    const paths: Path[] = [...new Set(leavesOf(type).map(credentialKey))].map((key) => [key]);
    return [issuedKind(type), { type, paths: [...paths, [issuedBy]] }];
  }),
]);

function leavesOf(type: CredentialType): CredentialType[] {
  return isCompositeType(type) ? compositeChildren[type].flatMap(leavesOf) : [type];
}

/** The credential type of a kind. Null for an unknown kind. */
export function typeOfKind(kind: string): CredentialType | null {
  return kinds.get(kind)?.type ?? null;
}

function namesOf({ type }: Kind): Named[] {
  const title = schemaLibrary[type]?.title ?? type;
  return (["en", "es"] as const).map((locale) => ({ locale, name: valueName(credentialKey(type), title, locale) }));
}

/** The type metadata of a kind (SD-JWT VC). Null for an unknown kind. */
export function typeMetadata(deps: HomeDeps, name: string): Record<string, unknown> | null {
  const kind = kinds.get(name);
  if (kind === undefined) return null;
  return {
    vct: typeOf(deps, name),
    name: name.startsWith("issued-") ? `${kind.type} of a brand` : kind.type,
    display: namesOf(kind),
    claims: kind.paths.map((path) => ({ path, sd: "always" })),
  };
}

/** Maximum number of copies per request. */
export const batchMax = 10;

/** The metadata of the issuer (OpenID4VCI 12.2). */
export function issuerMetadata(deps: HomeDeps) {
  const issuer = issuerUrl(deps);
  return {
    credential_issuer: issuer,
    credential_endpoint: `${issuer}/credential`,
    nonce_endpoint: `${issuer}/nonce`,
    batch_credential_issuance: { batch_size: batchMax },
    display: [{ name: "Countersign", locale: "en" }],
    credential_configurations_supported: Object.fromEntries(
      [...kinds].map(([name, kind]) => [name, configurationOf(deps, name, kind)]),
    ),
  };
}

function configurationOf(deps: HomeDeps, name: string, kind: Kind) {
  return {
    format: "dc+sd-jwt",
    scope: name,
    vct: typeOf(deps, name),
    cryptographic_binding_methods_supported: ["jwk"],
    credential_signing_alg_values_supported: [signatureAlgorithm],
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: [signatureAlgorithm] } },
    credential_metadata: { display: namesOf(kind), claims: kind.paths.map((path) => ({ path: [...path] })) },
  };
}

/** The metadata of the authorization server (RFC 8414), which is the issuer itself. */
export function authorizationMetadata(deps: HomeDeps) {
  const issuer = issuerUrl(deps);
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    grant_types_supported: [codeGrant, preAuthorizedGrant],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    code_challenge_methods_supported: [challengeMethod],
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ["none"],
    "pre-authorized_grant_anonymous_access_supported": true,
  };
}

export const codeGrant = "authorization_code";
/** The only supported method. With `plain`, anyone who sees the request could redeem the code. */
export const challengeMethod = "S256";
export const preAuthorizedGrant = "urn:ietf:params:oauth:grant-type:pre-authorized_code";

/** The path of a document about the issuer: RFC 8414 puts it before the issuer's own path. */
export function wellKnown(document: string): string {
  return `/.well-known/${document}${takeoutPath}`;
}
