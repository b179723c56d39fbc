/** The database is killed or stopped under load. The service recovers by itself, and nothing acknowledged is lost. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Call, callsTo, eventReceiver, openLoad } from "../harness/load.ts";
import { chance, isLong, seeded, tell } from "../harness/seeded-run.ts";
import { dataDir, start } from "../harness/service-process.ts";

const demoKey = "sk_sandbox_demo_api";
const points = isLong ? 200 : 3;
/** Range of the random number of requests around each point. The database crashes when half of them are answered. */
const requestsMax = isLong ? 40 : 10;
/** `pg_ctl stop -m immediate` sends SIGQUIT. */
const signals = ["SIGKILL", "SIGQUIT"] as const;
const pick = chance();

const receiver = await eventReceiver();
after(() => receiver.close());

test(`after each of ${points} database crashes, all acknowledged data is still there and requests succeed again`, async (t) => {
  const DATA_DIR = await dataDir();
  const { ready, stop } = await start(DATA_DIR);
  const plain = callsTo(ready.environments.sandbox.apiUrl, demoKey);
  const untilReady = async () => {
    while ((await plain("/readyz")).status !== 200);
  };
  const brokenKeys = new Set<string>();
  // Acts as a client that retries after a 503. It replaces an idempotency key whose request was cut off instead of
  // waiting for it.
  const call: Call = async (path, options = {}) => {
    const { idempotencyKey: key } = options;
    const isBroken = key !== undefined && brokenKeys.has(key);
    const answer = await plain(path, isBroken ? { ...options, idempotencyKey: `${key}-again` } : options);
    if (answer.status !== 503) return answer;
    if (key !== undefined) brokenKeys.add(key);
    await untilReady();
    return answer;
  };
  const brandUuid = ready.demo?.brands[0]?.uuid ?? assert.fail("no demo brand");
  assert.equal((await call(`/sandbox/brands/${brandUuid}/webhooks`, { body: { url: receiver.url } })).status, 201);

  const sum = { answered: 0, failed: 0, checked: 0 };
  const lookups = new Set<string>();
  await seeded(async () => {
    for (let point = 0; point < points; point += 1) {
      const load = openLoad(call);
      await load.run(2 + Math.floor(pick() * requestsMax), async () => {
        process.kill(postmasterPid(DATA_DIR), signals[point % signals.length]);
        // Wait until the service notices. Until then, the old server may have answered.
        while ((await plain("/readyz")).status === 200);
        await untilReady();
      });
      // Only requests that were under way or used an ended connection may fail, and only with 503.
      for (const line of load.failed) assert.match(line, /: 503 /);
      sum.answered += load.answered;
      sum.failed += load.failed.length;
      sum.checked += await load.check();
      for (const uuid of load.lookups) lookups.add(uuid);
    }
    // Jobs that were claimed when the database crashed are free after a minute. Only the long form waits for them.
    if (isLong) await receiver.all(lookups);
    for (const uuid of lookups) assert.equal((await call(`/v2/1-click/health/${uuid}`)).status, 200);
  });
  t.diagnostic(
    `${points} crashes: ${sum.answered} answered, ${sum.failed} told to retry, ${sum.checked} acknowledged and read again, ${lookups.size} lookups`,
  );
  tell({ suite: "database crash", what: "points; acknowledged effects lost", tried: points, lost: 0 });
  assert.equal((await stop("SIGTERM")).code, 0);
});

function postmasterPid(directory: string): number {
  return Number(readFileSync(join(directory, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}
