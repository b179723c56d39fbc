// alone: its harness is one service, which other files also use
/** When the sweep erases the bodies of deliveries. */
import assert from "node:assert/strict";
import test from "node:test";
import { day, happen, hooked, hour, it, list, owner, receiver } from "../harness/dashboard-webhooks.ts";

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

test("a dead letter that is sent again keeps its body for an hour after its acknowledgment", async () => {
  const { brand, base } = await hooked();
  receiver.status = 500;
  await happen(brand);
  await it.runJobs();
  await it.advance(day);
  // The sweep has dated the dead letter.
  await it.advance(hour);
  assert.deepEqual(await state(base), [["deadLettered", false]]);
  receiver.status = 204;
  const [one] = (await list(base)).data;
  assert.equal((await owner.call("POST", `${base}/deliveries/${one?.uuid}/replay`)).status, 202);
  await it.runJobs();
  await it.advance(hour - 1);
  assert.deepEqual(await state(base), [["delivered", false]]);
  await it.advance(1);
  assert.deepEqual(await state(base), [["delivered", true]]);
});

test("an event can be sent again until 14 days after its last scheduled attempt, and a replay does not lengthen that", async () => {
  const { brand, base } = await hooked();
  receiver.status = 500;
  await happen(brand);
  await it.runJobs();
  await it.advance(day);
  const [one] = (await list(base)).data;
  const replay = async () => (await owner.call("POST", `${base}/deliveries/${one?.uuid}/replay`)).status;
  const lastAttempt = 20 * hour + 36 * minute;
  assert.equal(await replay(), 202);
  await it.runJobs();
  await it.advance(13 * day + lastAttempt - 1);
  assert.equal(await replay(), 202);
  await it.runJobs();
  await it.advance(1);
  assert.equal(await replay(), 409);
});

test("a webhook whose deletion was interrupted loses its deliveries' bodies at the next attempt", async () => {
  const { brand, base, one } = await hooked();
  receiver.status = 500;
  await happen(brand);
  await it.runJobs();
  // Simulates a process that died after it marked the webhook as deleted.
  const uuid = one.split("/").at(-1) ?? "";
  await it.store.home.updateTable("webhook_endpoint").set({ deleted_at: 1 }).where("uuid", "=", uuid).execute();
  assert.deepEqual(await state(base), [["pending", false]]);
  await it.advance(minute);
  assert.deepEqual(await state(base), [["deadLettered", true]]);
});

test("a test event's own key is destroyed with its body", async () => {
  const { base, one } = await hooked();
  receiver.status = 204;
  assert.equal((await owner.call("POST", `${one}/test`)).status, 202);
  await it.runJobs();
  const uuid = (await list(base)).data[0]?.uuid ?? "";
  const keyOf = () =>
    it.store.db
      .selectFrom("webhook_delivery")
      .innerJoin("data_key", "data_key.uuid", "webhook_delivery.data_key_uuid")
      .select("data_key.wrapped")
      .where("webhook_delivery.uuid", "=", uuid)
      .executeTakeFirstOrThrow();
  assert.notEqual((await keyOf()).wrapped, null);
  await it.advance(hour);
  assert.equal((await keyOf()).wrapped, null);
});

test("a dead letter without a body is deleted after 14 days", async () => {
  const { brand, base, one } = await hooked();
  receiver.status = 500;
  await happen(brand);
  await it.runJobs();
  assert.equal((await owner.call("DELETE", one)).status, 200);
  assert.deepEqual(await state(base), [["deadLettered", true]]);
  await it.advance(14 * day - 1);
  assert.deepEqual(await state(base), [["deadLettered", true]]);
  await it.advance(1);
  assert.deepEqual(await state(base), []);
});

for (const [status, answer, kept] of [
  ["delivered", 204, hour],
  ["deadLettered", 500, 14 * day],
] as const)
  test(`an expired body (${status}) cannot be read, revealed or sent again before the sweep has erased it`, async () => {
    const { brand, base } = await hooked();
    receiver.status = answer;
    await happen(brand);
    await it.advance(status === "deadLettered" ? day : 0);
    const [line] = (await list(base)).data;
    assert.deepEqual([line?.status, line?.isErased], [status, false]);
    await it.store.db
      .updateTable("webhook_delivery")
      .set((row) => ({ finished_at: row("finished_at", "-", kept) }))
      .where("uuid", "=", line?.uuid ?? "")
      .execute();
    const path = `${base}/deliveries/${line?.uuid}`;
    assert.equal((await list(base)).data[0]?.isErased, true);
    assert.equal((await owner.call("GET", path)).body.masked, undefined);
    assert.equal((await owner.call("POST", `${path}/reveal`)).status, 409);
    assert.equal((await owner.call("POST", `${path}/replay`)).status, 409);
  });
