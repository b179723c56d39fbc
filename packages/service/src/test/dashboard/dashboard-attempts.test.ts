// alone: its harness is one service, which other files also use
import assert from "node:assert/strict";
import test from "node:test";
import type { AttemptMark } from "@countersign/contract/dashboard-webhooks";
import { healthLookupEvent, publish } from "../../domain/webhook/publish.ts";
import { happen, hooked, hour, it, owner, receiver, viewer } from "../harness/dashboard-webhooks.ts";

test("the last attempts are those at the newest 50 deliveries, oldest first, and name what waits", async () => {
  const { brand, base, uuid } = await hooked();
  const marks = async (who = viewer) => {
    const { status, body } = await who.call("GET", `${base}/webhook-attempts`);
    assert.equal(status, 200);
    const data = body.data as { webhook: string; attempts: AttemptMark[] }[];
    assert.deepEqual(
      data.map((one) => one.webhook),
      [uuid],
    );
    return data[0]?.attempts ?? [];
  };
  assert.deepEqual(await marks(), []);
  receiver.status = 500;
  await happen(brand);
  const [failed, waiting] = await marks();
  assert.deepEqual(
    [failed?.result, failed?.answer, waiting?.result, waiting?.answer],
    ["failed", "500", "waiting", undefined],
  );
  assert.ok(failed !== undefined && waiting !== undefined && failed.at < waiting.at);
  assert.equal(failed.delivery, waiting.delivery);
  receiver.status = 204;
  await it.runJobs();
  await it.advance(hour);
  await it.deps.db.inTransaction(async (trx) => {
    for (let at = 0; at < 55; at += 1)
      await publish(it.deps, trx, {
        ...{ event: healthLookupEvent, brandUuid: brand.uuid, endpointUuids: [uuid] },
        subjectUuid: it.deps.random.uuid(),
        dataKey: await it.deps.vault.createDataKey(trx, "sandbox", it.deps.clock.now()),
        body: {},
      });
  });
  await it.advance(1_000);
  const all = await marks(owner);
  assert.equal(all.length, 50);
  assert.deepEqual([...new Set(all.map(({ result }) => result))], ["delivered"]);
  assert.deepEqual(
    all.map(({ at }) => at),
    all.map(({ at }) => at).sort((a, b) => a - b),
  );
});
