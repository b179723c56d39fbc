/** An attempt with a large body waits for memory. What the brand or the operator changes meanwhile counts. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import test from "node:test";
import { operatorOn } from "../../domain/audit/account-audit-rows.ts";
import { setMode } from "../../domain/brand/manage.ts";
import { endLargeScope, holdLarge, largeBytesMax, newLargeScope, runInLargeScope } from "../../domain/large-values.ts";
import { attemptDelivery } from "../../domain/webhook/deliver.ts";
import { defineEndpoint, editEndpoint } from "../../domain/webhook/endpoint.ts";
import { publish } from "../../domain/webhook/publish.ts";
import { claim } from "../../store/queue.ts";
import { sandbox } from "../harness/sandbox.ts";
import { recordStatements } from "../harness/statement-log.ts";
import { noWorker } from "../harness/test-jobs.ts";

/** This sandbox runs no worker, so that only the test claims jobs. */
const it = await sandbox({}, { ROLES: "api,wallet,dashboard" });
const urls: string[] = [];
const outbound = {
  ...it.deps.vendors.outbound,
  async post({ url }: { url: string }) {
    urls.push(url);
    return { kind: "answered" as const, status: 204, durationMs: 1 };
  },
};
const deps = { ...it.deps, worker: noWorker, vendors: { ...it.deps.vendors, outbound } };
const oldUrl = "http://127.0.0.1:2/old";
const newUrl = "http://127.0.0.1:2/new";

/** A webhook, and the job that sends it a large event. */
async function largeDelivery() {
  const { uuid: brandUuid } = await it.brand();
  const { uuid } = await defineEndpoint(deps, brandUuid, { url: oldUrl, authentication: { type: "none" } });
  const subjectUuid = deps.random.uuid();
  const event = "1-click.health.lookup" as const;
  await deps.db.inTransaction(async (trx) => {
    const now = deps.clock.now();
    const dataKey = await deps.vault.createDataKey(trx, "sandbox", now);
    // Random, so that it cannot be compressed.
    const results = [{ memberId: randomBytes(256 * 1024).toString("hex") }];
    const body = { event, healthDataUuid: subjectUuid, sentAt: now, status: "SUCCEEDED" as const, results };
    await publish(deps, trx, { brandUuid, endpointUuids: [uuid], event, subjectUuid, dataKey, body });
  });
  const jobs = await claim(deps.db, "sandbox", { now: deps.clock.now(), realNow: 1 });
  const job = jobs.find(({ payload }) => payload.deliveryUuid !== undefined) ?? assert.fail("no job");
  return { brandUuid, endpointUuid: uuid, job, deliveryUuid: String(job.payload.deliveryUuid) };
}
type Delivery = Awaited<ReturnType<typeof largeDelivery>>;

/** Runs an attempt that waits for memory while `change` happens. */
async function attempt({ job, deliveryUuid }: Delivery, change: () => Promise<unknown>): Promise<void> {
  const [all, own] = [newLargeScope(), newLargeScope()];
  await runInLargeScope(all, () => holdLarge(largeBytesMax, { mayWait: true }));
  const statements: string[] = [];
  const running = recordStatements(statements, () =>
    runInLargeScope(own, () => attemptDelivery(deps, { deliveryUuid }, job)),
  );
  while (!statements.some((text) => /from "webhook_endpoint"/.test(text))) await new Promise(setImmediate);
  await change();
  endLargeScope(all);
  await running;
  endLargeScope(own);
}

const changes: Record<string, { change(delivery: Delivery): Promise<unknown>; sentTo: string[] }> = {
  "nothing changes": { change: async () => {}, sentTo: [oldUrl] },
  "the URL changes": {
    change: ({ endpointUuid }) => editEndpoint(deps, endpointUuid, { url: newUrl }, operatorOn(it.accounts, null)),
    sentTo: [newUrl],
  },
  "the operator stops the brand": {
    change: ({ brandUuid }) => setMode(it.admin, { brandUuid, mode: "stopped" }),
    sentTo: [],
  },
};
for (const [what, { change, sentTo }] of Object.entries(changes))
  test(`an attempt that waits for memory while ${what} goes to ${sentTo.length} URLs as it is then`, async () => {
    urls.length = 0;
    const delivery = await largeDelivery();
    await attempt(delivery, () => change(delivery));
    assert.deepEqual(urls, sentTo);
  });
