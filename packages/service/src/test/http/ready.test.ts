/** Readiness probes while the database does not respond. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pingAnswerMs } from "../../store/ping.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const ask = async () => (await it.inject({ method: "GET", url: "/readyz" })).status;

test("/readyz returns 503 within a second while the database is silent, then 200; probes share one query", async (t) => {
  assert.ok(pingAnswerMs < 1_000);
  assert.equal(await ask(), 200);
  const silence = Promise.withResolvers<void>();
  const { mock } = t.mock.method(it.stores.store.pool, "query", () => silence.promise);
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [503, 503, 503]);
  assert.equal(await ask(), 503);
  assert.equal(mock.callCount(), 1);
  silence.resolve();
  await silence.promise;
  assert.equal(await ask(), 200);
});
