/** A caller sends the headers while they may call, and the body after they may not. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { cookieOf, signedIn } from "../harness/dashboard-member.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

/** A body that the service starts to read after its guard has run. `before` runs first, and then two seconds pass. */
function lateBody(t: TestContext, body: object, before: () => Promise<unknown>): Readable {
  const now = performance.now.bind(performance);
  async function* parts() {
    await before();
    t.mock.method(performance, "now", () => now() + 2_000);
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

test("a key that is revoked before the body arrives starts nothing", async (t) => {
  const { uuid, apiKey } = await it.brand();
  const payload = lateBody(t, { channel: "sms", phone: "+12125550010" }, async () => {
    await it.store.db.updateTable("api_key").set({ revoked_at: 1 }).where("brand_uuid", "=", uuid).execute();
    it.signals.changed();
  });
  const headers = { authorization: apiKey, "content-type": "application/json" };
  const url = "/v2/1-click/verifications";
  const answer = await it.app.inject({ method: "POST", url, headers, payload });
  assert.equal(answer.statusCode, 401, answer.body);
  const begun = it.store.db.selectFrom("verification").select("uuid").where("brand_uuid", "=", uuid);
  assert.deepEqual(await begun.execute(), []);
});
