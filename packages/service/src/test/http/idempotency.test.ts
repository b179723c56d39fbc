import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import { claimAnswer, earlierAnswer, keepAnswer, releaseAnswer } from "../../domain/idempotency/answer.ts";
import { birthDate } from "../harness/account-page.ts";
import { assertNotStored, freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { keyedCalls } from "../harness/keyed-calls.ts";
import { assertEnvelope, demoKey, otherKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const primary = "+12125550010";
const day = 24 * 60 * 60_000;

const { post, post404, stopSharing } = keyedCalls(it);

/** Counts the rows of each table that a brand's call can fill. */
async function everything() {
  const tables = ["one_click", "verification", "session", "health_lookup", "issuance", "issued_credential", "message"];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  return (await it.store.pool.query(`select ${counts.join(", ")}`)).rows[0];
}

const countOf = async (table: "one_click" | "verification") =>
  Number((await it.store.pool.query(`select count(*) from ${table}`)).rows[0].count);

test("fifty parallel requests with one key have one effect and get equal responses", async () => {
  const before = await countOf("one_click");
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post("/v2/1-click", { phone: primary }, "order-4711")),
  );
  assert.equal((await countOf("one_click")) - before, 1);
  for (const { status, body } of answers) assert.deepEqual([status, body], [201, answers[0]?.body]);
  assert.equal(answers.filter(({ headers }) => headers["idempotent-replayed"] === "true").length, 49);
});

test("a key reused with another body gets a 422; on another path or by another brand it is a separate key", async () => {
  const first = await post("/v2/1-click", { phone: primary }, "k1");
  const other = await post("/v2/1-click", { phone: "+16565550000" }, "k1");
  assertEnvelope(422, other.body);
  const verification = await post("/v2/1-click/verifications", { channel: "sms", phone: primary }, "k1");
  assert.equal(verification.status, 201);
  const theirs = await post("/v2/1-click", { phone: primary }, "k1", otherKey);
  assert.equal(theirs.status, 201);
  assert.notDeepEqual(theirs.body, first.body);
});

test("a key is in flight until its first request ends, and can be claimed again once it is released", async () => {
  const brand = await findBrand(it.deps.home, "sandbox", (await it.brand()).uuid);
  assert.ok(brand !== null);
  const caller = { brand, apiKeyUuid: null, requestId: "r" };
  const asked = { caller, endpoint: "/v2/1-click", key: "k", body: "{}" };
  const first = await claimAnswer(it.deps, asked);
  assert.equal((await claimAnswer(it.deps, asked)).kind, "inFlight");
  assert.equal((await claimAnswer(it.deps, { ...asked, body: "[]" })).kind, "otherBody");
  assert.ok(first.kind === "ours");
  await releaseAnswer(first.claimed);
  assert.equal((await claimAnswer(it.deps, asked)).kind, "ours");
});

test("an interrupted request frees its key after a minute if it had no effect; otherwise the key stays blocked", async () => {
  const made = await it.brand();
  const brand = await findBrand(it.deps.home, "sandbox", made.uuid);
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

test("a rejected request can be retried with the same key", async () => {
  const refused = await post("/v2/1-click", { phone: "+12125550022" }, "k2");
  assert.equal(refused.status, 400);
  const again = await post("/v2/1-click", { phone: "+12125550022", birthDate: "1989-08-01" }, "k2");
  assert.equal(again.status, 201);
});

test("an invalid key is rejected, and every request without a key is executed", async () => {
  assertEnvelope(400, (await post("/v2/1-click", { phone: primary }, "a b")).body);
  assertEnvelope(400, (await post("/v2/1-click", { phone: primary }, "x".repeat(256))).body);
  const before = await countOf("verification");
  for (let times = 0; times < 2; times += 1)
    await post("/v2/1-click/verifications", { channel: "sms", phone: primary }, null);
  assert.equal((await countOf("verification")) - before, 2);
});

test("a redirect is replayed for the same key, and calls that create nothing ignore keys", async () => {
  const ask = { channel: "autofill", deviceIp: "::121:2555:0010" };
  const [one, two] = [
    await post("/v2/1-click/verifications", ask, "k3"),
    await post("/v2/1-click/verifications", ask, "k3"),
  ];
  assert.deepEqual([one.status, two.status, two.headers.location], [302, 302, one.headers.location]);
  const inOrder = { channels: ["autofill"], deviceIp: "::121:2555:0010" };
  await post("/v2.1/1-click/verifications", inOrder, "k3");
  const { headers } = await post("/v2.1/1-click/verifications", inOrder, "k3");
  assert.deepEqual([headers["idempotent-replayed"], headers["countersign-channel"]], ["true", "autofill"]);
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone: primary } })).body;
  for (const code of ["000000", "000001"])
    assert.equal((await post(`/v2/1-click/verifications/${uuid}/verify`, { code }, "k4")).status, 400);
});

