import assert from "node:assert/strict";
import test from "node:test";
import type { SmsOutcome, SmsSender } from "../../domain/ports.ts";
import { takeTextReport } from "../../domain/verification/texts/text-report.ts";
import { releaseClaims } from "../../store/queue.ts";
import { columnsWith, freshPhone, withoutIds } from "../harness/below-http.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const minute = 60_000;
type Text = Parameters<SmsSender["send"]>[0];

/** A gateway that records its texts and responds as the test sets. */
const gateway = {
  from: "Test",
  route: "test",
  keepsTexts: true,
  reached: [] as Text[],
  answer: async (_text: Text): Promise<SmsOutcome> => ({ kind: "delivered" }),
  async send(text: Text): Promise<SmsOutcome> {
    gateway.reached.push(text);
    return await gateway.answer(text);
  },
};
let nextCode = 100_000;
/** If set, the code that is created next. */
let chosenCode: string | null = null;
const makeCode = () => chosenCode ?? String(nextCode++);
const it = await sandbox({ vendors: { sms: gateway }, codes: { make: makeCode } });

test.beforeEach(() => {
  gateway.reached = [];
  gateway.keepsTexts = true;
  gateway.answer = async () => ({ kind: "delivered" });
  chosenCode = null;
});

const begin = async (phone = freshPhone()) =>
  (await it.api.createVerification({ body: { channel: "sms", phone } })).body.uuid;
const deliver = (uuid: string) => it.api.deliverVerification({ params: { uuid }, body: {} });
const verify = (uuid: string, code: string) => it.api.submitVerificationCode({ params: { uuid }, body: { code } });
const read = async (uuid: string) => (await it.api.readVerification({ params: { uuid } })).body;
const codeIn = (text: Text | undefined) => /\d{6}/.exec(text?.body ?? "")?.[0] ?? assert.fail("no text");
const messagesOf = (uuid: string) =>
  it.store.db.selectFrom("message").select(["status", "sealed"]).where("verification_uuid", "=", uuid).execute();

const statusesOf = async (uuid: string) => {
  const texts = it.store.db.selectFrom("message").select("status").where("verification_uuid", "=", uuid);
  return (await texts.orderBy("number").execute()).map(({ status }) => status);
};

/** Makes the gateway slow. `reached` resolves when it has a text, and `answer` lets it reply. */
function slowly() {
  const reached = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<SmsOutcome>();
  gateway.answer = async () => {
    reached.resolve();
    return await answer.promise;
  };
  return { reached: reached.promise, answer: answer.resolve };
}

test("a text starts with the code and names the brand", async () => {
  const uuid = await begin();
  await deliver(uuid);
  await it.runJobs();
  const [text] = gateway.reached;
  assert.match(text?.body ?? "", /^\d{6} is your code .* Demo API \(test\)\. Do not share it\.$/);
});

test("keeps the leading zeros of a code", async () => {
  chosenCode = "000042";
  const uuid = await begin();
  await deliver(uuid);
  await it.runJobs();
  assert.equal(codeIn(gateway.reached[0]), "000042");
  assert.equal((await verify(uuid, "000042")).body.verified, true);
});

test("a text that the gateway rejects fails the verification", async () => {
  gateway.answer = async () => ({ kind: "rejected", reason: "no such number" });
  const uuid = await begin();
  const { body } = await deliver(uuid);
  assert.equal(body.status, "sending");
  await it.runJobs();
  const { status, verified, attemptsRemaining } = await read(uuid);
  assert.deepEqual([status, verified, attemptsRemaining], ["failed", false, 3]);
  assert.equal(gateway.reached.length, 1);
  assert.deepEqual(await messagesOf(uuid), [{ status: "failed", sealed: null }]);
});

