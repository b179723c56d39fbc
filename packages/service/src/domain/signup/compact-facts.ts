import { type CredentialType, credentialTypes } from "@countersign/contract/credential";
import { placeOf } from "../../store/seal.ts";
import type { DataKey, Vault } from "../../store/vault.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { RequestNode } from "../credential/request.ts";
import type { Authority, SourcedCredential } from "../ports.ts";
import type { OneClick, OneClickFacts } from "./one-click.ts";

/**
 * Facts and requests as they are sealed: lists without member names, repeated fields and defaults. An ordinary 1-Click
 * is then short enough to be stored without compression.
 */
type CompactRequest = [type: string, flags: number, children?: CompactRequest[], more?: MoreOfRequest];
type MoreOfRequest = Partial<Pick<RequestNode, "description" | "issuers">>;

type Shared = Pick<
  SourcedCredential,
  "verificationMethod" | "status" | "issuerUuid" | "issuanceDate" | "expirationDate"
> & { authority?: Authority };
type CompactShared = [
  verificationMethod: Shared["verificationMethod"],
  status: Shared["status"],
  issuerUuid: string,
  issuanceDate: number,
  expirationDate: number | null,
  /** Of a state ID. */
  authority?: Authority,
];
/** `shared`: a position in the list of shared fields. A child without one has those of its parent. */
type CompactCredential = [id: string, type: string, content: string | CompactCredential[], shared?: number];
/** The request, or its position in the request tree. */
type CompactFact = [request: number | CompactRequest, values: CompactCredential[]];
export type CompactFacts = { shared: CompactShared[]; facts: CompactFact[] };

type SealedFacts = Omit<OneClickFacts, "credentials"> & { credentials: CompactFacts; requestTree: CompactRequest[] };

/** Seals the facts together with the request tree, because brands can write personal data into descriptions. */
export function sealFacts(
  vault: Vault,
  dataKey: DataKey,
  { uuid, facts, requestTree }: Pick<OneClick, "uuid" | "facts" | "requestTree">,
): Buffer {
  const credentials = compact(facts.credentials, requestTree);
  const sealed: SealedFacts = { ...facts, credentials, requestTree: requestTree.map(compactRequest) };
  return vault.seal(dataKey, placeOf("one_click", uuid), sealed);
}

export function openFacts(
  vault: Vault,
  dataKey: DataKey,
  { uuid, sealed }: { uuid: string; sealed: Buffer },
): Pick<OneClick, "facts" | "requestTree"> {
  const opened = vault.open<SealedFacts>(dataKey, placeOf("one_click", uuid), sealed);
  const { credentials, requestTree: requests, ...facts } = opened;
  const requestTree = requests.map(expandRequest);
  return { facts: { ...facts, credentials: expand(credentials, requestTree) }, requestTree };
}

/** `tree`: the request tree that is sealed with the facts. */
export function compact(facts: readonly CredentialFact[], tree: readonly RequestNode[]): CompactFacts {
  const shared: CompactShared[] = [];
  const compactCredential = (credential: SourcedCredential, parent: Shared | null): CompactCredential => {
    const { id, type } = credential;
    const content =
      "value" in credential
        ? credential.value
        : credential.children.map((child) => compactCredential(child, credential));
    if (parent !== null && hasSameShared(credential, parent)) return [id, shortOf(type), content];
    return [id, shortOf(type), content, positionIn(shared, credential)];
  };
  return {
    facts: facts.map(({ request, values }) => {
      const at = tree.indexOf(request);
      return [at < 0 ? compactRequest(request) : at, values.map((value) => compactCredential(value, null))];
    }),
    shared,
  };
}

function hasSameShared(one: Shared, other: Shared): boolean {
  return (
    one.issuanceDate === other.issuanceDate &&
    one.issuerUuid === other.issuerUuid &&
    one.verificationMethod === other.verificationMethod &&
    one.status === other.status &&
    one.expirationDate === other.expirationDate &&
    one.authority?.name === other.authority?.name &&
    one.authority?.jurisdiction === other.authority?.jurisdiction
  );
}

