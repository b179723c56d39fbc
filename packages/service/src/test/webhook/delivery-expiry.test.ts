/** When the sweep erases the bodies of deliveries. */
import assert from "node:assert/strict";
import test from "node:test";
import { happen, hooked, hour, it, list, receiver } from "../harness/dashboard-webhooks.ts";

const minute = 60_000;
const state = async (base: string) => (await list(base)).data.map(({ status, isErased }) => [status, isErased]);

test("a delivery that is acknowledged late keeps its body for an hour from then on", async () => {
  const { brand, base } = await hooked();
  receiver.status = 500;
  await happen(brand);
  await it.runJobs();
  // The attempt at 36 minutes fails, and the one at 156 minutes succeeds.
  await it.advance(40 * minute);
  receiver.status = 204;
  await it.advance(116 * minute);
  assert.deepEqual(await state(base), [["delivered", false]]);
  await it.advance(hour - 1);
  assert.deepEqual(await state(base), [["delivered", false]]);
  await it.advance(1);
  assert.deepEqual(await state(base), [["delivered", true]]);
});

test("a delivery that an older version inserted or restarted is erased at the same time", async () => {
  const { brand, base } = await hooked();
  await happen(brand);
  await it.runJobs();
  await it.store.db.updateTable("webhook_delivery").set({ expires_at: 0 }).execute();
  await it.advance(hour - 1);
  assert.deepEqual(await state(base), [["delivered", false]]);
  await it.advance(1);
  assert.deepEqual(await state(base), [["delivered", true]]);
});
