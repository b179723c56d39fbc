/** Mutants run by hand from time to time. This test checks with every change that each mutant's place still exists. */
import assert from "node:assert/strict";
import test from "node:test";
import { allWeakened, problemsOf } from "./prove/mutants/all.ts";

test("each weakness still has one place in the file that it weakens", () => {
  assert.deepEqual(allWeakened.flatMap(problemsOf), []);
});

test("a place that is gone, or stands there twice, is told", () => {
  const weakened = { area: "codes" as const, file: "tools/mutants.test.ts" };
  const mutant = { to: "", tests: [] };
  const told = problemsOf({
    ...weakened,
    mutants: [
      { ...mutant, from: `nowhere ${"to be found"}` },
      { ...mutant, from: "import test" },
    ],
  });
  assert.equal(told.length, 2);
});
