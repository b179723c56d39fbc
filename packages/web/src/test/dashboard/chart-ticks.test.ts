import assert from "node:assert/strict";
import test from "node:test";
import { bucketMs, labelsOf, ticksOf } from "../../dashboard/reporting/chart-series.ts";

const start = Date.UTC(2026, 0, 1, 22);
const span = (bucket: keyof typeof bucketMs, count: number) =>
  Array.from({ length: count }, (_, at) => start + at * bucketMs[bucket]);

test("the last bar always has a label, and no two labels touch", () => {
  for (const bucket of ["minute", "hour", "day"] as const)
    for (const count of [1, 2, 7, 25, 60, 168, 400])
      for (const max of [3, 5, 9, 14]) {
        const at = span(bucket, count);
        const ticks = ticksOf(at, bucket, max);
        assert.equal(ticks.at(-1), at.at(-1));
        assert.ok(ticks.length <= max, `${ticks.length} labels of ${max}: ${count} ${bucket}s`);
        const apart = ticks.slice(1).map((one, place) => one - (ticks[place] ?? 0));
        assert.ok(
          apart.every((one) => one >= (count * bucketMs[bucket]) / (max * 4)),
          `${apart}`,
        );
      }
  assert.deepEqual(ticksOf([], "day", 5), []);
});

test("a date is below the first time of each day", () => {
  const labels = labelsOf(span("hour", 4), "hour");
  assert.deepEqual(labels, ["10 PM\nJan 1", "11 PM", "12 AM\nJan 2", "1 AM"]);
  assert.deepEqual(labelsOf(span("day", 2), "day"), ["Jan 1", "Jan 2"]);
});
