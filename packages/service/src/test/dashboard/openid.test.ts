/** Sign-in with a real OpenID provider: who gets in, and what each refusal says. */
import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { openIdServer } from "../harness/openid-provider.ts";
import { sandbox } from "../harness/sandbox.ts";

const provider = await openIdServer();
const it = await sandbox({}, provider.environment);
const dashboardUrl = "http://localhost:4002";
provider.open(dashboardUrl);
const email = "demo@example.com";

async function post(url: string, payload: object) {
  const headers = { "sec-fetch-site": "same-origin" };
  const reply = await it.dashboard.inject({ method: "POST", url, headers, payload });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>(), cookies: reply.cookies };
}

async function begin(account: typeof provider.someone.account) {
  provider.someone.account = account;
  const { body, status } = await post("/api/sign-in-openid", {});
  assert.equal(status, 201, JSON.stringify(body));
  return { uuid: String(body.uuid), query: await provider.follow(String(body.url), dashboardUrl) };
}
const finish = ({ uuid, query }: { uuid: string; query: string }) => post(`/api/sign-in-openid/${uuid}`, { query });
const outcomeOf = async (account: typeof provider.someone.account) => (await finish(await begin(account))).body.outcome;

test("a member whose address the provider verified gets a session, which the audit log names", async () => {
  const came = await finish(await begin({ email, isVerified: true }));
  assert.equal(came.body.outcome, "signedIn");
  assert.equal(came.cookies.length, 1);
  const { method } = await it.store.db.selectFrom("member_session").select("method").executeTakeFirstOrThrow();
  assert.equal(method, "openid");
  const { subject } = await it.store.db
    .selectFrom("account_audit")
    .select("subject")
    .where("action", "=", "member.signedIn")
    .executeTakeFirstOrThrow();
  assert.match(subject ?? "", /^openid, /);
});

test("an unverified, foreign or unknown address is refused, and so is a sign-in that the person canceled", async () => {
  assert.equal(await outcomeOf({ email, isVerified: false }), "notVerified");
  assert.equal(await outcomeOf({ email: "demo@elsewhere.example", isVerified: true }), "notAllowed");
  assert.equal(await outcomeOf({ email: "demo@notexample.com", isVerified: true }), "notAllowed");
  assert.equal(await outcomeOf({ email: "only@elsewhere.example", isVerified: true }), "notMember");
  assert.equal(await outcomeOf({ email: "nobody@example.com", isVerified: true }), "notMember");
  assert.equal(await outcomeOf(null), "denied");
});

test("a provider's answer works once, only with its own state, and only for the sign-in that requested it", async () => {
  const person = { email, isVerified: true };
  const first = await begin(person);
  assert.equal((await finish(first)).body.outcome, "signedIn");
  assert.equal((await finish(first)).body.outcome, "over");
  const second = await begin(person);
  const third = await begin(person);
  assert.equal((await finish({ uuid: second.uuid, query: third.query })).body.outcome, "failed");
  const forged = new URLSearchParams(third.query);
  forged.set("state", "x");
  assert.equal((await finish({ uuid: third.uuid, query: forged.toString() })).body.outcome, "failed");
  const passkey = await post("/api/sign-in-passkey", {});
  assert.equal((await finish({ uuid: String(passkey.body.uuid), query: second.query })).body.outcome, "over");
});

test("an answer of the provider that is long, or becomes long when decompressed, fails the sign-in", async () => {
  const long = JSON.stringify({ access_token: "x", token_type: "bearer", more: " ".repeat(2 * 1024 * 1024) });
  const bodies = [
    { text: Buffer.from(long), headers: {} },
    { text: gzipSync(long), headers: { "content-encoding": "gzip" } },
  ];
  for (const { text, headers } of bodies) {
    const begun = await begin({ email, isVerified: true });
    const restore = provider.replace("/token", (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", ...headers }).end(text);
    });
    assert.equal((await finish(begun)).body.outcome, "failed");
    restore();
  }
  assert.equal(await outcomeOf({ email, isVerified: true }), "signedIn");
});
