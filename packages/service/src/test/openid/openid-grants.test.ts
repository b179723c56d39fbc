import assert from "node:assert/strict";
import { test } from "node:test";

import { findAccount } from "../../domain/account/session.ts";
import { withdraw } from "../../domain/account/withdraw.ts";
import { signIn as openOwnPage } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import {
  authorizePath,
  beginAt,
  browserOf,
  type Client,
  call,
  exchange,
  hiddenFields,
  openidBrand,
  ownSite,
  pkce,
  requestOf,
  signIn,
  userInfo,
} from "../harness/openid.ts";
import { sandbox, takeApproval } from "../harness/sandbox.ts";

const it = await sandbox();
const brand = await openidBrand(it);
const offline = { scope: "openid profile offline_access", prompt: "consent" };

async function granted(phone = freshPhone(), client: Client = brand) {
  const { status, body } = await exchange(it, client, await signIn(it, client, offline, { phone }));
  assert.equal(status, 200, JSON.stringify(body));
  return { phone, access: String(body.access_token), refresh: String(body.refresh_token) };
}
type Granted = Awaited<ReturnType<typeof granted>>;

const refresh = (token: string, client: Client = brand) =>
  call(it, "/openid/token", { grant_type: "refresh_token", refresh_token: token }, client);
const introspect = async (token: string, client: Client = brand) =>
  (await call(it, "/openid/token/introspection", { token }, client)).body;

/** What is left of a grant: UserInfo, refresh, and introspection of both tokens. */
async function rest({ access, refresh: token }: Granted) {
  const [info, active, refreshable] = [await userInfo(it, access), await introspect(access), await introspect(token)];
  return [info.status, active.active, refreshable.active, (await refresh(token)).body.error ?? "refreshed"];
}
const nothing = [401, false, false, "invalid_grant"];

async function rowsOf() {
  return await it.store.db
    .selectFrom("openid_artifact")
    .select("uuid")
    .where("one_click_uuid", "is not", null)
    .execute();
}

test("a refresh token gets new tokens, and works once", async () => {
  const { refresh: token } = await granted();
  const first = await refresh(token);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.equal((await userInfo(it, first.body.access_token)).body.given_name, "Richard");
  assert.equal((await refresh(token)).body.error, "invalid_grant");
  // A replay shows that the token leaked, so the whole grant ends.
  assert.equal((await userInfo(it, first.body.access_token)).status, 401);
});

test("once the person stops sharing, UserInfo, refresh and introspection refuse the tokens at once", async () => {
  const given = await granted();
  assert.equal((await userInfo(it, given.access)).status, 200);
  const person = await openOwnPage(it, given.phone);
  await person.stopSharing({ params: { uuid: brand.clientId }, body: { consent: agreed("stop") } });
  assert.deepEqual(await rest(given), nothing);
});

test("an authorization code that the person withdrew gets no tokens", async () => {
  const phone = freshPhone();
  const pending = await signIn(it, brand, {}, { phone });
  const person = await openOwnPage(it, phone);
  await person.stopSharing({ params: { uuid: brand.clientId }, body: { consent: agreed("stop") } });
  assert.equal((await exchange(it, brand, pending)).body.error, "invalid_grant");
});

test("once the person deletes their data, the tokens and their rows are gone", async () => {
  const before = (await rowsOf()).length;
  const given = await granted();
  assert.ok((await rowsOf()).length > before);
  const person = await openOwnPage(it, given.phone);
  await person.proveAccount({ body: { birthDate: "1989-08-01" } });
  await person.deleteAccount({ body: { consent: agreed("delete") } });
  assert.equal((await rowsOf()).length, before);
  assert.deepEqual(await rest(given), nothing);
});

test("after an interrupted withdrawal, a job deletes the rows of the tokens", async () => {
  const before = (await rowsOf()).length;
  const { phone } = await granted();
  const person = await openOwnPage(it, phone);
  const cell = await it.cellOf(phone);
  const token = person.cookie().split("=")[1] ?? "";
  const account = await findAccount(cell, { token, requestId: it.deps.random.uuid() });
  let calls = 0;
  const every = () => {
    calls += 1;
    // Before the transaction, answers and sessions end.
    if (calls > 2) throw new Error("cut off");
    return it.deps.keyed.every();
  };
  const what = { brandUuid: brand.clientId, consent: { ...agreed("stop"), url: "http://localhost:4001/" } };
  await assert.rejects(withdraw({ ...cell, keyed: { ...cell.keyed, every } }, account, what), /cut off/);
  assert.ok((await rowsOf()).length > before);
  await it.advance(60_000);
  assert.equal((await rowsOf()).length, before);
});

