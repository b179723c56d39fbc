import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import type { OneClickRequest } from "@countersign/contract/v2";
import { sandboxRisk } from "../../providers/sandbox/people.ts";
import { freshPhone } from "../harness/below-http.ts";
import { demoKey, otherKey, refusal, sandbox } from "../harness/sandbox.ts";

/** The email that makes a request too risky, and the number of calls to the scorer. */
const riskyEmail = "risky@example.com";
let scored = 0;
const benign = sandboxRisk();
const it = await sandbox({
  vendors: {
    risk: {
      score: async (question) => {
        scored += 1;
        const judgment = await benign.score(question);
        return question.email === riskyEmail ? { ...judgment, score: 601 } : judgment;
      },
    },
  },
});
const minute = 60_000;
const needy = "+12125550022";
const birthDate = "1989-08-01";

const ask = async (body: OneClickRequest, api = it.api) => (await api.createOneClick({ body })).body;
const refused = (body: OneClickRequest, api = it.api) => refusal(api.createOneClick({ body }));
const read = async (uuid: string, api = it.api) => (await api.readOneClick({ params: { uuid } })).body;
const unreadable = async (uuid: string, api = it.api) => (await refusal(read(uuid, api))).errorCode;
/** Begins a 1-Click that waits for a birth date, and returns its uuid. */
const waiting = async (given: OneClickRequest = { phone: needy }, api = it.api) => {
  const { errorCode, data } = await refused(given, api);
  assert.equal(errorCode, "OCE011");
  return String(data.identityUuid);
};
const rowOf = (uuid: string) =>
  it.store.db
    .selectFrom("one_click")
    .select(["state", "sealed", "erased_at", "verification_uuid"])
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
const auditOf = async (uuid: string) =>
  (
    await it.store.db.selectFrom("audit").select("action").where("one_click_uuid", "=", uuid).orderBy("id").execute()
  ).map((row) => row.action);

test("a 1-Click can be read for exactly 60 minutes, and then its data is deleted", async () => {
  const { uuid, identity } = await ask({ phone: freshPhone() });
  await it.advance(60 * minute - 1);
  assert.deepEqual(await read(uuid), identity);
  assert.notEqual((await rowOf(uuid)).sealed, null);
  await it.advance(1);
  const { errorCode, status, message, data } = await refusal(read(uuid));
  assert.deepEqual([errorCode, status, message, data], ["OCE015", 404, "1-Click Not Found", {}]);
  const { sealed, erased_at } = await rowOf(uuid);
  assert.deepEqual([sealed, erased_at], [null, it.deps.clock.now()]);
});

test("reading does not extend the expiry", async () => {
  const { uuid } = await ask({ phone: freshPhone() });
  for (let i = 0; i < 5; i += 1) {
    await it.advance(10 * minute);
    await read(uuid);
  }
  await it.advance(10 * minute);
  assert.equal(await unreadable(uuid), "OCE015");
});

