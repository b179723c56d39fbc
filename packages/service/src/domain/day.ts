import type { Problem } from "./failure.ts";
import type { Clock } from "./ports.ts";

const earliestBirthDate = "1900-01-01";

/** Today's date in UTC: `2026-01-02`. */
export function today(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}

/**
 * Converts an issued date, in Unix milliseconds, to `1989-08-01`. Anything but a whole number is returned unchanged.
 * Issued data uses milliseconds, as in the schema library; everything else uses this format.
 */
export function dayOfIssued(issued: string): string {
  if (!/^-?\d+$/.test(issued)) return issued;
  const instant = new Date(Number(issued));
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString().slice(0, 10);
}

/**
 * Converts a date to noon UTC in Unix milliseconds, as the schema library stores dates. Noon UTC is the same date in
 * every US time zone. Null if the date is invalid.
 */
export function noonOf(day: string): string | null {
  const noon = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T12:00:00Z`) : Number.NaN;
  // `Date.parse` accepts February 30 as a day in March.
  return !Number.isNaN(noon) && dayOfIssued(String(noon)) === day ? String(noon) : null;
}

/** Explains why a day cannot be a birth date; null if it can. */
export function birthDateProblem(clock: Clock, day: string): string | null {
  const possible = day >= earliestBirthDate && day <= today(clock);
  return possible ? null : `Use a date between ${earliestBirthDate} and today.`;
}

/** Validates the `birthDate` of a request; a missing one is valid. */
export function birthDateProblems(clock: Clock, birthDate: string | undefined): Problem[] {
  const message = birthDate === undefined ? null : birthDateProblem(clock, birthDate);
  return message === null ? [] : [{ path: "body.birthDate", message }];
}
