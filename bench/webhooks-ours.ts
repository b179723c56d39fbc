/** Our service in a separate process. It sends deliveries that were queued before. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeUpEvent } from "../packages/contract/src/brand-api/webhook-examples.ts";
import { composeService } from "../packages/service/src/compose/service.ts";
import { readConfig } from "../packages/service/src/config/config.ts";
import { defineEndpoint } from "../packages/service/src/domain/webhook/endpoint.ts";
import { queueDelivery } from "../packages/service/src/domain/webhook/publish.ts";
import { openMetrics } from "../packages/service/src/http/metrics.ts";
import { startWorker } from "../packages/service/src/jobs/worker.ts";
import { openLog } from "../packages/service/src/log.ts";
import { tuneMemory } from "../packages/service/src/processes/memory.ts";
import { demoBrands } from "../packages/service/src/providers/sandbox/demo.ts";
import { systemClock } from "../packages/service/src/providers/system.ts";
import { openDatabase } from "../packages/service/src/store/database.ts";
import { migrate } from "../packages/service/src/store/migrations/migrate.ts";
import { openSignals } from "../packages/service/src/store/signals.ts";
import type { DispatchAsk } from "./webhooks.ts";

const [databaseUrl = ""] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), "countersign-bench-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
process.on("disconnect", () => process.exit());
tuneMemory();

const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ROLES: "api" });
const connection = { connectionString: databaseUrl };
const log = openLog(config.logLevel);
const store = openDatabase(connection, (error) => log.warn(error.message));
await migrate(store.db);
const signals = await openSignals(connection, (error) => log.warn(error.message));
const { sandbox } = await composeService({ config, log, store, signals, metrics: openMetrics() });
await sandbox.seedDemo("http://localhost:4001");
const { deps } = sandbox;
/** A brand may have twenty webhooks, so the webhooks are spread over the demo brands. */
const perBrand = 20;
/**
 * Deliveries per transaction, and number of concurrent transactions, while the queue is filled before the measurement.
 */
const batch = 500;
const publishers = 8;

process.on("message", (ask: DispatchAsk) => {
  dispatch(ask).then(
    (done) => process.send?.(done),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      process.exit(1);
    },
  );
});
process.send?.("ready");

async function dispatch({ urls, deliveries, stopsWhen }: DispatchAsk): Promise<{ startedAt: number; endedAt: number }> {
  await store.pool.query("truncate webhook_delivery, webhook_attempt, webhook_endpoint, job cascade");
  const endpoints: { uuid: string; brandUuid: string }[] = [];
  for (const [at, url] of urls.entries()) {
    const brandUuid = demoBrands[Math.floor(at / perBrand)]?.uuid ?? "";
    const { uuid } = await defineEndpoint(deps, brandUuid, { url, authentication: { type: "none" } });
    endpoints.push({ uuid, brandUuid });
  }
  const batches = Array.from({ length: Math.ceil(deliveries / batch) }, (_, at) => at * batch);
  const publisher = async () => {
    for (let from = batches.shift(); from !== undefined; from = batches.shift())
      await publish(endpoints, from, Math.min(batch, deliveries - from));
  };
  await Promise.all(Array.from({ length: publishers }, publisher));
  await store.pool.query("vacuum analyze webhook_delivery, job");
  const startedAt = Date.now();
  const worker = startWorker(deps, { realNow: systemClock.now, log, isOn: true, processNumber: signals.processNumber });
  worker.wake();
  // Searching for one more job costs less than counting all.
  const more = "select from job where name = 'webhook.deliver' offset $1 limit 1";
  for (let left = 1; left > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = (await store.pool.query(more, [stopsWhen])).rows.length;
  }
  const endedAt = Date.now();
  // Do not wait for a receiver that never answers.
  if (stopsWhen === 0) await worker.stop();
  else void worker.stop();
  return { startedAt, endedAt };
}

async function publish(endpoints: readonly { uuid: string; brandUuid: string }[], from: number, count: number) {
  await deps.db.inTransaction(async (trx) => {
    const dataKey = await deps.vault.createDataKey(trx, deps.environment, deps.clock.now());
    for (let at = from; at < from + count; at += 1) {
      const endpoint = endpoints[at % endpoints.length];
      if (endpoint === undefined) return;
      const subjectUuid = deps.random.uuid();
      const body = madeUpEvent("1-click.health.lookup", subjectUuid, deps.clock.now());
      await queueDelivery(deps, trx, {
        brandUuid: endpoint.brandUuid,
        endpointUuid: endpoint.uuid,
        event: "1-click.health.lookup",
        subjectUuid,
        dataKey,
        body,
      });
    }
  });
}
