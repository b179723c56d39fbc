import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import type { CredentialMetadata, Mirror } from "@countersign/contract/entity";
import { hasVisible } from "../hidden-characters.ts";
import type { SourcedCredential } from "../ports.ts";
import { brandPattern, type CredentialFormats, fillPattern, formatValue, patternKeys, plainPattern } from "./format.ts";
import { childTypes, type RequestNode } from "./request.ts";

/** A requested credential with the values found for it. Facts are stored; each read computes wire shapes from them. */
export type CredentialFact = { request: RequestNode; values: SourcedCredential[] };

/** Maximum number of values of a `multi` credential (specification, "Limits"). */
export const multiValuesMax = 3;

/** `reportsIds`: whether the brand reads which values come from a state ID. If not, they are `self_attested`. */
type Writing = { formats: CredentialFormats; reportsIds: boolean };

/** The `credentials` and `metadata.credentials` of a 1ClickEntity. */
export type AssembledCredentials = { credentials: Record<string, Mirror<string>>; metadata: CredentialMetadata };

/**
 * Converts facts to the shapes of the specification: a string, an array, an object, or an array of objects. All seven
 * maps are projections of one tree of leaves, so they have the same shape and order.
 */
export function assemble(
  facts: CredentialFact[],
  formats: CredentialFormats,
  { reportsIds }: { reportsIds: boolean } = { reportsIds: false },
): AssembledCredentials {
  const writing = { formats, reportsIds };
  const shapes = facts.flatMap(({ request, values }): [string, Shape][] => {
    const found = values.flatMap((value) => shapeOf(value, request, writing));
    const [first] = found;
    if (!first) return [];
    return [[credentialKey(request.type), request.multi ? { kind: "list", items: found } : first]];
  });
  const map = <Member>(pick: (leaf: Leaf) => Member) => projectEntries(shapes, pick);
  return {
    credentials: map((leaf) => leaf.value),
    metadata: {
      id: map((leaf) => leaf.id),
      verificationMethod: map((leaf) => leaf.verificationMethod),
      status: map((leaf) => leaf.status),
      issuerUuid: map((leaf) => leaf.issuerUuid),
      issuanceDate: map((leaf) => leaf.issuanceDate),
      expirationDate: map((leaf) => leaf.expirationDate),
      ...(reportsIds && facts.some(({ values }) => values.some(isFromId))
        ? { issuingAuthority: map((leaf) => leaf.authority) }
        : {}),
    },
  };
}

/**
 * Selects the requested credentials from the available ones. `valuesMax`: how many values of a `multi` credential the
 * brand may see.
 */
export function select(
  tree: RequestNode[],
  available: SourcedCredential[],
  { valuesMax, now }: { valuesMax: number; now: number },
): CredentialFact[] {
  return tree.flatMap((request) => {
    const pick = (held: SourcedCredential[]) => held.flatMap((credential) => prune(credential, request, now));
    const whole = pick(available.filter(({ type }) => type === request.type));
    // A first name is rarely available on its own, so take it from the full name.
    const found = whole.length > 0 ? whole : pick(partsOf(available, request.type, now));
    const values = found.slice(0, request.multi ? Math.min(multiValuesMax, valuesMax) : 1);
    return values.length > 0 ? [{ request, values }] : [];
  });
}

/** The types requested with `mandatory: "yes"`, at any level, that have no value. */
export function missingMandatory(tree: RequestNode[], facts: CredentialFact[]): CredentialType[] {
  const missing = tree.flatMap((request) => {
    const values = facts.find((fact) => fact.request.type === request.type)?.values ?? [];
    return missingIn(request, values);
  });
  return [...new Set(missing)];
}

function missingIn(request: RequestNode, values: SourcedCredential[]): CredentialType[] {
  const parts = values.flatMap((value) => ("children" in value ? value.children : []));
  return [
    ...(request.mandatory === "yes" && values.length === 0 ? [request.type] : []),
    ...(request.children ?? []).flatMap((child) =>
      missingIn(
        child,
        parts.filter(({ type }) => type === child.type),
      ),
    ),
  ];
}

/**
 * The credential with only the requested children. Empty if it is revoked, expired, without a value, or from another
 * issuer than the requested ones.
 */
function prune(
  credential: SourcedCredential,
  wanted: Pick<RequestNode, "issuers" | "children">,
  now: number,
): SourcedCredential[] {
  if (!isLive(credential, now)) return [];
  if (wanted.issuers.length > 0 && !wanted.issuers.includes(credential.issuerUuid)) return [];
  if ("value" in credential) return wanted.children || !hasVisible(credential.value) ? [] : [credential];
  const children = childTypes(credential.type).flatMap((type) => {
    const request = wanted.children ? wanted.children.find((child) => child.type === type) : { issuers: [] };
    if (!request) return [];
    return credential.children
      .filter((child) => child.type === type)
      .flatMap((child) => prune(child, request, now))
      .slice(0, 1);
  });
  return children.length > 0 ? [{ ...credential, children }] : [];
}

