import type { CredentialType } from "@countersign/contract/credential";
import type { CredentialFact } from "../credential/assemble.ts";
import type { RequestNode } from "../credential/request.ts";
import type { SourcedCredential } from "../ports.ts";

/** Fields that a child credential nearly always shares with its parent. */
const sharedNames = ["verificationMethod", "status", "issuerUuid", "issuanceDate", "expirationDate"] as const;
type Shared = Pick<SourcedCredential, (typeof sharedNames)[number]>;

type LeanCredential = { id: string; type: CredentialType } & Partial<Shared> &
  ({ value: string } | { children: LeanCredential[] });
/**
 * A compact fact: the sealed form without repeated fields. `request` is stored only if it differs from the row's tree.
 */
export type LeanFact = { type: CredentialType; request?: RequestNode; values: (LeanCredential & Shared)[] };

/** `tree`: the request tree of the row that stores the facts. */
export function lean(facts: readonly CredentialFact[], tree: readonly RequestNode[]): LeanFact[] {
  return facts.map(({ request, values }) => ({
    type: request.type,
    ...(ofType(tree, request.type) === request ? {} : { request }),
    values: values.map((value) => ({ ...sharedOf(value), ...leanCredential(value, value) })),
  }));
}

const ofType = (tree: readonly RequestNode[], wanted: CredentialType) => tree.find(({ type }) => type === wanted);

function sharedOf({ verificationMethod, status, issuerUuid, issuanceDate, expirationDate }: Shared): Shared {
  return { verificationMethod, status, issuerUuid, issuanceDate, expirationDate };
}

function leanCredential(credential: SourcedCredential, whole: Shared): LeanCredential {
  const { id, type } = credential;
  const others = sharedNames.filter((name) => credential[name] !== whole[name]);
  const own = Object.fromEntries(others.map((name) => [name, credential[name]]));
  if ("value" in credential) return { id, type, ...own, value: credential.value };
  return { id, type, ...own, children: credential.children.map((child) => leanCredential(child, credential)) };
}

/** `tree`: the request tree of the same row. */
export function full(facts: readonly LeanFact[], tree: readonly RequestNode[]): CredentialFact[] {
  return facts.map(({ type, request: own, values }) => {
    const request = own ?? ofType(tree, type);
    if (request === undefined) throw new Error(`a ${type} that nobody asked for`);
    return { request, values: values.map((value) => fullCredential(value, value)) };
  });
}

function fullCredential(credential: LeanCredential, whole: Shared): SourcedCredential {
  const { id, type } = credential;
  const shared = sharedOf({ ...whole, ...credential });
  if ("value" in credential) return { id, type, ...shared, value: credential.value };
  return { id, type, ...shared, children: credential.children.map((child) => fullCredential(child, shared)) };
}
