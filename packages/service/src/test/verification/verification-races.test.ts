/** Races on the counters. Flows are called below the HTTP interface, so that no rate limit interferes. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Deps } from "../../domain/deps.ts";
import { Failure } from "../../domain/failure.ts";
import { beginVerification } from "../../domain/verification/begin.ts";
import { findVerification } from "../../domain/verification/find.ts";
import { submitCode } from "../../domain/verification/try-code.ts";
import { callerOf, codesSentTo, freshPhone } from "../harness/below-http.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const caller = await callerOf(it);
const right = "111111";
const wrong = "000000";

const begin = async (phone = "+12125550010", deps?: Deps) =>
  (await beginVerification(deps ?? (await it.cellOf(phone)), caller, { phone })).row.uuid;
async function read(uuid: string) {
  const cell = await it.deps.cells.ofUuid(uuid);
  return (await findVerification(cell, cell.db, caller, uuid)).row;
}

/** Returns `done`, or the error code of a refused call. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "done";
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    return String(error.data.errorCode);
  }
}
const submit = async (uuid: string, code: string, deps?: Deps) =>
  await outcomeOf(submitCode(deps ?? (await it.deps.cells.ofUuid(uuid)), caller, { uuid, code }));
const times = <One>(count: number, make: (index: number) => One) => Array.from({ length: count }, (_, i) => make(i));
const tally = (outcomes: string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].sort().map((one) => [one, outcomes.filter((other) => other === one).length]),
  );

/** Returns the dependencies of a verification, which also record every value that is hashed for a comparison. */
async function watched(uuid: string): Promise<{ deps: Deps; hashed: string[] }> {
  const hashed: string[] = [];
  const { vault } = it.deps;
  const keyedHash = (scope: string, value: string) => {
    hashed.push(value);
    return vault.keyedHash(scope, value);
  };
  return { deps: { ...(await it.deps.cells.ofUuid(uuid)), vault: { ...vault, keyedHash } }, hashed };
}

test("compares only three of 200 parallel wrong codes", async () => {
  const uuid = await begin();
  const { deps, hashed } = await watched(uuid);
  const outcomes = await Promise.all(times(200, (i) => submit(uuid, String(200_000 + i), deps)));
  assert.equal(hashed.length, 3);
  assert.deepEqual(tally(outcomes), { OCV001: 3, OCV002: 197 });
  assert.equal((await read(uuid)).attempts_used, 3);
  assert.equal(await submit(uuid, right), "OCV002");
});

test("compares only one of 20 parallel guesses at the last attempt", async () => {
  const uuid = await begin();
  const { deps, hashed } = await watched(uuid);
  for (let tried = 0; tried < 2; tried += 1) assert.equal(await submit(uuid, wrong, deps), "OCV001");
  // No attempt is counted until this transaction ends. Without the lock, several guesses would be read before that.
  const { guesses } = await deps.db.inTransaction(async (trx) => {
    await trx.selectFrom("verification").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
    const guesses = times(20, () => submit(uuid, wrong, deps));
    await untilLockWaits(it, { count: 2 });
    return { guesses };
  });
  assert.deepEqual(tally(await Promise.all(guesses)), { OCV001: 1, OCV002: 19 });
  assert.equal(hashed.length, 3);
});

test("compares only three of 100 parallel wrong codes sent over HTTP", async () => {
  const uuid = await begin();
  const call = () => refusal(it.api.submitVerificationCode({ params: { uuid }, body: { code: wrong } }));
  const refused = await Promise.all(times(100, call));
  assert.deepEqual(tally(refused.map((one) => String(one.errorCode))), { OCV001: 3, OCV002: 97 });
  const remaining = refused.filter((one) => one.errorCode === "OCV001").map((one) => one.data.attemptsRemaining);
  assert.deepEqual(remaining.sort(), [0, 1, 2]);
});

