import assert from "node:assert/strict";
import test from "node:test";
import type { Phone, SmsSender, TextReports } from "../../../domain/ports.ts";

const to = "+16502530000" as Phone;
export const aText = {
  id: "0b0e7a52-3c6b-4c8e-9a53-0f6f1f0a7c11",
  to,
  body: "Your code is 482913",
  mayBeSent: false,
  deadlineMs: 10_000,
};

/**
 * Tests that every SMS adapter must pass. `handedOver` returns how many texts were sent, or null if it never sends any.
 */
export function smsConformance(
  name: string,
  make: () => Promise<{ sender: SmsSender; handedOver(): number | null; close(): Promise<void> }>,
): void {
  test(`${name} sends a text and reports it as accepted or delivered`, async () => {
    const { sender, handedOver, close } = await make();
    const outcome = await sender.send(aText);
    assert.ok(outcome.kind === "delivered" || outcome.kind === "accepted");
    assert.ok([1, null].includes(handedOver()));
    await close();
  });
  test(`${name} has a sender name`, async () => {
    const { sender, close } = await make();
    assert.match(sender.from, /\S/);
    await close();
  });
}

/** Tests that every verifier of delivery reports must pass. `sign` returns a report as the gateway sends it. */
export function reportConformance(
  name: string,
  make: () => {
    reports: TextReports;
    sign(textId: string, state: "sent" | "delivered" | "failed"): { body: string; headers: Record<string, string> };
  },
): void {
  const textId = aText.id;
  const other = "7d1c6e0a-12aa-4e39-8f64-5b0c4fb0a9d2";
  test(`${name}: accepts a signed report, and a replay gives the same result`, () => {
    const { reports, sign } = make();
    for (const state of ["sent", "delivered", "failed"] as const) {
      const report = { textId, ...sign(textId, state) };
      for (const heard of [reports.judge(report), reports.judge(report)])
        assert.deepEqual({ ...heard, reason: undefined }, { kind: "report", textId, state, reason: undefined });
    }
  });
  test(`${name}: rejects forged, altered, and unsigned reports, and reports sent for another text`, () => {
    const { reports, sign } = make();
    const { body, headers } = sign(textId, "failed");
    const names = Object.keys(headers).filter((header) => /signature|timestamp/.test(header));
    const refused = [
      { textId, body: body.replace("failed", "delivered"), headers },
      { textId, body: `${body} `, headers },
      { textId: other, body, headers },
      { textId: "../secret", body, headers },
      { textId, body, headers: {} },
      ...names.map((header) => ({ textId, body, headers: { ...headers, [header]: "v1=00" } })),
      { textId, body: "", headers },
    ];
    for (const request of refused) assert.deepEqual(reports.judge(request), { kind: "refused" });
  });
}
