/** Every call that changes something leaves an entry in the audit log. The walk covers all endpoints of the contract. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import type { AuditLine } from "@countersign/contract/audit";
import { checklist } from "@countersign/contract/dashboard-choices";
import { insertPasskey } from "../../domain/member/passkey-rows.ts";
import { openSession } from "../../domain/member/session.ts";
import { isAudited } from "../../http/changes.ts";
import { outbound } from "../../providers/outbound.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { type Answer, signedIn } from "../harness/dashboard-member.ts";
import { png } from "../harness/logo-pictures.ts";
import { sandbox } from "../harness/sandbox.ts";

const post = async () => ({ kind: "answered" as const, status: 204, durationMs: 1 });
const it = await sandbox({ vendors: { outbound: { judge: outbound({ loopback: true }).judge, post } } });
const customerUuid = "d0000000-0000-4000-8000-0000000000aa";
await it.store.db.insertInto("customer").values({ uuid: customerUuid, name: "Audited", created_at: 1 }).execute();
const owner = await signedIn(it, { customerUuid });
const { uuid: brand, apiKey } = (await owner.call("POST", "/api/brands", { name: "B", integrationType: "api" }))
  .body as { uuid: string; apiKey: string };
const here = `/api/brands/${brand}/sandbox`;
const address = "https://brand.example/hook?token=canary-5f3a";
const none = { type: "none" };

async function control(method: "POST" | "PUT" | "PATCH" | "DELETE", url: string, payload?: object): Promise<Answer> {
  const isPicture = Buffer.isBuffer(payload);
  const headers = { authorization: apiKey, ...(isPicture ? { "content-type": "image/png" } : {}) };
  const { status, body } = await it.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return { status, body: body as Record<string, unknown>, headers: {} };
}

const idIn = (answer: Answer) => String(answer.body.uuid);
const hook = async () => idIn(await owner.call("POST", `${here}/webhooks`, { url: address, authentication: none }));
const hooked = async () => `${here}/webhooks/${await hook()}`;
const key = async () => `${here}/keys/${idIn(await owner.call("POST", `${here}/keys`, { name: "one", ipRanges: [] }))}`;
const invited = async (email: string) =>
  idIn(await owner.call("POST", "/api/members", { email, name: "", role: "viewer" }));
const version = async (environment = "sandbox") =>
  Number((await owner.call("GET", `/api/brands/${brand}/${environment}/settings`)).body.version);
const delivery = async () => String((await owner.call("POST", `${await hooked()}/test`)).body.delivery);
const listener = async () =>
  idIn(await control("POST", "/sandbox/listeners", { brand, forward: "http://localhost:9000/hook" }));
const otherSession = async () => {
  await it.store.home.inTransaction((trx) =>
    openSession(it.accounts, trx, { memberUuid: owner.uuid, method: "code", device: "Elsewhere" }),
  );
  const { data } = (await owner.call("GET", "/api/me/sessions")).body as {
    data: { uuid: string; isThisOne: boolean }[];
  };
  return data.find(({ isThisOne }) => !isThisOne)?.uuid;
};
const passkey = async () => {
  const uuid = it.deps.random.uuid();
  const made = {
    uuid,
    memberUuid: owner.uuid,
    credentialId: uuid,
    publicKey: Buffer.from([1]),
    counter: 0,
    name: "Laptop",
  };
  await it.store.home.inTransaction((trx) =>
    insertPasskey(trx, { ...made, transports: [], isSynced: false, createdAt: 1, lastUsedAt: null }),
  );
  return uuid;
};

/** A call of each endpoint that succeeds, with what it needs. The order matters: `syncSettings` copies what `patchSettings` changed. */
const calls: Record<string, () => Promise<Answer>> = {
  patchMe: () => owner.call("PATCH", "/api/me", { name: "Monica" }),
  endMySession: async () => owner.call("DELETE", `/api/me/sessions/${await otherSession()}`),
  endMyOtherSessions: async () => {
    await otherSession();
    return await owner.call("DELETE", "/api/me/sessions");
  },
  inviteMember: () => owner.call("POST", "/api/members", { email: "a@example.com", name: "", role: "viewer" }),
  inviteMemberAgain: async () => owner.call("POST", `/api/members/${await invited("b@example.com")}/invitation`, {}),
  patchMember: async () => owner.call("PATCH", `/api/members/${await invited("c@example.com")}`, { role: "developer" }),
  deleteMember: async () => owner.call("DELETE", `/api/members/${await invited("d@example.com")}`),
  patchCustomer: () => owner.call("PATCH", "/api/customer", { name: "Renamed" }),
  createBrand: () => owner.call("POST", "/api/brands", { name: "C", integrationType: "sdk" }),
  renameBrand: () => owner.call("PATCH", `/api/brands/${brand}`, { name: "D" }),
  duplicateBrand: () => owner.call("POST", `/api/brands/${brand}/duplicate`, { name: "E" }),
  createProduction: async () =>
    owner.call("POST", `/api/brands/${brand}/production`, { sourceVersion: await version() }),
  patchSettings: async () =>
    owner.call("PATCH", `${here}/settings`, { version: await version(), patch: { riskSignals: false } }),
  syncSettings: async () =>
    owner.call("POST", `/api/brands/${brand}/sync`, {
      section: "risk",
      to: "production",
      sourceVersion: await version(),
      version: await version("production"),
    }),
  createKey: () => owner.call("POST", `${here}/keys`, { name: "two", ipRanges: [] }),
  patchKey: async () => owner.call("PATCH", await key(), { name: "three", ipRanges: [] }),
  rollKey: async () => owner.call("POST", `${await key()}/roll`, { overlapHours: 1 }),
  revokeKey: async () => owner.call("DELETE", await key()),
  requestApproval: async () => {
    await passkey();
    await it.as(apiKey).createOneClick({ body: { phone: "+12125550010" } });
    const production = `/api/brands/${brand}/production/settings`;
    const patch = { consent: { declared: true } };
    await owner.call("PATCH", production, { version: await version("production"), patch });
    const confirmed = checklist.filter(({ isComputed }) => !isComputed).map(({ id }) => id);
    return await owner.call("POST", `/api/brands/${brand}/approval-request`, { confirmed, note: "" });
  },
  setPasskeyPolicy: async () => {
    await passkey();
    const answer = await owner.call("PUT", "/api/customer/passkey-policy", { requiresPasskey: true });
    // The owner's session began without a passkey, so the next calls would be refused.
    await it.store.home.updateTable("customer").set({ requires_passkey: false }).execute();
    return answer;
  },
  deleteMyPasskey: async () => owner.call("DELETE", `/api/me/passkeys/${await passkey()}`),
  putLogo: async () => owner.call("PUT", `${here}/logo?version=${await version()}`, png()),
  deleteLogo: async () => owner.call("DELETE", `${here}/logo?version=${await version()}`),
  moveDashboardClock: () => owner.call("POST", "/api/sandbox/clock", { advanceMs: 1 }),
  resetDashboardClock: () => owner.call("DELETE", "/api/sandbox/clock"),
  createWebhook: () => owner.call("POST", `${here}/webhooks`, { url: address, authentication: none }),
  patchWebhook: async () => owner.call("PATCH", await hooked(), { enabled: false }),
  rotateWebhookSecret: async () => owner.call("POST", `${await hooked()}/rotate`),
  testWebhook: async () => owner.call("POST", `${await hooked()}/test`),
  deleteWebhook: async () => owner.call("DELETE", await hooked()),
  replayWebhookDelivery: async () => owner.call("POST", `${here}/deliveries/${await delivery()}/replay`),
  revealWebhookDelivery: async () => owner.call("POST", `${here}/deliveries/${await delivery()}/reveal`),
  answerSandboxText: () => control("POST", "/sandbox/messages", { from: "+14155550142", body: "STOP" }),
  moveSandboxClock: () => control("POST", "/sandbox/clock", { advanceMs: 1 }),
  resetSandboxClock: () => control("DELETE", "/sandbox/clock"),
  createSandboxBrand: () => control("POST", "/sandbox/brands", { name: "F" }),
  patchSandboxBrandSettings: () => control("PATCH", `/sandbox/brands/${brand}/settings`, { externalName: "Piper" }),
  putSandboxBrandLogo: () => control("PUT", `/sandbox/brands/${brand}/logo`, png()),
  deleteSandboxBrandLogo: () => control("DELETE", `/sandbox/brands/${brand}/logo`),
  createSandboxWebhook: () => control("POST", `/sandbox/brands/${brand}/webhooks`, { url: address }),
  rotateSandboxWebhook: async () => control("POST", `/sandbox/webhooks/${await hook()}/rotate`),
  replaySandboxDelivery: async () => control("POST", `/sandbox/deliveries/${await delivery()}/replay`),
  createSandboxListener: () => control("POST", "/sandbox/listeners", { brand, forward: "http://localhost:9000/" }),
  triggerSandboxEvent: () => control("POST", "/sandbox/events", { brand, event: "1-click.health.lookup" }),
  deleteSandboxWebhook: async () => control("DELETE", `/sandbox/webhooks/${await listener()}`),
  resetSandbox: () => control("POST", "/sandbox/reset", {}),
  // The last one, because it ends the session.
  signOutMember: () => owner.call("DELETE", "/api/session"),
};
/** A passkey is made by an authenticator. The flow records it in the transaction that saves it. */
const needsAnAuthenticator = "finishMyPasskey";

