// alone: its harness opens cells that every sandbox of the process would use
import assert from "node:assert/strict";
import test from "node:test";
import type { Overview } from "@countersign/contract/dashboard-reporting";
import { listLastAttempts } from "../../domain/webhook/inspect.ts";
import { openListener } from "../../domain/webhook/listener.ts";
import { sendTest } from "../../domain/webhook/test-event.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { it, openCell, phoneOf, signup } from "../harness/second-cell.ts";

await openCell();

test("a brand's overview counts what every cell has", async () => {
  const { uuid: brand, api } = await it.brand();
  const { call } = await signedIn(it, { role: "viewer" });
  const base = `/api/brands/${brand}/sandbox`;
  for (const cell of [0, 1, 1] as const) {
    await signup(phoneOf(cell), api);
    await api.createVerification({ body: { channel: "sms", phone: phoneOf(cell) } });
  }
  await eventually(async () => {
    const { calls, signup: signups, verifications, funnel } = (await call("GET", `${base}/overview`)).body as Overview;
    if (calls.now.all < 6) return undefined;
    assert.deepEqual([calls.now.all, signups.now, verifications.now.all], [6, { all: 3, part: 3 }, 3]);
    assert.deepEqual([funnel.asked, funnel.shared.count], [3, 3]);
    return true;
  });
  const { uuid } = await openListener(it.homeDeps, { brandUuid: brand, forward: "http://localhost:9/hook" });
  const sent = await Promise.all(it.homeDeps.cells.all().map((cell) => sendTest(cell, { uuid })));
  const [webhook] = await listLastAttempts(it.homeDeps, [uuid]);
  assert.deepEqual(new Set(webhook?.attempts.map(({ delivery }) => delivery)), new Set(sent));
});