test("a repeat after a withdrawal gets OCE015 and creates nothing; another brand's stored response stays", async () => {
  const phone = "+14155550177";
  const first = await post("/v2/1-click", { phone }, "k6");
  const theirs = await post("/v2/1-click", { phone }, "k6", otherKey);
  await stopSharing(phone);
  const made = await countOf("one_click");
  for (let times = 0; times < 2; times += 1) assert.deepEqual(await post404("/v2/1-click", { phone }, "k6"), "OCE015");
  assert.equal(await countOf("one_click"), made);
  assert.deepEqual((await post("/v2/1-click", { phone }, "k6", otherKey)).body, theirs.body);
  const fresh = await post("/v2/1-click", { phone }, "k6-again");
  assert.deepEqual([fresh.status, isDeepStrictEqual(fresh.body, first.body)], [201, false]);
});

const v1Key = "sk_sandbox_demo_v1";
const nonHostedKey = "sk_sandbox_demo_non_hosted";
const semiHostedKey = "sk_sandbox_demo_semi_hosted";
const hostedKey = "sk_sandbox_demo_hosted";

/** Shares with each brand, so that the brand is on the person's page. */
const shares: Record<string, (phone: string) => Promise<unknown>> = {
  [demoKey]: (phone) => post("/v2/1-click", { phone }, null),
  [nonHostedKey]: (phone) => post("/v2/1-click", { phone }, null, nonHostedKey),
  [v1Key]: (phone) => post("/1-click/trusted", { phone, birthDate }, null, v1Key),
  [hostedKey]: (phone) => hostedShare(it, phone),
  async [semiHostedKey](phone) {
    const api = it.as(semiHostedKey);
    const { uuid, code = "" } = (await api.beginOneClick({ body: { phone } })).body;
    await api.readOneClick({ params: { uuid }, query: { code } });
  },
};

