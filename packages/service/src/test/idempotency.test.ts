import assert from "node:assert/strict";
import test from "node:test";
import { takeBack } from "../domain/account/take-back.ts";
import { findBrand } from "../domain/brand/store.ts";
import { claimAnswer, earlierAnswer, releaseAnswer } from "../domain/idempotency/answer.ts";
import { birthDate, said, signIn } from "./account-page.ts";
import { freshPhone } from "./beneath.ts";
import { assertEnvelope, demoKey, otherKey, sandbox } from "./harness.ts";

const it = await sandbox();
const primary = "+12125550010";
const day = 24 * 60 * 60_000;

async function post(path: string, body: unknown, key: string | null, apiKey = demoKey) {
  return await it.inject({
    method: "POST",
    url: path,
    headers: {
      authorization: apiKey,
      "content-type": "application/json",
      ...(key === null ? {} : { "idempotency-key": key }),
    },
    payload: JSON.stringify(body),
  });
}
const countOf = async (table: "one_click" | "verification") =>
  Number((await it.store.pool.query(`select count(*) from ${table}`)).rows[0].count);

test("fifty parallel requests with one key: one effect, and fifty equal answers", async () => {
  const before = await countOf("one_click");
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post("/v2/1-click", { phone: primary }, "order-4711")),
  );
  assert.equal((await countOf("one_click")) - before, 1);
  for (const { status, body } of answers) assert.deepEqual([status, body], [201, answers[0]?.body]);
  assert.equal(answers.filter(({ headers }) => headers["idempotent-replayed"] === "true").length, 49);
});

test("the same key with another body is 422; on another path, by another brand, it is another key", async () => {
  const first = await post("/v2/1-click", { phone: primary }, "k1");
  const other = await post("/v2/1-click", { phone: "+16565550000" }, "k1");
  assertEnvelope(422, other.body);
  const verification = await post("/v2/1-click/verifications", { channel: "sms", phone: primary }, "k1");
  assert.equal(verification.status, 201);
  const theirs = await post("/v2/1-click", { phone: primary }, "k1", otherKey);
  assert.equal(theirs.status, 201);
  assert.notDeepEqual(theirs.body, first.body);
});

test("while the first is not answered, a repetition is told to wait; given back, it counts anew", async () => {
  const brand = await findBrand(it.deps.db, "sandbox", (await it.brand()).uuid);
  assert.ok(brand !== null);
  const caller = { brand, apiKeyUuid: null, requestId: "r" };
  const asked = { caller, endpoint: "/v2/1-click", key: "k", body: "{}" };
  const first = await claimAnswer(it.deps, asked);
  assert.equal(first.kind, "ours");
  assert.equal((await claimAnswer(it.deps, asked)).kind, "inFlight");
  assert.equal((await claimAnswer(it.deps, { ...asked, body: "[]" })).kind, "otherBody");
  await releaseAnswer(it.deps, first.kind === "ours" ? first.uuid : "");
  assert.equal((await claimAnswer(it.deps, asked)).kind, "ours");
});

test("a request that was cut off before it did anything frees its key after a minute; one that did something never does", async () => {
  const made = await it.brand();
  const brand = await findBrand(it.deps.db, "sandbox", made.uuid);
  assert.ok(brand !== null);
  const cutOff = async (key: string) => {
    const { body } = await made.api.createOneClick({ body: { phone: primary } });
    const { request_id } = await it.store.db
      .selectFrom("audit")
      .select("request_id")
      .where("one_click_uuid", "=", body.uuid)
      .executeTakeFirstOrThrow();
    const requestId = key === "nothing" ? "a request that did nothing" : (request_id ?? "");
    const asked = { caller: { brand, apiKeyUuid: null, requestId }, endpoint: "/v2/1-click", key, body: "{}" };
    assert.equal((await claimAnswer(it.deps, asked)).kind, "ours");
    return { ...asked, caller: { ...asked.caller, requestId: "the second try" } };
  };
  const [nothing, something] = [await cutOff("nothing"), await cutOff("something")];
  await it.advance(60_000 - 1);
  for (const asked of [nothing, something]) assert.deepEqual(await earlierAnswer(it.deps, asked), { kind: "inFlight" });
  await it.advance(1);
  assert.deepEqual(
    [await earlierAnswer(it.deps, nothing), await earlierAnswer(it.deps, something)],
    [null, { kind: "inFlight" }],
  );
  assert.equal((await claimAnswer(it.deps, nothing)).kind, "ours");
});

test("what was refused may be tried again with the same key", async () => {
  const refused = await post("/v2/1-click", { phone: "+12125550022" }, "k2");
  assert.equal(refused.status, 400);
  const again = await post("/v2/1-click", { phone: "+12125550022", birthDate: "1989-08-01" }, "k2");
  assert.equal(again.status, 201);
});

