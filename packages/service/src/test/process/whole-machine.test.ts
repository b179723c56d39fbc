// rest: starts a process for each core
/** One command that runs several processes on the same ports. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { callsTo, eventReceiver, openLoad } from "../harness/load.ts";
import { roundRobin } from "../harness/round-robin.ts";
import { dataDir, logLines, run, start } from "../harness/service-process.ts";

const demoKey = "sk_sandbox_demo_api";
const DATA_DIR = await dataDir();
const service = await start(DATA_DIR, { PROCESSES: "2", LOG_LEVEL: "info" });
const { apiUrl } = service.ready.environments.sandbox;
// Opens a connection for each request.
const proxy = await roundRobin();
proxy.behind.add(apiUrl);
const receiver = await eventReceiver();
after(() => {
  proxy.close();
  receiver.close();
});
const call = callsTo(proxy.url, demoKey);
const load = openLoad(call);

const lines = () => logLines(service);
/** Waits until the log has a line with this message. */
const logged = (message: string) => service.until(() => lines().some(({ msg }) => msg === message));
/** The processes that answered requests so far: pid and number. */
const answered = () =>
  new Map(lines().flatMap(({ msg, pid, process }) => (msg === "request" ? [[pid, process] as const] : [])));

async function metrics(): Promise<Map<string, number>> {
  const text = await (await fetch(`${apiUrl}/metrics`)).text();
  return new Map(
    text.split("\n").flatMap((line): [string, number][] => {
      const at = line.lastIndexOf(" ");
      return line.startsWith("#") || at < 0 ? [] : [[line.slice(0, at), Number(line.slice(at))]];
    }),
  );
}

const livez =
  'http_server_requests_total{environment="sandbox",method="GET",route="/livez",status="200",error_code=""}';
async function counted() {
  const found = await metrics();
  return { livez: found.get(livez) ?? 0, processes: found.get("service_processes") };
}

/** Makes requests until that many processes other than `old` have answered one. */
async function answeredBy(count: number, old: number[] = []): Promise<void> {
  while ([...answered().keys()].filter((pid) => !old.includes(pid)).length < count)
    assert.equal((await call("/livez")).status, 200);
}

test("two processes answer on the same ports, as one sandbox", async () => {
  await answeredBy(2);
  assert.deepEqual([...answered().values()].sort(), [1, 2]);
  assert.ok(!answered().has(service.ready.pid));
  assert.equal(service.ready.pid, service.child.pid);
  const brandUuid = service.ready.demo?.brands[0]?.uuid ?? "";
  assert.equal((await call(`/sandbox/brands/${brandUuid}/webhooks`, { body: { url: receiver.url } })).status, 201);
  await load.run(40);
  assert.deepEqual(load.failed, []);
  assert.ok((await load.check()) > 0);
  await receiver.all(load.lookups);
});

test("a move of the sandbox's clock applies to every process at once", async () => {
  for (let move = 0; move < 3; move += 1) {
    const { status, body } = await call("/sandbox/clock", { body: { advanceMs: 60_000 } });
    assert.equal(status, 200);
    const read = await Promise.all(Array.from({ length: 8 }, () => call("/sandbox/clock")));
    assert.deepEqual([...new Set(read.map((one) => one.body.offsetMs))], [body.offsetMs]);
  }
});

test("the metrics are those of both processes", async () => {
  const before = await counted();
  for (let request = 0; request < 10; request += 1) await call("/livez");
  assert.deepEqual(await counted(), { livez: before.livez + 10, processes: 2 });
});

test("a process that is killed loses nothing acknowledged, and is replaced", async () => {
  const [pid = 0] = answered().keys();
  await load.run(24, async () => {
    process.kill(pid, "SIGKILL");
    await logged("process ended");
  });
  // Only requests that were under way in the killed process may fail.
  assert.ok(load.failed.length <= 4, load.failed.join("\n"));
  assert.equal((await call("/readyz")).status, 200, "the other process answers");
  let processes: number | undefined = 0;
  while (processes !== 2) processes = (await counted()).processes;
  await load.check();
  await receiver.all(load.lookups);
});

test("on SIGHUP, both are replaced without a failed request, on new connections and on one that stays open", async () => {
  // Three processes have answered: the killed one and two running ones.
  await answeredBy(3);
  const old = [...answered().keys()];
  const before = await counted();
  assert.ok(before.livez > 0);
  let isOver = false;
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const steady = [askOn(kept, "/readyz", () => isOver), askOn(false, "/sandbox/clock", () => isOver)];
  service.child.kill("SIGHUP");
  await logged("all processes replaced");
  isOver = true;
  assert.deepEqual([...new Set((await Promise.all(steady)).flat())], [200]);
  kept.destroy();
  assert.deepEqual(await counted(), { ...before, processes: 2 }, "the counts of the old processes remain");
  await answeredBy(2, old);
  for (const pid of old) assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
});

/** Sends requests until it is stopped, and returns the statuses. `false`: each request has its own connection. */
async function askOn(agent: Agent | false, path: string, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  while (!isOver()) {
    const asked = request(`${apiUrl}${path}`, { agent, headers: { authorization: demoKey } }).end();
    const [response] = await once(asked, "response");
    await once(response.resume(), "end");
    statuses.push(response.statusCode);
  }
  return statuses;
}

test("on SIGTERM all processes end, and another service can use the data directory", async () => {
  const { code, signal } = await service.stop("SIGTERM");
  assert.deepEqual([code, signal], [0, null]);
  for (const pid of answered().keys()) assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  for (const name of ["ready.json", "postgres/postmaster.pid"]) assert.ok(!existsSync(join(DATA_DIR, name)), name);
  assert.equal((await run(["migrate", "--check"], { DATA_DIR })).code, 0);
});

test("a port in use ends the start with an error", async () => {
  const port = new URL(proxy.url).port;
  const { code, err } = await run(["start", "--processes", "2"], { DATA_DIR, API_PORT: port });
  assert.equal(code, 75, err);
  assert.match(err, /EADDRINUSE.*: set API_PORT, .* to a free port/);
  const settings = await readFile(resolve(import.meta.dirname, "../../../../../docs/reference/settings.md"), "utf8");
  for (const [, name = ""] of settings.matchAll(/^### (\w+_PORT)$/gm)) assert.ok(err.includes(name), name);
  assert.match(err, /^No process became ready, so the service does not start\.$/m);
});
