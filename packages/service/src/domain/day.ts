import type { Problem } from "./failure.ts";
import type { Clock } from "./ports.ts";

const earliestBirthDate = "1900-01-01";

/** The day it is in UTC: `2026-01-02`. */
export function today(clock: Clock): string {
  return new Date(clock.now()).toISOString().slice(0, 10);
}

/** Days are written as `1989-08-01` everywhere but in issued data: there it is milliseconds, as the schema library has it. */
export function dayOf(issued: string): string {
  if (!/^-?\d+$/.test(issued)) return issued;
  const instant = new Date(Number(issued));
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString().slice(0, 10);
}

/** A day as the schema library writes it: noon UTC, which is the same day in every US time zone. Null for what is no day. */
export function noonOf(day: string): string | null {
  const noon = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T12:00:00Z`) : Number.NaN;
  // The parser takes 30 February for a day in March.
  return !Number.isNaN(noon) && dayOf(String(noon)) === day ? String(noon) : null;
}

/** What is wrong with a day as a birth date; null where somebody who lives may have been born on it. */
export function birthDateProblem(clock: Clock, day: string): string | null {
  const possible = day >= earliestBirthDate && day <= today(clock);
  return possible ? null : `must lie between ${earliestBirthDate} and today`;
}

/** The same of a request's `birthDate`. */
export function birthDateProblems(clock: Clock, birthDate: string | undefined): Problem[] {
  const message = birthDate === undefined ? null : birthDateProblem(clock, birthDate);
  return message === null ? [] : [{ path: "body.birthDate", message }];
}