const rows = () => it.store.db.selectFrom("account_audit").selectAll().orderBy("id").execute();

test("each call of a member or of sandbox control that changes something leaves an entry with who and how", async (t) => {
  const audited = declaredEndpoints.filter(isAudited);
  assert.deepEqual(audited.map(({ id }) => id).sort(), [...Object.keys(calls), needsAnAuthenticator].sort());
  for (const [id, call] of Object.entries(calls))
    await t.test(id, async () => {
      const endpoint = audited.find((one) => one.id === id) ?? assert.fail();
      const answer = await call();
      assert.ok(answer.status < 300, `${answer.status} ${JSON.stringify(answer.body)}`);
      const { method, path, auth } = endpoint;
      const entry = (await rows()).findLast((one) => one.call === `${method} ${path}`) ?? assert.fail("no entry");
      assert.equal(entry.customer_uuid, customerUuid);
      assert.notEqual(entry.action, "call.made");
      assert.equal(entry.via, auth === "member" ? "dashboard" : "sandboxControl");
      assert.equal(entry.member_uuid !== null, auth === "member");
      assert.equal(entry.api_key_uuid !== null, auth === "sandboxControl");
    });
});

test("every other call is a search, a trial, a preview or a challenge, or concerns a person's data, which has its own record", () => {
  const others = declaredEndpoints.filter((one) => one.method !== "GET" && !isAudited(one));
  const ofMembers = others.filter(({ auth }) => auth === "member" || auth === "sandboxControl").map(({ id }) => id);
  assert.deepEqual(ofMembers.sort(), [
    "answerSandboxForward",
    "beginMyPasskey",
    "countLog",
    "previewRequests",
    "searchLog",
    "takeSandboxForwards",
    "tryNetworkRules",
  ]);
});

