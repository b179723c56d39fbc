/** Expired data is unreadable at once, and the sweeper erases it a few seconds later. */
import assert from "node:assert/strict";
import test, { mock } from "node:test";
import type { Deps } from "../../domain/deps.ts";
import { eraseExpiredOneClicks } from "../../domain/retention/erase-one-clicks.ts";
import { challengeAllBrandsWindowMs, purgeAttempts } from "../../domain/signup/challenges.ts";
import { startHomeSweeper, startSweeper } from "../../jobs/sweeper.ts";
import { sweepersTogether } from "../../jobs/together.ts";
import { freshPhone } from "../harness/below-http.ts";
import { refusal, sandbox, stillClock, testStart } from "../harness/sandbox.ts";
import { recordStatements } from "../harness/statement-log.ts";

/** Only the tests move this clock. The service reads the stored offset after each change, which could undo a move. */
const still = stillClock();
const clock = { ...still, setOffset: () => {} };
// No worker, so that nothing is swept unless a test asks for it.
const it = await sandbox({ clock }, { ROLES: "api,wallet,dashboard" });
const { db } = it.store;
const failures: string[] = [];
const onFailure = (sweeps: readonly string[]) => void failures.push(...sweeps);
test.beforeEach(() => void failures.splice(0));
const sweeper = () =>
  sweepersTogether(() => it.deps.cells.all().map((cell) => startSweeper(cell, { isOn: false, onFailure })));

async function oneClick(): Promise<string> {
  return (await it.api.createOneClick({ body: { phone: freshPhone() } })).body.uuid;
}
const readable = async () =>
  (await db.selectFrom("one_click").select("uuid").where("sealed", "is not", null).execute()).length;

test("an expired 1-Click is unreadable at once, and the next sweep erases it", async () => {
  still.setOffset(0);
  const uuid = await oneClick();
  still.setOffset(60 * 60_000);
  assert.equal((await refusal(it.api.readOneClick({ params: { uuid } }))).errorCode, "OCE015");
  assert.equal(await readable(), 1);
  await sweeper().sweep();
  assert.equal(await readable(), 0);
});

test("a sweep sends as many statements for ten expired 1-Clicks as for one", async () => {
  const statementsFor = async (count: number) => {
    still.setOffset(0);
    for (let at = 0; at < count; at += 1) await oneClick();
    still.setOffset(60 * 60_000);
    const statements: string[] = [];
    await recordStatements(statements, () => eraseIn(it.deps.cells.all()));
    return statements.length;
  };
  const eraseIn = async (cells: readonly Deps[]) => {
    for (const cell of cells) await eraseExpiredOneClicks(cell, 500);
  };
  assert.equal(await statementsFor(10), await statementsFor(1));
});

test("a 1-Click that has a millisecond left is not erased", async () => {
  still.setOffset(0);
  const uuid = await oneClick();
  still.setOffset(60 * 60_000 - 1);
  await sweeper().sweep();
  assert.ok((await it.api.readOneClick({ params: { uuid } })).body.identifiers.phone);
});

test("a running service sweeps every ten seconds", async () => {
  let looks = 0;
  const now = () => {
    looks += 1;
    return clock.now();
  };
  mock.timers.enable({ apis: ["setInterval"] });
  const running = startSweeper({ ...it.deps, clock: { now } }, { isOn: true, onFailure });
  mock.timers.tick(9_999);
  assert.equal(looks, 0);
  mock.timers.tick(1);
  mock.timers.reset();
  await running.stop();
  assert.ok(looks > 0);
});

test("of all processes, one sweeps home in ten seconds, and a request sweeps it at any time", async () => {
  let now = 10_000;
  const deps = { ...it.deps, realClock: { now: () => now } };
  const processes = [1, 2, 3].map(() => startHomeSweeper(deps, { isOn: false, onFailure }));
  const sweeps = async (run: () => Promise<unknown>) => {
    const statements: string[] = [];
    await recordStatements(statements, run);
    return statements.filter((text) => text.includes('"openid_artifact"')).length;
  };
  const inTurn = () => Promise.all(processes.map((one) => one.sweepInTurn()));
  assert.deepEqual([await sweeps(inTurn), await sweeps(inTurn)], [1, 0]);
  now += 10_000;
  assert.equal(await sweeps(inTurn), 1);
  assert.equal(await sweeps(() => Promise.all(processes.map((one) => one.sweep()))), 3);
});

test("hourly sweeps of home that failed are repeated by the next process", async () => {
  const { schema } = it.deps.db;
  const [one, two] = [1, 2].map(() => startHomeSweeper(it.deps, { isOn: false, onFailure }));
  still.setOffset(48 * 60 * 60_000);
  await schema.alterTable("sign_in").renameTo("sign_in_renamed").execute();
  await one?.sweep();
  await schema.alterTable("sign_in_renamed").renameTo("sign_in").execute();
  assert.deepEqual(failures, ["members"]);
  const statements: string[] = [];
  await recordStatements(statements, async () => await two?.sweep());
  assert.ok(statements.some((text) => text.includes('"sign_in"')));
});

test("two processes that sweep at the same time share the rows, and each row is erased once", async () => {
  still.setOffset(0);
  const count = 30;
  for (let at = 0; at < count; at += 1)
    await it.api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
  still.setOffset(24 * 60 * 60_000);
  await Promise.all([sweeper().sweep(), sweeper().sweep()]);
  assert.deepEqual(await db.selectFrom("verification").select("uuid").execute(), []);
  const past = await db.selectFrom("verification_past").select("created_at").execute();
  assert.equal(past.filter((row) => row.created_at === testStart).length, count);
});

test("a row that another transaction has locked is left for the next sweep, and does not block other rows", async () => {
  still.setOffset(0);
  const [locked, free] = [await oneClick(), await oneClick()];
  still.setOffset(60 * 60_000);
  const erased = async (uuid: string) =>
    (await db.selectFrom("one_click").select("erased_at").where("uuid", "=", uuid).executeTakeFirst())?.erased_at;
  const client = await it.store.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from one_click where uuid = $1 for update", [locked]);
    await sweeper().sweep();
    assert.deepEqual([await erased(locked), await erased(free)], [null, clock.now()]);
  } finally {
    await client.query("rollback");
    client.release();
  }
  await sweeper().sweep();
  assert.equal(await erased(locked), clock.now());
});

test("a table that cannot be swept is reported, and the others are still swept", async () => {
  still.setOffset(0);
  await oneClick();
  still.setOffset(60 * 60_000);
  const { schema } = it.deps.db;
  await schema.alterTable("session").renameTo("session_renamed").execute();
  await sweeper().sweep();
  await schema.alterTable("session_renamed").renameTo("session").execute();
  assert.deepEqual(failures, ["sessions"]);
  assert.equal(await readable(), 0);
});

test("attempts at a birth date that are older than every window are deleted", async () => {
  still.setOffset(0);
  await refusal(it.api.createOneClick({ body: { phone: freshPhone(), birthDate: "1979-01-09" } }));
  const stored = async () => (await db.selectFrom("challenge_attempt").select("at").execute()).length;
  const purge = () => Promise.all(it.deps.cells.all().map(purgeAttempts));
  still.setOffset(challengeAllBrandsWindowMs - 1);
  await purge();
  assert.equal(await stored(), 1);
  still.setOffset(challengeAllBrandsWindowMs);
  await purge();
  assert.equal(await stored(), 0);
});
