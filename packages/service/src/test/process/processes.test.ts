// rest: starts several services on one database
/** Several processes that share nothing but one database. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { listKeys } from "../../domain/brand/api-key-rows.ts";
import { revokeKey } from "../../domain/brand/keys.ts";
import type { AdminDeps } from "../../domain/brand/manage.ts";
import { systemClock, systemRandom } from "../../providers/system.ts";
import { openDatabase } from "../../store/database.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { callsTo, eventReceiver, openLoad } from "../harness/load.ts";
import { roundRobin } from "../harness/round-robin.ts";
import { frameOfKey } from "../harness/sandbox.ts";
import { dataDir, run, type Started, start } from "../harness/service-process.ts";

const demoKey = "sk_sandbox_demo_api";
const database = await cloneDatabase("empty");
const proxy = await roundRobin();
const receiver = await eventReceiver();
const call = callsTo(proxy.url, demoKey);
after(async () => {
  proxy.close();
  receiver.close();
  await database.drop();
});
const shared = { DATABASE_URL: database.url, MASTER_KEY: "5".repeat(64), DATABASE_POOL: "8", STOP_DELAY_MS: "1000" };
/** Requests in one phase of load. */
const requests = 60;

async function begin(ROLES = "all"): Promise<Started> {
  const started = await start(await dataDir(), { ...shared, ROLES });
  if (ROLES !== "worker") proxy.behind.add(apiOf(started));
  return started;
}
const apiOf = ({ ready }: Started) => ready.environments.sandbox.apiUrl;
const directTo = (process: Started) => callsTo(apiOf(process), demoKey);

async function kill(process: Started): Promise<void> {
  assert.equal((await process.stop("SIGKILL")).signal, "SIGKILL");
  proxy.behind.delete(apiOf(process));
}

/** Replaces a process as a load balancer does: no new requests once it is not ready, and open requests are answered. */
async function replace(process: Started): Promise<void> {
  const stopped = process.stop("SIGTERM");
  let isReady = true;
  while (isReady) isReady = (await directTo(process)("/readyz")).status === 200;
  proxy.behind.delete(apiOf(process));
  assert.equal((await stopped).code, 0);
}

/** Returns how many calls were still accepted until each process refused the key. */
async function untilRefused(processes: Started[], key: string, refused: number): Promise<string> {
  let letIn = 0;
  for (const process of processes)
    while ((await directTo(process)("/v2/1-click/verifications/channels", { key })).status !== refused) letIn += 1;
  return `after ${letIn} calls that were still accepted`;
}

const [one, two] = await Promise.all([begin(), begin()]);
const load = openLoad(call);
// Brands that tests create have no demo key, so the load uses the demo brand.
const { demo } = one.ready;
const brandUuid = demo?.brands[0]?.uuid ?? assert.fail("no demo brand");

