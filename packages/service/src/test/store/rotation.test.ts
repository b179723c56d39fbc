/** The master key is rotated while the service runs, and the rotation is killed in the middle. */
import assert from "node:assert/strict";
import test from "node:test";
import { failureOf } from "../../http/envelope.ts";
import { markEmptied, retireMasterKey } from "../../store/master-key-rows.ts";
import { rewrapBatch, rewrapKeys } from "../../store/rewrap.ts";
import { masterKeyOf, openVault } from "../../store/vault.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";
import { countersign, dataDir, run, type Started, start, suiteDatabase } from "../harness/service-process.ts";

const former = "1".repeat(64);
const next = "2".repeat(64);
const keyOf = (hex: string) => masterKeyOf(Buffer.from(hex, "hex"));
const keys = { master: keyOf(next), others: [keyOf(former)] };
// The service already wraps with the next key. This is the second step of a rotation.
const it = await sandbox({}, { MASTER_KEY: next, MASTER_KEY_OTHER: former });
/** The vault of a process in the first step. */
const early = await openVault(it.store.home, { master: keyOf(former), others: [keyOf(next)] }, 0);
const { connection } = it.stores.store;
assert.ok("connectionString" in connection && typeof connection.connectionString === "string");
const variables = {
  DATABASE_URL: connection.connectionString,
  DATA_DIR: await dataDir(),
  MASTER_KEY: next,
  MASTER_KEY_OTHER: former,
};
const countUnder = async (hex: string) => {
  const { rows } = await it.store.pool.query(
    "select count(*)::int as count from data_key where master_key_id = $1 and wrapped is not null",
    [keyOf(hex).id],
  );
  return Number(rows[0].count);
};
async function makeKeys(count: number): Promise<string[]> {
  return await it.deps.db.inTransaction(async (trx) => {
    const made: string[] = [];
    for (let at = 0; at < count; at += 1) made.push((await early.createDataKey(trx, "sandbox", 0)).uuid);
    return made;
  });
}
/** Checks that each key opens and is unchanged. */
async function assertOpens(uuids: readonly string[], kept: ReadonlyMap<string, Buffer>): Promise<void> {
  const vault = await openVault(it.store.home, { master: keyOf(next), others: [] }, 0);
  for (const uuid of uuids) {
    const dataKey = await vault.readDataKey(it.store.db, uuid);
    const sealed = kept.get(uuid);
    if (sealed !== undefined) assert.equal(vault.open(dataKey, { table: "test", row: uuid }, sealed), uuid);
  }
}
async function sealUnder(uuids: readonly string[]): Promise<Map<string, Buffer>> {
  const sealed = new Map<string, Buffer>();
  for (const uuid of uuids) {
    const dataKey = await it.deps.vault.readDataKey(it.store.db, uuid);
    sealed.set(uuid, it.deps.vault.seal(dataKey, { table: "test", row: uuid }, uuid));
  }
  return sealed;
}

test("a rotation without both keys exits with 78 and names the missing variable", async () => {
  const { code, err } = await run(["keys", "rotate-master"], { ...variables, MASTER_KEY_OTHER: "" });
  assert.equal(code, 78);
  assert.match(err, /MASTER_KEY_OTHER: is required/);
});

test("a rotation to the same key exits with 78, because it would retire the key in use", async () => {
  const { code, err } = await run(["keys", "rotate-master"], { ...variables, MASTER_KEY_OTHER: next });
  assert.equal(code, 78);
  assert.match(err, /MASTER_KEY_OTHER: is the same key as MASTER_KEY/);
});

test("requests succeed during a rotation, and values sealed meanwhile open afterwards", async (context) => {
  const uuids = await makeKeys(rewrapBatch + 100);
  const sealed = await sealUnder(uuids);
  let isOver = false;
  let answered = 0;
  const brand = await it.brand();
  const traffic = async (): Promise<string[]> => {
    const made: string[] = [];
    while (!isOver) {
      const phone = `+1415777${String(1_000 + answered)}`;
      made.push((await brand.api.createVerification({ body: { channel: "sms", phone } })).body.uuid);
      await it.api.createOneClick({ body: { phone: "+12125550010" } });
      answered += 2;
    }
    return made;
  };
  const running = traffic();
  let batches = 0;
  await rewrapKeys({ home: it.store.home, stores: it.deps.cells.all().map(({ db }) => db) }, keys, () => {
    batches += 1;
  });
  isOver = true;
  const made = await running;
  context.diagnostic(`${answered} calls answered during ${batches} batches`);
  assert.ok(batches >= 2, `${batches} batches`);
  assert.equal(await countUnder(former), 0);
  // The command does this too, so that the next key suffices.
  await markEmptied(it.store.db, keyOf(former).id, 0);
  await assertOpens(uuids, sealed);
  for (const uuid of made) assert.equal((await brand.api.readVerification({ params: { uuid } })).status, 200);
});

