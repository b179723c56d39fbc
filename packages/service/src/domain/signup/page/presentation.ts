/**
 * Details from the person's wallet app instead of typed ones. The brand gets them as self-attested, and nothing is
 * shared before the review and the decision.
 */

import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { hourMs, minuteMs } from "@countersign/contract/time";
import type { CredentialFact } from "../../credential/assemble.ts";
import type { RequestNode } from "../../credential/request.ts";
import type { Deps, HomeDeps } from "../../deps.ts";
import { fail, type Problem, refuse } from "../../failure.ts";
import { issuerUrl } from "../../takeout/addresses.ts";
import { issuedKind } from "../../takeout/kinds.ts";
import { WalletRefusal } from "../../takeout/refusal.ts";
import { verifyPresentation } from "../../takeout/verify.ts";
import { randomToken } from "../../token.ts";
import { callerKey, countUses, useOf } from "../../verification/limits/use-count-rows.ts";
import type { OneClick } from "../one-click.ts";
import { findOneClick, lockOneClick, saveFacts } from "../one-click-rows.ts";
import { type Typed, typedFact, typingInputs } from "../typing.ts";
import { findPage, type Page } from "./page.ts";
import { deletePresentation, findPresentation, insertPresentation, setPresented } from "./presentation-rows.ts";

/** How long a wallet app may take, in milliseconds. */
export const presentationLifeMs = 10 * minuteMs;
/** How many answers for one page are verified. Each one reads a status list, which keeps a process busy. */
const answersCap = { windowMs: hourMs, max: 20 };
/** One requested credential. `id`: the credential's key, which is also its id in the request to the wallet. */
export type Query = { id: string; type: CredentialType; kind: string; claims: string[][] };
type RequestContent = { page: string; nonce: string; queries: Query[] };
type Presented = { edits: Record<string, Typed> };

export type PresentationRequest = {
  token: string;
  nonce: string;
  queries: Query[];
  brand: string;
  expiresAt: number;
};

/** The claims of our own kinds, by the key of the input that each replaces. */
const ownClaims: Partial<Record<CredentialType, { kind: string; claims: Record<string, string[]> }>> = {
  FullNameCredential: { kind: "name", claims: { firstName: ["given_name"], lastName: ["family_name"] } },
  BirthDateCredential: { kind: "birthdate", claims: { birthDate: ["birthdate"] } },
  AddressCredential: {
    kind: "address",
    claims: {
      line1: ["address", "street_address"],
      city: ["address", "locality"],
      state: ["address", "region"],
      zipCode: ["address", "postal_code"],
    },
  },
};

/** The claim of each input that a wallet can fill in. */
function claimsOf(request: RequestNode): { kind: string; claims: Record<string, string[]> } {
  const inputs = typingInputs(request);
  const own = ownClaims[request.type];
  if (own === undefined) {
    const needed = inputs.filter(({ mandatory, essential }) => mandatory === "yes" || essential);
    const asked = needed.length > 0 ? needed : inputs.slice(0, 1);
    return { kind: issuedKind(request.type), claims: Object.fromEntries(asked.map(({ key }) => [key, [key]])) };
  }
  const claims = Object.entries(own.claims).filter(([key]) => inputs.some((input) => input.key === key));
  return { kind: own.kind, claims: Object.fromEntries(claims) };
}

/** The details that were not found and that the person may type. */
function queriesOf({ requestTree, facts }: OneClick): Query[] {
  return requestTree.flatMap((request) => {
    const isFound = facts.credentials.some((fact) => fact.request.type === request.type && fact.values.length > 0);
    if (isFound) return [];
    const { kind, claims } = claimsOf(request);
    const paths = Object.values(claims);
    return paths.length === 0 ? [] : [{ id: credentialKey(request.type), type: request.type, kind, claims: paths }];
  });
}

/** Begins a request to the person's wallet app. An earlier request of this page ends. */
export async function beginPresentation(
  deps: Deps,
  { oneClick, caller }: Page,
  { page }: { page: string },
): Promise<PresentationRequest> {
  if (oneClick.state !== "awaitingDecision") throw fail("OCE015", {});
  // The wallet app returns to this page with a code, so the page must be the person's own.
  if ((await findPage(deps, { page }, caller.requestId)).oneClick.uuid !== oneClick.uuid) throw fail("OCE015", {});
  const queries = queriesOf(oneClick);
  if (queries.length === 0) throw refuse(404, "A wallet app has none of the missing details.");
  const [token, nonce] = [randomToken(deps.random), randomToken(deps.random)];
  const expiresAt = deps.clock.now() + presentationLifeMs;
  const content: RequestContent = { page, nonce, queries };
  const request = { uuid: deps.random.uuid(), oneClickUuid: oneClick.uuid, token, nonce, content, expiresAt };
  if (!(await deps.db.inTransaction((trx) => insertPresentation(deps, trx, request)))) throw fail("OCE015", {});
  return { token, nonce, queries, brand: caller.brand.settings.externalName, expiresAt };
}