/** Adds the fields unless the list has them. */
function positionIn(all: CompactShared[], one: Shared): number {
  const known = all.findIndex((listed) => hasSameShared(expandShared(listed), one));
  if (known >= 0) return known;
  const { verificationMethod, status, issuerUuid, issuanceDate, expirationDate, authority } = one;
  const fields = [verificationMethod, status, issuerUuid, issuanceDate, expirationDate] as const;
  return all.push(authority === undefined ? [...fields] : [...fields, authority]) - 1;
}

function expandShared([
  verificationMethod,
  status,
  issuerUuid,
  issuanceDate,
  expirationDate,
  authority,
]: CompactShared): Shared {
  const shared = { verificationMethod, status, issuerUuid, issuanceDate, expirationDate };
  return authority === undefined ? shared : { ...shared, authority };
}

/** `tree`: the request tree of the same 1-Click. */
export function expand({ shared, facts }: CompactFacts, tree: readonly RequestNode[]): CredentialFact[] {
  const all = shared.map(expandShared);
  const expandCredential = (
    [id, short, content, at]: CompactCredential,
    parent: Shared | undefined,
  ): SourcedCredential => {
    const own = at === undefined ? parent : all[at];
    if (own === undefined) throw new Error("a credential without its shared fields");
    const { verificationMethod, status, issuerUuid, issuanceDate, expirationDate, authority } = own;
    const details = {
      id,
      type: typeOf(short),
      verificationMethod,
      status,
      issuerUuid,
      issuanceDate,
      expirationDate,
    };
    if (typeof content === "string")
      return authority === undefined ? { ...details, value: content } : { ...details, value: content, authority };
    return { ...details, children: content.map((child) => expandCredential(child, own)) };
  };
  return facts.map(([of, values]) => {
    const request = typeof of === "number" ? tree[of] : expandRequest(of);
    if (request === undefined) throw new Error("a credential was not requested");
    return { request, values: values.map((value) => expandCredential(value, undefined)) };
  });
}

const mandatoryValues = ["no", "yes", "if_available"] as const satisfies readonly RequestNode["mandatory"][];
/** The flags of a request are one number: these bits, and the position in `mandatoryValues` above them. */
const [multiBit, typedBit, mandatoryStep] = [1, 2, 4];

function compactRequest(request: RequestNode): CompactRequest {
  const { type, mandatory, multi, allowUserInput, issuers, description, children } = request;
  const flags =
    (multi ? multiBit : 0) + (allowUserInput ? typedBit : 0) + mandatoryValues.indexOf(mandatory) * mandatoryStep;
  const short = shortOf(type);
  const hasMore = description !== undefined || issuers.length > 0;
  if (hasMore) return [short, flags, children?.map(compactRequest) ?? [], { description, issuers }];
  return children === undefined ? [short, flags] : [short, flags, children.map(compactRequest)];
}

function expandRequest([short, flags, children = [], { issuers = [], description } = {}]: CompactRequest): RequestNode {
  const mandatory = mandatoryValues[Math.floor(flags / mandatoryStep)];
  if (mandatory === undefined) throw new Error("a request with unknown flags");
  return {
    type: typeOf(short),
    mandatory,
    multi: (flags & multiBit) !== 0,
    ...(description === undefined ? {} : { description }),
    allowUserInput: (flags & typedBit) !== 0,
    issuers,
    // By `toRequestTree`, a request without children has no list of them.
    ...(children.length === 0 ? {} : { children: children.map(expandRequest) }),
  };
}

const suffix = "Credential";
const shorts = new Map<CredentialType, string>(credentialTypes.map((type) => [type, type.slice(0, -suffix.length)]));
const types = new Map([...shorts].map(([type, short]) => [short, type]));

function shortOf(type: CredentialType): string {
  return shorts.get(type) ?? type;
}

function typeOf(short: string): CredentialType {
  const type = types.get(short);
  if (type === undefined) throw new Error(`unknown credential type ${short}`);
  return type;
}
