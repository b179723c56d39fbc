/** Which elements of a state ID a 1-Click needs, and the values that they become. */
import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { isCompositeType } from "@countersign/contract/schema-library";
import { type CredentialFact, isFromId, missingMandatory } from "../../credential/assemble.ts";
import type { RequestNode } from "../../credential/request.ts";
import { stateCodeOf } from "../../credential/us-regions.ts";
import type { Brand, Deps } from "../../deps.ts";
import type { Problem } from "../../failure.ts";
import type { SourcedCredential } from "../../ports.ts";
import type { StateId, StateIdElement } from "../../state-id/elements.ts";
import { StateIdRefusal } from "../../state-id/refusal.ts";
import type { OneClick, StateIdConflict } from "../one-click.ts";
import { type Typed, type TypingInput, typedFact, typingInputs, withTypableOptional } from "../typing.ts";
import { foundValues } from "./sharing.ts";

/** The element of each type that an ID has. Pictures are not among them. */
const elements: Partial<Record<CredentialType, StateIdElement>> = {
  FirstNameCredential: "given_name",
  LastNameCredential: "family_name",
  BirthDateCredential: "birth_date",
  SexCredential: "sex",
  Line1Credential: "resident_address",
  CityCredential: "resident_city",
  StateCredential: "resident_state",
  ZipCodeCredential: "resident_postal_code",
  CountryCredential: "resident_country",
};
/** The same within a government ID, whose state is the one that issued it. */
const elementsOfDocument: Partial<Record<CredentialType, StateIdElement>> = {
  DocumentTypeCredential: "document_number",
  DocumentNumberCredential: "document_number",
  IssuanceDateCredential: "issue_date",
  ExpirationDateCredential: "expiry_date",
  StateCredential: "issuing_jurisdiction",
};

function elementOf(request: RequestNode, { type }: TypingInput): StateIdElement | undefined {
  return (request.type === "GovernmentIdCredential" ? elementsOfDocument : elements)[type];
}

/** The types that name a person. They are compared with a source's even if they are not missing. */
const naming: readonly CredentialType[] = [
  "FullNameCredential",
  "FirstNameCredential",
  "LastNameCredential",
  "BirthDateCredential",
];

/** The inputs of a request that an ID can fill in. */
const idInputs = (request: RequestNode) =>
  typingInputs(request).filter((input) => elementOf(request, input) !== undefined);

/** Whether a source lacks a required value, or a required part of one, that an ID has. */
function isMissing(oneClick: OneClick, request: RequestNode): boolean {
  const [found] = foundValues(oneClick, request);
  const inputs = idInputs(request);
  if (found === undefined) return inputs.some(({ mandatory }) => request.mandatory === "yes" || mandatory === "yes");
  if (!("children" in found)) return false;
  return inputs.some(({ type, mandatory }) => mandatory === "yes" && !found.children.some((one) => one.type === type));
}

/** Whether a state ID can add something that the person would otherwise have to type. */
export function canFillIn(oneClick: OneClick): boolean {
  return oneClick.requestTree.some((request) => isMissing(oneClick, request));
}

/**
 * The elements to ask for: those of missing values, and the requested name and birth date, which show whose ID it is. If
 * the brand requires a state ID, those of every requested value.
 */
export function elementsFor(oneClick: OneClick, { isRequired }: { isRequired: boolean }): StateIdElement[] {
  const asked = oneClick.requestTree.filter(
    (request) => isRequired || naming.includes(request.type) || isMissing(oneClick, request),
  );
  const found = asked.flatMap((request) => idInputs(request).map((input) => elementOf(request, input)));
  const wanted = [...new Set(found)].filter((one): one is StateIdElement => one !== undefined);
  // A confirmation needs someone to confirm, even if the brand asks for nothing that an ID has.
  return wanted.length > 0 || !isRequired ? wanted : ["given_name", "family_name", "birth_date"];
}

/**
 * Whether a state ID can answer in place of the sources, after OCE013. What it lacks, the person may type, as after any
 * other review.
 */
