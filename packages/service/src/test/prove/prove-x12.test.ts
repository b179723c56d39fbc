/** Generated 271s: people, plans with periods, and accumulators with limits. The reader must find what the model knows. */
import assert from "node:assert/strict";
import test from "node:test";
import type { EdiBenefit } from "@countersign/contract/health";
import { readAnswer } from "../../domain/health/x12/eligibility.ts";
import { generatedAnswer } from "../harness/fuzz/answers-271.ts";
import { chance, isLong, seeded, tell } from "../harness/seeded-run.ts";

const answers = isLong ? 10_000 : 300;

/** Equal entries in any order, once each. */
function sorted(benefits: readonly EdiBenefit[]): string[] {
  const texts = benefits.map((entry) => JSON.stringify(Object.entries(entry).sort()));
  return [...new Set(texts)].sort();
}

test("every generated 271 is read as its model says", async () => {
  const random = chance();
  await seeded(async () => {
    for (let at = 0; at < answers; at += 1) {
      const { bytes, sought, expected } = generatedAnswer(random);
      const { read, isOurs } = readAnswer(bytes, sought);
      const { coverageStatus, plan, member, benefits = [] } = read.eligibility;
      const text = bytes.toString().replaceAll("~", "~\n");
      assert.equal(isOurs, true, text);
      assert.equal(member?.fullName?.firstName, expected.firstName, text);
      assert.equal(coverageStatus, expected.coverageStatus, text);
      if (expected.plan !== undefined) assert.deepEqual(plan, expected.plan, text);
      assert.deepEqual(sorted(benefits), sorted(expected.benefits), text);
    }
  });
  tell({ suite: "x12", what: "generated 271s", tried: answers, lost: 0 });
});

test("no generated 271 gives one person's benefits for a question about another person", async () => {
  const random = chance();
  await seeded(async () => {
    for (let at = 0; at < answers; at += 1) {
      const { bytes, sought } = generatedAnswer(random);
      const stranger = { ...sought, trace: "ANOTHER", birthDate: "1931-02-03", firstName: "Nobody" };
      assert.equal(readAnswer(bytes, stranger).isOurs, false, bytes.toString());
    }
  });
  tell({ suite: "x12", what: "questions about a stranger", tried: answers, lost: 0 });
});