function isLive({ status, expirationDate }: SourcedCredential, now: number): boolean {
  return status === "valid" && (expirationDate === null || expirationDate > now);
}

function partsOf(held: SourcedCredential[], type: CredentialType, now: number): SourcedCredential[] {
  return held.flatMap((credential) => {
    if (!("children" in credential) || !isLive(credential, now)) return [];
    return [...credential.children.filter((child) => child.type === type), ...partsOf(credential.children, type, now)];
  });
}

type Facts = Pick<
  SourcedCredential,
  "id" | "verificationMethod" | "status" | "issuerUuid" | "issuanceDate" | "expirationDate"
>;
type Leaf = Facts & { kind: "leaf"; value: string; authority: string | null };
type Shape = Leaf | { kind: "list"; items: Shape[] } | { kind: "object"; entries: [string, Shape][] };

function projectEntries<Member>(entries: [string, Shape][], pick: (leaf: Leaf) => Member) {
  return Object.fromEntries(entries.map(([key, shape]) => [key, project(shape, pick)]));
}

function project<Member>(shape: Shape, pick: (leaf: Leaf) => Member): Mirror<Member> {
  if (shape.kind === "leaf") return pick(shape);
  if (shape.kind === "list") return shape.items.map((item) => project(item, pick));
  return projectEntries(shape.entries, pick);
}

/** Empty if every part of the brand's pattern is missing. `country` is the country of the surrounding address. */
function shapeOf(credential: SourcedCredential, request: RequestNode, writing: Writing, country?: string): Shape[] {
  if (!("children" in credential) || !request.children || brandPattern(credential.type, writing.formats) !== null) {
    return leafOf(credential, writing, country);
  }
  const { children } = credential;
  const entries = childTypes(credential.type).flatMap((type): [string, Shape][] => {
    const asked = request.children?.find((child) => child.type === type);
    const found = children.find((child) => child.type === type);
    const [shape] = asked && found ? shapeOf(found, asked, writing, countryIn(children)) : [];
    return shape ? [[credentialKey(type), shape]] : [];
  });
  return entries.length > 0 ? [{ kind: "object", entries }] : [];
}

/** Writes a credential as one string: an atomic value, or the parts of a composite in a pattern. */
function leafOf(credential: SourcedCredential, writing: Writing, country?: string): Leaf[] {
  const { formats, reportsIds } = writing;
  if ("value" in credential) {
    const text = formatValue(credential.type, credential.value, { formats, country });
    if (!isFromId(credential)) return leaf(credential, text);
    const verificationMethod = reportsIds ? credential.verificationMethod : "self_attested";
    return leaf({ ...credential, verificationMethod }, text, credential.authority?.name);
  }
  const pattern = brandPattern(credential.type, formats) ?? plainPattern(credential.type);
  const keys = patternKeys(pattern);
  const named = credential.children.filter(({ type }) => keys.includes(credentialKey(type)));
  const parts = named.flatMap((child) =>
    leafOf(child, writing, countryIn(credential.children)).map((part) => ({ ...part, key: credentialKey(child.type) })),
  );
  const [method = null, ...others] = new Set(parts.map((part) => part.verificationMethod));
  const text = fillPattern(pattern, new Map(parts.map(({ key, value }) => [key, value])));
  const verificationMethod = others.length === 0 ? method : null;
  return leaf({ ...credential, verificationMethod }, text, parts[0]?.authority ?? undefined);
}

/** Whether a value, or a part of it, comes from a state ID. */
export function isFromId(credential: SourcedCredential): boolean {
  if ("children" in credential) return credential.children.some(isFromId);
  return credential.verificationMethod === "government_id";
}

/** `authority`: the name of the authority whose state ID has the value. */
function leaf(facts: Facts, value: string, authority?: string): Leaf[] {
  const { id, verificationMethod, status, issuerUuid, issuanceDate, expirationDate } = facts;
  if (value === "") return [];
  const shown = verificationMethod === "government_id" ? (authority ?? null) : null;
  return [
    { kind: "leaf", value, id, verificationMethod, status, issuerUuid, issuanceDate, expirationDate, authority: shown },
  ];
}

function countryIn(children: SourcedCredential[]): string | undefined {
  const found = children.find(({ type }) => type === "CountryCredential");
  return found && "value" in found ? found.value : undefined;
}
