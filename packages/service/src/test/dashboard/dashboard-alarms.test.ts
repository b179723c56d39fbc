/** What a brand's members see about texts that an alarm blocked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Analytics } from "@countersign/contract/dashboard-reporting";
import { signedIn } from "../harness/dashboard-member.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const viewer = await signedIn(it, { role: "viewer" });
const minuteMs = 60_000;

async function analytics(brand: string, query: string): Promise<Analytics> {
  const { status, body } = await viewer.call("GET", `/api/brands/${brand}/sandbox/analytics?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as Analytics;
}

test("a brand's analytics show the hours in which its own texts were limited, within the requested range", async () => {
  const [mine, other] = [await it.brand(), await it.brand()];
  const now = it.deps.clock.now();
  const row = { environment: "sandbox" as const, kind: "brand" as const, window_start: now, sent: 120, verified: 3 };
  await it.store.db
    .insertInto("conversion_alarm")
    .values(
      [mine, other].map(({ uuid }) => ({
        ...row,
        key: Buffer.from(uuid),
        brand_uuid: uuid,
        raised_at: now - minuteMs,
      })),
    )
    .execute();
  const { alarms } = await analytics(mine.uuid, "range=hour");
  const endsAt = now + it.deps.policy.caps.textsToBlock.windowMs;
  assert.deepEqual(alarms, [{ kind: "brand", raisedAt: now - minuteMs, endsAt, sent: 120, verified: 3 }]);
  const before = `from=${now - 60 * minuteMs}&to=${now - 2 * minuteMs}&bucket=minute`;
  assert.deepEqual((await analytics(mine.uuid, before)).alarms, []);
});
