import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import { codesSentTo, freshPhone } from "../harness/below-http.ts";
import { demoKey, otherKey, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const testPhone = "+12125550010";

const begin = async (phone = testPhone) => (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
const deliver = (uuid: string) => it.api.deliverVerification({ params: { uuid }, body: {} });
const verify = (uuid: string, code = "111111") => it.api.submitVerificationCode({ params: { uuid }, body: { code } });
const read = async (uuid: string) => (await it.api.readVerification({ params: { uuid } })).body;
/** Sends any body, even one that no typed client would send. */
const post = (path: string, body: unknown, key = demoKey) =>
  it.inject({
    method: "POST",
    url: `/v2/1-click/verifications${path}`,
    headers: { authorization: key, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });

test("another brand's verification gets the same response as an unknown one, even for the same customer", async () => {
  const { uuid } = await begin();
  const sister = await it.brand();
  const answers = new Set<string>();
  for (const key of [otherKey, sister.apiKey])
    for (const asked of [uuid, randomUUID()])
      for (const [method, path, body] of [
        ["GET", ""],
        ["POST", "/deliver", {}],
        ["POST", "/verify", { code: "111111" }],
      ] as const) {
        const url = `/v2/1-click/verifications/${asked}${path}`;
        const headers = { authorization: key, ...(body && { "content-type": "application/json" }) };
        const answer = await it.inject({ method, url, headers, ...(body && { payload: JSON.stringify(body) }) });
        answers.add(JSON.stringify(answer.body).replace(/"requestId":"[^"]+"/, ""));
        assert.equal(answer.status, 404);
      }
  assert.equal(answers.size, 1, [...answers].join("\n"));
  assert.equal((await read(uuid)).attemptsRemaining, 3);
});

test("a uuid in upper case finds the same verification", async () => {
  const { uuid } = await begin();
  const upperCase = uuid.toUpperCase();
  assert.equal((await read(upperCase)).uuid, uuid);
  assert.equal((await deliver(upperCase)).body.uuid, uuid);
  await it.runJobs();
  assert.equal((await verify(upperCase)).body.verified, true);
  const urn = await it.inject({
    method: "GET",
    url: `/v2/1-click/verifications/urn:uuid:${uuid}`,
    headers: { authorization: demoKey },
  });
  assert.ok(urn.status === 400 || urn.status === 404, String(urn.status));
});

const invalidCodes = ["12ab", "123 45", "12345", "1234567", "", 123456, ["123456"], null, {}, true];
test("a code works as people copy it: with separators, marks that nobody sees, and wide digits", async () => {
  for (const code of [" 111111", "111-111", "111111\n", "\u200e111\u2011111", "\uff11\uff11\uff11111", "1 1 1 1 1 1"]) {
    const { uuid } = await begin();
    assert.equal((await post(`/${uuid}/deliver`, {})).status, 200);
    assert.equal((await post(`/${uuid}/verify`, { code })).status, 200, JSON.stringify(code));
    assert.equal((await read(uuid)).verified, true);
  }
});

test("a code that is not six digits is rejected and uses no attempt", async () => {
  const { uuid } = await begin();
  for (const body of [
    ...invalidCodes.map((code) => ({ code })),
    { code: "1".repeat(900_000) },
    {},
    [],
    null,
    "111111",
  ]) {
    const { status } = await post(`/${uuid}/verify`, body);
    assert.equal(status, 400, JSON.stringify(body).slice(0, 40));
  }
  assert.equal((await read(uuid)).attemptsRemaining, 3);
});

test("an unknown format is rejected and sends no text", async () => {
  const phone = freshPhone();
  const { uuid } = await begin(phone);
  assert.equal((await post(`/${uuid}/deliver`, { format: "bogus" })).status, 400);
  assert.equal((await read(uuid)).status, "pending");
  assert.deepEqual(await codesSentTo(it, phone), []);
});

const invalidBodies: [string, object, string][] = [
  ["the email channel", { channel: "email" }, "OCV006"],
  ["the textToSignup channel", { channel: "textToSignup", phone: testPhone }, "OCV006"],
  ["an unknown channel", { channel: "pigeon", phone: testPhone }, "OCV006"],
  ["sms without a phone", { channel: "sms" }, "ERR001"],
  ["a phone of another country", { channel: "sms", phone: "+442071838750" }, "OCV009"],
  ["a malformed phone", { channel: "sms", phone: "12345" }, "ERR001"],
  ["a US phone with a missing digit", { channel: "sms", phone: "+1212555001" }, "ERR001"],
  ["a missing channel", { phone: testPhone }, "ERR001"],
  ["an IPv4 device address", { channel: "sms", phone: testPhone, deviceIp: "127.0.0.1" }, "ERR001"],
];
for (const [what, body, errorCode] of invalidBodies) {
  test(`${what} returns ${errorCode} and creates no verification`, async () => {
    const count = () => it.store.db.selectFrom("verification").select("uuid").execute();
    const before = await count();
    const answer = await post("", body);
    assert.equal(answer.status, 400);
    assert.equal((answer.body as { data: { errorCode: string } }).data.errorCode, errorCode);
    assert.equal((await count()).length, before.length);
  });
}

test("an unknown channel's error names the channels that there are", async () => {
  const answer = (await post("", { channel: "pigeon", phone: testPhone })) as { body: { message: string } };
  assert.equal(answer.body.message, "Unsupported channel. Use autofill, silent or sms.");
});

test("a brand that disabled texts cannot start an SMS verification", async () => {
  const { api } = await it.brand({ channels: { sms: false } });
  const { errorCode, status } = await refusal(api.createVerification({ body: { channel: "sms", phone: testPhone } }));
  assert.deepEqual([errorCode, status], [undefined, 403]);
});
