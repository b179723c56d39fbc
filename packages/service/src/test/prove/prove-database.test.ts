// rest: the short form of a proof with a long form
/** The database is killed or stopped under load. The service recovers by itself, and nothing acknowledged is lost. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { eventually } from "../harness/eventually.ts";
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
        const former = await postmasterPid(DATA_DIR);
        assert.ok(former > 0);
        process.kill(former, signals[point % signals.length]);
        // A new server means that the service has noticed. Until then, the old server may have answered.
        await eventually(async () => {
          const pid = await postmasterPid(DATA_DIR);
          return pid > 0 && pid !== former ? true : undefined;
        });
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

/** The process of the database server, or 0 while there is none. */
async function postmasterPid(directory: string): Promise<number> {
  const file = await readFile(join(directory, "postgres", "postmaster.pid"), "utf8").catch(() => "");
  return Number(file.split("\n")[0]);
}
