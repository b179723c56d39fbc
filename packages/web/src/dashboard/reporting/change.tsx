import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.analytics;

export type Compared = {
  now: number | null;
  before: number | null;
  /** The unit of the difference: counts and times as a percentage, shares in points. */
  unit: "count" | "points" | "ms";
  /** The text of the earlier value. */
  from: string;
  /** Which direction is good. Null if neither is. */
  better: "more" | "less" | null;
};

/** The difference from the earlier period: a sign, words, and a color for good or bad. */
export function Change({ now, before, unit, from, better }: Compared) {
  if (now === null || before === null) return null;
  const by = Math.round(unit === "count" ? ((now - before) / before) * 100 : now - before);
  if (by === 0) return <span class="quiet">{say.same(from)}</span>;
  const tone = better === null ? "" : (better === "more") === by > 0 ? "good" : "bad";
  const sign = by > 0 ? "+" : "−";
  return (
    <span class="quiet">
      <b class={`change ${tone}`}>{`${sign}${say.by[unit](Math.abs(by))}`}</b> {by > 0 ? say.up(from) : say.down(from)}
    </span>
  );
}
