import { activeCodes, inactiveCodes } from "./codes.ts";
import { all, type Benefit } from "./loops.ts";
import { element, type Segment } from "./segment.ts";

export type Period = { begin?: string; end?: string };

/** yyyyMMdd → yyyy-MM-dd; undefined if the date does not exist. */
export function dayOf(text: string): string | undefined {
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

type Dtp = { qualifier: string; begin: string; end?: string };

/** The date or range of a DTP. Ranges are also accepted under D8, because some payers write them there. */
function dtpOf(segment: Segment): Dtp[] {
  const text = element(segment, 3);
  const [begin = "", end] = text.includes("-") ? text.split("-") : [text];
  const from = dayOf(begin.trim());
  const to = end === undefined ? undefined : dayOf(end.trim());
  if (from === undefined) return [];
  return [{ qualifier: element(segment, 1), begin: from, ...(to === undefined ? {} : { end: to }) }];
}
const dtps = (segments: readonly Segment[]) => all(segments, "DTP").flatMap(dtpOf);

/** An end this many years ahead means that there is no end. */
const openYears = 30;
/** These qualifiers may only repeat the requested date. */
const echoes = new Set(["291", "307", "292"]);
const isRange = ({ begin, end }: Dtp) => end !== undefined && end !== begin;

/** When a plan starts and ends, from the places where payers write it. The first match wins. */
export function periodOf(response: {
  patient: readonly Segment[];
  subscriber: readonly Segment[];
  benefits: readonly Benefit[];
  responseDate: string;
}): Period {
  const today = dayOf(response.responseDate);
  const counts = (dtp: Dtp) =>
    !(dtp.end !== undefined && dtp.end === dtp.begin) &&
    !(echoes.has(dtp.qualifier) && dtp.end === undefined && dtp.begin === today);
  const heads = [dtps(response.patient).filter(counts), dtps(response.subscriber).filter(counts)];
  const plan = planLevel(response.benefits).map(({ segments }) => dtps(segments).filter(counts));
  const pick = (lists: Dtp[][], qualifiers: string[], accept: (dtp: Dtp) => boolean = () => true) => {
    for (const qualifier of qualifiers)
      for (const list of lists) {
        const found = list.find((dtp) => dtp.qualifier === qualifier && accept(dtp));
        if (found !== undefined) return { dtp: found, lists };
      }
    return undefined;
  };
  const begun =
    pick(heads, ["346", "356"]) ??
    pick(heads, ["291"], isRange) ??
    pick(plan, ["346", "356", "291", "307", "348", "292"]) ??
    pick(heads, ["307", "291", "539", "382"]);
  const places = begun === undefined ? [heads, plan] : [begun.lists];
  const ended = places.map((lists) => pick(lists, ["347", "357", "349", "540"])).find((found) => found !== undefined);
  // The end may be in a range with the same start.
  const endOfRange = (list: Dtp[]) => list.find((dtp) => isRange(dtp) && dtp.begin === begun?.dtp.begin)?.end;
  const end = ended?.dtp.begin ?? begun?.dtp.end ?? begun?.lists.map(endOfRange).find((day) => day !== undefined);
  return {
    ...(begun === undefined ? {} : { begin: begun.dtp.begin }),
    ...(end === undefined || isOpenEnded(end, today) ? {} : { end }),
  };
}

function isOpenEnded(end: string, today: string | undefined): boolean {
  const year = Number((today ?? "2026").slice(0, 4));
  return Number(end.slice(0, 4)) >= year + openYears;
}

/** Active and inactive lines about the whole plan. */
function planLevel(benefits: readonly Benefit[]): Benefit[] {
  return benefits.filter(
    ({ code, serviceTypes }) => serviceTypes.isWholePlan && (activeCodes.has(code) || inactiveCodes.has(code)),
  );
}

/** The end date of a benefit line; undefined if it has none. */
export function endOf(benefit: Benefit): string | undefined {
  const list = dtps(benefit.segments);
  return (
    list.find(({ qualifier }) => ["347", "357", "349", "540"].includes(qualifier))?.begin ??
    list.find((dtp) => isRange(dtp))?.end
  );
}
