/** Mutants are run by hand. These tests check with every change that the code that each mutant replaces exists. */
import assert from "node:assert/strict";
import test from "node:test";
import { allWeakened, problemsOf } from "./prove/mutants/all.ts";

test("the code that each mutant replaces occurs exactly once in its file", () => {
  assert.deepEqual(allWeakened.flatMap(problemsOf), []);
});

test("reports a mutant whose code is missing or occurs twice", () => {
  const weakened = { area: "codes" as const, file: "tools/mutants.test.ts" };
  const mutant = { to: "", tests: [] };
  const problems = problemsOf({
    ...weakened,
    mutants: [
      { ...mutant, from: `nowhere ${"to be found"}` },
      { ...mutant, from: "import test" },
    ],
  });
  assert.equal(problems.length, 2);
});