test("when the 1-Click expires, its refresh tokens stop working, and the sweep deletes the rows", async () => {
  const given = await granted();
  await it.advance(59 * 60_000);
  assert.equal((await refresh(given.refresh)).status, 200);
  await it.advance(60_000);
  assert.equal((await refresh(given.refresh)).body.error, "invalid_grant");
  await it.advance(60 * 60_000);
  await it.runJobs();
  assert.deepEqual(await rowsOf(), []);
});

test("a client can revoke only its own tokens", async () => {
  const given = await granted();
  const other = await openidBrand(it);
  await call(it, "/openid/token/revocation", { token: given.access }, other);
  assert.equal((await userInfo(it, given.access)).status, 200);
  assert.equal((await call(it, "/openid/token/revocation", { token: given.access }, brand)).status, 200);
  assert.equal((await userInfo(it, given.access)).status, 401);
});

test("introspection describes a token only to the client that owns it", async () => {
  const given = await granted();
  const own = await introspect(given.access);
  assert.deepEqual([own.active, own.client_id, own.token_type], [true, brand.clientId, "Bearer"]);
  const other = await openidBrand(it);
  assert.deepEqual(await introspect(given.access, other), { active: false });
  assert.deepEqual(await introspect("unknown"), { active: false });
});

test("the sign-in is on the person's page, with the consent text and each read", async () => {
  const given = await granted();
  await userInfo(it, given.access);
  const person = await openOwnPage(it, given.phone);
  const { entries } = (await person.readTimeline({ query: {} })).body;
  const actions = entries.map(({ action }) => action);
  for (const one of ["oneClick.released", "oneClick.read"]) assert.ok(actions.includes(one), `${one}: ${actions}`);
});

test("the rows of the provider contain no phone and no value", async () => {
  const given = await granted();
  await userInfo(it, given.access);
  const rows = await it.store.db.selectFrom("openid_artifact").selectAll().execute();
  const text = rows.map((row) => `${JSON.stringify(row)} ${row.sealed.toString("latin1")}`).join("\n");
  for (const canary of [given.phone, given.access, "Richard"]) assert.ok(!text.includes(canary), canary);
});

test("logs name the route, but no codes or phones", async () => {
  const { code } = await signIn(it, brand);
  const text = JSON.stringify(it.log);
  assert.match(text, /"route":"\/openid\/\*"/);
  for (const canary of [code, "2125550010", brand.secret]) assert.ok(!text.includes(canary), canary);
});

test("a brand that the operator stops gets no tokens", async () => {
  const stopped = await openidBrand(it);
  const given = await granted(freshPhone(), stopped);
  await it.store.db
    .insertInto("brand_mode")
    .values({ brand_uuid: stopped.uuid, environment: "sandbox", mode: "stopped", set_at: 0 })
    .execute();
  it.signals.changed();
  assert.equal((await userInfo(it, given.access)).status, 401);
  assert.equal((await browserOf(it).visit(`/openid/auth?client_id=${stopped.clientId}`)).status, 400);
});

test("after the number got a new holder, UserInfo still returns what the former holder shared", async () => {
  const given = await granted();
  const before = await userInfo(it, given.access);
  await (await openOwnPage(it, given.phone)).takeOverNumber({ body: { consent: agreed("handOver") } });
  const after = await userInfo(it, given.access);
  assert.deepEqual([after.status, after.body.given_name], [200, before.body.given_name]);
});

test("a request for the SSN ends if the brand loses the approval before the person types the phone", async () => {
  const client = await openidBrand(it);
  const browser = browserOf(it);
  const phonePage = await beginAt(
    browser,
    authorizePath(requestOf(client, pkce().challenge, { scope: "openid ssn phone" })),
  );
  const form = { ...(await hiddenFields(browser, phonePage)), phone: freshPhone() };
  await takeApproval(it, client.clientId, "openidSsn");
  const refused = await browser.visit(phonePage, { form, headers: ownSite });
  assert.equal(refused.status, 403, refused.body);
});
