import assert from "node:assert/strict";
import test from "node:test";
import { compose270 } from "../../../domain/health/x12/compose.ts";
import { read271 } from "../../../domain/health/x12/eligibility.ts";
import type { Clearinghouse } from "../../../domain/ports.ts";

export const person = { firstName: "Monica", lastName: "Hall", birthDate: "1990-01-01" };
const at = Date.UTC(2026, 0, 2, 12);
const npi = "1999999984";

/** Returns a check as the domain sends it. */
export function checkOf(
  { envelope }: Clearinghouse,
  plan: { payer: { id: string; name: string }; memberId: string },
  asked: { firstName: string; lastName: string; birthDate: string } = person,
) {
  const trace = "0B0E7A523C6B4C8E9A530F6F1F0A7C11";
  const provider = { npi, name: "Example clinic" };
  const whole = { ...asked, memberId: plan.memberId };
  const request = { ...envelope, controlNumber: 7, trace, at, payer: plan.payer, provider, person: whole };
  const x12 = compose270({ ...request, serviceTypeCodes: ["30"], procedureCodes: [] });
  return { x12, trace, person: asked, ...plan, npi, at, deadlineMs: 45_000 };
}

/** Tests that every clearinghouse adapter must pass: it finds an insured person's plan, and the plan can be checked. */
export function clearinghouseConformance(
  name: string,
  make: () => Promise<{ clearinghouse: Clearinghouse; close(): Promise<void> }>,
): void {
  test(`${name} finds a plan, and its payer answers in X12 about the same person`, async () => {
    const { clearinghouse, close } = await make();
    const found = await clearinghouse.discover({ person, npi, deadlineMs: 45_000 });
    assert.ok(found.kind === "found");
    const [plan] = found.coverages;
    assert.ok(plan);
    const check = checkOf(clearinghouse, { payer: { id: plan.payerId, name: "A payer" }, memberId: plan.memberId });
    const answer = await clearinghouse.check(check);
    assert.ok(answer.kind === "answered");
    const { eligibility } = read271(Buffer.from(answer.x12), { trace: check.trace });
    assert.equal(eligibility.member?.fullName?.lastName?.toUpperCase(), "HALL");
    await close();
  });
  test(`${name} searches only the named payers`, async () => {
    const { clearinghouse, close } = await make();
    const found = await clearinghouse.discover({ person, npi, payerIds: ["none of them"], deadlineMs: 45_000 });
    assert.deepEqual(found, { kind: "found", coverages: [] });
    await close();
  });
  test(`${name} has a sender id and a receiver id of 2 to 15 characters`, async () => {
    const { clearinghouse, close } = await make();
    for (const text of [clearinghouse.envelope.sender, clearinghouse.envelope.receiver])
      assert.match(text, /^[A-Z0-9]{2,15}$/);
    await close();
  });
}
