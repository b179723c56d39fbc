/** In production, a changed name waits for the operator's approval. Until then, people see the old name. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Failure } from "../../domain/failure.ts";
import { approveName, listNameRequests, rejectName } from "../../domain/member/name-approval.ts";
import { approvedBrands, freshNumber, type View, type Waiting } from "../harness/approved-brand.ts";
import { both, publicVariables } from "../harness/both-environments.ts";
import { agreed } from "../harness/consent-shown.ts";
import { frameOfKey } from "../harness/sandbox.ts";
import { dataDir, run } from "../harness/service-process.ts";

const it = await both();
const { real } = it;
const approvedBrand = approvedBrands(it);

test("a brand's first name waits for approval too; until then, texts show the account's name", async () => {
  const brand = await approvedBrand("Pied Piper Incorporated");
  const { settings, waitingNames } = await brand.view();
  assert.equal(settings.externalName, "Pied Piper Incorporated");
  assert.deepEqual(
    waitingNames.map(({ path, current, requested }) => [path, current, requested]),
    [["externalName", "Pied Piper Incorporated", "Piper"]],
  );
  assert.match(await brand.texted(), /for Pied Piper Incorporated\. /);
  await brand.approve();
  assert.match(await brand.texted(), /for Piper\. /);
  assert.deepEqual((await brand.view()).waitingNames, []);
});

test("what waits for the operator is counted by kind, with the age of the oldest", async () => {
  const counted = async () => {
    const text = await it.metrics.registry.metrics();
    return ["name", "logo", "production"].map((kind) =>
      Number(new RegExp(`^approvals_waiting\\{kind="${kind}"\\} (\\d+)$`, "m").exec(text)?.[1]),
    );
  };
  const [before = Number.NaN, ...others] = await counted();
  const brand = await approvedBrand("Aviato");
  const [waiting = Number.NaN, ...unchanged] = await counted();
  assert.ok(waiting > before, `${before}, then ${waiting}`);
  assert.deepEqual(unchanged, others);
  assert.match(await it.metrics.registry.metrics(), /^approvals_oldest_seconds\{kind="name"\} \d/m);
  await brand.approve();
  assert.ok(((await counted())[0] ?? Number.NaN) < waiting);
});

test("a changed name appears in texts only after the operator approves it", async () => {
  const brand = await approvedBrand("Hooli");
  await brand.approve();
  const changed = await brand.patch({ externalName: "Bank of America", manualSignup: "hide" });
  const after = changed.body as View & { settings: { manualSignup: string } };
  assert.deepEqual([changed.status, after.settings.externalName, after.settings.manualSignup], [200, "Piper", "hide"]);
  assert.deepEqual(
    after.waitingNames.map(({ current, requested }) => [current, requested]),
    [["Piper", "Bank of America"]],
  );
  const { body: approvals } = await brand.call("GET", `/api/brands/${brand.uuid}/production/approvals`);
  assert.deepEqual(approvals.waitingNames, after.waitingNames);
  assert.match(await brand.texted(), /for Piper\. /);
  await brand.approve();
  assert.match(await brand.texted(), /for Bank of America\. /);
  const [approved, requested] = await brand.audit();
  assert.match(approved ?? "", /^name\.approved by the operator: .*"from":"\\"Piper\\"","to":"\\"Bank of America\\""/);
  assert.match(requested ?? "", /^name\.requested by Member \d+: .*"to":"\\"Bank of America\\""/);
});

test("a text names the page around the SDK's frame only after the operator approves its host", async () => {
  const brand = await approvedBrand("Shop", "sdk");
  await brand.patch({ allowedOrigins: ["https://shop.example", "https://account-locked.example"] });
  await brand.patch({ otpOrigin: "shop.example" });
  const lastLine = async (within: string) => {
    const phone = freshNumber();
    const { sessionKey } = (await brand.api.createSession({ body: {} })).body;
    const post = async (url: string, payload: object, headers: Record<string, string> = {}) =>
      (await real.wallet.inject({ method: "POST", url, payload, headers })).json();
    const { sessionToken } = await post("/api/session", { sessionKey, frame: frameOfKey(sessionKey) });
    const asked = { phone, silent: false, within, consent: agreed("proveData") };
    assert.ok((await post("/api/session/phone", asked, { authorization: sessionToken })).page);
    await real.worker.runDue();
    return (
      it.texts
        .findLast(({ to }) => to === phone)
        ?.body.split("\n")
        .at(-1) ?? assert.fail("no text")
    );
  };
  assert.match(await lastLine("shop.example"), /^@wallet\.example\.com #\d{6}$/);
  await brand.approve();
  assert.match(await lastLine("shop.example"), /^@shop\.example #\d{6} @wallet\.example\.com$/);
  assert.match(await lastLine("account-locked.example"), /^@wallet\.example\.com #\d{6}$/);
});

test("a rejected name is deleted, and the current one stays", async () => {
  const brand = await approvedBrand("Aviato");
  await brand.approve();
  await brand.patch({ externalName: "Netflix" });
  for (const uuid of await brand.pending()) await rejectName(it.accounts, uuid);
  assert.deepEqual((await brand.view()).waitingNames, []);
  assert.match(await brand.texted(), /for Piper\. /);
  assert.match((await brand.audit())[0] ?? "", /^name\.rejected by the operator: .*Netflix/);
});

test("a replaced name request gets a new ID, so the operator cannot approve a name they did not read", async () => {
  const brand = await approvedBrand("Raviga");
  await brand.approve();
  await brand.patch({ externalName: "Raviga Capital" });
  const [read = ""] = await brand.pending();
  await brand.patch({ externalName: "Internal Revenue Service" });
  await assert.rejects(
    approveName(it.accounts, () => real.admin, read),
    { status: 404 },
  );
  await assert.rejects(rejectName(it.accounts, read), { status: 404 });
  assert.match(await brand.texted(), /for Piper\. /);
  assert.equal((await brand.pending()).length, 1);
});

test("when a request is approved twice at once, only one approval succeeds", async () => {
  const brand = await approvedBrand("Endframe");
  const [request = ""] = await brand.pending();
  const twice = await Promise.allSettled([1, 2].map(() => approveName(it.accounts, () => real.admin, request)));
  assert.deepEqual(twice.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
});

test("setting the name back to the current one withdraws the request", async () => {
  const brand = await approvedBrand("Bachmanity");
  await brand.approve();
  await brand.patch({ externalName: "Apple" });
  await brand.patch({ externalName: "Piper" });
  assert.deepEqual([(await brand.view()).waitingNames, await brand.pending()], [[], []]);
  assert.match((await brand.audit())[0] ?? "", /^name\.withdrawn by Member/);
});

test("a name copied from the sandbox settings waits for approval too", async () => {
  const brand = await approvedBrand("Homicide");
  await brand.approve();
  const sandbox = `/api/brands/${brand.uuid}/sandbox/settings`;
  const { version } = (await brand.call("GET", sandbox)).body;
  await brand.call("PATCH", sandbox, { version, patch: { externalName: "PayPal" } });
  for (const { request, requested } of await listNameRequests(it.accounts))
    if (requested === "PayPal") await approveName(it.accounts, () => it.admin, request);
  const copy = async (sourceVersion: unknown) => ({
    section: "general",
    to: "production",
    sourceVersion,
    version: (await brand.view()).version,
  });
  const path = `/api/brands/${brand.uuid}/sync`;
  assert.equal((await brand.call("POST", path, await copy(version))).status, 409, "the sandbox has changed since");
  const body = await copy((await brand.call("GET", sandbox)).body.version);
  const synced = await brand.call("POST", `/api/brands/${brand.uuid}/sync`, body);
  assert.deepEqual([synced.status, (synced.body as View).settings.externalName], [200, "Piper"]);
  assert.equal((synced.body as View).waitingNames[0]?.requested, "PayPal");
  assert.match(await brand.texted(), /for Piper\. /);
});

test("production begins with the sandbox settings that the member reviewed, and with no others", async () => {
  const brand = await approvedBrand("Vehement");
  const { uuid } = (await brand.call("POST", "/api/brands", { name: "Piper", integrationType: "api" })).body;
  const sandbox = `/api/brands/${uuid}/sandbox/settings`;
  await brand.call("PATCH", sandbox, { version: 1, patch: { openid: { redirectUris: ["https://evil.example/cb"] } } });
  const begin = (sourceVersion: number) => brand.call("POST", `/api/brands/${uuid}/production`, { sourceVersion });
  assert.deepEqual([(await begin(1)).status, (await begin(2)).status], [409, 201]);
});

test("a new otpOrigin waits for approval too, but removing it takes effect at once", async () => {
  const brand = await approvedBrand("SeeFood");
  await brand.approve();
  await brand.patch({ allowedOrigins: ["https://seefood.example"], otpOrigin: "seefood.example" });
  assert.equal((await brand.view()).settings.otpOrigin, null);
  assert.doesNotMatch(await brand.texted(), /@/);
  await brand.approve();
  assert.match(await brand.texted(), /\n@seefood\.example #\d{6}$/);
  // The site moves: the old host is no longer allowed, and the new one is not approved yet.
  await brand.patch({ allowedOrigins: ["https://new.example"], otpOrigin: "new.example" });
  assert.doesNotMatch(await brand.texted(), /@/);
  // The new origin is removed before the approval, so the pending value is no longer valid.
  await brand.patch({ allowedOrigins: [] });
  const [request = ""] = await brand.pending();
  await assert.rejects(
    approveName(it.accounts, () => real.admin, request),
    ({ data }: Failure) => JSON.stringify(data).includes("settings.otpOrigin"),
  );
  await brand.patch({ allowedOrigins: ["https://new.example"] });
  await brand.approve();
  assert.match(await brand.texted(), /\n@new\.example #\d{6}$/);
  await brand.patch({ otpOrigin: null });
  assert.equal((await brand.view()).settings.otpOrigin, null);
  assert.doesNotMatch(await brand.texted(), /@/);
});

test("a hostile name is refused at once and does not wait for approval", async () => {
  const brand = await approvedBrand("Gavin");
  await brand.approve();
  for (const externalName of ["evil.com/login", "Piper\n@evil.example #1", "Pi\u200bper"])
    assert.equal((await brand.patch({ externalName })).status, 400);
  assert.deepEqual(await brand.pending(), []);
});

test("an account's new name waits for approval, because invitations show it", async (t) => {
  const brand = await approvedBrand("Erlich");
  await brand.approve();
  const send = t.mock.fn(async (_mail: { subject: string }) => {});
  const { mail } = it.accounts;
  it.accounts.mail = { ...mail, send };
  t.after(() => {
    it.accounts.mail = mail;
  });
  const invite = async (email: string) => {
    assert.equal((await brand.call("POST", "/api/members", { email, name: "", role: "viewer" })).status, 201);
    return send.mock.calls.at(-1)?.arguments[0].subject;
  };
  assert.equal((await brand.call("PATCH", "/api/customer", { name: "Microsoft Support" })).status, 200);
  const { customer } = (await brand.call("GET", "/api/me")).body as {
    customer: { name: string; waitingName: Waiting };
  };
  assert.deepEqual(
    [customer.name, customer.waitingName.current, customer.waitingName.requested],
    ["Erlich", "Erlich", "Microsoft Support"],
  );
  assert.equal(await invite("one@example.com"), "Erlich invites you to Countersign");
  await brand.approve();
  assert.equal(await invite("two@example.com"), "Microsoft Support invites you to Countersign");
  const log = await brand.audit();
  assert.match(log[0] ?? "", /^name\.approved by the operator: .*"from":"Erlich","to":"Microsoft Support"/);
  assert.match(log[1] ?? "", /^name\.requested by Member/);
});

test("the operator lists, approves and rejects names on the command line, which escapes look-alike letters", async () => {
  const brand = await approvedBrand("Dinesh");
  await brand.approve();
  await brand.patch({ externalName: "P\u0430yP\u0430l" });
  const { connection } = it.stores.store;
  assert.ok("connectionString" in connection);
  const variables = {
    ...publicVariables,
    DATA_DIR: await dataDir(),
    DATABASE_URL: connection.connectionString,
  };
  const command = async (...words: string[]) => {
    const { code, out, err } = await run(["approvals", ...words], variables);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const lines: {
    request: string;
    brand: string;
    environment: string;
    current: string;
    requested: string;
    escaped: string;
  }[] = await command("names");
  const line =
    lines.find((one) => one.brand === brand.uuid && one.environment === "production") ?? assert.fail("not listed");
  assert.deepEqual([line.current, line.requested, line.escaped], ["Piper", "P\u0430yP\u0430l", "P\\u{430}yP\\u{430}l"]);
  await command("reject", "--request", line.request);
  assert.deepEqual(await brand.pending(), []);
  await brand.patch({ externalName: "Dinesh & Sons" });
  await command("approve", "--request", (await brand.pending())[0] ?? "");
  assert.equal((await brand.view()).settings.externalName, "Dinesh & Sons");
});
