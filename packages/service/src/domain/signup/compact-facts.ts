import type { CredentialType } from "@countersign/contract/credential";
import { placeOf } from "../../store/seal.ts";
import type { DataKey, Vault } from "../../store/vault.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { RequestNode } from "../credential/request.ts";
import type { Authority, SourcedCredential } from "../ports.ts";
import type { OneClick, OneClickFacts } from "./one-click.ts";

/** Fields that a child credential nearly always shares with its parent. */
const sharedNames = ["verificationMethod", "status", "issuerUuid", "issuanceDate", "expirationDate"] as const;
type Shared = Pick<SourcedCredential, (typeof sharedNames)[number]>;

type CompactCredential = { id: string; type: CredentialType } & Partial<Shared> &
  ({ value: string; authority?: Authority } | { children: CompactCredential[] });
/**
 * A fact as it is sealed, without repeated fields. `request` is stored only if the request tree does not contain it.
 */
export type CompactFact = { type: CredentialType; request?: RequestNode; values: (CompactCredential & Shared)[] };

type SealedFacts = Omit<OneClickFacts, "credentials"> & { credentials: CompactFact[]; requestTree: RequestNode[] };

/** Seals the facts together with the request tree, because brands can write personal data into descriptions. */
export function sealFacts(
  vault: Vault,
  dataKey: DataKey,
  { uuid, facts, requestTree }: Pick<OneClick, "uuid" | "facts" | "requestTree">,
): Buffer {
  const sealed: SealedFacts = { ...facts, credentials: compact(facts.credentials, requestTree), requestTree };
  return vault.seal(dataKey, placeOf("one_click", uuid), sealed);
}

export function openFacts(
  vault: Vault,
  dataKey: DataKey,
  { uuid, sealed }: { uuid: string; sealed: Buffer },
): Pick<OneClick, "facts" | "requestTree"> {
  const { credentials, requestTree, ...facts } = vault.open<SealedFacts>(dataKey, placeOf("one_click", uuid), sealed);
  return { facts: { ...facts, credentials: expand(credentials, requestTree) }, requestTree };
}

/** `tree`: the request tree that is sealed with the facts. */
export function compact(facts: readonly CredentialFact[], tree: readonly RequestNode[]): CompactFact[] {
  return facts.map(({ request, values }) => ({
    type: request.type,
    ...(ofType(tree, request.type) === request ? {} : { request }),
    values: values.map((value) => ({ ...sharedOf(value), ...compactCredential(value, value) })),
  }));
}

const ofType = (tree: readonly RequestNode[], wanted: CredentialType) => tree.find(({ type }) => type === wanted);

function sharedOf({ verificationMethod, status, issuerUuid, issuanceDate, expirationDate }: Shared): Shared {
  return { verificationMethod, status, issuerUuid, issuanceDate, expirationDate };
}

function compactCredential(credential: SourcedCredential, whole: Shared): CompactCredential {
  const { id, type } = credential;
  const others = sharedNames.filter((name) => credential[name] !== whole[name]);
  const own = Object.fromEntries(others.map((name) => [name, credential[name]]));
  if ("value" in credential) return { id, type, ...own, value: credential.value, ...authorityOf(credential) };
  return { id, type, ...own, children: credential.children.map((child) => compactCredential(child, credential)) };
}

/** `tree`: the request tree of the same 1-Click. */
export function expand(facts: readonly CompactFact[], tree: readonly RequestNode[]): CredentialFact[] {
  return facts.map(({ type, request: own, values }) => {
    const request = own ?? ofType(tree, type);
    if (request === undefined) throw new Error(`${type} was not requested`);
    return { request, values: values.map((value) => expandCredential(value, value)) };
  });
}

function expandCredential(credential: CompactCredential, whole: Shared): SourcedCredential {
  const { id, type } = credential;
  const shared = sharedOf({ ...whole, ...credential });
  if ("value" in credential) return { id, type, ...shared, value: credential.value, ...authorityOf(credential) };
  return { id, type, ...shared, children: credential.children.map((child) => expandCredential(child, shared)) };
}

function authorityOf({ authority }: { authority?: Authority }): { authority?: Authority } {
  return authority === undefined ? {} : { authority };
}