test("tries an unreachable gateway six times in four minutes, then fails the verification", async () => {
  gateway.answer = async () => {
    throw new Error("no route");
  };
  const uuid = await begin();
  await deliver(uuid);
  await it.runJobs();
  const tried = [gateway.reached.length];
  for (const seconds of [1, 5, 20, 60, 120]) {
    assert.equal((await read(uuid)).status, "sending");
    await it.advance(seconds * 1_000 - 1);
    tried.push(gateway.reached.length);
    await it.advance(1);
  }
  assert.deepEqual(tried, [1, 1, 2, 3, 4, 5]);
  assert.equal(gateway.reached.length, 6);
  assert.equal((await read(uuid)).status, "failed");
  assert.equal((await read(uuid)).attemptsRemaining, 3);
  assert.deepEqual(await messagesOf(uuid), [{ status: "failed", sealed: null }]);
  await it.advance(30 * minute);
  assert.equal(gateway.reached.length, 6);
});

test("retries a text with the same id and body when the gateway's response is lost", async () => {
  let answers = 0;
  gateway.answer = async () => {
    answers += 1;
    if (answers === 1) throw new Error("the connection was reset");
    return { kind: "delivered" };
  };
  const uuid = await begin();
  await deliver(uuid);
  await it.runJobs();
  assert.equal((await read(uuid)).status, "sending");
  await it.advance(1_000);
  const [one, again, ...more] = gateway.reached;
  assert.deepEqual([one?.mayBeSent, again], [false, { ...one, mayBeSent: true }]);
  assert.deepEqual(more, []);
  assert.equal((await read(uuid)).status, "delivered");
  assert.equal((await verify(uuid, codeIn(one))).body.verified, true);
});

test("a process that takes over a text tells the gateway that the text may be sent already", async () => {
  const slow = slowly();
  const uuid = await begin();
  await deliver(uuid);
  await slow.reached;
  // The process that sends the text seems to have died.
  await releaseClaims(it.store.db);
  gateway.answer = async () => {
    slow.answer({ kind: "accepted" });
    return { kind: "accepted" };
  };
  await it.runJobs();
  const [first, taken, ...more] = gateway.reached;
  assert.deepEqual([first?.mayBeSent, taken?.mayBeSent, more], [false, true, []]);
  assert.deepEqual(await statusesOf(uuid), ["sent"]);
});

test("accepts the code of a text whose gateway response was lost, and does not retry the text", async () => {
  gateway.answer = async () => {
    throw new Error("the connection was reset");
  };
  const uuid = await begin();
  await deliver(uuid);
  await it.runJobs();
  assert.equal((await verify(uuid, codeIn(gateway.reached[0]))).body.verified, true);
  await it.advance(4 * minute);
  assert.equal(gateway.reached.length, 1);
  assert.equal((await read(uuid)).status, "verified");
  assert.deepEqual(await messagesOf(uuid), [{ status: "failed", sealed: null }]);
});

for (const late of [{ kind: "delivered" }, { kind: "accepted" }, { kind: "rejected", reason: "late" }] as const) {
  test(`deliver does not wait for a slow gateway, and a late "${late.kind}" does not undo a success`, async () => {
    const slow = slowly();
    const uuid = await begin();
    assert.equal((await deliver(uuid)).body.status, "sending");
    await slow.reached;
    const { body: verified } = await verify(uuid, codeIn(gateway.reached[0]));
    slow.answer(late);
    await it.runJobs();
    assert.deepEqual(await read(uuid), verified);
  });
}

test("a text replaced by a resend is not retried, and its failure does not fail the verification", async () => {
  gateway.answer = async () => {
    throw new Error("no route");
  };
  const uuid = await begin();
  await deliver(uuid);
  await it.runJobs();
  gateway.answer = async () => ({ kind: "accepted" });
  await deliver(uuid);
  await it.runJobs();
  await it.advance(4 * minute);
  const [old, fresh, ...more] = gateway.reached;
  assert.deepEqual(more, []);
  assert.notEqual(codeIn(fresh), codeIn(old));
  assert.equal((await read(uuid)).status, "sending");
  assert.equal((await verify(uuid, codeIn(fresh))).body.verified, true);
});

for (const late of [{ kind: "delivered" }, { kind: "rejected", reason: "late" }] as const) {
  test(`a late "${late.kind}" for a replaced text does not change the status of the newer one`, async () => {
    const slow = slowly();
    const uuid = await begin();
    await deliver(uuid);
    await slow.reached;
    await deliver(uuid);
    gateway.answer = async () => ({ kind: "accepted" });
    slow.answer(late);
    await it.runJobs();
    const { status, deliveredAt } = await read(uuid);
    assert.deepEqual([status, deliveredAt], ["sending", undefined]);
    assert.equal((await verify(uuid, codeIn(gateway.reached[1]))).body.verified, true);
  });
}

