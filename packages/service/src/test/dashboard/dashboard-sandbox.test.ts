/** What members see of the sandbox: its outbox and its clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutboxLine } from "@countersign/contract/dashboard-sandbox";
import { openAccount } from "../../domain/member/member.ts";
import { firstDemoCustomer, secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { freshPhone } from "../harness/below-http.ts";
import { callsAs, signedIn } from "../harness/dashboard-member.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const developer = await signedIn(it, { role: "developer" });
type Called = { call: typeof developer.call };
const outbox = async ({ call }: Called) => {
  const { status, body } = await call("GET", "/api/sandbox/outbox");
  assert.equal(status, 200);
  return (body as { data: OutboxLine[] }).data;
};

test("texts appear in the outbox of the brand's customer, with their code, link and brand", async () => {
  const phone = freshPhone();
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
  await it.api.deliverVerification({ params: { uuid }, body: { format: "codeAndLink" } });
  await it.runJobs();
  const [text] = (await outbox(developer)).filter(({ to }) => to === phone);
  assert.match(text?.body ?? "", /\d{6}/);
  assert.match(text?.body ?? "", /http/);
  assert.ok(text?.brandName);
  const stranger = await signedIn(it, { customerUuid: secondDemoCustomer.uuid });
  assert.ok(!JSON.stringify(await outbox(stranger)).includes(phone));
});

test("no member, not even an owner, can read a colleague's sign-in email", async () => {
  const victim = await signedIn(it, { role: "owner", email: "victim@example.com" });
  const owner = await signedIn(it, { role: "owner" });
  await callsAs(it, null)("POST", "/api/sign-in", { email: victim.email });
  assert.equal((await outbox(victim)).filter(({ channel }) => channel === "email").length, 1);
  for (const other of [developer, owner]) assert.ok(!JSON.stringify(await outbox(other)).includes(victim.email));
});

test("a sandbox key cannot read emails, except those of the demo customers when DEMO is on", async () => {
  const { uuid: customerUuid } = await openAccount(it.accounts, it.admin, {
    name: "Hooli",
    email: "gavin@hooli.example",
  });
  const member = await signedIn(it, { customerUuid, role: "developer" });
  const { apiKey } = (await member.call("POST", "/api/brands", { name: "Nucleus", integrationType: "api" })).body;
  await callsAs(it, null)("POST", "/api/sign-in", { email: "gavin@hooli.example" });
  const listed = async (here: typeof it, key: string, to?: string) =>
    (await here.as(key).listMessages({ query: to === undefined ? {} : { to } })).body.data;
  assert.deepEqual(await listed(it, String(apiKey)), []);
  assert.deepEqual(await listed(it, String(apiKey), "gavin@hooli.example"), []);
  await callsAs(it, null)("POST", "/api/sign-in", { email: firstDemoCustomer.email });
  assert.equal((await listed(it, demoKey, firstDemoCustomer.email)).length, 1);
  const closed = await sandbox({}, { DEMO: "off" });
  await callsAs(closed, null)("POST", "/api/sign-in", { email: firstDemoCustomer.email });
  assert.deepEqual(await listed(closed, demoKey, firstDemoCustomer.email), []);
});

test("a viewer can neither read texts nor move the clock", async () => {
  const viewer = await signedIn(it, { role: "viewer" });
  assert.equal((await viewer.call("GET", "/api/sandbox/outbox")).status, 403);
  assert.equal((await viewer.call("POST", "/api/sandbox/clock", { advanceMs: 1 })).status, 403);
});

test("the clock moves forward by a duration or to a time, runs due jobs, and can be reset", async () => {
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body;
  const start = it.deps.clock.now();
  const day = 24 * 60 * 60_000;
  const moved = (await developer.call("POST", "/api/sandbox/clock", { advanceMs: day })).body;
  assert.equal(moved.now, start + day);
  assert.ok(Number(moved.jobsRun) >= 1);
  const kept = await it.store.db.selectFrom("verification").select("uuid").where("uuid", "=", uuid).execute();
  assert.deepEqual(kept, []);
  assert.equal(
    (await developer.call("POST", "/api/sandbox/clock", { now: start + 2 * day })).body.now,
    start + 2 * day,
  );
  for (const wrong of [{}, { now: start }, { now: start, advanceMs: 1 }, { now: start + 500 * day }])
    assert.equal((await developer.call("POST", "/api/sandbox/clock", wrong)).status, 400, JSON.stringify(wrong));
  const reset = (await developer.call("DELETE", "/api/sandbox/clock")).body;
  assert.deepEqual([reset.now, reset.offsetMs, reset.isMovable], [start, 0, true]);
});

test("when SANDBOX_CLOCK is off, the dashboard reports it and refuses to move the clock", async () => {
  const still = await sandbox({}, { SANDBOX_CLOCK: "off" });
  const member = await signedIn(still, { role: "developer" });
  const { body } = await member.call("GET", "/api/sandbox/clock");
  assert.equal(body.isMovable, false);
  assert.equal((await member.call("POST", "/api/sandbox/clock", { advanceMs: 1 })).status, 403);
  assert.equal((await member.call("DELETE", "/api/sandbox/clock")).status, 403);
});
