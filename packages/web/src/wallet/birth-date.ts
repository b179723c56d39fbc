/** Birth dates as people type them: 08/01/1989, 8-1-1989, 08011989, 1989-08-01, Aug 1 1989, 1 de agosto de 1989. */
import { plainText } from "@countersign/contract/typed-text";

const earliestYear = 1900;
const monthNames: readonly (readonly string[])[] = [
  ["jan", "ene"],
  ["feb"],
  ["mar"],
  ["apr", "abr"],
  ["may"],
  ["jun"],
  ["jul"],
  ["aug", "ago"],
  ["sep", "set"],
  ["oct"],
  ["nov"],
  ["dec", "dic"],
];

export type ReadDate = { kind: "day"; day: string } | { kind: "none" } | { kind: "impossible" };

/** The day as yyyy-MM-dd. The month comes first, unless only the other order is a date. `none`: not a date. */
export function readBirthDate(text: string, nowMs: number): ReadDate {
  const parts = partsOf(plainText(text).toLowerCase());
  if (parts === null) return { kind: "none" };
  const [year, month, day] = parts;
  const dated = new Date(Date.UTC(year, month - 1, day));
  const exists = dated.getUTCFullYear() === year && dated.getUTCMonth() === month - 1 && dated.getUTCDate() === day;
  const possible = exists && year >= earliestYear && dated.getTime() <= nowMs;
  return possible ? { kind: "day", day: dated.toISOString().slice(0, 10) } : { kind: "impossible" };
}

/** Whether a text in digits is one date with the month first, and another with the day first. */
export function hasTwoOrders(text: string): boolean {
  const [, first, second] = /^(\d{1,2})\D*(\d{1,2})\D*\d{4}$/.exec(plainText(text)) ?? [];
  return first !== undefined && Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second);
}

type Parts = [year: number, month: number, day: number];

function partsOf(text: string): Parts | null {
  const compact = /^(\d{2})(\d{2})(\d{4})$/.exec(text);
  if (compact !== null) return ordered(compact[1], compact[2], compact[3]);
  const iso = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/.exec(text);
  if (iso !== null) return [Number(iso[1]), Number(iso[2]), Number(iso[3])];
  const numeric = /^(\d{1,2})[-/. ]+(\d{1,2})[-/. ]+(\d{4})$/.exec(text);
  if (numeric !== null) return ordered(numeric[1], numeric[2], numeric[3]);
  return partsInWords(text);
}

function ordered(first = "", second = "", year = ""): Parts {
  const [one, two] = [Number(first), Number(second)];
  return one > 12 && two <= 12 ? [Number(year), two, one] : [Number(year), one, two];
}

function partsInWords(text: string): Parts | null {
  const words = text.split(/[\s,./-]+/).filter((word) => word !== "" && word !== "de" && word !== "del");
  const month = words.map(monthOf).find((one) => one > 0);
  const numbers = words.flatMap((word) => /^(\d{1,4})(?:st|nd|rd|th|o)?$/.exec(word)?.[1] ?? []);
  const year = numbers.find((one) => one.length === 4);
  const day = numbers.find((one) => one.length <= 2);
  if (words.length !== 3 || month === undefined || year === undefined || day === undefined) return null;
  return [Number(year), month, Number(day)];
}

function monthOf(word: string): number {
  return /^\p{L}{3,}\.?$/u.test(word)
    ? monthNames.findIndex((names) => names.some((one) => word.startsWith(one))) + 1
    : 0;
}

/** A day in words, which the screen shows back to the person. */
export function dayInWords(day: string, language: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });
}
