/** How many jobs run at once, in total and per concurrency group. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crowdedFrom, groupedMax, jobSlotsMax, pollFrom } from "../../jobs/slots.ts";
import { sandbox, testStart } from "../harness/sandbox.ts";
import { heldJobs, newJob, testJobs } from "../harness/test-jobs.ts";

const { put, worker } = testJobs(await sandbox());

test(`due jobs start in order of due time, and one process runs at most ${jobSlotsMax} at once`, async () => {
  const held = heldJobs();
  const names = Array.from({ length: jobSlotsMax + 6 }, (_, index) => `${index}`);
  const jobs = names.map((name) => newJob({ dueAt: testStart - 1_000 + Number(name), payload: { name } }));
  await put(...jobs.toReversed());
  const pool = worker(held.run);
  const done = pool.runDue();
  await held.until(jobSlotsMax);
  assert.deepEqual(held.begun, names.slice(0, jobSlotsMax));
  for (const name of names.slice(0, pollFrom)) held.end(name);
  await held.until(names.length);
  assert.deepEqual(held.begun, names);
  for (const name of names.slice(pollFrom)) held.end(name);
  assert.equal(await done, names.length);
  await pool.stop();
});

test("a job that ends while few slots are free makes room for the next one", async () => {
  const held = heldJobs();
  const names = Array.from({ length: jobSlotsMax + 1 }, (_, index) => `${index}`);
  await put(...names.map((name) => newJob({ dueAt: testStart - 1_000 + Number(name), payload: { name } })));
  const pool = worker(held.run);
  const done = pool.runDue();
  await held.until(jobSlotsMax);
  held.end("3");
  await held.until(names.length);
  for (const name of names) if (name !== "3") held.end(name);
  assert.equal(await done, names.length);
  await pool.stop();
});

test("jobs in concurrency groups never take every slot, so a text does not wait for receivers that hang", async () => {
  const held = heldJobs();
  const slow = Array.from({ length: groupedMax + 64 }, (_, index) => `slow ${index}`);
  const jobs = slow.map((name) => newJob({ dueAt: testStart - 9, concurrencyGroup: `for ${name}`, payload: { name } }));
  await put(...jobs);
  const pool = worker(held.run);
  const done = pool.runDue();
  await held.until(groupedMax);
  await put(newJob({ payload: { name: "a text" } }));
  pool.wake();
  await held.until(groupedMax + 1);
  assert.equal(held.begun.at(-1), "a text");
  held.end("a text");
  const first = held.begun.filter((name) => name.startsWith("slow"));
  for (const name of first) held.end(name);
  await held.until(slow.length + 1);
  for (const name of slow) if (!first.includes(name)) held.end(name);
  assert.equal(await done, slow.length + 1);
  await pool.stop();
});

test("120 hanging receivers with queued jobs leave slots for a receiver that answers", async () => {
  const held = heldJobs();
  const slow = Array.from({ length: 720 }, (_, index) => `slow ${index}`);
  const group = (index: number) => `receiver ${index % 120}`;
  await put(
    ...slow.map((name, index) => newJob({ dueAt: testStart - 9, concurrencyGroup: group(index), payload: { name } })),
  );
  const quick = Array.from({ length: 20 }, (_, index) => `quick ${index}`);
  await put(...quick.map((name) => newJob({ concurrencyGroup: "a quick one", payload: { name } })));
  const pool = worker(held.run);
  const done = pool.runDue();
  for (const name of quick) {
    while (!held.begun.includes(name)) await held.until(held.begun.length + 1);
    held.end(name);
  }
  assert.equal(held.begun.filter((name) => name.startsWith("slow")).length, crowdedFrom);
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