/** Every call that creates something about a person. */
const creating: Record<string, { path: string; apiKey?: string; body(phone: string): Promise<object> | object }> = {
  api: { path: "/v2/1-click", body: (phone) => ({ phone }) },
  nonHosted: { path: "/v2/1-click", apiKey: nonHostedKey, body: (phone) => ({ phone }) },
  semiHosted: { path: "/v2/1-click", apiKey: semiHostedKey, body: (phone) => ({ phone }) },
  hosted: { path: "/v2/1-click", apiKey: hostedKey, body: (phone) => ({ phone }) },
  v1: { path: "/1-click", apiKey: v1Key, body: (phone) => ({ phone }) },
  trusted: { path: "/1-click/trusted", apiKey: v1Key, body: (phone) => ({ phone, birthDate }) },
  verification: { path: "/v2/1-click/verifications", body: (phone) => ({ channel: "sms", phone }) },
  health: {
    path: "/v2/1-click/health",
    async body(phone) {
      const { uuid } = (await post("/v2/1-click", { phone }, null)).body as { uuid: string };
      return { identityUuid: uuid };
    },
  },
  issuance: {
    path: "/v2/credentials",
    body: (phone) => ({ phone, credentials: [{ type: "EmailCredential", data: { email: "ada@example.com" } }] }),
  },
};
for (const [name, { path, apiKey = demoKey, body }] of Object.entries(creating))
  test(`${name}: a repeat after a withdrawal or a deletion gets OCE015 and creates nothing`, async () => {
    const phone = freshPhone();
    const key = `taken back ${name}`.replaceAll(" ", "-");
    const ask = await body(phone);
    const first = await post(path, ask, key, apiKey);
    assert.equal(first.status, 201, JSON.stringify(first.body));
    // A flow that was only begun is not on the page. Only a share can be stopped, so share first.
    await shares[apiKey]?.(phone);
    const browser = await stopSharing(phone);
    const before = await everything();
    assert.equal(await post404(path, ask, key, apiKey), "OCE015");
    assert.equal(await post404(path, ask, key, apiKey), "OCE015");
    assert.deepEqual(await everything(), before);
    await browser.deleteAccount({ body: { consent: agreed("delete") } });
    const deleted = await everything();
    assert.equal(await post404(path, ask, key, apiKey), "OCE015");
    assert.deepEqual(await everything(), deleted);
  });

test("a stored response stays when another person withdraws and deletes their account", async () => {
  const [phone, other] = [freshPhone(), freshPhone()];
  const path = "/v2/1-click/verifications";
  const begun = await post(path, { channel: "sms", phone: other }, "k9");
  await post("/v2/1-click", { phone }, null);
  await (await stopSharing(phone)).deleteAccount({ body: { consent: agreed("delete") } });
  assert.deepEqual((await post(path, { channel: "sms", phone: other }, "k9")).body, begun.body);
});

test("a response that arrives during a withdrawal is not stored, and its repeat gets OCE015", async () => {
  const phone = freshPhone();
  const { uuid } = (await post("/v2/1-click", { phone }, null)).body as { uuid: string };
  const { brand_uuid, request_id } = await it.store.db
    .selectFrom("audit")
    .select(["brand_uuid", "request_id"])
    .where("one_click_uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  const brand = await findBrand(it.deps.home, "sandbox", brand_uuid ?? "");
  assert.ok(brand !== null);
  const caller = { brand, apiKeyUuid: null, requestId: request_id ?? "" };
  const asked = { caller, endpoint: "/v2/1-click", key: "k11", body: "{}" };
  const claim = await claimAnswer(it.deps, asked);
  await stopSharing(phone);
  assert.ok(claim.kind === "ours");
  await keepAnswer(it.deps, claim.claimed, { status: 201, body: "{}" });
  await assert.rejects(claimAnswer(it.deps, asked), /1-Click Not Found/);
});

test("a key whose response was withdrawn can be used again after a day", async () => {
  const phone = freshPhone();
  await post("/v2/1-click", { phone }, "k10");
  await stopSharing(phone);
  await it.advance(day);
  assert.equal((await post("/v2/1-click", { phone }, "k10")).status, 201);
});

test("a stored response is sealed, replayed for a day, and then deleted", async () => {
  const ask = { channel: "sms", phone: primary };
  const path = "/v2/1-click/verifications";
  const key = "canary-key-5";
  await post("/v2/1-click", { phone: primary }, key);
  const first = await post(path, ask, key);
  const { rows } = await it.store.pool.query("select uuid from idempotent_answer where sealed is not null");
  assert.ok(rows.length >= 2);
  await assertNotStored(it, [key, "Hendricks", "2125550010"]);
  await it.advance(day - 1);
  assert.deepEqual((await post(path, ask, key)).body, first.body);
  await it.advance(1);
  assert.deepEqual((await it.store.pool.query("select uuid from idempotent_answer")).rows, []);
  assert.notDeepEqual((await post(path, ask, key)).body, first.body);
});
