/** Edits a tree of credential requests. A place is the list of indexes from the root. */
import type { CredentialRequest } from "@countersign/contract/credential";

export type Asked = Omit<CredentialRequest, "children"> & { children?: Asked[] };
export type Place = readonly number[];

function change(
  list: readonly Asked[],
  [at = 0, ...rest]: Place,
  how: (list: Asked[], at: number) => Asked[],
): Asked[] {
  if (rest.length === 0) return how([...list], at);
  return list.map((one, index) => (index === at ? { ...one, children: change(one.children ?? [], rest, how) } : one));
}

export function edit(tree: readonly Asked[], place: Place, members: Partial<Asked>): Asked[] {
  return change(tree, place, (list, at) => list.map((one, index) => (index === at ? { ...one, ...members } : one)));
}

export function remove(tree: readonly Asked[], place: Place): Asked[] {
  return change(tree, place, (list, at) => list.filter((_, index) => index !== at));
}

export function move(tree: readonly Asked[], place: Place, by: number): Asked[] {
  return change(tree, place, (list, at) => {
    const [one] = list.splice(at, 1);
    return one === undefined ? list : list.toSpliced(at + by, 0, one);
  });
}

export function add(tree: readonly Asked[], under: Place, type: Asked["type"]): Asked[] {
  if (under.length === 0) return [...tree, { type, mandatory: "no" }];
  return change(tree, under, (list, at) =>
    list.map((one, index) =>
      index === at ? { ...one, children: [...(one.children ?? []), { type, mandatory: "no" }] } : one,
    ),
  );
}

/** The readable name of a type: AnnualIncomeCredential becomes "Annual income". */
export function nameOf(type: string): string {
  const text = type
    .slice(0, -"Credential".length)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([a-z])(\d)/g, "$1 $2")
    .toLowerCase()
    // Use the wallet's word, because the preview next to it does.
    .replace(/^birth date$/, "birthday")
    .replace(/\b(ssn|zip|id)\b/, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}
