/** How many jobs run at once, in total and per concurrency group. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sandbox, testStart } from "../harness/sandbox.ts";
import { heldJobs, newJob, testJobs } from "../harness/test-jobs.ts";

const { put, worker } = testJobs(await sandbox());

test("due jobs start in order of due time, and one process runs at most 128 at once", async () => {
  const held = heldJobs();
  const names = Array.from({ length: 134 }, (_, index) => `${index}`);
  for (const name of names.toReversed())
    await put(newJob({ dueAt: testStart - 1_000 + Number(name), payload: { name } }));
  const pool = worker(held.run);
  const done = pool.runDue();
  await held.until(128);
  assert.deepEqual(held.begun, names.slice(0, 128));
  held.end("3");
  await held.until(129);
  assert.equal(held.begun.at(-1), "128");
  for (let next = 0; next < 134; next += 1) {
    await held.until(Math.min(134, next + 2));
    held.end(`${next}`);
  }
  assert.equal(await done, 134);
  await pool.stop();
});

test("jobs in concurrency groups never take every slot, so a text does not wait for receivers that hang", async () => {
  const held = heldJobs();
  const slow = Array.from({ length: 160 }, (_, index) => `slow ${index}`);
  for (const [index, name] of slow.entries()) {
    await put(newJob({ dueAt: testStart - 9, concurrencyGroup: `receiver ${index}`, payload: { name } }));
  }
  const pool = worker(held.run);
  const done = pool.runDue();
  await held.until(96);
  await put(newJob({ payload: { name: "a text" } }));
  pool.wake();
  await held.until(97);
  assert.equal(held.begun.at(-1), "a text");
  held.end("a text");
  for (let ended = 0; ended < 160; ended += 1) {
    await held.until(Math.min(161, 97 + ended));
    held.end(held.begun.filter((name) => name.startsWith("slow"))[ended] ?? "");
  }
  assert.equal(await done, 161);
  await pool.stop();
});

test("40 hanging receivers with queued jobs leave slots for a receiver that answers", async () => {
  const held = heldJobs();
  const slow = Array.from({ length: 240 }, (_, index) => `slow ${index}`);
  for (const [index, name] of slow.entries())
    await put(newJob({ dueAt: testStart - 9, concurrencyGroup: `receiver ${index % 40}`, payload: { name } }));
  const quick = Array.from({ length: 20 }, (_, index) => `quick ${index}`);
  for (const name of quick) await put(newJob({ concurrencyGroup: "a quick one", payload: { name } }));
  const pool = worker(held.run);
  const done = pool.runDue();
  for (const name of quick) {
    while (!held.begun.includes(name)) await held.until(held.begun.length + 1);
    held.end(name);
  }
  assert.equal(held.begun.filter((name) => name.startsWith("slow")).length, 64);
  for (let ended = 0; ended < slow.length; ended += 1) {
    const begun = () => held.begun.filter((name) => name.startsWith("slow"));
    while (begun().length <= ended) await held.until(held.begun.length + 1);
    held.end(begun()[ended] ?? "");
  }
  assert.equal(await done, slow.length + quick.length);
  await pool.stop();
});

test("at most four jobs of a concurrency group run at once, and other jobs do not wait for them", async () => {
  const held = heldJobs();
  const slow = Array.from({ length: 9 }, (_, index) => `slow ${index}`);
  for (const name of slow)
    await put(newJob({ dueAt: testStart - 9, concurrencyGroup: "a receiver", payload: { name } }));
  await put(newJob({ payload: { name: "quick" } }));
  const pool = worker(held.run);
  const done = pool.runDue();
  await held.until(5);
  assert.deepEqual([...held.begun].sort(), ["quick", ...slow.slice(0, 4)]);
  held.end("quick");
  for (const [index, name] of slow.entries()) {
    await held.until(Math.min(10, 5 + index));
    assert.ok(held.begun.length <= 5 + index, `${held.begun.length} had started when ${index} of the group had ended`);
    held.end(name);
  }
  assert.equal(await done, 10);
  await pool.stop();
});
