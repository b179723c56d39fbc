import type { CredentialType } from "@countersign/contract/credential";
import { noonOf } from "../day.ts";
import { type CredentialFormats, countryCodeOf } from "./format.ts";
import { stateCodeOf } from "./us-regions.ts";

/**
 * Converts a delivered value from the brand's format back to the schema library's format. A value that cannot be parsed
 * is returned unchanged. A year of two digits is the latest one that makes a day up to `today`.
 */
export function parseDelivered(
  type: CredentialType,
  value: string,
  { formats, today }: { formats: CredentialFormats; today: string },
): string {
  if (type === "BirthDateCredential") return dayInMillis(value, { pattern: formats.birthDate, today }) ?? value;
  if (type === "StateCredential" && formats.state === "full") return stateCodeOf(value) ?? value;
  if (type === "CountryCredential" && formats.country === "full") return countryCodeOf(value) ?? value;
  return value;
}

/** Parses a date in a pattern of y, M and d, and returns noon UTC of that day; null if the text does not match. */
function dayInMillis(text: string, { pattern, today }: { pattern: string; today: string }): string | null {
  if (pattern === "unixTimestamp") return /^-?\d+$/.test(text) ? text : null;
  const parts = partsIn(text, pattern);
  if (parts === null) return null;
  const part = (name: string) => (parts.get(name) ?? "").padStart(2, "0");
  const day = `${part("y")}-${part("M")}-${part("d")}`;
  if (part("y").length !== 2) return noonOf(day);
  return noonOf(`20${day}` <= today ? `20${day}` : `19${day}`);
}

/**
 * The digits of each letter of a pattern; null if the text does not match. Reads the text once, from left to right: a
 * regular expression of many letters would try all ways to divide the digits.
 */
function partsIn(text: string, pattern: string): Map<string, string> | null {
  const pieces = pattern.match(/y+|M+|d+|[/-]/g) ?? [];
  const parts = new Map<string, string>();
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const size = sizeOf(piece);
    if (size === null) {
      if (text[at] !== piece) return null;
      at += 1;
      continue;
    }
    let digits = 0;
    while (digits < size.max + 4 * pieces.length && isDigit(text[at + digits])) digits += 1;
    const taken = Math.min(size.max, digits - neededAfter(pieces, index));
    if (taken < size.min || parts.has(piece.charAt(0))) return null;
    parts.set(piece.charAt(0), text.slice(at, at + taken));
    at += taken;
  }
  return at === text.length ? parts : null;
}

/** How many digits letters have: four for a year unless it is `yy`, one or two for the others. Null for a separator. */
function sizeOf(piece: string): { min: number; max: number } | null {
  if (piece === "/" || piece === "-") return null;
  if (piece.startsWith("y") && piece !== "yy") return { min: 4, max: 4 };
  return { min: 1, max: 2 };
}

/** How many digits the letters need that follow directly, without a separator. */
function neededAfter(pieces: readonly string[], index: number): number {
  let needed = 0;
  for (const piece of pieces.slice(index + 1)) {
    const size = sizeOf(piece);
    if (size === null) break;
    needed += size.min;
  }
  return needed;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}
