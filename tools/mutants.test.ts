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

test("reports a mutant whose test has another name, also where other titles have parameters", () => {
  const file = "packages/service/src/test/verification/verification-texts.test.ts";
  const of = (name: string) => {
    const mutant = { from: `keeps the ${"leading"} zeros of a code`, to: "", tests: [`verification-texts: ${name}`] };
    return problemsOf({ area: "codes", file, mutants: [mutant] });
  };
  assert.deepEqual(of("the same code has a different hash"), []);
  assert.deepEqual(of('a late "failed" for a replaced text does not change the status of the newer one'), []);
  assert.deepEqual(of("printing a code"), [`${file}: there is no test "verification-texts: printing a code"`]);
});
