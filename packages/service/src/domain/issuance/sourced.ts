import { type CredentialType, credentialTypes } from "@countersign/contract/credential";
import { brandUuidsOf, existingBrands, findIssuers } from "../brand/brand-rows.ts";
import { childTypes } from "../credential/request.ts";
import { dayOfIssued } from "../day.ts";
import type { Deps } from "../deps.ts";
import type { Phone, SourcedCredential } from "../ports.ts";
import type { IssuedData, UsableCredential } from "./issued-credential-rows.ts";
import { type Belonging, findIssuersTo, listUsable } from "./issued-list-rows.ts";

/**
 * Credentials that brands issued to the person who has a phone, newest first. The caller must have proven the phone.
 *
 * A credential counts if it is neither revoked nor expired and the operator lets its issuer issue. A credential that
 * was issued to an email address alone counts if another counting credential links that address to this phone.
 * Credentials issued to another phone never count, even if they also name a linked email address.
 *
 * In a sandbox, customers test with the same numbers. Only what the brands of `customerUuid` issued counts there.
 *
 * `holderUuid`: whose credentials they are. The phone may get a new holder before they are released.
 */
export async function issuedCredentials(
  deps: Deps,
  phone: Phone,
  input: { types: readonly CredentialType[]; customerUuid: string },
): Promise<{ holderUuid: string; credentials: SourcedCredential[] } | null> {
  const counting = await countingCredentials(deps, phone, { ...input, belonging: "all" });
  if (counting === null) return null;
  const credentials = counting.issued.map(({ id, type, data, status, issuerUuid, issuedAt, expiresAt }) =>
    sourced(
      { id, type, ...data },
      { verificationMethod: null, status, issuerUuid, issuanceDate: issuedAt, expirationDate: expiresAt },
    ),
  );
  return credentials.length === 0 ? null : { holderUuid: counting.holderUuid, credentials };
}

/**
 * The ids of the given values that count no longer: meanwhile, a credential was revoked or expired, its issuer was
 * stopped or lost its approval, or `mayCount` is false. Only values that brands issued are among them.
 */
export async function issuedNoLonger(
  deps: Deps,
  phone: Phone,
  { values, customerUuid, mayCount }: Counting,
): Promise<ReadonlySet<string>> {
  // The service's own sources and what a person typed bear this issuer.
  const others = values.filter(({ issuerUuid }) => issuerUuid !== deps.vendors.identity.issuerUuid);
  if (others.length === 0) return new Set();
  const brands = await existingBrands(
    deps.home,
    others.map(({ issuerUuid }) => issuerUuid),
  );
  const issued = others.filter(({ issuerUuid }) => brands.has(issuerUuid));
  if (issued.length === 0) return new Set();
  if (!(await mayCount())) return new Set(issued.map(({ id }) => id));
  const types = [...new Set(issued.map(({ type }) => type))];
  const counting = await countingCredentials(deps, phone, { types, belonging: "all", customerUuid });
  const current = new Set(counting?.issued.flatMap(idsOf));
  return new Set(issued.map(({ id }) => id).filter((id) => !current.has(id)));
}

/** `mayCount`: whether issued values may be added to the 1-Click at all. */
type Counting = { values: readonly SourcedCredential[]; customerUuid: string; mayCount: () => Promise<boolean> };

/** The ids of a credential and its parts. A value can be a part: a first name is taken from a full name. */
function idsOf({ id, ...data }: { id: string } & (IssuedData | { data: IssuedData })): string[] {
  const held = "data" in data ? data.data : data;
  return "children" in held ? [id, ...held.children.flatMap(idsOf)] : [id];
}

/**
 * The credentials of `issuedCredentials` that were issued to an email address alone, newest first. The person's page
 * lists them, because brands get them.
 */
export async function issuedToEmailsOf(deps: Deps, phone: Phone): Promise<UsableCredential[]> {
  return (await countingCredentials(deps, phone, { types: credentialTypes, belonging: "toEmails" }))?.issued ?? [];
}

async function countingCredentials(
  deps: Deps,
  phone: Phone,
  { types, belonging, customerUuid }: { types: readonly CredentialType[]; belonging: Belonging; customerUuid?: string },
): Promise<{ holderUuid: string; issued: UsableCredential[] } | null> {
  if (types.length === 0) return null;
  const { home, environment } = deps;
  const to = await findIssuersTo(deps, phone);
  if (to === null) return null;
  const own =
    deps.phones.sharesNumbers && customerUuid !== undefined ? new Set(await brandUuidsOf(home, customerUuid)) : null;
  const counts = (brandUuid: string) => own === null || own.has(brandUuid);
  const linkers = await findIssuers(home, environment, to.brands.filter(counts));
  if (linkers.size === 0) return null;
  const found = await listUsable(deps, phone, { types: withComposites(types), linkers: [...linkers], belonging });
  const issuers = await findIssuers(
    home,
    environment,
    found.map(({ issuerUuid }) => issuerUuid),
  );
  return {
    holderUuid: to.holderUuid,
    issued: found.filter(({ issuerUuid }) => issuers.has(issuerUuid) && counts(issuerUuid)),
  };
}

/** The requested types and the composites that can contain them. */
function withComposites(types: readonly CredentialType[]): CredentialType[] {
  const holds = (type: CredentialType): boolean =>
    types.includes(type) || childTypes(type).some((child) => holds(child));
  return credentialTypes.filter(holds);
}

type Facts = Pick<
  SourcedCredential,
  "verificationMethod" | "status" | "issuerUuid" | "issuanceDate" | "expirationDate"
>;

function sourced(
  { id, type, ...data }: { id: string; type: CredentialType } & IssuedData,
  facts: Facts,
): SourcedCredential {
  if ("children" in data) {
    return { ...facts, id, type, children: data.children.map((child) => sourced(child, facts)) };
  }
  // An atomic type has at most one value. A missing value counts as empty.
  const value = Object.values(data.values)[0] ?? "";
  // Issued data has dates in milliseconds, but sources write `1989-08-01`.
  return { ...facts, id, type, value: type === "BirthDateCredential" ? dayOfIssued(value) : value };
}
