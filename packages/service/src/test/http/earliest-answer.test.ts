import assert from "node:assert/strict";
import test from "node:test";
import { pauseWithJitter, withMinimumDuration } from "../../http/earliest-answer.ts";

/** Runs all pending promise callbacks. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A pause that ends when `end` is called. */
function heldPause() {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const asked: number[] = [];
  const pause = (ms: number) => {
    asked.push(ms);
    return promise;
  };
  return { end, asked, pause };
}

test("a result waits for the earliest time, and the pause begins with the work", async () => {
  const held = heldPause();
  let isAnswered = false;
  const answer = withMinimumDuration(3, Promise.resolve("done"), held.pause).then((result) => {
    isAnswered = true;
    return result;
  });
  assert.deepEqual(held.asked, [3]);
  await settle();
  assert.equal(isAnswered, false);
  held.end();
  assert.equal(await answer, "done");
});

test("a result that comes later does not wait again", async () => {
  const held = heldPause();
  const work = Promise.withResolvers<string>();
  const answer = withMinimumDuration(3, work.promise, held.pause);
  held.end();
  await settle();
  work.resolve("done");
  assert.equal(await answer, "done");
  assert.deepEqual(held.asked, [3]);
});

test("a failure does not wait", async () => {
  await assert.rejects(withMinimumDuration(3, Promise.reject(new Error("failed")), heldPause().pause), /failed/);
});

test("a pause ends at its random time, whichever part of a millisecond the timer is late by", async () => {
  for (const random of [0, 0.25, 0.5, 0.75])
    for (const late of [0, 0.25, 0.75]) {
      let now = 100;
      await pauseWithJitter(2.5, {
        now: () => now,
        random: () => random,
        async timer(ms) {
          now += ms + late;
        },
        async turn() {
          now += 0.25;
        },
      });
      assert.equal(now, 102.5 + random);
    }
});
