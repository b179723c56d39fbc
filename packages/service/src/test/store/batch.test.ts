import assert from "node:assert/strict";
import test from "node:test";
import { batched } from "../../store/statements/batch.ts";

const on = {};
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

test("concurrent calls run in one batch, and each gets its own result", async () => {
  const batches: number[] = [];
  const double = batched(async (_on: object, all: readonly number[]) => {
    batches.push(all.length);
    return all.map((one) => one * 2);
  });
  assert.deepEqual(
    await Promise.all(numbers(40).map((one) => double(on, one))),
    numbers(40).map((one) => one * 2),
  );
  assert.deepEqual(batches, [40]);
});

test("at most two batches run at once, and later calls wait for the next batch", async () => {
  const ends: (() => void)[] = [];
  let began = () => {};
  const batches: number[][] = [];
  const held = batched(async (_on: object, all: readonly number[]) => {
    batches.push([...all]);
    began();
    await new Promise<void>((resolve) => ends.push(resolve));
    return all;
  });
  const until = async (count: number) => {
    while (batches.length < count)
      await new Promise<void>((resolve) => {
        began = resolve;
      });
  };
  const asked: Promise<number>[] = [];
  for (const number of numbers(2)) {
    asked.push(held(on, number));
    await until(number + 1);
  }
  asked.push(held(on, 2), held(on, 3));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.deepEqual(batches, [[0], [1]]);
  ends[0]?.();
  await until(3);
  assert.deepEqual(batches, [[0], [1], [2, 3]]);
  for (const end of ends) end();
  assert.deepEqual(await Promise.all(asked), [0, 1, 2, 3]);
});

test("a batch has at most one call per key, and the other calls run in later batches", async () => {
  const batches: string[][] = [];
  const written = batched(
    async (_on: object, all: readonly string[]) => {
      batches.push([...all]);
      return all.map((one) => `${one}!`);
    },
    (one) => one.slice(0, 1),
  );
  const asked = ["a1", "a2", "b1", "a3", "c1"];
  assert.deepEqual(await Promise.all(asked.map((one) => written(on, one))), ["a1!", "a2!", "b1!", "a3!", "c1!"]);
  assert.deepEqual(batches, [["a1", "b1", "c1"], ["a2"], ["a3"]]);
});

test("a batch that fails is split until only the failing call fails", async () => {
  const fussy = batched(async (_on: object, all: readonly number[]) => {
    if (all.includes(3)) throw new Error("three");
    return all;
  });
  const results = await Promise.allSettled(numbers(5).map((one) => fussy(on, one)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled"],
  );
});

test("a batch is not retried after a lost connection, because it may have succeeded", async () => {
  let tries = 0;
  const lost = batched(async (): Promise<number[]> => {
    tries += 1;
    throw new Error("Connection terminated unexpectedly");
  });
  const results = await Promise.allSettled(numbers(5).map((one) => lost(on, one)));
  assert.ok(results.every(({ status }) => status === "rejected"));
  assert.equal(tries, 1);
});

test("a batch that times out is split, because a canceled statement has no effect", async () => {
  const slow = batched(async (_on: object, all: readonly number[]) => {
    if (all.includes(3)) throw Object.assign(new Error("canceling statement"), { code: "57014" });
    return all;
  });
  const results = await Promise.allSettled(numbers(5).map((one) => slow(on, one)));
  assert.equal(results.filter(({ status }) => status === "rejected").length, 1);
});

test("a batch that returns too few results is split and retried", async () => {
  let tries = 0;
  const short = batched(async (_on: object, all: readonly number[]) => {
    tries += 1;
    return all.slice(0, 1);
  });
  assert.deepEqual(await Promise.all([short(on, 7), short(on, 8)]), [7, 8]);
  assert.equal(tries, 3);
});

test("each database handle has its own batches", async () => {
  const seen: object[] = [];
  const noted = batched(async (on: object, all: readonly number[]) => {
    seen.push(on);
    return all;
  });
  const [one, other] = [{}, {}];
  await Promise.all([noted(one, 1), noted(other, 2)]);
  assert.deepEqual(seen, [one, other]);
});
