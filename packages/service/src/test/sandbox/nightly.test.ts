import assert from "node:assert/strict";
import test, { mock } from "node:test";
import type { CellStores } from "../../compose/cell-stores.ts";
import { composeService } from "../../compose/service.ts";
import { wipeFixedPeople } from "../../domain/issuance/wipe.ts";
import { openMetrics } from "../../http/metrics.ts";
import { nightlyWipeTimeOfDayMs } from "../../providers/sandbox/clock.ts";
import { openDatabase } from "../../store/database.ts";
import { cloneDatabase } from "../harness/database-template.ts";
import { eventually } from "../harness/eventually.ts";
import { sandbox, stillClock, testStart } from "../harness/sandbox.ts";

const hour = 60 * 60_000;
const day = 24 * hour;
/** The first 05:00 UTC after the test clock's start, which is at noon. */
const firstWipe = testStart + 17 * hour;
const fixed = "+12125550010";
const other = "+12125559003";

type Sandbox = Awaited<ReturnType<typeof sandbox>>;
const credentials = [{ type: "TitleCredential", data: { title: "CTO" } }];
const issueTo = async (it: Sandbox, to: { phone?: string; email?: string }) => {
  const { body } = await it.api.issueCredentials({ body: { ...to, credentials } });
  return body.credentials[0]?.id ?? "";
};
const left = async (it: Sandbox) => {
  const { rows } = await it.store.pool.query("select uuid from issued_credential");
  return rows.map(({ uuid }) => String(uuid)).sort();
};
const dueAt = async (it: Sandbox) => {
  const { rows } = await it.store.pool.query("select due_at from job where name = 'issuance.wipe'");
  assert.equal(rows.length, it.deps.cells.all().length, "each cell has one wipe");
  assert.equal(new Set(rows.map(({ due_at }) => due_at)).size, 1);
  return rows[0].due_at as number;
};
/** Starts another process on the same database, with its own clock. */
const process = async (it: Sandbox, now: number) => {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const clock = stillClock(now);
  const service = await composeService(
    { config: it.config, log, ...it.stores, metrics: openMetrics() },
    { sandbox: { clock } },
  );
  return { ...service.sandbox, close: service.close };
};

test("at 05:00 UTC credentials issued to a fixed person's phone or email are deleted, and others are kept", async () => {
  const it = await sandbox();
  await issueTo(it, { phone: fixed });
  await issueTo(it, { email: "anybody@PiedPiper.net" });
  await issueTo(it, { phone: other, email: "richard@piedpiper.net" });
  const kept = [
    await issueTo(it, { phone: other }),
    await issueTo(it, { email: "ada@example.com" }),
    await issueTo(it, { email: "ada@notpiedpiper.net" }),
    await issueTo(it, { email: "piedpiper.net@example.com" }),
  ].sort();
  await it.advance(17 * hour - 1);
  assert.equal((await left(it)).length, 7);
  await it.advance(1);
  assert.deepEqual(await left(it), kept);
});

test("the wipe runs once a day, and a credential issued after 05:00 is kept until the next wipe", async () => {
  const it = await sandbox();
  await it.advance(17 * hour);
  const id = await issueTo(it, { phone: fixed });
  await wipeFixedPeople(await it.cellOf(fixed), { timeOfDayMs: nightlyWipeTimeOfDayMs });
  await it.advance(day - 1);
  assert.deepEqual(await left(it), [id]);
  await it.advance(1);
  assert.deepEqual(await left(it), []);
  assert.equal(await dueAt(it), firstWipe + 2 * day);
  await it.advance(30 * day);
  assert.equal(await dueAt(it), firstWipe + 32 * day);
});