test("entries contain no email address, phone, key, secret or query of a URL", async () => {
  const text = JSON.stringify(await rows());
  assert.ok(text.includes(owner.uuid), "the search finds what entries contain");
  for (const secret of ["@example.com", "+1", "canary-5f3a", "whsec_", apiKey, owner.token, "STOP"])
    assert.ok(!text.includes(secret), secret);
});

test("filters select by actor, action, brand and time, and the file has the same lines with formulas neutralized", async () => {
  const reader = await signedIn(it, { customerUuid, role: "viewer" });
  await it.store.db
    .updateTable("account_audit")
    .set({ subject: "=HYPERLINK(1)" })
    .where("action", "=", "clock.reset")
    .execute();
  const list = async (query: string) =>
    (await reader.call("GET", `/api/audit?${query}`)).body.data as unknown as AuditLine[];
  const [first] = await list(`actor=${owner.uuid}`);
  assert.deepEqual([first?.actor, first?.action, first?.who], ["member", "session.ended", "Monica"]);
  for (const line of await list("actor=apiKey")) assert.match(line.who ?? "", /^first key …\w{4}$/);
  assert.ok((await list("actor=apiKey")).length > 10);
  assert.deepEqual(await list("actor=machine"), []);
  assert.deepEqual(new Set((await list("action=clock.moved")).map(({ call }) => call)).size, 2);
  assert.deepEqual(new Set((await list(`brand=${brand}`)).map(({ brandUuid }) => brandUuid)), new Set([brand]));
  assert.deepEqual(await list(`from=${it.accountClock.now() + 1}`), []);
  assert.deepEqual(await list(`to=${it.accountClock.now()}`), []);
  const { csv, isWhole } = (await reader.call("GET", "/api/audit-csv?action=clock.reset")).body;
  const lines = String(csv).trim().split("\r\n");
  assert.deepEqual([lines.length, isWhole], [3, true]);
  assert.match(lines[1] ?? "", /"'=HYPERLINK\(1\)"/);
  assert.equal((await reader.call("GET", "/api/audit?actor=nobody")).status, 400);
});

test("the documentation lists the columns of the file in their order", async () => {
  const reader = await signedIn(it, { customerUuid, role: "viewer" });
  const { csv } = (await reader.call("GET", "/api/audit-csv?action=clock.reset")).body;
  const page = await readFile(new URL("../../../../../docs/how/dashboard.md", import.meta.url), "utf8");
  const table = page.slice(page.indexOf("| Column |")).split("\n\n")[0] ?? "";
  const documented = table.split("\n").flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`(\w+)`/g)]);
  const titles = String(csv).split("\r\n")[0]?.replaceAll('"', "").split(",");
  assert.deepEqual(
    documented.map(([, title]) => title),
    titles,
  );
});

test("an export ends after four million characters, and says that it is not whole", async () => {
  const changes = JSON.stringify(
    Array.from({ length: 50 }, (_, at) => ({ path: `${at}`, from: "a".repeat(200), to: "b" })),
  );
  await it.store.pool.query(
    `insert into account_audit (at, action, via, customer_uuid, changes)
     select at, 'settings.changed', via, customer_uuid, $1::jsonb
       from (select * from account_audit where customer_uuid = $2 order by id desc limit 1) newest, generate_series(1, 600)`,
    [changes, customerUuid],
  );
  const reader = await signedIn(it, { customerUuid, role: "viewer" });
  const { csv, isWhole } = (await reader.call("GET", "/api/audit-csv?action=settings.changed")).body;
  assert.equal(isWhole, false);
  const length = String(csv).length;
  assert.ok(length > 4_194_304 && length < 6_000_000, `${length}`);
});

test("entries about passkeys have no names", async () => {
  const entries = (await rows()).filter(({ action }) => action === "passkey.deleted");
  assert.ok(entries.length > 0);
  assert.deepEqual(new Set(entries.map(({ subject }) => subject)), new Set([null]));
});
