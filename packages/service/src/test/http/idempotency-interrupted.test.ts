/** A withdrawal or a deletion is cut off, or races with a request. No repeat may show what was taken back. */
import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import { erasePerson } from "../../domain/account/erase.ts";
import { type Account, findAccount } from "../../domain/account/session.ts";
import { withdraw } from "../../domain/account/withdraw.ts";
import type { Deps } from "../../domain/deps.ts";
import { claimAnswer, giveUpAnswer, keepAnswer } from "../../domain/idempotency/answer.ts";
import { tokenHash } from "../../domain/token.ts";
import type { Keyed } from "../../store/database.ts";
import { type Browser, birthDate, signIn } from "../harness/account-page.ts";
import { callerOf, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { type Fault, openFaults } from "../harness/faults/faults.ts";
import { lateKeyed } from "../harness/late-keyed.ts";
import { assertEnvelope, demoKey, sandbox } from "../harness/sandbox.ts";
import { chance, isLong } from "../harness/seeded-run.ts";

const it = await sandbox();
const faults = openFaults(it);
const hostedKey = "sk_sandbox_demo_hosted";
/** How many statements the short form lets fail, of each kind. */
const sampled = 6;
const pick = chance();

async function post(path: string, body: unknown, key: string, apiKey = demoKey) {
  return await it.inject({
    method: "POST",
    url: path,
    headers: { authorization: apiKey, "content-type": "application/json", "idempotency-key": key },
    payload: JSON.stringify(body),
  });
}
type Call = { path: string; body: object; apiKey?: string };
const ask = ({ path, body, apiKey }: Call, key: string) => post(path, body, key, apiKey);

async function assertTakenBack(asked: Call, key: string): Promise<void> {
  const { body } = await ask(asked, key);
  assertEnvelope(404, body);
  assert.equal(body.data.errorCode, "OCE015", key);
}

/** Calls that create something about a person, for several kinds of answers and of traces in the audit log. */
async function callsAbout(phone: string): Promise<Record<string, Call>> {
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  const credentials = [{ type: "EmailCredential", data: { email: "ada@example.com" } }];
  return {
    share: { path: "/v2/1-click", body: { phone } },
    begun: { path: "/v2/1-click", body: { phone }, apiKey: hostedKey },
    verification: { path: "/v2/1-click/verifications", body: { channel: "sms", phone } },
    health: { path: "/v2/1-click/health", body: { identityUuid: uuid } },
    issuance: { path: "/v2/credentials", body: { phone, credentials } },
  };
}

/** Counts the rows that a brand's call can create. */
async function everything() {
  const tables = ["one_click", "verification", "health_lookup", "issued_credential", "message"];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  return (await it.store.pool.query(`select ${counts.join(", ")}`)).rows[0];
}

/** Begins each call with a key of its own, named after the phone. */
async function answered(phone: string) {
  const calls = Object.entries(await callsAbout(phone)).map(([name, asked]) => ({ asked, key: `${name}${phone}` }));
  for (const { asked, key } of calls) assert.equal((await ask(asked, key)).status, 201, key);
  return calls;
}

/** A browser that is signed in and may do everything, and its account. */
async function proven(phone: string): Promise<{ browser: Browser; account: Account }> {
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const token = browser.cookie().split("=")[1] ?? "";
  const account = await findAccount(await it.cellOf(phone), { token, requestId: it.deps.random.uuid() });
  return { browser, account };
}

/**
 * The dependencies of a process that is cut off right after the person's transaction. Its deletion before the
 * transaction finds no answers, as if their requests ended later.
 */
function cutOff(cell: Deps): Deps {
  let calls = 0;
  const every = (): readonly Keyed[] => {
    calls += 1;
    // Before the transaction, a process destroys answers and ends sessions.
    if (calls > 2) throw new Error("cut off");
    return [];
  };
  return { ...cell, keyed: { ...cell.keyed, every } };
}

const url = "http://localhost:4001/account";
async function withdrawCutOff(phone: string): Promise<void> {
  const { browser, account } = await proven(phone);
  const cell = await it.cellOf(phone);
  for (const { uuid } of (await browser.readAccount()).body.brands)
    await assert.rejects(
      withdraw(cutOff(cell), account, { brandUuid: uuid, consent: { ...agreed("stop"), url } }),
      /cut off/,
    );
}
async function deleteCutOff(phone: string): Promise<void> {
  const { account } = await proven(phone);
  const consent = { ...agreed(account.fixed ? "reset" : "delete"), url };
  await assert.rejects(erasePerson(cutOff(await it.cellOf(phone)), account, consent), /cut off/);
}

/** The answers that are still readable in the database. */
async function countReadable(keys: readonly string[]): Promise<number> {
  const { rows } = await it.store.pool.query(
    `select a.uuid from idempotent_answer a join data_key k on k.uuid = a.data_key_uuid
      where a.key_hash = any($1) and a.sealed is not null and k.wrapped is not null`,
    [keys.map(tokenHash)],
  );
  return rows.length;
}

for (const [name, takeBack] of Object.entries({ withdrawal: withdrawCutOff, deletion: deleteCutOff })) {
  test(`after a ${name} was interrupted before it destroyed the answers, no repeat shows or creates anything`, async () => {
    const phone = freshPhone();
    const calls = await answered(phone);
    await takeBack(phone);
    // Only a brand with a share can be stopped. The hosted flow was only begun.
    const mine = calls.filter(({ asked }) => name === "deletion" || asked.apiKey === undefined);
    assert.equal(await countReadable(mine.map(({ key }) => key)), mine.length);
    const before = await everything();
    for (const { asked, key } of [...mine, ...mine]) await assertTakenBack(asked, key);
    assert.deepEqual(await everything(), before);
    assert.equal(await countReadable(mine.map(({ key }) => key)), 0);
  });

  test(`after a ${name} was interrupted, a job destroys the answers, and a later share keeps its own`, async () => {
    const phone = freshPhone();
    const share = { path: "/v2/1-click", body: { phone } };
    assert.equal((await ask(share, `old${phone}`)).status, 201);
    await it.advance(1);
    await takeBack(phone);
    assert.equal(await countReadable([`old${phone}`]), 1);
    const fresh = await ask(share, `new${phone}`);
    await it.advance(60_000);
    assert.equal(await countReadable([`old${phone}`]), 0);
    assert.deepEqual((await ask(share, `new${phone}`)).body, fresh.body);
  });
}

/** Shares, stops sharing while statements fail, and repeats the share. Returns how many statements were counted. */
async function stopWith(planned: Fault[]): Promise<number> {
  const phone = freshPhone();
  const asked = { path: "/v2/1-click", body: { phone } };
  assert.equal((await ask(asked, phone)).status, 201);
  const { browser, account } = await proven(phone);
  const [{ uuid } = assert.fail("no brand")] = (await browser.readAccount()).body.brands;
  const stop = () => browser.stopSharing({ params: { uuid }, body: { consent: agreed("stop") } });
  faults.arm(planned);
  await stop().catch(() => undefined);
  const { counts } = faults.disarm();
  const { rows } = await it.store.pool.query(
    "select id from audit where action = 'account.withdrawn' and person_uuid = $1",
    [account.person.uuid],
  );
  if (rows.length === 0) await stop();
  await assertTakenBack(asked, phone);
  return counts.statement;
}

test("whichever statement of a withdrawal fails, the repeat of a withdrawn call gets OCE015", async (context) => {
  const statements = await stopWith([]);
  context.diagnostic(`${statements} statements`);
  for (let number = 1; number <= statements; number += 1)
    for (const when of ["before", "after"] as const)
      if (isLong || pick() < sampled / statements) await stopWith([{ kind: "statement", number, when }]);
});

test("the repeat of a request that ended after its person was deleted gets OCE015", async () => {
  const phone = freshPhone();
  const { issuance } = await callsAbout(phone);
  assert.ok(issuance !== undefined);
  assert.equal((await ask(issuance, phone)).status, 201);
  await deleteCutOff(phone);
  // In the audit log, the request now comes after the deletion, as if it had been committed only then.
  const { request_id } = await it.store.db
    .selectFrom("idempotent_answer")
    .select("request_id")
    .where("key_hash", "=", tokenHash(phone))
    .executeTakeFirstOrThrow();
  const { db } = await it.cellOf(phone);
  await sql`update audit set id = default where request_id = ${request_id}`.execute(db);
  await assertTakenBack(issuance, phone);
});

test("after an interrupted reset of a test person, the repeat of a shown brand's call gets OCE015, and other repeats do not", async () => {
  const phone = "+12125550010";
  const { issuance } = await callsAbout(phone);
  assert.ok(issuance !== undefined);
  const unshown = { ...issuance, apiKey: (await it.brand()).apiKey };
  for (const asked of [issuance, unshown]) assert.equal((await ask(asked, "reset")).status, 201);
  await deleteCutOff(phone);
  await assertTakenBack(issuance, "reset");
  assert.equal((await ask(unshown, "reset")).status, 201);
});

test("an abandoned key is not freed if its answer arrives while it is given up", async () => {
  const caller = await callerOf(it);
  const asked = { caller, endpoint: "/v2/1-click/health", key: "abandoned", body: "{}" };
  const claim = await claimAnswer(it.deps, asked);
  assert.ok(claim.kind === "ours");
  const late = lateKeyed(it, () => keepAnswer(it.deps, claim.claimed, { status: 201, body: "{}" }));
  assert.equal(await giveUpAnswer(it.deps, { ...claim.claimed, keyed: late.keyed.of() }), false);
  assert.equal((await claimAnswer(it.deps, asked)).kind, "answered");
});
