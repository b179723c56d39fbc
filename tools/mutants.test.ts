/** The mutants are made by hand now and then; that each still has its place is seen with every change. */
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