test("a destroyed data key stays destroyed after a rotation", async () => {
  const [uuid = ""] = await makeKeys(1);
  await it.store.db.updateTable("data_key").set({ wrapped: null, destroyed_at: 1 }).where("uuid", "=", uuid).execute();
  await rewrapKeys({ home: it.store.home, stores: it.deps.cells.all().map(({ db }) => db) }, keys, () => {});
  const row = await it.store.db.selectFrom("data_key").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow();
  assert.deepEqual([row.wrapped, row.destroyed_at], [null, 1]);
});

test("a rotation that is killed continues where it stopped, and no key is lost", async (context) => {
  const uuids = await makeKeys(2 * rewrapBatch + 100);
  const sealed = await sealUnder(uuids);
  await retireMasterKey(it.store.db, keyOf(former).id, 0);
  // The last batch waits for this lock, so the process is always killed in the middle.
  const keeper = await it.store.pool.connect();
  await keeper.query("begin");
  await keeper.query("select from data_key order by uuid desc limit 1 for update");
  const first = countersign(["keys", "rotate-master"], variables);
  await first.until(() => first.said.out.includes("\n"));
  first.child.kill("SIGKILL");
  await first.exit;
  await keeper.query("rollback");
  keeper.release();
  const [done, left] = [await countUnder(next), await countUnder(former)];
  context.diagnostic(`killed with ${done} keys done and ${left} left`);
  assert.ok(done > 0 && left > 0, `${done} done, ${left} left`);
  const second = await run(["keys", "rotate-master"], variables);
  assert.equal(second.code, 0, second.err);
  const last = JSON.parse(second.out.trim().split("\n").at(-1) ?? "");
  assert.deepEqual(last, { rewrapped: left, left: 0, done: true });
  assert.equal(await countUnder(former), 0);
  await assertOpens(uuids, sealed);
});

test("after a rotation, the database refuses what a process wraps with the former key", async () => {
  const refused = await makeKeys(1).then(
    () => assert.fail("the key was stored"),
    (error: unknown) => failureOf(error),
  );
  assert.equal(refused.status, 503);
  await it.brand();
  assert.equal(await countUnder(former), 0);
});

test("after a rotation, a process that wraps with the former key does not start, and names both fingerprints", async () => {
  const { code, err } = await run(["start"], { ...variables, MASTER_KEY: former, MASTER_KEY_OTHER: next });
  assert.equal(code, 78, err);
  const problem = err.split("\n").find((line) => line.includes("MASTER_KEY")) ?? "";
  for (const hex of [former, next]) assert.ok(problem.includes(keyOf(hex).id), problem);
});

test("a rotation changes nothing while an idle process wraps with the former key, and no call fails after it", async () => {
  const database = await suiteDatabase();
  const first = { ...database, MASTER_KEY: former, MASTER_KEY_OTHER: next, DEMO: "true" };
  const rotating = { ...database, DATA_DIR: await dataDir(), MASTER_KEY: next, MASTER_KEY_OTHER: former };
  const idle = await start(await dataDir(), first);
  const early = await run(["keys", "rotate-master"], rotating);
  assert.equal(early.code, 1, early.err);
  assert.match(early.err, /^1 running process wraps keys with another MASTER_KEY/);
  const signUp = async ({ ready }: Started) =>
    await fetch(`${ready.environments.sandbox.apiUrl}/v2/1-click`, {
      method: "POST",
      headers: { authorization: demoKey, "content-type": "application/json" },
      body: JSON.stringify({ phone: "+12125550010" }),
    });
  assert.equal((await signUp(idle)).status, 201);
  await idle.stop("SIGTERM");
  const done = await run(["keys", "rotate-master"], rotating);
  assert.equal(done.code, 0, done.err);
  const alone = await start(await dataDir(), { ...first, MASTER_KEY: next, MASTER_KEY_OTHER: "" });
  assert.equal((await signUp(alone)).status, 201);
  await alone.stop("SIGTERM");
});

test("a process does not start without a key that another process may have wrapped with", async () => {
  const database = await suiteDatabase();
  const both = { ...database, DATA_DIR: await dataDir(), MASTER_KEY: former, MASTER_KEY_OTHER: next };
  await (await start(both.DATA_DIR, both)).stop("SIGTERM");
  await (await start(both.DATA_DIR, { ...both, MASTER_KEY: next, MASTER_KEY_OTHER: former })).stop("SIGTERM");
  const { code, err } = await run(["start"], { ...both, MASTER_KEY_OTHER: "" });
  assert.equal(code, 78, err);
  assert.ok(err.includes(keyOf(next).id), err);
});

test("the vault does not open if it has neither of the two master keys", async () => {
  const other = { master: keyOf("3".repeat(64)), others: [] };
  await assert.rejects(openVault(it.store.home, other, 0), /encrypted with another master key/);
  assert.equal((await it.as(demoKey).createOneClick({ body: { phone: "+12125550010" } })).status, 201);
});
