import type { CredentialChildren, CredentialValues } from "./credential-types.ts";

export type { CredentialChildren, CredentialValues } from "./credential-types.ts";

/** A credential type of the schema library. */
export type CredentialType = keyof CredentialValues | keyof CredentialChildren;

/**
 * A credential as you issue it. After a check of `type`, TypeScript knows `data`: an object for a type with one value,
 * or a list of credentials for a type with parts.
 */
export type Credential<Type extends CredentialType = CredentialType> = Type extends keyof CredentialValues
  ? { type: Type; data: CredentialValues[Type] }
  : Type extends keyof CredentialChildren
    ? { type: Type; data: Credential<CredentialChildren[Type]>[] }
    : never;

/** The `data` of any credential. */
export type CredentialData = Credential["data"];

/** A credential in a request to issue it. */
export type CredentialToIssue = Credential & {
  /** Your own id for the credential. A repeated call with the same id gets 409. */
  id?: string;
  /** When the credential expires, in Unix milliseconds. Default: never. */
  expirationDate?: number;
};

/** The facts about an issued credential. Dates are Unix milliseconds as text. */
type IssuedFacts = {
  /** The credential's id. */
  id: string;
  /** When the credential was issued. */
  issuanceDate: string;
  /** When the credential expires; `null` if never. */
  expirationDate: string | null;
  /** Whether the credential can be shared (`valid`) or is revoked. */
  status: "valid" | "revoked";
  /** UUID of the issuing brand. */
  issuerUuid: string;
  /** When the credential was stored. */
  createdAt: string;
  /** When the credential was last changed. */
  updatedAt: string;
};

/** An issued credential. After a check of `type`, TypeScript knows `data`. Its parts are credentials too. */
export type IssuedCredential<Type extends CredentialType = CredentialType> = Type extends keyof CredentialValues
  ? IssuedFacts & { type: Type; data: CredentialValues[Type] }
  : Type extends keyof CredentialChildren
    ? IssuedFacts & { type: Type; data: IssuedCredential<CredentialChildren[Type]>[] }
    : never;

/** The key of a type in `credentials`: `FullNameCredential` is `fullName`. */
export type CredentialKey<Type extends CredentialType> = Type extends `${infer Name}Credential`
  ? Uncapitalize<Name>
  : never;

/** The requested parts of a composite type that were found. */
type Parts<Type extends CredentialType> = { [Part in Type as CredentialKey<Part>]?: CredentialText<Part> };

/** One value: text, or the parts of a composite type that was requested with `children`. */
type CredentialText<Type extends CredentialType> = Type extends keyof CredentialChildren
  ? string | Parts<CredentialChildren[Type]>
  : string;

/**
 * The shared values by key: text, an object of parts if you asked for `children`, or a list of either with `multi`.
 * `CredentialsOf` narrows this type to your requests.
 */
export type Credentials = {
  [Type in CredentialType as CredentialKey<Type>]?: CredentialText<Type> | CredentialText<Type>[];
};

type Asked = { readonly type: CredentialType; readonly multi?: boolean; readonly children?: readonly Asked[] };

type Answered<One extends Asked> = One extends { readonly children: readonly (infer Child extends Asked)[] }
  ? { [Part in Child as CredentialKey<Part["type"]>]?: Answered<Part> }
  : string;

/**
 * The shared values for these `credentialRequests`: a list for `multi`, an object for `children`, otherwise text. The
 * brand's `credentialFormats` must be `object`, the default.
 */
export type CredentialsOf<Requests extends readonly Asked[]> = {
  [One in Requests[number] as CredentialKey<One["type"]>]?: One extends { readonly multi: true }
    ? Answered<One>[]
    : Answered<One>;
};

/** A fact about each value, in the shape of `credentials`. */
export type FactsOf<Shape, Fact> = Shape extends string ? Fact : { [Key in keyof Shape]: FactsOf<Shape[Key], Fact> };