export function canAnswerUnknown({ state, refusal, requestTree, facts }: OneClick): boolean {
  if (state !== "refused" || refusal !== "OCE013" || facts.mayUseId !== true) return false;
  const asked = requestTree.filter(({ type }) => type !== "PhoneCredential");
  const isTypable = missingMandatory(withTypableOptional(asked), []).length === 0;
  return isTypable && asked.some((request) => idInputs(request).length > 0);
}

/** The text of an element as the person would type it. Undefined if the ID lacks it. */
function textOf(element: StateIdElement, { elements: given }: StateId): string | undefined {
  const text = given[element]?.trim();
  if (text === undefined || text === "") return undefined;
  if (element === "sex") return { "1": "Male", "2": "Female" }[text];
  if (element === "resident_state" || element === "issuing_jurisdiction") return stateCodeOf(text) ?? text;
  return text;
}

const documentType = "Drivers License";

/** What the ID has for a request, by the key of the input. */
function typedOf(request: RequestNode, id: StateId): Record<string, string> {
  return Object.fromEntries(
    idInputs(request).flatMap((input) => {
      const element = elementOf(request, input);
      const text = element === undefined ? undefined : textOf(element, id);
      if (text === undefined) return [];
      return [[input.key, input.type === "DocumentTypeCredential" ? documentType : text]];
    }),
  );
}

/** Whether a source or an issuer has the value: neither the person nor a state ID gave it. */
function isSourced(credential: SourcedCredential): boolean {
  if ("children" in credential) return credential.children.every(isSourced);
  return credential.verificationMethod !== "self_attested" && !isFromId(credential);
}

type Part = { type: CredentialType; value: string };
function partsOf(credential: SourcedCredential): Part[] {
  if ("children" in credential) return credential.children.flatMap(partsOf);
  return [{ type: credential.type, value: credential.value }];
}

/** How two values compare. Spellings differ between sources, so only what matters is compared. */
const comparable: Partial<Record<CredentialType, (value: string) => string>> = {
  FirstNameCredential: (value) => letters(value.split(/[\s-]/)[0] ?? ""),
  LastNameCredential: (value) => letters(value.replace(/[\s,]+(jr|sr|ii|iii|iv)\.?$/i, "")),
  BirthDateCredential: (value) => value.slice(0, 10),
  // The number of the house. The rest of a street has many spellings.
  Line1Credential: (value) => /^\D*(\d+)/.exec(value)?.[1] ?? "",
  ZipCodeCredential: (value) => value.replace(/\D/g, "").slice(0, 5),
  StateCredential: (value) => stateCodeOf(value) ?? value.toUpperCase(),
  SexCredential: (value) => value,
  DocumentNumberCredential: (value) => value.replace(/[^0-9A-Za-z]/g, "").toUpperCase(),
};
const letters = (value: string) =>
  value
    .normalize("NFD")
    .replace(/[^\p{L}]/gu, "")
    .toLowerCase();

/** Whether two values of a type differ. False if one of them has nothing to compare. */
function differ(type: CredentialType, one: string, other: string): boolean {
  const [a = "", b = ""] = [comparable[type]?.(one), comparable[type]?.(other)];
  return a !== "" && b !== "" && a !== b;
}

/** The values of the ID for a request. */
function partsOfId(request: RequestNode, id: StateId): Part[] {
  const typed = typedOf(request, id);
  return idInputs(request).flatMap(({ type, key }) => {
    const value = typed[key];
    return value === undefined ? [] : [{ type, value }];
  });
}

/** Whether the ID differs from each of a source's values of a request. False if no source has one. */
function contradicts(oneClick: OneClick, request: RequestNode, id: StateId): boolean {
  const sourced = foundValues(oneClick, request).filter(isSourced);
  const own = partsOfId(request, id);
  const isOther = (credential: SourcedCredential) =>
    partsOf(credential).some(({ type, value }) =>
      own.some((part) => part.type === type && differ(type, part.value, value)),
    );
  return sourced.length > 0 && sourced.every(isOther);
}

/**
 * Whether the ID is another person's than the phone's: the birth date differs from the source's, or the first and the
 * last name both do. A single name may have changed.
 */