test("two processes that start together on an empty database work as one service", async () => {
  const made = await call(`/sandbox/brands/${brandUuid}/webhooks`, { body: { url: receiver.url } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await load.run(requests);
  assert.deepEqual(load.failed, []);
  assert.ok((await load.check()) > 0);
  await receiver.all(load.lookups);
});

test("a session key, a code and an Idempotency-Key each take effect once across both processes", async () => {
  const both = [directTo(one), directTo(two)];
  const twelve = <Result>(ask: (at: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: 12 }, (_, at) => ask(at % 2)));
  const session = await call("/v2/client/1-click", { body: {}, key: "sk_sandbox_demo_sdk" });
  const sessionKey = String(session.body.sessionKey);
  const wallets = [one, two].map(({ ready }) => callsTo(ready.environments.sandbox.walletUrl, ""));
  const opened = await twelve(
    (at) => wallets[at]?.("/api/session", { body: { sessionKey, frame: frameOfKey(sessionKey) } }) ?? assert.fail(),
  );
  assert.equal(opened.filter(({ status }) => status === 201).length, 1);

  const phone = "+14155550199";
  const { body: begun } = await call("/v2/1-click/verifications", { body: { channel: "sms", phone } });
  const path = `/v2/1-click/verifications/${begun.uuid}`;
  assert.equal((await call(`${path}/deliver`, { body: {} })).status, 200);
  const code = await codeFor(phone);
  const submitted = await twelve((at) => both[at]?.(`${path}/verify`, { body: { code } }) ?? assert.fail());
  assert.equal(submitted.filter(({ status }) => status === 200).length, 1);

  const posted = await twelve(
    (at) => both[at]?.("/v2/1-click", { body: { phone: "+12125550010" }, idempotencyKey: "one" }) ?? assert.fail(),
  );
  assert.deepEqual([...new Set(posted.map(({ status, body }) => `${status} ${body.uuid}`))].length, 1);
});

async function codeFor(phone: string): Promise<string> {
  for (;;) {
    const { body } = await call(`/sandbox/messages?to=${encodeURIComponent(phone)}`);
    const [text] = Array.isArray(body.data) ? body.data : [];
    if (text !== undefined) return String(text.body).slice(0, 6);
  }
}

test("both processes reject a revoked key and a stopped brand", async (t) => {
  const command = async (...words: string[]) => {
    const done = await run(words, { ...shared, DATA_DIR: await dataDir() });
    assert.equal(done.code, 0, done.err);
    return JSON.parse(done.out);
  };
  const customer = await command("customers", "create", "--name", "Piper", "--email", "r@example.com");
  const brand = await command("brands", "create", "--customer", customer.customer, "--name", "Piper", "--type", "api");
  for (const process of [one, two])
    assert.equal((await directTo(process)("/v2/1-click/verifications/channels", { key: brand.apiKey })).status, 200);
  await command("brands", "mode", "--brand", brand.brand, "--environment", "sandbox", "stopped");
  t.diagnostic(`stopped: rejected ${await untilRefused([one, two], brand.apiKey, 403)}`);
  await command("brands", "mode", "--brand", brand.brand, "--environment", "sandbox", "active");
  await revokeAllKeys(brand.brand);
  t.diagnostic(`revoked: rejected ${await untilRefused([one, two], brand.apiKey, 401)}`);
});

/** Revokes the keys as the dashboard does, in a process that is neither of the two. */
async function revokeAllKeys(brandUuid: string): Promise<void> {
  const store = openDatabase({ connectionString: database.url }, () => {});
  const admin: AdminDeps = {
    environment: "sandbox",
    cells: () => [store.db],
    home: store.home,
    keyed: { every: () => [store.keyed] },
    clock: systemClock,
    realClock: systemClock,
    random: systemRandom,
    loopbackRedirects: true,
    consentDeclared: true,
    namesWait: false,
    offersHealth: true,
    acceptsStateIds: async () => true,
    outbound: { judge: () => null },
    changed: () => {},
  };
  for (const { uuid: keyUuid } of await listKeys(store.home, "sandbox", brandUuid, systemClock.now()))
    await revokeKey(admin, { brandUuid, keyUuid });
  await store.close();
}

test("nothing acknowledged is lost when each process is killed with SIGKILL, or when both are replaced", async (t) => {
  let [first, second] = [one, two];
  await load.run(requests, () => kill(first));
  first = await begin();
  await load.run(requests, () => kill(second));
  second = await begin();
  // Only requests that were under way in a killed process may fail.
  assert.ok(load.failed.length <= 8, load.failed.join("\n"));
  const checked = await load.check();
  await receiver.all(load.lookups);
  t.diagnostic(`${load.answered} answered, ${load.failed.length} cut off, ${checked} acknowledged and read again`);
  t.diagnostic(`${load.lookups.size} lookups, all with an event`);
  await roll(first, second);
});

/** Two new processes replace the others. One of them answers requests and the other runs jobs. */
async function roll(first: Started, second: Started): Promise<void> {
  const before = load.failed.length;
  const answering = await begin("api,wallet,dashboard");
  await load.run(requests, () => replace(first));
  const working = await begin("worker");
  await load.run(requests, () => replace(second));
  assert.deepEqual(load.failed.slice(before), []);
  await load.check();
  await load.run(requests);
  assert.deepEqual(load.failed.slice(before), []);
  await receiver.all(load.lookups);
  const phone = "+14155550188";
  const { body } = await call("/v2/1-click/verifications", { body: { channel: "sms", phone } });
  assert.equal((await call(`/v2/1-click/verifications/${body.uuid}/deliver`, { body: {} })).status, 200);
  assert.match(await codeFor(phone), /^\d{6}$/);
  for (const process of [answering, working]) assert.equal((await process.stop("SIGTERM")).code, 0);
}
