/** Readiness probes while the database does not respond. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../harness/eventually.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const ask = async () => (await it.inject({ method: "GET", url: "/readyz" })).status;

test("/readyz returns 503 within a second while the database is silent, then 200; probes share one query", async (t) => {
  assert.equal(await ask(), 200);
  const silence = Promise.withResolvers<void>();
  const { mock } = t.mock.method(it.stores.store.pool, "query", () => silence.promise);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked = Promise.all([ask(), ask(), ask()]);
  await eventually(async () => (mock.callCount() > 0 ? true : undefined));
  t.mock.timers.tick(999);
  assert.deepEqual(await asked, [503, 503, 503]);
  t.mock.timers.reset();
  assert.equal(await ask(), 503);
  assert.equal(mock.callCount(), 1);
  silence.resolve();
  await silence.promise;
  assert.equal(await ask(), 200);
});