function isOtherPersons({ facts }: OneClick, id: StateId): boolean {
  const sourced = facts.credentials.flatMap(({ values }) => values.filter(isSourced)).flatMap(partsOf);
  const isOther = (type: CredentialType, element: StateIdElement) => {
    const own = textOf(element, id);
    const theirs = sourced.filter((part) => part.type === type);
    return own !== undefined && theirs.length > 0 && theirs.every(({ value }) => differ(type, own, value));
  };
  return (
    isOther("BirthDateCredential", "birth_date") ||
    (isOther("FirstNameCredential", "given_name") && isOther("LastNameCredential", "family_name"))
  );
}

/** The requests in which the ID contradicts a source. */
function contradictions(oneClick: OneClick, id: StateId): RequestNode[] {
  return oneClick.requestTree.filter((request) => contradicts(oneClick, request, id));
}

/**
 * The credentials with the values of the ID: where a source has none or only a part, and, for the requests in
 * `replaced`, instead of the source's. A value that is not valid is left out, so that the person types it.
 */
function withStateId(
  deps: Deps,
  oneClick: OneClick,
  { id, replaced, kept }: { id: StateId; replaced: readonly RequestNode[]; kept: readonly RequestNode[] },
): CredentialFact[] {
  return oneClick.requestTree.flatMap((request) => {
    const before = oneClick.facts.credentials.filter((fact) => fact.request.type === request.type);
    if (kept.includes(request)) return before;
    const [found] = replaced.includes(request) ? [] : foundValues(oneClick, request);
    const typed = lacking(request, { found, typed: typedOf(request, id) });
    if (typed === null) return before;
    const problems: Problem[] = [];
    const made = typedFact({ deps, problems, path: "body" }, request, { chosen: found, typed });
    if (problems.length > 0 || made.length === 0) return before;
    const others = replaced.includes(request) ? [] : foundValues(oneClick, request).slice(1);
    const known = new Set(found === undefined ? [] : leafIds(found));
    return made.map((fact) => ({
      ...fact,
      values: [...fact.values.map((value) => attested(value, { id, known })), ...others],
    }));
  });
}

/** What the ID adds to the value that was found. Null if it adds nothing. */
function lacking(
  request: RequestNode,
  { found, typed }: { found: SourcedCredential | undefined; typed: Record<string, string> },
): Typed | null {
  if (!isCompositeType(request.type)) return found === undefined ? (Object.values(typed)[0] ?? null) : null;
  const had =
    found === undefined || !("children" in found) ? [] : found.children.map(({ type }) => credentialKey(type));
  const added = Object.entries(typed).filter(([key]) => !had.includes(key));
  return added.length === 0 ? null : Object.fromEntries(added);
}

function leafIds(credential: SourcedCredential): string[] {
  return "children" in credential ? credential.children.flatMap(leafIds) : [credential.id];
}

/** Marks what the ID added to a value. `known`: the ids of what a source already had. */
function attested(
  credential: SourcedCredential,
  { id, known }: { id: StateId; known: ReadonlySet<string> },
): SourcedCredential {
  if ("children" in credential) {
    const children = credential.children.map((child) => attested(child, { id, known }));
    const verificationMethod = children.every(isFromId) ? "government_id" : credential.verificationMethod;
    return { ...credential, verificationMethod, children };
  }
  if (known.has(credential.id)) return credential;
  const { authority, expiresAt } = id;
  return { ...credential, verificationMethod: "government_id", authority, expirationDate: expiresAt };
}

/** The facts with the ID's values. Throws if it is another person's, or if the brand refuses a contradiction. */
export function factsWithId(deps: Deps, { settings }: Brand, oneClick: OneClick, id: StateId): OneClick["facts"] {
  if (isOtherPersons(oneClick, id)) throw new StateIdRefusal("otherPerson");
  const { onConflict } = settings.governmentId;
  const differing = contradictions(oneClick, id);
  if (differing.length > 0 && onConflict === "refuse") throw new StateIdRefusal("contradicts");
  const [replaced, kept] = onConflict === "preferId" ? [differing, []] : [[], differing];
  const credentials = withStateId(deps, oneClick, { id, replaced, kept });
  const conflicts = differing.map(
    ({ type }): StateIdConflict => ({ type, kept: onConflict === "preferId" ? "id" : "source" }),
  );
  return { ...oneClick.facts, credentials, stateId: { authority: id.authority, conflicts } };
}
