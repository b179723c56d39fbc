import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { schemaLibrary } from "@countersign/contract/schema-library";
import type { ReviewField, ValueSource } from "@countersign/contract/wallet";
import { brandNames } from "../../brand/brand-rows.ts";
import { multiValuesMax, select } from "../../credential/assemble.ts";
import type { RequestNode } from "../../credential/request.ts";
import { stateNameOf } from "../../credential/us-regions.ts";
import type { HomeDeps } from "../../deps.ts";
import { askSourceAboutPhone } from "../../phone.ts";
import type { Phone, SourcedCredential } from "../../ports.ts";
import type { OneClick } from "../one-click.ts";
import { phoneCredential } from "../steps.ts";
import { typingInputs } from "../typing.ts";
import { foundValues, sharingOf } from "./sharing.ts";

const hidden = "•";

/** Masks what no screen needs: the year of a birth date, and all but the last four digits of an SSN. */
const masks: Partial<Record<CredentialType, (value: string) => string>> = {
  SsnCredential: (value) => `${hidden.repeat(Math.max(0, value.length - 4))}${value.slice(-4)}`,
  BirthDateCredential: (value) => `${value.slice(5, 7)}/${value.slice(8, 10)}/${hidden.repeat(4)}`,
};

type Reviewed = Pick<OneClick, "requestTree"> & { facts: Pick<OneClick["facts"], "credentials" | "page"> };

/**
 * The fields that the person reviews: everything the brand asks for, found or not. Masked digits never leave the
 * service.
 */
export async function reviewOf(deps: HomeDeps, reviewed: Reviewed): Promise<ReviewField[]> {
  const { facts, requestTree } = reviewed;
  const leaves = facts.credentials.flatMap(({ values }) => values.flatMap(leavesOf));
  const issuers = new Set(
    leaves.map(({ issuerUuid }) => issuerUuid).filter((uuid) => uuid !== deps.vendors.identity.issuerUuid),
  );
  const names = await brandNames(deps.home, deps.environment, [...issuers]);
  return requestTree.map((request) => {
    const values = foundValues(reviewed, request);
    return {
      key: credentialKey(request.type),
      type: request.type,
      title: schemaLibrary[request.type]?.title ?? request.type,
      mandatory: request.mandatory,
      sharing: sharingOf(reviewed, request),
      allowUserInput: request.allowUserInput,
      ...(request.description === undefined ? {} : { description: request.description }),
      choices: values.map((value) => ({ ...shown(value), sources: sourcesOf(value, names) })),
      inputs: typingInputs(request).map(({ type: _type, ...input }) => input),
    };
  });
}

function shown(credential: SourcedCredential): { text: string } | { parts: Record<string, string> } {
  if ("value" in credential) return { text: masked(credential.type, credential.value) };
  return { parts: Object.fromEntries(partsOf(credential.children)) };
}

/** The different sources of a value, each with the parts that it has. */
function sourcesOf(credential: SourcedCredential, names: ReadonlyMap<string, string>): ValueSource[] {
  const byName = Map.groupBy(leavesOf(credential), (leaf) => JSON.stringify(sourceOf(leaf, names)));
  return [...byName.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const source = sourceOf(first, names);
    if (!("children" in credential)) return [source];
    return [{ ...source, parts: [first, ...more].map(({ type }) => credentialKey(type)) }];
  });
}

function sourceOf(leaf: SourcedCredential, names: ReadonlyMap<string, string>): ValueSource {
  const { verificationMethod: method, issuerUuid } = leaf;
  const issuer = names.get(issuerUuid);
  const authority = "authority" in leaf ? leaf.authority : undefined;
  if (authority !== undefined) return { method, state: stateNameOf(authority) };
  return issuer === undefined ? { method } : { method, issuer };
}

function leavesOf(credential: SourcedCredential): SourcedCredential[] {
  return "children" in credential ? credential.children.flatMap(leavesOf) : [credential];
}

function partsOf(children: SourcedCredential[]): [string, string][] {
  return children.flatMap((child): [string, string][] =>
    "value" in child ? [[credentialKey(child.type), masked(child.type, child.value)]] : partsOf(child.children),
  );
}

function masked(type: CredentialType, value: string): string {
  return masks[type]?.(value) ?? value;
}

/** What a person would review for these requests. Nothing is stored, shared or recorded. */
export async function previewOf(deps: HomeDeps, phone: Phone, requestTree: RequestNode[]): Promise<ReviewField[]> {
  const answer = await askSourceAboutPhone(deps, phone);
  const own = phoneCredential(deps, { phoneMethod: "otp", facts: { phone } });
  const available = answer.kind === "found" ? [own, ...answer.credentials] : [own];
  const options = { valuesMax: multiValuesMax, now: deps.clock.now() };
  return await reviewOf(deps, { facts: { credentials: select(requestTree, available, options) }, requestTree });
}
