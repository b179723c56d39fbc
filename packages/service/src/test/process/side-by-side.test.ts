// rest: starts two versions of the service as processes
/**
 * A process of the former version and one of a newer version on the same database, as during an upgrade. The former one
 * is this code, or the unpacked package of a release: `RELEASED=/folder/packages/service/bin/packed.mjs`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../providers/system.ts";
import { agreed, onView } from "../harness/consent-shown.ts";
import { eventually } from "../harness/eventually.ts";
import { testStart } from "../harness/sandbox.ts";
import { countersign, dataDir, type Started, start } from "../harness/service-process.ts";
import { missing } from "../harness/upgrade/reads.ts";
import { readRelease, releases, restored } from "../harness/upgrade/release.ts";

const [version = ""] = Object.keys(releases()).slice(-1);
const { dump, offsetMs, held, answers } = readRelease(version);
const { url, pool } = await restored(dump);
// The sandbox's clock of a real process is the real time and an offset, and the rows must be as old as they were.
await pool.query("update environment_clock set offset_ms = $1 where environment = 'sandbox'", [
  testStart + offsetMs - systemClock.now(),
]);
const variables = { DATABASE_URL: url, MASTER_KEY: "5".repeat(64), SANDBOX_CLOCK: "on" };
const newerVersion = new URL("../harness/newer-version.ts", import.meta.url).href;
const { RELEASED } = process.env;
const former = await start(await dataDir(), { ...variables, ...(RELEASED === undefined ? {} : { ENTRY: RELEASED }) });
const newer = await start(await dataDir(), variables, newerVersion);
const both = { former, newer };

type Sent = { key?: string; body?: unknown; headers?: Record<string, string> };
async function call(place: string, { key, body, headers }: Sent = {}) {
  const response = await fetch(place, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(key === undefined ? {} : { authorization: key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const apiOf = ({ ready }: Started) => ready.environments.sandbox.apiUrl;
const walletOf = ({ ready }: Started) => ready.environments.sandbox.walletUrl;

for (const [name, process] of Object.entries(both))
  test(`the ${name} version reads what brands read before the upgrade`, async () => {
    // The workers have done what waited for one.
    const isDone = (path: string) => ![held.queued.text.uuid, held.queued.lookup].some((uuid) => path.includes(uuid));
    const reads = answers.filter(({ at, url: path }) => at === "api" && isDone(path));
    assert.ok(reads.length > 50);
    for (const { url: path, headers, status, answer } of reads) {
      const now = await call(`${apiOf(process)}${path}`, { headers });
      assert.equal(now.status, status, path);
      if (status === 200) assert.deepEqual(missing(answer, now.body), [], path);
    }
  });

for (const [name, first, second] of [
  ["former", former, newer],
  ["newer", newer, former],
] as const)
  test(`a signup that the ${name} version begins ends at the other one`, async () => {
    const key = "sk_sandbox_demo_hosted";
    const phone = `+14155552${name === "former" ? 100 : 200}`;
    const { body: begun } = await call(`${apiOf(first)}/v2/1-click`, { key, body: { phone } });
    const page = new URL(String(begun.url)).pathname.slice("/request/".length);
    const proven = await call(`${walletOf(second)}/api/page/${page}/code`, { body: { code: begun.code } });
    const headers = { authorization: `Bearer ${proven.body.sessionToken}` };
    const decide = async (view: unknown) => {
      const body = onView({ share: true, edits: {}, consent: agreed("share") }, view);
      return await call(`${walletOf(second)}/api/page/decision`, { headers, body });
    };
    const seen = await call(`${walletOf(first)}/api/page`, { headers });
    assert.equal(seen.status, 200);
    let decided = await decide(seen.body);
    // A view of the former version does not say what it shows, so the person sees the newer one before they decide.
    if (decided.status === 409) decided = await decide((await call(`${walletOf(second)}/api/page`, { headers })).body);
    assert.equal(decided.status, 200);
    for (const process of [first, second])
      assert.equal((await call(`${apiOf(process)}/v2/1-click/${begun.uuid}`, { key })).status, 200);
  });

test("a job that one version queued is done by either", async () => {
  const key = held.keys.sandbox[2] ?? "";
  const body = { fullName: { firstName: "Richard", lastName: "Hendricks" }, birthDate: "1989-08-01" };
  for (const process of [former, newer]) {
    const { body: begun } = await call(`${apiOf(process)}/v2/1-click/health`, { key, body });
    const status = await eventually(async () => {
      const read = await call(`${apiOf(newer)}/v2/1-click/health/${begun.healthDataUuid}`, { key });
      return ["PENDING", "PROCESSING"].includes(String(read.body.status)) ? undefined : read.body.status;
    });
    assert.equal(status, "SUCCEEDED");
  }
});

test("the former version starts again on the database that the newer one changed", async () => {
  await former.stop("SIGTERM");
  const again = await start(await dataDir(), { ...variables, ...(RELEASED === undefined ? {} : { ENTRY: RELEASED }) });
  const { status } = await call(`${apiOf(again)}/v2/1-click`, {
    key: "sk_sandbox_demo_api",
    body: { phone: "+14155552300" },
  });
  assert.equal(status, 201);
});

test("these tests notice a migration that a running process cannot live with", async () => {
  const NEWER_MIGRATION = "alter table one_click rename to signup";
  const command = countersign(["migrate"], { ...variables, DATA_DIR: await dataDir(), NEWER_MIGRATION }, newerVersion);
  assert.equal((await command.exit).code, 0);
  const { status } = await call(`${apiOf(newer)}/v2/1-click`, {
    key: "sk_sandbox_demo_api",
    body: { phone: "+14155552400" },
  });
  assert.equal(status, 500);
});
