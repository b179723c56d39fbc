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

/** The start of a bucket, in UTC. */
export function instantOf(at: number, bucket: Bucket): string {
  return forms[bucket].format(at);
}

/** A number with its unit, or a dash if there is none. */
export function unitOf(value: number | null, unit: "count" | "ms"): string {
  if (value === null) return "–";
  return unit === "ms" ? `${value.toLocaleString("en-US")} ms` : value.toLocaleString("en-US");
}
