/** Values that a person types on the wallet's page. They are stored as self-attested, beside the verified values. */
import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { type AtomicType, dataKeyOf, isCompositeType, schemaLibrary } from "@countersign/contract/schema-library";
import { plainText } from "@countersign/contract/typed-text";
import type { ReviewInput } from "@countersign/contract/wallet";
import type { CredentialFact } from "../credential/assemble.ts";
import { validateCredential } from "../credential/library.ts";
import { childTypes, type RequestNode } from "../credential/request.ts";
import { stateCodeOf, usRegions } from "../credential/us-regions.ts";
import { birthDateProblem, noonOf } from "../day.ts";
import type { Deps } from "../deps.ts";
import type { Problem } from "../failure.ts";
import { visibleText } from "../hidden-characters.ts";
import type { SourcedCredential } from "../ports.ts";
import { requiredWords } from "../problem-words.ts";

/** One value, or the parts of a composite by key. */
export type Typed = string | Record<string, string>;
/** An atomic type that may be typed, and its input. */
export type TypingInput = ReviewInput & { type: AtomicType };

// Images and phones cannot be typed: the phone is the proven one.
const kinds: Record<string, ReviewInput["kind"]> = {
  Text: "text",
  Date: "date",
  Email: "email",
  SSN: "ssn",
  Select: "select",
};

/** The states of the US. For an address abroad, the page shows a text field instead. */
const states = Object.entries(usRegions).map(([value, label]) => ({ value, label }));

/** The parts that complete a mandatory value. Many people lack the others, such as a middle name. */
const essentialParts: Partial<Record<CredentialType, readonly CredentialType[]>> = {
  FullNameCredential: ["FirstNameCredential", "LastNameCredential"],
  AddressCredential: ["Line1Credential", "CityCredential", "StateCredential", "ZipCodeCredential"],
  AnnualIncomeCredential: ["CurrencyCredential", "AmountCredential"],
  EmployerCredential: ["EmployerNameCredential"],
  GovernmentIdCredential: ["DocumentTypeCredential", "DocumentNumberCredential"],
};

/** Adds every part as a child of the request. In a mandatory value, the essential parts are mandatory too. */
export function withParts(request: RequestNode): RequestNode {
  if (!isCompositeType(request.type)) return request;
  const children =
    request.children ??
    childTypes(request.type).map(
      (type): RequestNode => ({ type, mandatory: "no", multi: false, allowUserInput: true, issuers: [] }),
    );
  const essential = request.mandatory === "yes" ? (essentialParts[request.type] ?? []) : [];
  return {
    ...request,
    children: children.map((part) => (essential.includes(part.type) ? { ...part, mandatory: "yes" } : part)),
  };
}

/**
 * The inputs that a person may type for a request. Empty if the brand accepts only sourced values or only named
 * issuers.
 */
export function typingInputs(request: RequestNode): TypingInput[] {
  if (!request.allowUserInput || request.issuers.length > 0) return [];
  return (withParts(request).children ?? [request]).flatMap((part) => {
    const allowed = part.allowUserInput && part.issuers.length === 0;
    if (!allowed || isCompositeType(part.type)) return [];
    const { type, mandatory, description } = part;
    const essential = essentialParts[request.type]?.includes(type) ?? false;
    const described = part === request || description === undefined ? {} : { description };
    return inputOf(type, { mandatory, essential, ...described });
  });
}

function inputOf(type: AtomicType, asked: Pick<TypingInput, "description" | "mandatory" | "essential">): TypingInput[] {
  const key = dataKeyOf(type);
  const schema = schemaLibrary[type];
  if (key === null || schema === undefined || !("properties" in schema)) return [];
  const widget = schema.properties[key]?.input;
  const kind = type === "StateCredential" ? "select" : kinds[widget?.type ?? ""];
  if (kind === undefined) return [];
  const listed = type === "StateCredential" ? states : widget?.options;
  const options = listed?.map((one) => (typeof one === "string" ? { value: one, label: one } : one));
  const shown = { type, key: credentialKey(type), title: schema.title, ...asked, kind };
  return [options === undefined ? shown : { ...shown, options: [...options] }];
}

/** The request tree in which no value that may be typed is mandatory. */
export function withTypableOptional(tree: RequestNode[]): RequestNode[] {
  return tree.map((request) => {
    const typed = typingInputs(request).map((one) => one.type);
    const { children } = request;
    if (typed.length === 0) return request;
    return {
      ...request,
      mandatory: "no",
      ...(children === undefined
        ? {}
        : { children: children.map((one) => (isAmong(typed, one.type) ? { ...one, mandatory: "no" } : one)) }),
    };
  });
}

function isAmong(types: AtomicType[], type: CredentialType): boolean {
  return types.some((one) => one === type);
}

export type Typing = { deps: Deps; problems: Problem[]; path: string };

