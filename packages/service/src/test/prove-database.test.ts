/** The database dies under load, killed or stopped at once: the service goes on by itself, and nothing acknowledged is lost. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Call, callsTo, eventReceiver, openLoad } from "./load.ts";
import { chance, isLong, seeded, tell } from "./proof.ts";
import { dataDir, start } from "./service-process.ts";

const demoKey = "sk_sandbox_demo_api";
const points = isLong ? 200 : 3;
/** Requests around each point; the database dies when half of them are answered. */
const requestsMax = isLong ? 40 : 10;
/** `pg_ctl stop -m immediate` sends the second. */
const signals = ["SIGKILL", "SIGQUIT"] as const;
const pick = chance();

const receiver = await eventReceiver();
after(() => receiver.close());

test(`after each of ${points} deaths of the database everything acknowledged is there, and more is answered`, async (t) => {
  const DATA_DIR = await dataDir();
  const { ready, stop } = await start(DATA_DIR);
  const plain = callsTo(ready.environments.sandbox.apiUrl, demoKey);
  const untilReady = async () => {
    while ((await plain("/readyz")).status !== 200);
  };
  const brokenKeys = new Set<string>();
  // As a client does that is told to come back later, and does not wait for a key whose request the death cut off.
  const call: Call = async (path, about = {}) => {
    const { idempotencyKey: key } = about;
    const isBroken = key !== undefined && brokenKeys.has(key);
    const answer = await plain(path, isBroken ? { ...about, idempotencyKey: `${key}-again` } : about);
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
        // Until it is seen to be gone, an answer may be the old server's.
        while ((await plain("/readyz")).status === 200);
        await untilReady();
      });
      // Nothing but what was under way, or met a connection that had ended, may fail, and only by saying so.
      for (const line of load.failed) assert.match(line, /: 503 /);
      sum.answered += load.answered;
      sum.failed += load.failed.length;
      sum.checked += await load.check();
      for (const uuid of load.lookups) lookups.add(uuid);
    }
    // What a job had claimed when its database died is free a minute later: the long form has that minute.
    if (isLong) await receiver.all(lookups);
    for (const uuid of lookups) assert.equal((await call(`/v2/1-click/health/${uuid}`)).status, 200);
  });
  t.diagnostic(
    `${points} deaths: ${sum.answered} answered, ${sum.failed} told to come back, ${sum.checked} acknowledged and read again, ${lookups.size} lookups`,
  );
  tell({ suite: "death of the database", what: "points; acknowledged effects lost", tried: points, lost: 0 });
  assert.equal((await stop("SIGTERM")).code, 0);
});

function postmasterPid(directory: string): number {
  return Number(readFileSync(join(directory, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}
