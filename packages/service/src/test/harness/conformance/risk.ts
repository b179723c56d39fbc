import assert from "node:assert/strict";
import test from "node:test";
import type { Phone, RiskScorer } from "../../../domain/ports.ts";

export const riskQuestion = {
  brandUuid: "7d3c9a54-0f0e-4b62-9f43-0d0c2f8f7b11",
  phone: "+16502530000" as Phone,
  email: "ada@example.com",
  deviceIp: "2600::1",
  deadlineMs: 10_000,
};

/** Tests that every risk scorer must pass. */
export function riskConformance(
  name: string,
  make: () => Promise<{ scorer: RiskScorer; close(): Promise<void> }>,
): void {
  test(`${name}: returns a whole score from 0 to 1000, with reason codes for it and for each identifier`, async () => {
    const { scorer, close } = await make();
    const { score, reasonCodes, phone, email, deviceIp } = await scorer.score(riskQuestion);
    assert.ok(Number.isInteger(score) && score >= 0 && score <= 1_000);
    assert.ok(reasonCodes.length > 0);
    for (const code of [reasonCodes, phone.reasonCodes, email.reasonCodes, deviceIp.reasonCodes].flat())
      assert.match(code, /^OCR\d{5}$/);
    assert.equal(typeof phone.carrier.name, "string");
    await close();
  });
  test(`${name}: gives the same request the same score`, async () => {
    const { scorer, close } = await make();
    assert.deepEqual(await scorer.score(riskQuestion), await scorer.score(riskQuestion));
    await close();
  });
}
