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
  const shapes: [string, Shape][] = [];
  for (const { request, values } of facts) {
    const found = values.flatMap((value) => shapeOf(value, request, writing) ?? []);
    const [first] = found;
    if (first !== undefined)
      shapes.push([credentialKey(request.type), request.multi ? { kind: "list", items: found } : first]);
  }
  return {
    credentials: projectEntries(shapes, "value"),
    metadata: {
      id: projectEntries(shapes, "id"),
      verificationMethod: projectEntries(shapes, "verificationMethod"),
      status: projectEntries(shapes, "status"),
      issuerUuid: projectEntries(shapes, "issuerUuid"),
      issuanceDate: projectEntries(shapes, "issuanceDate"),
      expirationDate: projectEntries(shapes, "expirationDate"),
      ...(reportsIds && facts.some(({ values }) => values.some(isFromId))
        ? { issuingAuthority: projectEntries(shapes, "authority") }
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
    const pick = (held: SourcedCredential[]) => held.flatMap((credential) => prune(credential, request, now) ?? []);
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
 * The credential with only the requested children. Null if it is revoked, expired, without a value, or from another
 * issuer than the requested ones.
 */
function prune(
  credential: SourcedCredential,
  wanted: Pick<RequestNode, "issuers" | "children">,
  now: number,
): SourcedCredential | null {
  if (!isLive(credential, now)) return null;
  if (wanted.issuers.length > 0 && !wanted.issuers.includes(credential.issuerUuid)) return null;
  if ("value" in credential) return wanted.children || !hasVisible(credential.value) ? null : credential;
  const children: SourcedCredential[] = [];
  for (const type of childTypes(credential.type)) {
    const request = wanted.children ? wanted.children.find((child) => child.type === type) : anyIssuer;
    const child = request === undefined ? null : firstOf(credential.children, type, request, now);
    if (child !== null) children.push(child);
  }
  return children.length > 0 ? { ...credential, children } : null;
}

const anyIssuer = { issuers: [] };

/** The first child of a type that counts. */
function firstOf(
  children: readonly SourcedCredential[],
  type: CredentialType,
  wanted: Pick<RequestNode, "issuers" | "children">,
  now: number,
): SourcedCredential | null {
  for (const child of children) {
    const pruned = child.type === type ? prune(child, wanted, now) : null;
    if (pruned !== null) return pruned;
  }
  return null;
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
type Projected = Exclude<keyof Leaf, "kind">;

function projectEntries<Name extends Projected>(entries: readonly [string, Shape][], name: Name) {
  const projected: Record<string, Mirror<Leaf[Name]>> = {};
  for (const [key, shape] of entries) projected[key] = project(shape, name);
  return projected;
}

function project<Name extends Projected>(shape: Shape, name: Name): Mirror<Leaf[Name]> {
  if (shape.kind === "leaf") return shape[name];
  if (shape.kind === "list") return shape.items.map((item) => project(item, name));
  return projectEntries(shape.entries, name);
}

/** Null if every part of the brand's pattern is missing. `country` is the country of the surrounding address. */
function shapeOf(
  credential: SourcedCredential,
  request: RequestNode,
  writing: Writing,
  country?: string,
): Shape | null {
  if (!("children" in credential) || !request.children || brandPattern(credential.type, writing.formats) !== null) {
    return leafOf(credential, writing, country);
  }
  const { children } = credential;
  const inside = countryIn(children);
  const entries: [string, Shape][] = [];
  for (const type of childTypes(credential.type)) {
    const asked = request.children.find((child) => child.type === type);
    const found = children.find((child) => child.type === type);
    const shape = asked && found ? shapeOf(found, asked, writing, inside) : null;
    if (shape !== null) entries.push([credentialKey(type), shape]);
  }
  return entries.length > 0 ? { kind: "object", entries } : null;
}

/** Writes a credential as one string: an atomic value, or the parts of a composite in a pattern. */
function leafOf(credential: SourcedCredential, writing: Writing, country?: string): Leaf | null {
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
  const inside = countryIn(credential.children);
  const parts = named.flatMap((child) => {
    const part = leafOf(child, writing, inside);
    return part === null ? [] : [{ ...part, key: credentialKey(child.type) }];
  });
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
function leaf(facts: Facts, value: string, authority?: string): Leaf | null {
  const { id, verificationMethod, status, issuerUuid, issuanceDate, expirationDate } = facts;
  if (value === "") return null;
  const shown = verificationMethod === "government_id" ? (authority ?? null) : null;
  return {
    kind: "leaf",
    value,
    id,
    verificationMethod,
    status,
    issuerUuid,
    issuanceDate,
    expirationDate,
    authority: shown,
  };
}

function countryIn(children: SourcedCredential[]): string | undefined {
  const found = children.find(({ type }) => type === "CountryCredential");
  return found && "value" in found ? found.value : undefined;
}
