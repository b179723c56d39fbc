// graphile-worker posts given bodies with undici: no signature, no address check, no record of the attempt. With the
// argument `same-work` it signs each body and records each attempt in a table.
import { createHmac, createSecretKey, randomUUID } from "node:crypto";
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";
import { Agent, request } from "undici";

process.on("disconnect", () => process.exit());
/** The same concurrency as our own worker. Jobs are fetched in batches, as the manual advises for speed. */
const concurrentJobs = 448;
const pool = new pg.Pool({ connectionString: process.argv[2], max: 16, idleTimeoutMillis: 0 });
pool.on("error", () => {});
const logger = new Logger(() => () => {});
const preset = { worker: { concurrentJobs, localQueue: { size: concurrentJobs * 2 }, completeJobBatchDelay: 0 } };
const utils = await makeWorkerUtils({ pgPool: pool, logger });
await utils.migrate();
const dispatcher = new Agent();
const doesSameWork = process.argv[3] === "same-work";
await pool.query(
  "create table attempt (id bigint generated always as identity primary key, url text not null, at bigint not null, http_status int, duration_ms int not null)",
);
const secret = createSecretKey("a secret for a measurement", "utf8");
const sign = (timestamp, body) => createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
const taskList = {
  async post({ url, body }) {
    const at = Date.now();
    const signature = doesSameWork ? { "x-webhook-timestamp": `${at}`, "x-webhook-signature": sign(at, body) } : {};
    const headers = { "content-type": "application/json", ...signature };
    const answer = await request(url, { method: "POST", headers, body, dispatcher });
    await answer.body.dump();
    if (doesSameWork)
      await pool.query({
        name: "attempt",
        text: "insert into attempt (url, at, http_status, duration_ms) values ($1, $2, $3, $4)",
        values: [url, at, answer.statusCode, Date.now() - at],
      });
    if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
  },
};

const bodyOf = () =>
  JSON.stringify({
    event: "1-click.health.lookup",
    test: true,
    healthDataUuid: randomUUID(),
    status: "SUCCEEDED",
    text: "x".repeat(900),
    sentAt: Date.now(),
  });

process.on("message", async ({ urls, deliveries }) => {
  await pool.query(
    `select graphile_worker.add_jobs(array(
       select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'post', 'payload', one))
         from json_array_elements($1::json) as one))`,
    [JSON.stringify(Array.from({ length: deliveries }, (_, at) => ({ url: urls[at % urls.length], body: bodyOf() })))],
  );
  await pool.query("vacuum analyze graphile_worker._private_jobs");
  const startedAt = Date.now();
  const runner = await run({ pgPool: pool, logger, taskList, preset, noHandleSignals: true });
  for (let left = deliveries; left > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { rows } = await pool.query("select from graphile_worker._private_jobs limit 1");
    left = rows.length;
  }
  process.send({ startedAt, endedAt: Date.now() });
  await runner.stop();
});
process.send("ready");
