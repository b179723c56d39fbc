import assert from "node:assert/strict";
import test from "node:test";
import { codesSentTo, freshPhone } from "../harness/below-http.ts";
import { demoKey, refusal, sandbox, stillClock } from "../harness/sandbox.ts";

const clock = stillClock();
const it = await sandbox({ clock });
const minute = 60_000;
const day = 24 * 60 * minute;
const testPhone = "+12125550010";

const begin = async (phone = testPhone) => (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
const deliver = (uuid: string) => it.api.deliverVerification({ params: { uuid }, body: {} });
const verify = (uuid: string, code = "111111") => it.api.submitVerificationCode({ params: { uuid }, body: { code } });
const read = async (uuid: string) => (await it.api.readVerification({ params: { uuid } })).body;

test("a new verification is pending, lasts five minutes, and has three attempts", async () => {
  const created = await begin();
  assert.match(created.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const { uuid, createdAt } = created;
  assert.equal(createdAt, it.deps.clock.now());
  assert.deepEqual(created, {
    uuid,
    phone: testPhone,
    channel: "sms",
    status: "pending",
    verified: false,
    createdAt,
    expiresAt: createdAt + 300_000,
    attemptsRemaining: 3,
  });
});

test("sends no text before deliver", async () => {
  const phone = freshPhone();
  await begin(phone);
  assert.deepEqual(await codesSentTo(it, phone), []);
});

test("deliver sets sending, then delivered, and does not change the expiry or the attempts", async () => {
  const created = await begin();
  await it.advance(1_000);
  const { body: sending } = await deliver(created.uuid);
  assert.deepEqual(sending, { ...created, status: "sending", format: "code" });
  await it.runJobs();
  const deliveredAt = it.deps.clock.now();
  assert.deepEqual(await read(created.uuid), { ...sending, status: "delivered", deliveredAt });
});

test("deliver needs no body", async () => {
  const { uuid } = await begin();
  const { status } = await it.inject({
    method: "POST",
    url: `/v2/1-click/verifications/${uuid}/deliver`,
    headers: { authorization: demoKey },
  });
  assert.equal(status, 200);
});

test("the correct code verifies the phone and uses an attempt, and a read returns the same data", async () => {
  const created = await begin();
  await deliver(created.uuid);
  await it.runJobs();
  const { body } = await verify(created.uuid);
  const { deliveredAt } = body;
  const verifiedAt = it.deps.clock.now();
  const expected = {
    status: "verified",
    verified: true,
    verifiedAt,
    deliveredAt,
    format: "code",
    attemptsRemaining: 2,
  };
  assert.deepEqual(body, { ...created, ...expected });
  assert.deepEqual(await read(created.uuid), body);
});

test("a verification stays verified after its five minutes end", async () => {
  const { uuid } = await begin();
  await verify(uuid);
  await it.advance(10 * minute);
  assert.equal((await read(uuid)).status, "verified");
});

test("the third wrong code fails the verification, and then even the correct code is rejected", async () => {
  const { uuid, expiresAt } = await begin();
  for (const attemptsRemaining of [2, 1, 0]) {
    const refused = await refusal(verify(uuid, "000000"));
    assert.equal(refused.errorCode, "OCV001");
    assert.deepEqual(refused.data, { attemptsRemaining, expiresAt });
    assert.equal((await read(uuid)).attemptsRemaining, attemptsRemaining);
    assert.equal((await read(uuid)).status, attemptsRemaining === 0 ? "failed" : "pending");
  }
  const { errorCode, data } = await refusal(verify(uuid));
  assert.deepEqual([errorCode, data], ["OCV002", { attemptsRemaining: 0, expiresAt }]);
  assert.equal((await read(uuid)).verified, false);
});

test("a second verify after a success returns OCV001 and changes nothing", async () => {
  const { uuid } = await begin();
  const { body: verified } = await verify(uuid);
  await it.advance(minute);
  for (const code of ["111111", "000000"]) {
    const { errorCode, data } = await refusal(verify(uuid, code));
    assert.deepEqual([errorCode, data], ["OCV001", { attemptsRemaining: 2, expiresAt: verified.expiresAt }]);
  }
  assert.deepEqual(await read(uuid), verified);
});

test("a fourth text returns OCV004, and the third text's code still works", async () => {
  const phone = freshPhone();
  const { uuid, expiresAt } = await begin(phone);
  for (let texts = 1; texts <= 3; texts += 1) {
    await deliver(uuid);
    assert.equal((await codesSentTo(it, phone)).length, texts);
    await it.advance(1_000);
  }
  const { errorCode, data } = await refusal(deliver(uuid));
  assert.deepEqual([errorCode, data], ["OCV004", { attemptsRemaining: 3, expiresAt }]);
  const codes = await codesSentTo(it, phone);
  assert.equal(codes.length, 3);
  assert.equal((await verify(uuid, codes[0] ?? "")).body.verified, true);
});

test("a resend invalidates the previous code", async () => {
  const phone = freshPhone();
  const { uuid } = await begin(phone);
  await deliver(uuid);
  const [old = ""] = await codesSentTo(it, phone);
  await it.advance(1_000);
  await deliver(uuid);
  const [fresh = ""] = await codesSentTo(it, phone);
  assert.notEqual(fresh, old);
  assert.equal((await refusal(verify(uuid, old))).errorCode, "OCV001");
  assert.equal((await verify(uuid, fresh)).body.verified, true);
});

test("a resend does not reset the attempts or the expiry", async () => {
  const { uuid, expiresAt } = await begin();
  await refusal(verify(uuid, "000000"));
  await it.advance(minute);
  const { body } = await deliver(uuid);
  assert.deepEqual([body.attemptsRemaining, body.expiresAt], [2, expiresAt]);
});

test("a code is wrong in another verification of the same phone and uses an attempt there", async () => {
  const phone = freshPhone();
  const [one, other] = [await begin(phone), await begin(phone)];
  await deliver(one.uuid);
  const [code = ""] = await codesSentTo(it, phone);
  const { errorCode, data } = await refusal(verify(other.uuid, code));
  assert.deepEqual([errorCode, data.attemptsRemaining], ["OCV001", 2]);
  assert.equal((await verify(one.uuid, code)).body.verified, true);
  assert.equal((await read(other.uuid)).status, "pending");
});

test("the static code works only for test phones", async () => {
  const { uuid } = await begin(freshPhone());
  await deliver(uuid);
  assert.equal((await refusal(verify(uuid, "111111"))).errorCode, "OCV001");
});

test("the correct code is accepted at 4:59.999 and returns OCV007 at 5:00.000", async () => {
  const [early, late] = [await begin(), await begin()];
  await it.advance(5 * minute - 1);
  assert.equal((await verify(early.uuid)).body.verified, true);
  assert.equal((await read(late.uuid)).status, "pending");
  await it.advance(1);
  for (const code of ["111111", "000000"]) {
    const { errorCode, data } = await refusal(verify(late.uuid, code));
    assert.deepEqual([errorCode, data], ["OCV007", { attemptsRemaining: 0, expiresAt: late.expiresAt }]);
  }
  const { status, verified } = await read(late.uuid);
  assert.deepEqual([status, verified], ["expired", false]);
  assert.equal((await refusal(deliver(late.uuid))).errorCode, "OCV003");
});

test("a verification can be read for 24 hours, and then it and its rows are deleted", async () => {
  const phone = freshPhone();
  const { uuid } = await begin(phone);
  await deliver(uuid);
  const [code = ""] = await codesSentTo(it, phone);
  await verify(uuid, code);
  const { db } = it.store;
  const rows = async () => [
    ...(await db.selectFrom("verification").select("uuid").where("uuid", "=", uuid).execute()),
    ...(await db.selectFrom("message").select("uuid").where("verification_uuid", "=", uuid).execute()),
  ];
  await it.advance(day - 1);
  assert.equal((await read(uuid)).verified, true);
  assert.equal((await rows()).length, 2);
  await it.advance(1);
  for (const call of [read, verify, deliver]) {
    const { errorCode, status, data } = await refusal(call(uuid));
    assert.deepEqual([errorCode, status, data], ["OCV005", 404, {}]);
  }
  assert.deepEqual(await rows(), []);
  assert.deepEqual(await codesSentTo(it, phone), []);
});

test("a verification cannot be found after 24 hours, even if its deletion is late", async () => {
  const { uuid } = await begin();
  clock.setOffset(clock.offsetMs() + day);
  for (const call of [read, verify, deliver]) assert.equal((await refusal(call(uuid))).errorCode, "OCV005");
});

test("each service hashes codes with its own key", async () => {
  const other = await sandbox();
  const hashes = [it, other].map(({ deps }) => deps.vault.keyedHash("one place", "907316").toString("hex"));
  assert.notEqual(hashes[0], hashes[1]);
});