test("a key that is no word is named; without a key each request counts", async () => {
  assertEnvelope(400, (await post("/v2/1-click", { phone: primary }, "a b")).body);
  assertEnvelope(400, (await post("/v2/1-click", { phone: primary }, "x".repeat(256))).body);
  const before = await countOf("verification");
  for (let times = 0; times < 2; times += 1)
    await post("/v2/1-click/verifications", { channel: "sms", phone: primary }, null);
  assert.equal((await countOf("verification")) - before, 2);
});

test("where a device is led to is answered again, and a call that creates nothing knows no keys", async () => {
  const ask = { channel: "autofill", deviceIp: "::121:2555:0010" };
  const [one, two] = [
    await post("/v2/1-click/verifications", ask, "k3"),
    await post("/v2/1-click/verifications", ask, "k3"),
  ];
  assert.deepEqual([one.status, two.status, two.headers.location], [302, 302, one.headers.location]);
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone: primary } })).body;
  for (const code of ["000000", "000001"])
    assert.equal((await post(`/v2/1-click/verifications/${uuid}/verify`, { code }, "k4")).status, 400);
});

test("what was answered about a person goes when they take it back from a brand", async () => {
  const phone = "+14155550177";
  const first = await post("/v2/1-click", { phone }, "k6");
  const { uuid } = first.body as { uuid: string };
  const row = await it.store.db
    .selectFrom("one_click")
    .select(["person_uuid", "brand_uuid", "data_key_uuid"])
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  const from = { personUuid: row.person_uuid ?? "", dataKeyUuid: row.data_key_uuid };
  await it.store.db
    .transaction()
    .execute((trx) => takeBack(it.deps, trx, { ...from, brands: ["00000000-0000-4000-8000-000000000000"] }));
  assert.deepEqual((await post("/v2/1-click", { phone }, "k6")).body, first.body);
  await it.store.db.transaction().execute((trx) => takeBack(it.deps, trx, { ...from, brands: [row.brand_uuid] }));
  assert.notDeepEqual((await post("/v2/1-click", { phone }, "k6")).body, first.body);
});

test("what was answered of a proof that was only begun goes when its person takes it back, and with them", async () => {
  const phone = freshPhone();
  const path = "/v2/1-click/verifications";
  const ask = { channel: "sms", phone };
  const [begun, other] = [await post(path, ask, "k8"), await post(path, { ...ask, phone: freshPhone() }, "k9")];
  await post("/v2/1-click", { phone }, null);
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const [share] = (await browser.readAccount()).body.brands;
  await browser.stopSharing({ params: { uuid: share?.uuid ?? "" }, body: { consent: said } });
  const anew = await post(path, ask, "k8");
  assert.notDeepEqual(anew.body, begun.body);
  await browser.deleteAccount({ body: { consent: said } });
  assert.notDeepEqual((await post(path, ask, "k8")).body, anew.body);
  const { phone: another } = other.body as { phone: string };
  assert.deepEqual((await post(path, { ...ask, phone: another }, "k9")).body, other.body, "somebody else's stays");
});

test("an identity is answered again as long as it can be read, and each time is a read", async () => {
  const first = await post("/v2/1-click", { phone: primary }, "k7");
  const { uuid } = first.body as { uuid: string };
  assert.deepEqual((await post("/v2/1-click", { phone: primary }, "k7")).body, first.body);
  const reads = await it.store.db
    .selectFrom("audit")
    .select("id")
    .where("one_click_uuid", "=", uuid)
    .where("action", "=", "oneClick.read")
    .execute();
  assert.equal(reads.length, 1);
  await it.advance(60 * 60_000);
  const late = await post("/v2/1-click", { phone: primary }, "k7");
  assertEnvelope(404, late.body);
  assert.equal(late.body.data.errorCode, "OCE015");
});

test("an answer is sealed, holds for a day, and is gone afterwards", async () => {
  const ask = { channel: "sms", phone: primary };
  const path = "/v2/1-click/verifications";
  await post("/v2/1-click", { phone: primary }, "k5");
  const first = await post(path, ask, "k5");
  const { rows } = await it.store.pool.query("select a::text as text from idempotent_answer a");
  for (const { text } of rows) assert.doesNotMatch(text, /k5|Hendricks|2125550010/);
  await it.advance(day - 1);
  assert.deepEqual((await post(path, ask, "k5")).body, first.body);
  await it.advance(1);
  assert.deepEqual((await it.store.pool.query("select uuid from idempotent_answer")).rows, []);
  assert.notDeepEqual((await post(path, ask, "k5")).body, first.body);
});
