/** A caller may call when the headers arrive, and no longer when the body arrives or the wait for an earlier call ends. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { cookieOf, signedIn } from "../harness/dashboard-member.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

/** How many checks of the caller follow the body before two seconds pass: none, the one for the body, or all. */
const passings = { before: 0, after: 1, afterWork: 2 };
type Passing = keyof typeof passings;

/** A body that the service starts to read after its guard has run. `before` runs first. */
function lateBody(t: TestContext, body: object, before: () => Promise<unknown>, passing: Passing = "before"): Readable {
  const now = performance.now.bind(performance);
  let checks = 0;
  async function* parts() {
    await before();
    t.mock.method(performance, "now", () => now() + (checks++ < passings[passing] ? 0 : 2_000));
    yield Buffer.from(JSON.stringify(body));
  }
  return Readable.from(parts());
}

test("an owner who is removed before the body arrives invites nobody", async (t) => {
  const [staying, leaving] = [await signedIn(it), await signedIn(it)];
  const email = "own-mailbox@example.com";
  const body = { email, name: "Back", role: "owner" };
  const payload = lateBody(t, body, async () => {
    assert.equal((await staying.call("DELETE", `/api/members/${leaving.uuid}`)).status, 200);
  });
  const headers = {
    "sec-fetch-site": "same-origin",
    "content-type": "application/json",
    cookie: cookieOf(leaving.token),
  };
  const answer = await it.dashboard.inject({ method: "POST", url: "/api/members", headers, payload });
  assert.equal(answer.statusCode, 401, answer.body);
  const { data } = (await staying.call("GET", "/api/members")).body as { data: { email: string }[] };
  assert.deepEqual(
    data.filter((one) => one.email === email),
    [],
  );
});

/** Sends a call of a brand whose key is revoked after its guard has run. */
async function revokedDuring(t: TestContext, passing: Passing, more: Record<string, string> = {}) {
  const { uuid, apiKey } = await it.brand();
  const revoke = async () => {
    await it.store.db.updateTable("api_key").set({ revoked_at: 1 }).where("brand_uuid", "=", uuid).execute();
    it.signals.changed();
  };
  const payload = lateBody(t, { channel: "sms", phone: "+12125550010" }, revoke, passing);
  const headers = { authorization: apiKey, "content-type": "application/json", ...more };
  const url = "/v2/1-click/verifications";
  const answer = await it.app.inject({ method: "POST", url, headers, payload });
  assert.equal(answer.statusCode, 401, answer.body);
  const begun = await it.store.db.selectFrom("verification").select("uuid").where("brand_uuid", "=", uuid).execute();
  assert.equal(begun.length, passing === "afterWork" ? 1 : 0);
  return { uuid, apiKey };
}

test("a key that is revoked before the body arrives starts nothing", async (t) => {
  await revokedDuring(t, "before");
});

test("a key that is revoked while the request waits for its Idempotency-Key starts nothing, and the claim is released", async (t) => {
  const { uuid } = await revokedDuring(t, "after", { "idempotency-key": "waiting" });
  const claims = it.store.db.selectFrom("idempotent_answer").select("uuid").where("brand_uuid", "=", uuid);
  assert.deepEqual(await claims.execute(), []);
});

test("a call that is refused after it began a verification, which no audit entry records, does it once", async (t) => {
  const key = { "idempotency-key": "worked" };
  const { uuid, apiKey } = await revokedDuring(t, "afterWork", key);
  t.mock.restoreAll();
  await it.store.db.updateTable("api_key").set({ revoked_at: null }).where("brand_uuid", "=", uuid).execute();
  it.signals.changed();
  const payload = { channel: "sms", phone: "+12125550010" };
  const url = "/v2/1-click/verifications";
  const again = await it.inject({ method: "POST", url, headers: { authorization: apiKey, ...key }, payload });
  assert.equal(again.status, 404);
  assert.match(JSON.stringify(again.body), /OCE015/);
});

/** A source that takes two seconds, in which `meanwhile` happens. */
function lateSource(t: TestContext, meanwhile: () => Promise<unknown>) {
  const lookUp = it.deps.vendors.identity.lookUp.bind(it.deps.vendors.identity);
  const now = performance.now.bind(performance);
  t.mock.method(it.deps.vendors.identity, "lookUp", async (asked: Parameters<typeof lookUp>[0]) => {
    const found = await lookUp(asked);
    await meanwhile();
    t.mock.method(performance, "now", () => now() + 2_000);
    return found;
  });
}

const signup = { method: "POST", url: "/v2/1-click", payload: { phone: "+12125550010" } } as const;

test("a key that is revoked while a source answers late gets no data, and its Idempotency-Key does no second signup", async (t) => {
  const { uuid, apiKey } = await it.brand();
  lateSource(t, async () => {
    await it.store.db.updateTable("api_key").set({ revoked_at: 1 }).where("brand_uuid", "=", uuid).execute();
    it.signals.changed();
  });
  const headers = { authorization: apiKey, "idempotency-key": "late" };
  assert.equal((await it.inject({ ...signup, headers })).status, 401);
  const claims = it.store.db.selectFrom("idempotent_answer").select("uuid").where("brand_uuid", "=", uuid);
  assert.equal((await claims.execute()).length, 1);
});

test("a call whose source answers late uses its key's limit once, so that other calls cannot take its answer", async (t) => {
  const { uuid, apiKey } = await it.brand();
  lateSource(t, async () => {
    const { uuid: key } = await it.store.home
      .selectFrom("api_key")
      .select("uuid")
      .where("brand_uuid", "=", uuid)
      .executeTakeFirstOrThrow();
    const { limiter, quota } = it.gate.keyLimit;
    await limiter.consume(key, quota).catch(() => {});
  });
  assert.equal((await it.inject({ ...signup, headers: { authorization: apiKey } })).status, 201);
});