test("a correct code sent with two wrong ones succeeds in 1,000 of 1,000 rounds", async () => {
  const orders = [
    [right, wrong, wrong],
    [wrong, right, wrong],
    [wrong, wrong, right],
  ];
  const round = async (index: number) => {
    const uuid = await begin();
    const codes = orders[index % orders.length] ?? [];
    const outcomes = await Promise.all(codes.map((code) => submit(uuid, code)));
    return tally(outcomes).done === 1 && (await read(uuid)).status === "verified";
  };
  let succeeded = 0;
  for (let done = 0; done < 1_000; done += 20) {
    const rounds = await Promise.all(times(20, (i) => round(done + i)));
    succeeded += rounds.filter(Boolean).length;
  }
  assert.equal(succeeded, 1_000);
});

test("one of 50 parallel correct codes succeeds, and the success is recorded once", async () => {
  const uuid = await begin();
  const { deps, hashed } = await watched(uuid);
  const outcomes = await Promise.all(times(50, () => submit(uuid, right, deps)));
  const { done, ...refused } = tally(outcomes);
  assert.equal(done, 1);
  assert.ok(
    Object.keys(refused).every((code) => code === "OCV001" || code === "OCV002"),
    JSON.stringify(refused),
  );
  assert.ok(hashed.length <= 3);
  const first = await read(uuid);
  await it.advance(1_000);
  assert.equal(await submit(uuid, right), "OCV001");
  assert.deepEqual(await read(uuid), first);
  const audit = it.store.db.selectFrom("audit").select("action").where("verification_uuid", "=", uuid);
  assert.deepEqual(await audit.execute(), [{ action: "verification.verified" }]);
});

test("three of 20 parallel deliver requests succeed, at most three texts are sent, and the newest code works", async () => {
  const phone = freshPhone();
  const codes: string[] = [];
  const cell = await it.cellOf(phone);
  const { codes: maker } = cell;
  cell.codes = {
    make: (to) => {
      const code = maker.make(to);
      codes.push(code);
      return code;
    },
  };
  const { body } = await it.api.createVerification({ body: { channel: "sms", phone } });
  const { uuid } = body;
  const calls = times(20, () => refusalOrDone(it.api.deliverVerification({ params: { uuid }, body: {} })));
  assert.deepEqual(tally(await Promise.all(calls)), { OCV004: 17, done: 3 });
  cell.codes = maker;
  const sent = await codesSentTo(it, phone);
  assert.ok(sent.length >= 1 && sent.length <= 3, String(sent.length));
  const row = await it.store.db
    .selectFrom("verification")
    .select(["deliveries", "code_hmac"])
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  assert.equal(row.deliveries, 3);
  const valid = codes.filter((code) => row.code_hmac?.equals(it.deps.vault.keyedHash(uuid, code)));
  assert.equal(valid.length, 1);
  assert.ok(sent.includes(valid[0] ?? ""), "the code that works was sent");
  assert.equal(await submit(uuid, valid[0] ?? ""), "done");
});

test("when a resend races with the previous code, only one of them succeeds", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 60; round += 1) {
    let next = 500_000;
    const phone = freshPhone();
    const deps = { ...(await it.cellOf(phone)), codes: { make: () => String(next++) } };
    const uuid = await begin(phone, deps);
    const resend = () => refusalOrDone(it.api.deliverVerification({ params: { uuid }, body: {} }));
    const typed = () => submit(uuid, "500000", deps);
    const [resent, verified] =
      round % 2 === 0
        ? await Promise.all([resend(), typed()])
        : await Promise.all([typed(), resend()]).then(([one, other]) => [other, one]);
    seen.add(`${resent} ${verified}`);
    const { status } = await read(uuid);
    assert.equal(status === "verified", verified === "done");
  }
  for (const outcome of seen) assert.ok(["done OCV001", "OCV003 done"].includes(outcome), outcome);
});

test("twenty parallel first requests for a phone create one person with one data key", async () => {
  const count = async () => {
    const { db } = it.store;
    const people = await db.selectFrom("person").select("uuid").execute();
    const keys = await db.selectFrom("data_key").select("uuid").execute();
    return [people.length, keys.length];
  };
  const [people = 0, keys = 0] = await count();
  const phone = freshPhone();
  await Promise.all(times(20, () => begin(phone)));
  assert.deepEqual(await count(), [people + 1, keys + 1]);
});

async function refusalOrDone(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => "done",
    async (error: unknown) => String((await refusal(Promise.reject(error))).errorCode),
  );
}