test("a missed wipe runs once at the next start and keeps credentials that were issued after its time", async () => {
  const it = await sandbox();
  const kept = await issueTo(it, { phone: other });
  await issueTo(it, { phone: fixed });
  const later = await process(it, firstWipe + 3 * day + 2 * hour);
  try {
    const { body } = await it.api.issueCredentials({ body: { phone: fixed, credentials } });
    const late = body.credentials[0]?.id ?? "";
    await it.store.pool.query("update issued_credential set issued_at = $1 where uuid = $2", [
      firstWipe + 3 * day,
      late,
    ]);
    await later.worker.runDue();
    assert.deepEqual(await left(it), [kept, late].sort());
    assert.equal(await dueAt(it), firstWipe + 4 * day);
    assert.equal(await later.worker.runDue(), 0);
  } finally {
    await later.close();
  }
});

test("only one of several processes runs the wipe, and a later start neither repeats nor moves it", async () => {
  const it = await sandbox();
  await issueTo(it, { phone: fixed });
  const all = await Promise.all([1, 2, 3].map(() => process(it, firstWipe + hour)));
  try {
    await Promise.all(all.map(({ worker }) => worker.runDue()));
    assert.deepEqual(await left(it), []);
    assert.equal(await dueAt(it), firstWipe + day);
    const id = await issueTo(it, { phone: fixed });
    await it.store.pool.query("update issued_credential set issued_at = $1", [firstWipe + hour]);
    const again = await process(it, firstWipe + hour);
    await again.worker.runDue();
    await again.close();
    assert.deepEqual([await left(it), await dueAt(it)], [[id], firstWipe + day]);
  } finally {
    await Promise.all(all.map((one) => one.close()));
  }
});

test("after a clock reset, the next wipe is at 05:00 again and also deletes credentials issued at later times", async () => {
  const it = await sandbox();
  await it.advance(100 * day);
  await issueTo(it, { phone: fixed });
  await it.as("sk_sandbox_demo_api").resetClock({});
  assert.equal(await dueAt(it), firstWipe);
  assert.equal((await left(it)).length, 1);
  await it.advance(17 * hour);
  assert.deepEqual(await left(it), []);
});

test("credentials that are issued while the wipe runs are kept", async () => {
  const it = await sandbox();
  await Promise.all(Array.from({ length: 30 }, () => issueTo(it, { phone: fixed })));
  await it.advance(17 * hour);
  const cell = await it.cellOf(fixed);
  const [ids] = await Promise.all([
    Promise.all(Array.from({ length: 30 }, () => issueTo(it, { phone: fixed }))),
    ...Array.from({ length: 5 }, () => wipeFixedPeople(cell, { timeOfDayMs: nightlyWipeTimeOfDayMs })),
  ]);
  assert.deepEqual(await left(it), ids.sort());
});

test("a cell that opens later gets its wipe, and a failure to schedule it is logged and repeated", async () => {
  const it = await sandbox();
  const database = await cloneDatabase();
  const store = openDatabase({ connectionString: database.url }, () => {}, { poolSize: 2 });
  const wipes = async () => (await store.pool.query("select from job where name = 'issuance.wipe'")).rowCount;
  await store.pool.query("alter table job rename to job_renamed");
  const errors: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (message: string) => void errors.push(message) };
  const listeners: Parameters<CellStores["onOpen"]>[0][] = [];
  const cells: CellStores = {
    listed: () => [],
    opened: () => [],
    onOpen: (listener) => void listeners.push(listener),
    close: async () => {},
  };
  mock.timers.enable({ apis: ["setInterval"] });
  const service = await composeService(
    { config: { ...it.config, roles: new Set(["api"]) }, log, ...it.stores, cells, metrics: openMetrics() },
    { sandbox: { clock: stillClock() } },
  );
  try {
    const entry = { number: 1, address: database.url, from: 0, to: 0, opensAt: 0 };
    for (const listener of listeners) listener({ ...entry, store, processNumber: 1 });
    await eventually(async () => (errors.length > 0 ? true : undefined));
    assert.match(errors[0] ?? "", /wipes could not be scheduled/);
    await store.pool.query("alter table job_renamed rename to job");
    mock.timers.tick(5_000);
    await eventually(async () => ((await wipes()) === 1 ? true : undefined));
  } finally {
    mock.timers.reset();
    await service.close();
    await store.close();
    await database.drop();
  }
});