test("another brand's, an unknown and a waiting 1-Click get the same OCE015 response", async () => {
  const { uuid } = await ask({ phone: freshPhone() });
  const left = await waiting();
  const sister = await it.brand();
  const asked = [
    [sister.apiKey, uuid],
    [otherKey, uuid],
    [demoKey, randomUUID()],
    [demoKey, left],
    [demoKey, "nothing"],
    [demoKey, `urn:uuid:${uuid}`],
  ] as const;
  const bodies = new Set<string>();
  for (const [authorization, one] of asked) {
    const { status, body } = await it.inject({ method: "GET", url: `/v2/1-click/${one}`, headers: { authorization } });
    assert.equal(status, 404);
    bodies.add(JSON.stringify(body).replace(/"requestId":"[^"]+"/, ""));
  }
  assert.equal(bodies.size, 1, [...bodies].join("\n"));
  assert.equal((await read(uuid.toUpperCase())).identifiers.phone, (await read(uuid)).identifiers.phone);
});

test("a metadata-only 1-Click can be continued to get the data, and its risk is scored once", async () => {
  const phone = freshPhone();
  const before = scored;
  const first = await ask({ phone, email: "a@example.com", credentialRequests: [] });
  assert.deepEqual(first.identity.credentials, {});
  const second = await ask({ identityUuid: first.uuid, phone });
  assert.equal(second.uuid, first.uuid);
  assert.equal(second.identity.credentials?.ssn, "000456789");
  assert.deepEqual(second.identity.identifiers, { phone, email: "a@example.com" });
  assert.equal(scored, before + 1);
  assert.deepEqual(await read(first.uuid), second.identity);
  await ask({ identityUuid: first.uuid, email: "b@example.com" });
  assert.equal(scored, before + 2, "the risk of another email is scored again");
});

test("a waiting 1-Click continues without its phone, and its uuid may be in capitals", async () => {
  for (const spelled of [(uuid: string) => uuid, (uuid: string) => uuid.toUpperCase()]) {
    const uuid = await waiting();
    const { uuid: same, identity } = await ask({ identityUuid: spelled(uuid), birthDate });
    assert.deepEqual([same, identity.identifiers.phone], [uuid, needy]);
    assert.deepEqual(await read(uuid), identity);
  }
});

test("a continued 1-Click keeps its verification", async () => {
  const { uuid: verificationUuid } = (await it.api.createVerification({ body: { channel: "sms", phone: needy } })).body;
  await it.api.submitVerificationCode({ params: { uuid: verificationUuid }, body: { code: "111111" } });
  const uuid = await waiting({ verificationUuid });
  const { identity } = await ask({ identityUuid: uuid, phone: needy, birthDate });
  assert.equal(identity.metadata.identifiers.verificationMethod.phone, "otp");
  assert.equal((await rowOf(uuid)).verification_uuid, verificationUuid);
});

test("a waiting 1-Click expires 60 minutes after its last OCE011", async () => {
  const uuid = await waiting();
  await it.advance(40 * minute);
  assert.equal(await waiting({ identityUuid: uuid }), uuid);
  await it.advance(60 * minute - 1);
  assert.equal((await refused({ identityUuid: uuid, birthDate: "1979-01-01" })).errorCode, "OCE012");
  await it.advance(1);
  const { errorCode, message } = await refused({ identityUuid: uuid, birthDate });
  assert.deepEqual([errorCode, message], ["ERR001", '"identityUuid" is invalid or expired']);
  assert.equal((await rowOf(uuid)).sealed, null);
});

test("a 1-Click that is completed after a wait can be read for 60 minutes from then", async () => {
  const uuid = await waiting();
  await it.advance(50 * minute);
  await ask({ identityUuid: uuid, birthDate });
  await it.advance(60 * minute - 1);
  await read(uuid);
  await it.advance(1);
  assert.equal(await unreadable(uuid), "OCE015");
});

test("an identityUuid that is unknown, expired or another brand's gets the same 400", async () => {
  const { uuid: expired } = await ask({ phone: freshPhone() });
  await it.advance(60 * minute);
  const phone = freshPhone();
  const { uuid } = await ask({ phone });
  const { api } = await it.brand();
  for (const [identityUuid, asked] of [
    [randomUUID(), it.api],
    [expired, it.api],
    [uuid, api],
    [uuid, it.as(otherKey)],
  ] as const) {
    const { errorCode, status, message, data } = await refused({ identityUuid, phone }, asked);
    assert.deepEqual([errorCode, status], ["ERR001", 400]);
    assert.deepEqual([message, data], ['"identityUuid" is invalid or expired', {}]);
  }
});

test("an identityUuid with another phone, or with another phone's verification, is rejected", async () => {
  const { uuid } = await ask({ phone: freshPhone(), credentialRequests: [] });
  const { uuid: verificationUuid } = (await it.api.createVerification({ body: { channel: "sms", phone: needy } })).body;
  await it.api.submitVerificationCode({ params: { uuid: verificationUuid }, body: { code: "111111" } });
  for (const other of [{ phone: freshPhone() }, { verificationUuid }]) {
    const { errorCode, status, message } = await refused({ identityUuid: uuid, ...other });
    assert.deepEqual([errorCode, status], ["ERR001", 400]);
    assert.equal(message, '"phone" does not match the 1-Click referenced by "identityUuid"');
  }
});

const ends: [string, string, (uuid: string, api: typeof it.api) => Promise<unknown>][] = [
  ["OCE017", "a higher risk score", (uuid, api) => refused({ identityUuid: uuid, email: riskyEmail }, api)],
  [
    "OCE019",
    "too many wrong values",
    async (uuid, api) => {
      for (const ssn4 of ["0000", "0001", "0002", "0003"]) await refused({ identityUuid: uuid, ssn4 }, api);
    },
  ],
];
for (const [code, cause, end] of ends) {
  test(`a 1-Click that ends because of ${cause} reads as ${code} for 60 minutes and cannot continue`, async () => {
    const { api } = await it.brand();
    const uuid = await waiting({ phone: needy }, api);
    await end(uuid, api);
    assert.equal((await rowOf(uuid)).state, "refused");
    const again = await refusal(read(uuid, api));
    assert.deepEqual([again.errorCode, again.status], [code, 400]);
    assert.deepEqual(again.data.identifiers, { phone: needy, ...(code === "OCE017" ? { email: riskyEmail } : {}) });
    if (code === "OCE019") assert.deepEqual(again.data.inputAttemptsExceeded, ["ssn4"]);
    assert.equal(await unreadable(uuid), "OCE015", "another brand gets OCE015");
    const { message } = await refused({ identityUuid: uuid, birthDate }, api);
    assert.match(message, /^"identityUuid" must reference a completed risk-signals-only 1-Click or a 1-Click waiting/);
    await it.advance(60 * minute - 1);
    assert.equal(await unreadable(uuid, api), code);
    await it.advance(1);
    assert.equal(await unreadable(uuid, api), "OCE015");
    assert.equal((await rowOf(uuid)).sealed, null);
  });
}

test("a released 1-Click keeps its data and its expiry when a continuation fails", async () => {
  const phone = freshPhone();
  const { api, uuid: brandUuid } = await it.brand();
  const { uuid, identity } = await ask({ phone }, api);
  await it.advance(30 * minute);
  const challenges = [{ input: "birthDate", when: "always" }];
  await it.api.patchSandboxBrand({ params: { uuid: brandUuid }, body: { challenges } });
  for (const given of [{ email: riskyEmail }, { birthDate: "1979-01-01" }])
    assert.match(String((await refused({ identityUuid: uuid, ...given }, api)).errorCode), /^OCE01[127]$/);
  const credentialRequests: OneClickRequest["credentialRequests"] = [{ type: "LivenessCredential", mandatory: "yes" }];
  assert.equal((await refused({ identityUuid: uuid, birthDate, credentialRequests }, api)).errorCode, "ERR001");
  assert.deepEqual(await auditOf(uuid), ["oneClick.released"], "the call was refused, and not the 1-Click");
  assert.deepEqual(await read(uuid, api), identity);
  await it.advance(30 * minute - 1);
  assert.deepEqual(await read(uuid, api), identity);
  await it.advance(1);
  assert.equal(await unreadable(uuid, api), "OCE015");
  assert.equal((await rowOf(uuid)).sealed, null, "the data is deleted when the 1-Click itself expires");
});

test("each read and each release adds one audit entry, and each release adds one consent", async () => {
  const phone = freshPhone();
  const { uuid } = await ask({ phone, credentialRequests: [] });
  await ask({ identityUuid: uuid });
  await read(uuid);
  await read(uuid);
  await unreadable(uuid, it.as(otherKey));
  const expected = ["oneClick.released", "oneClick.released", "oneClick.read", "oneClick.read"];
  assert.deepEqual(await auditOf(uuid), expected);
  const consents = await it.store.db.selectFrom("consent").selectAll().where("one_click_uuid", "=", uuid).execute();
  assert.equal(consents.length, 2);
  const index = it.deps.vault.index("phone", "sandbox", phone);
  for (const { action, source, version, phone_index } of consents)
    assert.deepEqual([action, source, version, phone_index], ["share", "brandDeclaration", "2026-01", index]);
});

test("a refusal records no consent and no release", async () => {
  const uuid = await waiting();
  await refused({ identityUuid: uuid, birthDate: "1979-01-01" });
  assert.deepEqual(await auditOf(uuid), []);
  await refused({ identityUuid: uuid, email: riskyEmail });
  assert.deepEqual(await auditOf(uuid), ["oneClick.refused"]);
  const consents = await it.store.db.selectFrom("consent").select("uuid").where("one_click_uuid", "=", uuid).execute();
  assert.deepEqual(consents, []);
});

test("the audit entry of a release has the released types, the consent and the purpose, but no value", async () => {
  const credentialRequests: OneClickRequest["credentialRequests"] = [
    { type: "SsnCredential" },
    { type: "BirthDateCredential" },
  ];
  const { uuid } = await ask({ phone: "+13135550033", credentialRequests });
  const rows = await it.store.db.selectFrom("audit").select("detail").where("one_click_uuid", "=", uuid).execute();
  const consent = it.store.db.selectFrom("consent").select("uuid").where("one_click_uuid", "=", uuid);
  const given = { consent: (await consent.executeTakeFirst())?.uuid, word: "Signup", brandName: "Demo API" };
  assert.deepEqual(rows, [{ detail: { types: ["BirthDateCredential"], ...given } }]);
});

test("a declined 1-Click returns only the identifiers and cannot be continued", async () => {
  const { uuid, identity } = await ask({ phone: freshPhone() });
  await it.store.db.updateTable("one_click").set({ state: "declined" }).where("uuid", "=", uuid).execute();
  const { identifiers, metadata } = identity;
  assert.deepEqual(await read(uuid), { identifiers, metadata: { identifiers: metadata.identifiers } });
  assert.equal((await refused({ identityUuid: uuid })).errorCode, "OCE021");
});
