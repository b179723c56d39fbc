/** Rules for names that people read in texts and emails. */
import assert from "node:assert/strict";
import test from "node:test";
import { nameProblem } from "../../domain/brand/name.ts";
import { goodNames, hostileNames } from "../harness/brand-names.ts";

for (const name of goodNames) test(`a name may be ${name}`, () => assert.equal(nameProblem(name), null));

for (const [what, name, expected] of hostileNames)
  test(`a name with ${what} is refused: ${JSON.stringify(name)}`, () => {
    const problem = nameProblem(name);
    assert.match(problem ?? "accepted", expected);
    assert.match(problem ?? "", /^[A-Z].*\.$/);
  });
