import type { BrandSettings } from "@countersign/contract/brand";
import { type CredentialType, credentialKey } from "@countersign/contract/credential";
import { countryCodes } from "@countersign/contract/iso-codes";
import { noonOf } from "../day.ts";
import type { Problem } from "../failure.ts";
import { childTypes } from "./request.ts";
import { stateCodeOf, usRegions } from "./us-regions.ts";

/** The brand setting for the format of values. */
export type CredentialFormats = BrandSettings["credentialFormats"];

/** Converts a stored value to the brand's format. `country` is the country of the same address, if known. */
export function formatValue(
  type: CredentialType,
  value: string,
  how: { formats: CredentialFormats; country?: string },
): string {
  if (type === "BirthDateCredential") return birthDate(value, how.formats.birthDate);
  if (type === "CountryCredential") return country(value, how.formats.country);
  // Other countries use the same state codes: PA is also a region of Brazil and of Panama.
  if (type === "StateCredential" && isUs(how.country ?? "US")) return state(value, how.formats.state);
  return value;
}

/** The brand's pattern for a composite; null if the brand wants an object. */
export function brandPattern(type: CredentialType, formats: CredentialFormats): string | null {
  const wanted =
    type === "FullNameCredential" ? formats.fullName : type === "AddressCredential" ? formats.address : "object";
  return wanted === "object" ? null : wanted;
}

/** The pattern of a composite that was requested without children: all parts in order, without images. */
export function plainPattern(type: CredentialType): string {
  if (type === "FullNameCredential") return "firstName middleName lastName";
  if (type === "AddressCredential") return "line1, line2, city, state zipCode, country";
  if (type === "AnnualIncomeCredential") return "currency amount";
  const words = childTypes(type).filter((child) => !child.endsWith("ImageCredential"));
  return words.map(credentialKey).join(", ");
}

/** Words in the patterns of settings that name no part of their type, because they would vanish from every value. */
export function patternProblems(formats: CredentialFormats, path: string): Problem[] {
  return (["FullNameCredential", "AddressCredential"] as const).flatMap((type) => {
    const pattern = brandPattern(type, formats);
    const parts = childTypes(type).map(credentialKey);
    const words = patternKeys(pattern ?? "");
    const unknown = words.find((word) => !parts.includes(word));
    if (pattern === null || (words.length > 0 && unknown === undefined)) return [];
    const why = unknown === undefined ? "The pattern has no part." : `“${unknown}” is not a part.`;
    return [{ path: `${path}.${credentialKey(type)}`, message: `${why} Use object, or ${parts.join(", ")}.` }];
  });
}

/** The child keys in a pattern. */
export function patternKeys(pattern: string): string[] {
  return pattern.match(keyPattern) ?? [];
}

/**
 * Fills the parts into the pattern. If a part is missing, only the strongest of the separators around it is kept: a
 * comma before a dash before a space. No separator is written before the first part or after the last.
 */
export function fillPattern(pattern: string, parts: ReadonlyMap<string, string>): string {
  const between = pattern.split(keyPattern).slice(1);
  let text = "";
  let separator = "";
  for (const [index, key] of patternKeys(pattern).entries()) {
    const part = parts.get(key)?.trim() ?? "";
    if (part !== "") {
      text += text === "" ? part : separator + part;
      separator = "";
    }
    separator = stronger(separator, between[index] ?? "");
  }
  return text;
}

const keyPattern = /[A-Za-z][A-Za-z0-9]*/g;

function stronger(one: string, other: string): string {
  return strength(other) > strength(one) ? other : one;
}

function strength(separator: string): number {
  if (separator.includes(",")) return 3;
  if (separator.includes("-")) return 2;
  return separator === "" ? 0 : 1;
}

/** Formats a date: `yy` is a two-digit year, `MM` and `dd` have two digits, `M` and `d` no leading zero. */
function birthDate(stored: string, format: string): string {
  const [, year = "", month = "", date = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(stored) ?? [];
  if (year === "") return stored;
  if (format === "unixTimestamp") return noonOf(stored) ?? stored;
  return format.replace(/y+|M+|d+/g, (run) => {
    if (run.startsWith("y")) return run.length === 2 ? year.slice(2) : year;
    const digits = run.startsWith("M") ? month : date;
    return run.length === 1 ? String(Number(digits)) : digits;
  });
}

function state(stored: string, format: CredentialFormats["state"]): string {
  const code = stateCodeOf(stored);
  if (code === undefined) return stored;
  return format === "full" ? (usRegions[code] ?? code) : code;
}

const usName = "United States of America";
const regionNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });

/** The code of a country that `formatValue` has written in full; undefined for any other text. */
export function countryCodeOf(text: string): string | undefined {
  return isUs(text) ? "US" : countryCodes.find((code) => same(regionNames.of(code) ?? code, text));
}

function country(stored: string, format: CredentialFormats["country"]): string {
  if (isUs(stored)) return format === "full" ? usName : "US";
  return format === "full" && /^[A-Z]{2}$/.test(stored) ? (regionNames.of(stored) ?? stored) : stored;
}

function isUs(text: string): boolean {
  return same(text, "US") || same(text, usName);
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase();
}
