import assert from "node:assert/strict";
import test from "node:test";
import { openMetrics } from "../../http/metrics.ts";

test("metrics can be read while the database is down, also those of a production environment", async () => {
  const metrics = openMetrics();
  const down = async () => {
    throw new Error("Cannot use a pool after calling end on the pool");
  };
  metrics.watchAlarms("production", down);
  metrics.watchSweeps("production", down);
  metrics.watchQueue("production", down);
  metrics.watchSignIns("production", down);
  metrics.watchStandbys(down);
  metrics.watchApprovals(down);
  const text = await metrics.registry.metrics();
  assert.match(text, /^service_processes 1$/m);
  assert.doesNotMatch(text, /^conversion_alarms\{/m);
});