/** Where a wallet sends its answer. It is also the request's client identifier, and the audience of presentations. */
export function responseUriOf(deps: HomeDeps, token: string): string {
  return `${issuerUrl(deps)}/presentations/${token}`;
}

export function clientIdOf(deps: HomeDeps, token: string): string {
  return `redirect_uri:${responseUriOf(deps, token)}`;
}

/** Accepts the answer of a wallet, once. Returns the URL to which the wallet sends the person's browser. */
export async function acceptPresentation(
  deps: Deps,
  token: string,
  presentations: Readonly<Record<string, string>>,
): Promise<string> {
  const found = await findPresentation<RequestContent>(deps, deps.db, { token });
  if (found === null) throw new WalletRefusal("invalid_request", "The request is over, or was answered.");
  const { page, nonce, queries } = found.content;
  const answers = useOf(deps, { scope: "presentation.answers", key: callerKey(deps, page), window: answersCap });
  const [counted] = await countUses(deps.home, [answers]);
  if ((counted?.used ?? 0) > answersCap.max)
    throw new WalletRefusal("invalid_request", "Too many answers were sent for this page.");
  const edits: Presented["edits"] = {};
  for (const { id, type, kind, claims } of queries) {
    const presentation = presentations[id];
    if (presentation === undefined) continue;
    const wanted = { kind, claims, nonce, audience: clientIdOf(deps, token) };
    const disclosed = await verifyPresentation(deps, presentation, wanted);
    if (disclosed === null) throw new WalletRefusal("invalid_request", "A presentation is not valid for this request.");
    edits[id] = typedOf(type, { disclosed, claims });
  }
  const code = randomToken(deps.random);
  const presented = { uuid: found.uuid, code, content: { edits } satisfies Presented };
  if (Object.keys(edits).length === 0 || !(await setPresented(deps, presented)))
    throw new WalletRefusal("invalid_request", "The request was answered, or the answer has no credential.");
  // A fragment is never sent to a server.
  return `${deps.addresses.walletUrl}/request/${page}#wallet=${code}`;
}

/** Converts disclosed claims to typed values. */
function typedOf(
  type: CredentialType,
  { disclosed, claims }: { disclosed: Record<string, unknown>; claims: string[][] },
): Typed {
  const keyOf = (path: string[]) => {
    const own = Object.entries(ownClaims[type]?.claims ?? {}).find(([, claim]) => claim.join() === path.join());
    return own?.[0] ?? path.join();
  };
  const parts = Object.fromEntries(claims.map((path) => [keyOf(path), textAt(disclosed, path)]));
  const [single] = Object.values(parts);
  return claims.length === 1 && Object.keys(parts)[0] === credentialKey(type) ? (single ?? "") : parts;
}

function textAt(value: unknown, [name = "", ...rest]: string[]): string {
  const member: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  if (rest.length > 0) return textAt(member, rest);
  return typeof member === "string" ? member : "";
}

/** Adds the presented details to the review. Only the browser to which the wallet returned has the code. */
export async function takePresentation(deps: Deps, page: Page, { code }: { code: string }): Promise<Page> {
  const { caller, oneClick } = page;
  return await deps.db.inTransaction(async (trx) => {
    await lockOneClick(trx, oneClick.uuid);
    const now = await findOneClick(deps, trx, caller, oneClick.uuid);
    const found = await findPresentation<Presented>(deps, trx, { code, oneClickUuid: oneClick.uuid });
    if (now === null || now.state !== "awaitingDecision" || found === null)
      throw refuse(404, "There is nothing from a wallet app here.");
    const facts = { ...now.facts, credentials: withPresented(deps, now, found.content) };
    const changed = { ...now, facts };
    await saveFacts(deps, trx, changed);
    await deletePresentation(trx, found.uuid);
    return { caller, oneClick: changed };
  });
}

function withPresented(deps: Deps, { requestTree, facts }: OneClick, { edits }: Presented): CredentialFact[] {
  return requestTree.flatMap((request) => {
    const before = facts.credentials.filter((fact) => fact.request.type === request.type);
    const typed = edits[credentialKey(request.type)];
    if (typed === undefined || before.some(({ values }) => values.length > 0)) return before;
    const problems: Problem[] = [];
    const made = typedFact({ deps, problems, path: "body" }, request, { chosen: undefined, typed });
    // Leave the field of an invalid value empty, so that the person types it.
    return problems.length > 0 ? before : made;
  });
}
