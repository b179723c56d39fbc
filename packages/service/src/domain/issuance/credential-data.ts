import { type CredentialType, compositeChildren, credentialTypes } from "@countersign/contract/credential";
import type { GivenData } from "@countersign/contract/issuance";
import {
  type CompositeType,
  dataKeyOf,
  isCompositeType,
  isCredentialType,
  isImageType,
} from "@countersign/contract/schema-library";
import { validateCredential } from "../credential/library.ts";
import { nearestOf } from "../edit-distance.ts";
import type { Problem } from "../failure.ts";
import { requiredWords } from "../problem-words.ts";

/** Maximum length of a value that is not an image. Regular expressions fail on very long texts. */
const textMax = 10_000;

/** The parsed data of a credential: the values of an atomic type, or the children of a composite. */
export type CredentialData = { values: Record<string, string> } | { children: ChildData[] };
type ChildData = { type: CredentialType } & CredentialData;

export type ReadData =
  | { kind: "data"; type: CredentialType; data: CredentialData }
  | { kind: "problems"; problems: Problem[] };

type Given = { type: string; data: GivenData };
/** The data of one atomic credential as given, including keys that its type does not have. */
type Leaf = { path: string; key: string | null; type: CredentialType; given: Record<string, unknown>; alone: boolean };
type Node = ChildData & { path: string };
type Reading = { problems: Problem[]; leaves: Leaf[]; composites: Node[] };

/** Parses one credential of a request by the schema library. `path` is its path in the request, used in problems. */
export function readCredentialData(given: Given, path: string): ReadData {
  const reading: Reading = { problems: [], leaves: [], composites: [] };
  const node = readNode(given, path, null, reading);
  const { problems, leaves } = reading;
  // Validate each value together with its siblings: the country decides which state codes are valid.
  const merged: Record<string, unknown> = Object.assign({}, ...leaves.map((leaf) => leaf.given));
  problems.push(...leaves.flatMap((leaf) => leafProblems(leaf, merged)));
  if (problems.length === 0) problems.push(...compositeProblems(reading.composites, merged));
  if (node === null || problems.length > 0) return { kind: "problems", problems };
  return { kind: "data", type: node.type, data: dataOf(node) };
}

function dataOf(node: ChildData): CredentialData {
  return "values" in node ? { values: node.values } : { children: node.children };
}

function readNode(
  { type, data }: Given,
  path: string,
  parent: CompositeType | null,
  reading: Reading,
): ChildData | null {
  const refuse = (member: string, message: string) => {
    reading.problems.push({ path: `${path}.${member}`, message });
    return null;
  };
  if (!isCredentialType(type)) return refuse("type", unknownType(type));
  if (parent !== null && !childrenOf(parent).includes(type))
    return refuse("type", `${type} is not a child of ${parent}`);
  if (isCompositeType(type)) {
    if (!Array.isArray(data)) return refuse("data", `Use a list: ${type} has children.`);
    return readComposite(type, data, path, reading);
  }
  if (Array.isArray(data)) return refuse("data", `Use an object: ${type} has no children.`);
  const key = dataKeyOf(type);
  const given = coerced(data);
  const value = key === null ? undefined : given[key];
  if (typeof value === "string" && value.length > textMax && !isImageType(type))
    return refuse(`data.${key}`, `Use at most ${textMax} characters.`);
  reading.leaves.push({ path, key, type, given, alone: parent === null });
  return { type, values: key === null || typeof value !== "string" ? {} : { [key]: value } };
}

function unknownType(type: string): string {
  const meant = nearestOf(type, credentialTypes);
  return `${meant === undefined ? "" : `Did you mean ${meant}? `}Use a type in the schema library.`;
}

function readComposite(type: CompositeType, given: Given[], path: string, reading: Reading): ChildData | null {
  if (given.length === 0) {
    reading.problems.push({ path: `${path}.data`, message: "Use at least one child." });
    return null;
  }
  const children = given.flatMap((one, index) => {
    const here = `${path}.data.${index}`;
    if (given.findIndex((other) => other.type === one.type) < index) {
      reading.problems.push({ path: `${here}.type`, message: "Use each type only once." });
      return [];
    }
    return readNode(one, here, type, reading) ?? [];
  });
  reading.composites.push({ type, children, path });
  return { type, children };
}

function childrenOf(type: CompositeType): readonly CredentialType[] {
  return compositeChildren[type];
}

/** Converts values before validation: numbers become text, and null becomes an empty string. */
function coerced(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === "number" ? String(value) : value === null ? "" : value,
    ]),
  );
}

function leafProblems({ path, key, type, given, alone }: Leaf, merged: Record<string, unknown>): Problem[] {
  // Extra keys are ignored in an atomic credential. In a composite, an extra key may belong to a child that is missing
  // from the list.
  if (!alone && Object.keys(given).some((one) => one !== key)) {
    return [{ path: `${path}.data`, message: `Use no member${key === null ? "" : ` except ${key}`}.` }];
  }
  if (key !== null && !Object.hasOwn(given, key)) return [{ path: `${path}.data.${key}`, message: requiredWords }];
  const problem = validateCredential(type, merged);
  if (problem === undefined) return [];
  return [{ path: problem.key === null ? `${path}.data` : `${path}.data.${problem.key}`, message: problem.message }];
}

function compositeProblems(composites: Node[], merged: Record<string, unknown>): Problem[] {
  // Children are parsed before their parents, so the first problem is the innermost one.
  return composites.flatMap(({ type, path }) => {
    if (validateCredential(type, merged) === undefined) return [];
    const together = type === "AnnualIncomeCredential";
    return [
      {
        path: `${path}.data`,
        message: together ? "Use currency and amount together." : "Use a value that matches the schema.",
      },
    ];
  });
}
