/** A database that a start with DEMO used: without it, nothing of the demo works. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import test, { after } from "node:test";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import { revokeKey } from "../../domain/brand/keys.ts";
import { setMode } from "../../domain/brand/manage.ts";
import { endSeededMembers } from "../../domain/member/end-access.ts";
import { linkFor, readSignInLink } from "../../domain/member/sign-in.ts";
import { enterConsoleByLink } from "../../domain/operator/operator-sign-in.ts";
import { inviteOperator, listOperators, removeSeededOperator } from "../../domain/operator/operators.ts";
import { demoCustomers, demoOperator } from "../../providers/sandbox/demo.ts";
import { callerOf } from "../harness/below-http.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { authorizePath, pkce, redirectUri, requestOf } from "../harness/openid.ts";
import { demoKey, refusal, sandbox } from "../harness/sandbox.ts";
import { dataDir, logLines, run, start, suiteDatabase } from "../harness/service-process.ts";

const it = await sandbox({}, { OPERATOR_PORT: "4003" });

test("the demo's keys, links and operator end, and a new start with DEMO brings the keys back", async () => {
  const link = (await linkFor(it.accounts, demoCustomers[0].email)).split("#")[1] ?? "";
  const invitation = (await inviteOperator(it.accounts, demoOperator)).link.split("#")[1] ?? "";
  const status = async () =>
    (await it.inject({ method: "GET", url: "/sandbox/messages", headers: { authorization: demoKey } })).status;
  const before = await status();
  assert.equal(before, 200);
  assert.ok((await it.endDemo()).keys > 0);
  await endSeededMembers(it.accounts, demoCustomers);
  await removeSeededOperator(it.accounts, demoOperator.email);
  assert.equal(await status(), 401);
  assert.equal(await readSignInLink(it.accounts, link), null);
  const from = { requestId: it.deps.random.uuid(), call: "a test", device: "A test" };
  assert.equal((await enterConsoleByLink(it.accounts, invitation, from)).kind, "over");
  assert.deepEqual(await listOperators(it.accounts), []);
  assert.deepEqual(await it.endDemo(), { keys: 0, brands: 0 });
  await it.seedDemo("http://localhost:4001");
  assert.equal(await status(), before);
});

test("what was made with the demo's keys and by its owner ends, too: brands, their keys and clients, and members", async () => {
  const made = await it.brand({ openid: { redirectUris: [redirectUri] } });
  const invited = await signedIn(it, { role: "owner", customerUuid: demoCustomers[0].uuid });
  assert.equal((await invited.call("GET", "/api/me")).status, 200);
  const authorize = authorizePath(requestOf({ clientId: made.uuid }, pkce().challenge));
  const begun = async () => (await it.wallet.inject({ url: authorize })).statusCode;
  assert.equal(await begun(), 303);
  await it.endDemo();
  await endSeededMembers(it.accounts, demoCustomers);
  assert.equal((await invited.call("GET", "/api/me")).status, 401);
  assert.equal((await refusal(made.api.createOneClick({ body: { phone: "+12125550010" } }))).status, 401);
  assert.notEqual(await begun(), 303);
  await it.seedDemo("http://localhost:4001");
  await it.as(demoKey).createOneClick({ body: { phone: "+12125550010" } });
});

test("what strangers set in a demo brand ends with the demo: its settings and its webhooks", async () => {
  const { brand } = await callerOf(it);
  const params = { uuid: brand.uuid };
  const settings = async () => (await it.api.readSandboxBrand({ params })).body.settings;
  const webhooks = async () =>
    (
      await it.store.home
        .selectFrom("webhook_endpoint")
        .select("uuid")
        .where("brand_uuid", "=", brand.uuid)
        .where("deleted_at", "is", null)
        .execute()
    ).length;
  const before = await settings();
  const theirs = { externalName: "Stranger", allowedRedirectUrls: ["https://stranger.example"] };
  await it.api.patchSandboxBrand({ params, body: { ...theirs, openid: { redirectUris: [redirectUri] } } });
  const hook = { url: "http://127.0.0.1:2/hook" };
  const headers = { authorization: demoKey };
  const url = `/sandbox/brands/${brand.uuid}/webhooks`;
  const made = await it.inject({ method: "POST", url, headers, payload: hook });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await it.seedDemo("http://localhost:4001");
  assert.deepEqual([(await settings()).externalName, await webhooks()], ["Stranger", 1], "while the demo goes on");
  await it.endDemo();
  await it.seedDemo("http://localhost:4001");
  assert.deepEqual([await settings(), await webhooks()], [before, 0]);
});

for (const limit of ["stopped", "readOnly"] as const)
  test(`a demo brand that the operator limited (${limit}) is not opened by a start with DEMO, nor by one after a start without`, async () => {
    const other = await sandbox();
    const { brand } = await callerOf(other);
    const mode = async () => (await findBrand(other.store.home, "sandbox", brand.uuid))?.mode;
    // In production, the brand is not limited.
    const owner = await signedIn(other, { role: "owner", customerUuid: demoCustomers[0].uuid });
    const body = { sourceVersion: brand.settingsVersion };
    assert.equal((await owner.call("POST", `/api/brands/${brand.uuid}/production`, body)).status, 201);
    await setMode(other.admin, { brandUuid: brand.uuid, mode: limit });
    await other.seedDemo("http://localhost:4001");
    assert.equal(await mode(), limit);
    await other.endDemo();
    await other.seedDemo("http://localhost:4001");
    assert.equal(await mode(), "stopped");
  });

test("a demo key that somebody revoked works again after a start without DEMO and one with it", async () => {
  const { brand, apiKeyUuid } = await callerOf(it);
  const status = async () =>
    (await it.inject({ method: "GET", url: "/sandbox/messages", headers: { authorization: demoKey } })).status;
  await revokeKey(it.admin, { brandUuid: brand.uuid, keyUuid: apiKeyUuid ?? "" });
  await it.seedDemo("http://localhost:4001");
  assert.equal(await status(), 401);
  await it.endDemo();
  await it.seedDemo("http://localhost:4001");
  assert.equal(await status(), 200);
});

test("a start without DEMO ends the demo's access before it opens a listener, and logs how much there was", async () => {
  const [directory, database] = [await dataDir(), await suiteDatabase()];
  const demo = await start(directory, { ...database, DEMO: "on" });
  await demo.stop("SIGTERM");
  // A listener that cannot open shows what was done before it.
  const taken = createServer();
  after(() => taken.close());
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const address = taken.address();
  assert.ok(typeof address === "object" && address !== null);
  const without = { ...database, DATA_DIR: directory, DEMO: "off", LOG_LEVEL: "warn", WALLET_PORT: `${address.port}` };
  const ended = async () => {
    const { err } = await run(["start"], without);
    assert.match(err, /EADDRINUSE/);
    return logLines({ said: { out: "", err } }).filter(({ msg }) => msg === "the demo's access was ended");
  };
  const [line, ...more] = await ended();
  assert.ok(line !== undefined && "keys" in line && Number(line.keys) > 0);
  assert.deepEqual(more, []);
  assert.deepEqual(await ended(), [], "nothing is left");
});
