import type { Analytics } from "@countersign/contract/dashboard-reporting";
import { dayMs, hourMs, minuteMs } from "@countersign/contract/time";

type Bucket = Analytics["bucket"];

/** `tone` selects the color: 0 is good, 1 is bad, 2 is in between, and higher numbers have no meaning. */
export type ChartSeries = {
  name: string;
  label: string;
  tone: number;
  /** One value per bucket. Null if there was nothing to measure. */
  values: readonly (number | null)[];
  /** Whether the line is dashed, so that a line behind it is visible. */
  isDashed?: boolean;
  /** The value of the whole range. */
  all: number | null;
};
export type Period = { from: number; to: number };
export type ChartProps = {
  title: string;
  /** What the axis of values counts, such as "requests". */
  what: string;
  at: readonly number[];
  bucket: Bucket;
  series: readonly ChartSeries[];
  /** Counts are stacked bars, milliseconds are lines. */
  unit: "count" | "ms";
  /** The log page with the calls of a period, optionally of one series. */
  pathOf(period: Period, series?: string): string;
};

export const bucketMs: Readonly<Record<Bucket, number>> = { minute: minuteMs, hour: hourMs, day: dayMs };

const day: Intl.DateTimeFormatOptions = { month: "short", day: "numeric", timeZone: "UTC" };
const forms: Readonly<Record<Bucket, Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat("en-US", day),
  hour: new Intl.DateTimeFormat("en-US", { ...day, hour: "numeric" }),
  minute: new Intl.DateTimeFormat("en-US", { ...day, hour: "numeric", minute: "2-digit" }),
};

const hours = new Intl.DateTimeFormat("en-US", { hour: "numeric", timeZone: "UTC" });
const minutes = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", timeZone: "UTC" });

/** The start of a bucket, in UTC. */
export function instantOf(at: number, bucket: Bucket): string {
  return forms[bucket].format(at);
}

/** How many buckets may lie between two labels: whole parts of an hour, a day or a week, then whole weeks. */
const gaps: Readonly<Record<Bucket, readonly number[]>> = {
  minute: [1, 2, 5, 10, 15, 30, 60, 120, 180],
  hour: [1, 2, 3, 4, 6, 12, 24, 48, 72, 168],
  day: [1, 2, 7, 14, 28, 56, 112],
};

/**
 * The buckets that get a label, at most `max`. The last bucket always has one, so that the axis reaches the last bar.
 * The others begin at whole hours, days or weeks.
 */
export function ticksOf(at: readonly number[], bucket: Bucket, max: number): number[] {
  const last = at.at(-1);
  if (last === undefined) return [];
  const size = bucketMs[bucket];
  const gap = gaps[bucket].find((one) => at.length / one + 1 <= max) ?? at.length;
  const whole = at.filter((instant) => Math.round(instant / size) % gap === 0);
  const room = (at.length / max) * size;
  return [...whole.filter((instant) => last - instant >= room), last];
}

/** The labels of the axis of time. The date is below the first time of each day. */
export function labelsOf(instants: readonly number[], bucket: Bucket): string[] {
  const dates = instants.map((instant) => forms.day.format(instant));
  if (bucket === "day") return dates;
  return instants.map((instant, place) => {
    const time = (bucket === "hour" ? hours : minutes).format(instant);
    return dates[place] === dates[place - 1] ? time : `${time}\n${dates[place]}`;
  });
}

/** A number with its unit, or a dash if there is none. */
export function unitOf(value: number | null, unit: "count" | "ms"): string {
  if (value === null) return "–";
  return unit === "ms" ? `${value.toLocaleString("en-US")} ms` : value.toLocaleString("en-US");
}
