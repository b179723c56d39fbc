import type { Benefit } from "./loops.ts";
import type { Segment } from "./segment.ts";

export type Period = { begin?: string; end?: string };

/** yyyyMMdd → yyyy-MM-dd; undefined if the date does not exist. */
export function isoDay(text: string): string | undefined {
  if (!/^\d{8}$/.test(text)) return undefined;
  const month = text.slice(4, 6);
  const day = text.slice(6);
  const exists = Number(day) >= 1 && Number(day) <= daysOf(Number(text.slice(0, 4)), Number(month));
  return exists ? `${text.slice(0, 4)}-${month}-${day}` : undefined;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days of a month in the Gregorian calendar; 0 if there is no such month. */
function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
}

/** What a date is about. A begin and an end of the same family belong together. */
type Family = "plan" | "eligibility" | "benefit" | "policy" | "enrollment";
const begins = new Map<string, Family>([
  ["346", "plan"],
  ["291", "plan"],
  ["356", "eligibility"],
  ["307", "eligibility"],
  ["348", "benefit"],
  ["292", "benefit"],
  ["539", "policy"],
  ["382", "enrollment"],
]);
const ends = new Map<string, Family>([
  ["347", "plan"],
  ["357", "eligibility"],
  ["349", "benefit"],
  ["540", "policy"],
]);
/** These qualifiers may only repeat the requested date. */
const echoes = new Set(["291", "307", "292"]);

/** A stretch of time. The qualifiers are those of the DTP segments; a range has no `endQualifier`. */
export type DateSpan = Period & { family: Family; qualifier?: string; endQualifier?: string };

/**
 * The spans that DTP segments state, in order. A range of one day, and a single date equal to `today`, only repeat the
 * requested date.
 */
export function spansOf(segments: readonly Segment[], today: string | undefined): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const segment of segments) if (segment.id === "DTP") addSpan(spans, segment, today);
  return spans;
}

function addSpan(spans: DateSpan[], segment: Segment, today: string | undefined): void {
  const qualifier = segment.element(1);
  const text = segment.element(3);
  // Ranges are also accepted under D8, because some payers write them there.
  const [from = "", until] = text.includes("-") ? text.split("-") : [text];
  const begin = isoDay(from.trim());
  const end = until === undefined ? undefined : isoDay(until.trim());
  if (begin === undefined || begin === end) return;
  const isEcho = end === undefined && begin === today && echoes.has(qualifier);
  const beginning = begins.get(qualifier);
  const ending = ends.get(qualifier);
  if (beginning !== undefined && !isEcho) addBegin(spans, { family: beginning, qualifier, begin }, end);
  else if (ending !== undefined) addEnd(spans, { family: ending, endQualifier: qualifier, end: end ?? begin });
}

function addBegin(spans: DateSpan[], span: DateSpan & { begin: string }, end: string | undefined): void {
  const before = end === undefined ? spans.findLast(({ family }) => family === span.family) : undefined;
  // Some payers write the end before its begin.
  const isItsEnd = before?.end !== undefined && before.begin === undefined && span.begin <= before.end;
  if (isItsEnd) Object.assign(before, span);
  else spans.push(end === undefined ? span : { ...span, end });
}

function addEnd(spans: DateSpan[], span: DateSpan & { end: string }): void {
  const before = spans.findLast(({ family }) => family === span.family);
  const isItsBegin = before?.begin !== undefined && before.end === undefined && before.begin <= span.end;
  if (isItsBegin) Object.assign(before, span);
  else spans.push(span);
}

/** Whether a day lies in a period. */
export function contains({ begin, end }: Period, day: string): boolean {
  return (begin === undefined || begin <= day) && (end === undefined || day <= end);
}

/** Drops the spans that do not contain the day, if another span of the same family does. */
function spansAbout(spans: readonly DateSpan[], day: string | undefined): readonly DateSpan[] {
  if (day === undefined || spans.length < 2) return spans;
  const current = new Set(spans.filter((span) => contains(span, day)).map(({ family }) => family));
  return spans.filter((span) => !current.has(span.family) || contains(span, day));
}

/** An end this many years ahead means that there is no end. */
const openYears = 30;

/** The lists of spans of one place: above the benefits, or below the lines about the whole plan. */
type Place = readonly (readonly DateSpan[])[];
type Begun = { span: DateSpan; begin: string; place: Place };

/** When a plan starts and ends, from the places where payers write it. The first match wins. */
export function periodOf(response: {
  heads: readonly (readonly Segment[])[];
  lines: readonly Benefit[];
  today: string | undefined;
  asked: string | undefined;
}): Period {
  const { today, asked } = response;
  const about = (segments: readonly Segment[]) => spansAbout(spansOf(segments, today), asked);
  const heads = response.heads.map(about);
  const lines = response.lines.map(({ segments }) => about(segments));
  const begun = begunOf(heads, lines, asked);
  const end =
    begun === undefined ? (endIn(heads) ?? endIn(lines)) : endOf(begun, begun.place === heads ? lines : heads);
  return {
    ...(begun === undefined ? {} : { begin: begun.begin }),
    ...(end === undefined || isOpenEnded(end, today) ? {} : { end }),
  };
}

function begunOf(heads: Place, lines: Place, asked: string | undefined): Begun | undefined {
  const above = pick(heads, ["346", "356"]) ?? pick(heads, ["291"], (span) => span.end !== undefined);
  const below = pick(lines, ["346", "356", "291", "307", "348", "292"]);
  if (above === undefined || below === undefined || asked === undefined)
    return above ?? below ?? pick(heads, ["307", "291", "539", "382"]);
  // A period above the benefits may be an old one.
  const end = endOf(above, []);
  const isOld = !contains({ begin: above.begin, ...(end === undefined ? {} : { end }) }, asked);
  return isOld && contains(below.span, asked) ? below : above;
}

function pick(place: Place, qualifiers: string[], accept: (span: DateSpan) => boolean = () => true): Begun | undefined {
  for (const qualifier of qualifiers)
    for (const list of place) {
      const span = list.find((one) => one.qualifier === qualifier && accept(one));
      if (span?.begin !== undefined) return { span, begin: span.begin, place };
    }
  return undefined;
}

/** The end of a period that has begun. It may be in another place than the begin. */
function endOf({ span, begin, place }: Begun, other: Place): string | undefined {
  // A begin below the lines about a benefit or policy starts a period of its own.
  const isOwn = (one: DateSpan) => one.begin !== undefined && (one.family === "benefit" || one.family === "policy");
  return (
    endIn(place, ({ end = "" }) => end >= begin) ??
    // Some payers void a plan by an end before its begin.
    (span.end !== undefined && span.end >= begin ? span.end : undefined) ??
    endOfRange(place, begin) ??
    endIn(other, (one) => (one.end ?? "") >= begin && !isOwn(one)) ??
    endOfRange(other, begin)
  );
}

/** The first end that has its own segment. */
function endIn(place: Place, accept: (span: DateSpan) => boolean = () => true): string | undefined {
  for (const qualifier of ends.keys())
    for (const list of place) {
      const span = list.find((one) => one.endQualifier === qualifier && accept(one));
      if (span !== undefined) return span.end;
    }
  return undefined;
}

/** The end may be in a range with the same start. */
function endOfRange(place: Place, begin: string): string | undefined {
  return place.flat().find(({ begin: first, end }) => first === begin && end !== undefined && end >= begin)?.end;
}

function isOpenEnded(end: string, today: string | undefined): boolean {
  const year = Number((today ?? "2026").slice(0, 4));
  return Number(end.slice(0, 4)) >= year + openYears;
}
