import assert from "node:assert/strict";
import test from "node:test";
import { coalesced, joined } from "../../store/serial.ts";

test("many calls during a read cause one more read, which begins after the last call", async () => {
  const reads: PromiseWithResolvers<void>[] = [];
  const read = coalesced(() => {
    const one = Promise.withResolvers<void>();
    reads.push(one);
    return one.promise;
  });
  const first = read();
  const later = Array.from({ length: 1_000 }, () => read());
  assert.equal(reads.length, 1);
  reads[0]?.reject(new Error("the database is away"));
  await assert.rejects(first, /away/);
  while (reads.length < 2) await null;
  // A call during the second read needs a third one.
  const last = read();
  reads[1]?.resolve();
  await Promise.all(later);
  while (reads.length < 3) await null;
  reads[2]?.resolve();
  await last;
  assert.equal(reads.length, 3);
});

test("calls during a run wait for its end and start no other, and the next call runs again", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const run = joined(() => {
    const one = Promise.withResolvers<void>();
    runs.push(one);
    return one.promise;
  });
  const during = [run(), run(), run()];
  assert.equal(runs.length, 1);
  runs[0]?.reject(new Error("the database is away"));
  for (const one of during) await assert.rejects(one, /away/);
  const again = run();
  assert.equal(runs.length, 2);
  runs[1]?.resolve();
  await again;
});