for (const [late, status] of [
  [{ kind: "accepted" }, "sent"],
  [{ kind: "rejected", reason: "late" }, "failed"],
] as const) {
  test(`a text replaced while the gateway has it becomes "${status}" when the gateway responds`, async () => {
    const slow = slowly();
    const uuid = await begin();
    await deliver(uuid);
    await slow.reached;
    gateway.answer = async () => ({ kind: "accepted" });
    await deliver(uuid);
    assert.equal((await statusesOf(uuid))[0], "superseded");
    slow.answer(late);
    await it.runJobs();
    assert.deepEqual(await statusesOf(uuid), [status, "sent"]);
    assert.equal((await read(uuid)).status, "sending");
  });
}

test("a gateway response that arrives while a resend commits is saved for the old text only", async () => {
  const slow = slowly();
  const uuid = await begin();
  await deliver(uuid);
  await slow.reached;
  const resend = await it.store.pool.connect();
  await resend.query("begin");
  await resend.query("select from verification where uuid = $1 for no key update", [uuid]);
  await resend.query("update message set status = 'superseded' where verification_uuid = $1", [uuid]);
  slow.answer({ kind: "delivered" });
  await untilLockWaits(it, { words: "no key update" });
  await resend.query("commit");
  resend.release();
  await it.runJobs();
  assert.deepEqual(await statusesOf(uuid), ["sent"]);
  assert.equal((await read(uuid)).status, "sending");
});

test("a text replaced before it was sent is superseded, and a later report on it is still saved", async () => {
  gateway.answer = async () => {
    throw new Error("no route");
  };
  const uuid = await begin();
  await deliver(uuid);
  await it.runJobs();
  gateway.answer = async () => ({ kind: "accepted" });
  await deliver(uuid);
  await it.advance(4 * minute);
  assert.deepEqual(await statusesOf(uuid), ["superseded", "sent"]);
  const { data } = (await it.api.listMessages({ query: {} })).body;
  assert.equal(data.filter(({ body }) => body.startsWith(codeIn(gateway.reached[0]))).length, 0);
  // The gateway had accepted the first text, and only its answer was lost.
  const textId = gateway.reached[0]?.id ?? "";
  assert.equal(
    await takeTextReport(await it.deps.cells.ofUuid(textId), { kind: "report", textId, state: "delivered" }),
    true,
  );
  assert.deepEqual(await statusesOf(uuid), ["delivered", "sent"]);
});

test("deletes the content of a sent text when the sender does not keep texts", async () => {
  gateway.keepsTexts = false;
  const uuid = await begin();
  await deliver(uuid);
  await it.runJobs();
  assert.deepEqual(await messagesOf(uuid), [{ status: "sent", sealed: null }]);
});

test("a code is never in plaintext in a table, log line, or error", async () => {
  chosenCode = "907316";
  const uuid = await begin();
  await deliver(uuid);
  const found = await columnsWith(it, chosenCode);
  await it.runJobs();
  const errors = [await refusal(verify(uuid, "907317"))];
  found.push(...(await columnsWith(it, chosenCode)));
  await verify(uuid, chosenCode);
  errors.push(await refusal(verify(uuid, chosenCode)));
  found.push(...(await columnsWith(it, chosenCode)), ...(await columnsWith(it, "907317")));
  assert.deepEqual(found, []);
  assert.doesNotMatch(withoutIds(JSON.stringify([errors, it.log])), /907316|907317/);
  assert.ok((await columnsWith(it, "Demo API")).includes("brand.name"), "the search finds a value that is stored");
});

test("the same code has a different hash in each verification", async () => {
  chosenCode = "907316";
  const uuids = [await begin(), await begin()];
  const rows = await it.store.db.selectFrom("verification").select("code_hmac").where("uuid", "in", uuids).execute();
  assert.equal(new Set(rows.map((row) => row.code_hmac?.toString("hex"))).size, 2);
});
