import type { Analytics } from "@countersign/contract/dashboard-reporting";

type Bucket = Analytics["bucket"];

export const bucketMs: Readonly<Record<Bucket, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const day = { month: "short", day: "numeric", timeZone: "UTC" } as const;
const days = new Intl.DateTimeFormat("en-US", day);
const minutes = new Intl.DateTimeFormat("en-US", { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The start of a bucket, in UTC. */
export function instantOf(at: number, bucket: Bucket): string {
  return (bucket === "day" ? days : minutes).format(at);
}

/** A number with its unit, or a dash if there is none. */
export function unitOf(value: number | null, unit: "count" | "ms"): string {
  if (value === null) return "–";
  return unit === "ms" ? `${value.toLocaleString("en-US")} ms` : value.toLocaleString("en-US");
}
