import { latinUppercase } from "./latin.ts";

/** Whether something that a payer tells agrees with what was asked. */
export type Likeness = "same" | "differs" | "unknown";

const suffixes = new Set([
  "JR",
  "SR",
  "II",
  "III",
  "IV",
  "V",
  "VI",
  "2ND",
  "3RD",
  "4TH",
  "ESQ",
  "MD",
  "DDS",
  "DO",
  "PHD",
]);
/** Maximum words of a name that are compared. */
const wordsMax = 12;

/** Letters and digits only, in uppercase ASCII. */
export function folded(text: string): string {
  return latinUppercase(text).replace(/[^\p{L}\p{N}]/gu, "");
}

/** The folded words of a name. An apostrophe does not end a word. */
function wordsOf(text: string): string[] {
  return latinUppercase(text)
    .replaceAll("'", "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .slice(0, wordsMax);
}

/** Whether two folded names are equal. Ä, Ö, Ü, Ø and Å may be written as one letter or as two. */
function areEqual(one: string, other: string): boolean {
  return one === other || withoutUmlauts(one) === withoutUmlauts(other);
}
const withoutUmlauts = (name: string) => name.replace(/(?<=[AOU])E|(?<=A)A/g, "");

/** `exact`: the same name. `loose`: one of them has more names, such as a middle name. */
export function firstNameLikeness(
  asked: string,
  told: { firstName: string; middleName: string },
): "exact" | "loose" | "differs" | "unknown" {
  const [one, other] = [wordsOf(asked), wordsOf(told.firstName)];
  if (one.length === 0 || other.length === 0) return "unknown";
  const whole = one.join("");
  if (areEqual(whole, other.join("")) || areEqual(whole, `${other.join("")}${folded(told.middleName)}`)) return "exact";
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((word, at) => areEqual(word, long[at] ?? "")) ? "loose" : "differs";
}

/** A suffix is ignored, and one name may be a part of the other, as after a marriage. */
export function lastNameLikeness(asked: string, told: string): Likeness {
  const [one, other] = [withoutSuffix(wordsOf(asked)), withoutSuffix(wordsOf(told))];
  if (one.length === 0 || other.length === 0) return "unknown";
  return isPart(one, other) || isPart(other, one) ? "same" : "differs";
}

function withoutSuffix(words: string[]): string[] {
  const last = words.findLastIndex((word, at) => at === 0 || !suffixes.has(word));
  return words.slice(0, last + 1);
}

/** Whether the whole of a name equals adjacent words of another. */
function isPart(whole: readonly string[], words: readonly string[]): boolean {
  const name = whole.join("");
  return words.some((_, from) =>
    words.slice(from).some((__, more) => areEqual(name, words.slice(from, from + more + 1).join(""))),
  );
}

/** Whether two first names may be forms of one name: "PAT" and "PATRICIA", "J" and "JOSE". */
export function mayAbbreviate(one: string, other: string): boolean {
  const [short = "", long = ""] = [folded(one), folded(other)].sort((a, b) => a.length - b.length);
  return long.startsWith(short);
}