/** Applies typed text to the chosen value. Adds each invalid input to `problems`. */
export function typedFact(
  typing: Typing,
  request: RequestNode,
  { chosen, typed }: { chosen: SourcedCredential | undefined; typed: Typed },
): CredentialFact[] {
  const inputs = typingInputs(request);
  const values = chosen === undefined ? [] : [chosen];
  if (inputs.length === 0) {
    typing.problems.push({ path: typing.path, message: "The person cannot enter this." });
    return [{ request, values }];
  }
  if (typeof typed === "string") {
    const [input] = inputs;
    if (input === undefined || isCompositeType(request.type)) {
      typing.problems.push({ path: typing.path, message: "Use an object of its parts." });
      return [{ request, values }];
    }
    const atom = typedAtom(typing, input, { before: chosen, text: typed });
    return atom === null ? [] : [{ request, values: [atom] }];
  }
  const children = typedChildren(typing, request, { chosen, typed });
  if (children.length === 0) return [];
  requireEssential(typing, inputs, { chosen, children });
  const found = chosen !== undefined && "children" in chosen ? chosen.children : [];
  const keepsFound = children.some((part) => found.includes(part));
  const whole = chosen !== undefined && keepsFound ? chosen : selfAttested(typing.deps, request.type);
  return [{ request, values: [{ ...whole, type: request.type, children }] }];
}

/** An address without its city is none. A part that was never found may be missing, unless the person types them all. */
function requireEssential(
  { problems, path }: Typing,
  inputs: readonly TypingInput[],
  { chosen, children }: { chosen: SourcedCredential | undefined; children: readonly SourcedCredential[] },
): void {
  const had = chosen !== undefined && "children" in chosen ? chosen.children : null;
  for (const { type, key, essential } of inputs) {
    const isExpected = essential && (had === null || had.some((part) => part.type === type));
    const isThere =
      children.some((part) => part.type === type) || problems.some((one) => one.path === `${path}.${key}`);
    if (isExpected && !isThere) problems.push({ path: `${path}.${key}`, message: requiredWords });
  }
}

type TypedParts = { chosen: SourcedCredential | undefined; typed: Record<string, string> };

function typedChildren(typing: Typing, request: RequestNode, { chosen, typed }: TypedParts): SourcedCredential[] {
  const inputs = typingInputs(request);
  const parts = chosen !== undefined && "children" in chosen ? chosen.children : [];
  // States and ZIP codes are validated for the address's country, which the person may not have changed.
  const found = parts.find((one) => one.type === "CountryCredential");
  const country = typed.country ?? (found !== undefined && "value" in found ? found.value : undefined);
  for (const key of Object.keys(typed)) {
    if (!inputs.some((one) => one.key === key))
      typing.problems.push({ path: `${typing.path}.${key}`, message: "The person cannot enter this." });
  }
  return childTypes(request.type).flatMap((type): SourcedCredential[] => {
    const before = parts.find((one) => one.type === type);
    const input = inputs.find((one) => one.type === type);
    const text = input === undefined ? undefined : typed[input.key];
    if (input === undefined || text === undefined) return before === undefined ? [] : [before];
    const path = `${typing.path}.${input.key}`;
    const atom = typedAtom({ ...typing, path }, input, { before, text, country });
    return atom === null ? [] : [atom];
  });
}

type TypedText = { before: SourcedCredential | undefined; text: string; country?: string | undefined };

/**
 * A self-attested value, or null if the text is empty. What the person typed counts as typed even if it equals the found
 * value, because the screen said so when they agreed.
 */
function typedAtom(typing: Typing, input: TypingInput, { before, text, country }: TypedText): SourcedCredential | null {
  const value = normal(input, text);
  if (value === "") {
    const isNeeded = input.mandatory === "yes" || (input.mandatory === "if_available" && before !== undefined);
    if (isNeeded) typing.problems.push({ path: typing.path, message: requiredWords });
    return null;
  }
  const problem = problemOf(typing.deps, input, value, country);
  if (problem !== null) typing.problems.push({ path: typing.path, message: problem });
  return { ...selfAttested(typing.deps, input.type), value };
}

function problemOf(deps: Deps, { type, kind }: TypingInput, value: string, country: string | undefined): string | null {
  // Keep an invalid date as typed; the schema then rejects it.
  const stored = kind === "date" ? (noonOf(value) ?? value) : value;
  const key = dataKeyOf(type) ?? "";
  const siblings = country === undefined || key === "country" ? {} : { country };
  const problem = validateCredential(type, { ...siblings, [key]: stored });
  if (problem !== undefined) return problem.message;
  return type === "BirthDateCredential" ? birthDateProblem(deps.clock, value) : null;
}

function selfAttested(deps: Deps, type: CredentialType) {
  return {
    id: deps.random.uuid(),
    type,
    verificationMethod: "self_attested" as const,
    status: "valid" as const,
    issuerUuid: deps.vendors.identity.issuerUuid,
    issuanceDate: deps.clock.now(),
    expirationDate: null,
  };
}

/** Values of digits and separators. */
const numeric: readonly AtomicType[] = ["ZipCodeCredential", "AmountCredential", "DocumentNumberCredential"];

/** Normalizes typed text to the spelling that sources use. */
function normal({ type, kind }: TypingInput, text: string): string {
  const value = kind === "ssn" || numeric.includes(type) ? plainText(text) : visibleText(text);
  if (kind === "ssn") return value.replace(/[\s-]/g, "");
  if (type !== "StateCredential") return value;
  return stateCodeOf(value) ?? (value.length === 2 ? value.toUpperCase() : value);
}
