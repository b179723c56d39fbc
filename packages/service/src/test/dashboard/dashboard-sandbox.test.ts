/** What members see of the sandbox: its outbox and its clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DueMark, OutboxLine } from "@countersign/contract/dashboard-sandbox";
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

test("what becomes due is listed with its time, soonest first, and says nothing about people", async () => {
  const here = await sandbox();
  const viewer = await signedIn(here, { role: "viewer" });
  const dueAs = async ({ call }: Called) => {
    const { status, body } = await call("GET", "/api/sandbox/clock/due");
    assert.equal(status, 200);
    return body as { data: DueMark[]; until: number | null };
  };
  assert.deepEqual(await dueAs(viewer), { data: [], until: null });
  const start = here.deps.clock.now();
  const phone = "+12125550010";
  const text = async () => {
    const { uuid } = (await here.api.createVerification({ body: { channel: "sms", phone } })).body;
    await here.api.deliverVerification({ params: { uuid }, body: { format: "codeAndLink" } });
    await here.runJobs();
    return uuid;
  };
  const uuid = await text();
  const other = await text();
  const [minute, day] = [60_000, 24 * 60 * 60_000];
  const marks = async () => (await dueAs(viewer)).data.map(({ kind, at, count }) => [kind, at - start, count]);
  assert.deepEqual(await marks(), [
    ["code", 5 * minute, 2],
    ["link", 5 * minute, 2],
    ["erasure", day, 2],
  ]);
  // A verified phone has no open code, and its 1-Click ends later.
  await here.api.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  await here.api.createOneClick({ body: { verificationUuid: uuid } });
  assert.deepEqual(await marks(), [
    ["code", 5 * minute, 1],
    ["link", 5 * minute, 1],
    ["access", 60 * minute, 1],
    ["erasure", day, 2],
  ]);
  const told = JSON.stringify(await dueAs(viewer));
  for (const secret of [phone, uuid, other]) assert.ok(!told.includes(secret));
  const stranger = await signedIn(here, { customerUuid: secondDemoCustomer.uuid });
  assert.deepEqual(await dueAs(stranger), { data: [], until: null });
  const developerHere = await signedIn(here, { role: "developer" });
  await developerHere.call("POST", "/api/sandbox/clock", { advanceMs: 5 * minute });
  assert.deepEqual(await marks(), [
    ["access", 60 * minute, 1],
    ["erasure", day, 2],
  ]);
});

test("retries of webhooks and texts are listed until they have run", async () => {
  const here = await sandbox();
  const viewer = await signedIn(here, { role: "viewer" });
  const { brandUuid } = await here.api
    .createVerification({ body: { channel: "sms", phone: freshPhone() } })
    .then(
      async ({ body }) =>
        await here.store.db
          .selectFrom("verification")
          .select("brand_uuid as brandUuid")
          .where("uuid", "=", body.uuid)
          .executeTakeFirstOrThrow(),
    );
  const later = here.deps.clock.now() + 90_000;
  const [dataKey] = await here.store.db.selectFrom("data_key").select("uuid").limit(1).execute();
  const deliveryUuid = here.deps.random.uuid();
  const messageUuid = here.deps.random.uuid();
  const about = { environment: "sandbox", data_key_uuid: String(dataKey?.uuid), brand_uuid: brandUuid };
  await here.store.db
    .insertInto("webhook_delivery")
    .values({
      ...about,
      uuid: deliveryUuid,
      brand_uuid: String(brandUuid),
      event: "1-click.health.completed",
      subject_uuid: deliveryUuid,
      status: "pending",
      created_at: later,
      next_attempt_at: later,
    })
    .execute();
  await here.store.db
    .insertInto("message")
    .values({
      ...about,
      uuid: messageUuid,
      channel: "sms",
      to_index: Buffer.alloc(32),
      status: "queued",
      created_at: later,
    })
    .execute();
  const job = { environment: "sandbox", due_at: later };
  await here.store.db
    .insertInto("job")
    .values([
      {
        ...job,
        name: "webhook.deliver",
        subject: deliveryUuid,
        payload: JSON.stringify({ deliveryUuid }),
        concurrency_group: "receiver",
      },
      {
        ...job,
        due_at: later + 1,
        name: "verification.sendText",
        subject: messageUuid,
        payload: JSON.stringify({ messageUuid }),
      },
    ])
    .execute();
  const { data } = (await viewer.call("GET", "/api/sandbox/clock/due")).body as { data: DueMark[] };
  assert.deepEqual(
    data.filter(({ kind }) => kind.endsWith("Retry")).map(({ kind, at, count }) => [kind, at, count]),
    [
      ["webhookRetry", later, 1],
      ["textRetry", later + 1, 1],
    ],
  );
});

test("the list of what becomes due has a bound, and says how far it is complete", async () => {
  const here = await sandbox();
  const viewer = await signedIn(here, { role: "viewer" });
  await here.api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
  const kept = await here.store.db.selectFrom("verification").selectAll().executeTakeFirstOrThrow();
  const now = here.deps.clock.now();
  const minute = 60_000;
  const many = Array.from({ length: 300 }, (_, at) => ({
    ...kept,
    uuid: here.deps.random.uuid(),
    status: "failed" as const,
    created_at: now + at * minute,
    kept_until: now + (at + 1) * minute,
  }));
  await here.store.db.insertInto("verification").values(many).execute();
  const { data, until } = (await viewer.call("GET", "/api/sandbox/clock/due")).body as {
    data: DueMark[];
    until: number | null;
  };
  assert.equal(data.length, 200);
  assert.equal(until, data.at(-1)?.at);
  assert.ok(until !== null && until < now + 300 * minute);
});

test("many jobs of other customers hide nothing that becomes due before them", async () => {
  const here = await sandbox();
  const viewer = await signedIn(here, { role: "viewer" });
  await here.api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
  const later = here.deps.clock.now() + 30 * 60_000;
  const jobs = Array.from({ length: 1_000 }, (_, at) => ({
    environment: "sandbox",
    name: "verification.sendText",
    subject: here.deps.random.uuid(),
    payload: "{}",
    due_at: later + at,
  }));
  await here.store.db.insertInto("job").values(jobs).execute();
  const { data, until } = (await viewer.call("GET", "/api/sandbox/clock/due")).body as {
    data: DueMark[];
    until: number | null;
  };
  assert.deepEqual([data.map(({ kind }) => kind), until], [["code"], later + 999]);
});

test("when SANDBOX_CLOCK is off, the dashboard reports it and refuses to move the clock", async () => {
  const still = await sandbox({}, { SANDBOX_CLOCK: "off" });
  const member = await signedIn(still, { role: "developer" });
  const { body } = await member.call("GET", "/api/sandbox/clock");
  assert.equal(body.isMovable, false);
  assert.equal((await member.call("POST", "/api/sandbox/clock", { advanceMs: 1 })).status, 403);
  assert.equal((await member.call("DELETE", "/api/sandbox/clock")).status, 403);
});
