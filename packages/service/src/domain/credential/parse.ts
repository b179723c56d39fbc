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
  const names: string[] = [];
  const source = pattern.replace(/y+|M+|d+/g, (run) => {
    names.push(run.charAt(0));
    return run.startsWith("y") && run !== "yy" ? "(\\d{4})" : "(\\d{1,2})";
  });
  const found = new RegExp(`^${source}$`).exec(text);
  const part = (name: string) => (found?.[names.indexOf(name) + 1] ?? "").padStart(2, "0");
  const day = `${part("y")}-${part("M")}-${part("d")}`;
  if (part("y").length !== 2) return noonOf(day);
  return noonOf(`20${day}` <= today ? `20${day}` : `19${day}`);
}
