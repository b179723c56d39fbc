/** Reads what a person typed into the fields of a screen: which values changed, and what is wrong. */
import type { ReviewField, ReviewInput } from "@countersign/contract/wallet";
import { groupedAmount, plainAmount, readText, requiredText } from "../typed-text.ts";
import { type Choice, isComposite, type TypedParts } from "../values.tsx";
import type { Words } from "../words-en.ts";

/** Problems by path: `ssn`, or `address.zipCode`. */
export type Problems = Record<string, string>;
export type Typed = Record<string, TypedParts>;

export const pathOf = (field: ReviewField, input: ReviewInput) =>
  isComposite(field) ? `${field.key}.${input.key}` : field.key;

/** Default values for most people. A default alone does not count as typed. */
const presets: Readonly<Record<string, string>> = { country: "US", currency: "USD" };

/** The initial texts: the last edits, or the found values unless digits of them are hidden. */
export function initialTexts(
  fields: ReviewField[],
  chosenOf: (field: ReviewField) => Choice | undefined,
  typed: Typed,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) =>
      field.inputs.map((input) => {
        const before = typed[field.key]?.[input.key];
        const preset = (input.kind === "select" ? presets[input.key] : undefined) ?? "";
        return [
          pathOf(field, input),
          groupedAmount(input, before ?? foundText(field, input, chosenOf(field)) ?? preset),
        ];
      }),
    ),
  );
}

function foundText(field: ReviewField, input: ReviewInput, chosen: Choice | undefined): string | undefined {
  const text = isComposite(field) ? chosen?.parts?.[input.key] : chosen?.text;
  return text?.includes("•") === true ? undefined : text;
}

type Reading = {
  words: Words;
  field: ReviewField;
  chosen: Choice | undefined;
  texts: Record<string, string>;
  /** Whether the person replaces the masked value. */
  isReplaced: boolean;
};

/** The edits of a field. Null without an edit. `isEmptied`: the person removed the found value, so it is left out. */
export function readField({ words, field, chosen, texts, isReplaced }: Reading) {
  if (isEmptied({ field, chosen, texts, isReplaced }))
    return { key: field.key, problems: {}, typed: null, isEmptied: true };
  const problems: Problems = {};
  const typed: TypedParts = {};
  const country = countryOf({ field, chosen, texts });
  for (const input of field.inputs) {
    const path = pathOf(field, input);
    const shown = (texts[path] ?? "").trim();
    const text = input.key === "amount" ? plainAmount(shown) : shown;
    const found = foundText(field, input, chosen);
    if (text === (found ?? "")) continue;
    const read = readText(words, localInput(input, country), text);
    if (read.kind === "wrong") problems[path] = read.why;
    else typed[input.key] = read.value;
  }
  const presetOnly = chosen === undefined && Object.keys(typed).every((key) => key in presets);
  const isTyped = Object.keys(typed).length > 0 && !presetOnly;
  for (const input of field.inputs) {
    const path = pathOf(field, input);
    const isEmpty = (texts[path] ?? "").trim() === "";
    const isHidden = chosen?.text?.includes("•") === true;
    if (isEmpty && !isHidden && isNeeded({ field, input, chosen, isTyped }))
      problems[path] = requiredText(words, localInput(input, country));
  }
  if (field.mandatory === "yes" && chosen === undefined && !isTyped && Object.keys(problems).length === 0) {
    const [first] = field.inputs;
    if (first !== undefined) problems[pathOf(field, first)] = requiredText(words, first);
  }
  return { key: field.key, problems, typed: isTyped ? typed : null, isEmptied: false };
}

type Needing = { field: ReviewField; input: ReviewInput; chosen: Choice | undefined; isTyped: boolean };

/** Whether an input must not be empty. */
function isNeeded({ field, input, chosen, isTyped }: Needing): boolean {
  if (!isComposite(field)) return field.mandatory === "yes" || (field.sharing === "required" && chosen !== undefined);
  if (input.mandatory === "yes") return isTyped || field.mandatory === "yes" || chosen !== undefined;
  if (chosen === undefined) return isTyped && input.essential;
  const isFound = chosen.parts?.[input.key] !== undefined;
  return isFound && (input.essential || input.mandatory === "if_available");
}

/** Whether the person removed an optional value. A state or country that is still chosen makes no address. */
function isEmptied({ field, chosen, texts, isReplaced }: Omit<Reading, "words">): boolean {
  if (field.sharing !== "optional" || chosen === undefined) return false;
  const typable = field.inputs.filter(({ kind }) => kind !== "select");
  const keysFound = Object.keys(chosen.parts ?? { [field.key]: "" });
  const isWhole = keysFound.every((key) => field.inputs.some((input) => input.key === key));
  const isMasked = chosen.text?.includes("•") === true;
  const areBlank = typable.every((input) => (texts[pathOf(field, input)] ?? "").trim() === "");
  return typable.length > 0 && isWhole && areBlank && (!isMasked || isReplaced);
}

type Country = Pick<Reading, "field" | "chosen" | "texts">;

/** The country of an address. Empty if it is unknown. */
export function countryOf({ field, chosen, texts }: Country): string {
  return texts[`${field.key}.country`] ?? chosen?.parts?.country ?? "";
}

/** The keys of address parts outside the US. */
const namesAbroad: Readonly<Record<string, string>> = { state: "region", zipCode: "postalCode" };

/** The name and the kind of an input for the address's country. */
export function localInput({ key, kind, ...input }: ReviewInput, country: string): ReviewInput {
  const name = ["", "US"].includes(country) ? undefined : namesAbroad[key];
  return name === undefined ? { ...input, key, kind } : { ...input, key: name, kind: "text" };
}
