/** Vendor callbacks: reports only move a text forward, STOP is honored, and forged callbacks change nothing. */
import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import { changeApproval, createBrand, setMode } from "../../domain/brand/manage.ts";
import { readUsage } from "../../domain/reporting/usage.ts";
import { twilioSignature } from "../../providers/twilio/signature.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";
import { refusal } from "../harness/sandbox.ts";

const it = await both({
  CAMARA_CLIENT_ID: "us",
  CAMARA_AUTHORIZE_URL: "https://o.example/authorize",
  CAMARA_TOKEN_URL: "https://o.example/token",
  CAMARA_API_URL: "https://o.example/v2",
  CAMARA_ISSUER: "https://o.example",
  CAMARA_CLIENT_SECRET: "secret",
  CAMARA_REDIRECT_URL: "https://api.example.com/callbacks/carrier",
});
const { real } = it;
const cells = real.deps.cells.all();
const { body: made } = await it.api.createSandboxBrand({ body: {} });
const customerUuid = await customerOf(it, made.uuid);
const brand = await createBrand(real.admin, {
  customerUuid,
  name: "Piper",
  settings: { consent: { declared: true } },
  approvals: ["production", "silent"],
});
const api = real.as(brand.apiKey);
let numbers = 0;
const newPhone = () => `+1650253${String(4_000 + 7 * numbers++)}`;

async function texted(phone = newPhone()) {
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  const deliver = async () => {
    await api.deliverVerification({ params: { uuid }, body: {} });
    await real.worker.runDue();
    return it.texts.at(-1) ?? assert.fail("nothing was texted");
  };
  const text = await deliver();
  const status = async () => (await api.readVerification({ params: { uuid } })).body.status;
  const report = async (state: string, reported = text) =>
    (await it.called(`/callbacks/texts/${reported.id}`, { id: reported.id, status: state })).status;
  return { uuid, phone, text, deliver, status, report };
}

test("a report only moves the verification forward, in any order and when it is repeated", async () => {
  const { text, status, report } = await texted();
  assert.equal(text.reportUrl, `https://api.example.com/callbacks/texts/${text.id}`);
  assert.equal(await status(), "sending");
  for (const [state, then] of [
    ["sent", "sending"],
    ["delivered", "delivered"],
    ["sent", "delivered"],
    ["failed", "delivered"],
    ["delivered", "delivered"],
  ] as const)
    assert.deepEqual([await report(state), await status()], [204, then]);
});

test("a failed text fails its verification, and a later report does not undo that", async () => {
  const { status, report } = await texted();
  assert.deepEqual([await report("failed"), await status()], [204, "failed"]);
  assert.deepEqual([await report("delivered"), await status()], [204, "failed"]);
});

test("a report about a replaced text does not affect the newer text", async () => {
  const { text, status, report, deliver } = await texted();
  const newer = await deliver();
  assert.notEqual(newer.id, text.id);
  assert.deepEqual([await report("failed", text), await status()], [204, "sending"]);
  assert.deepEqual([await report("delivered", newer), await status()], [204, "delivered"]);
});

test("reports that are forged, unsigned, too large, for another text or for an unknown text change nothing", async () => {
  const { text, status } = await texted();
  const other = await texted();
  const path = `/callbacks/texts/${text.id}`;
  const body = { id: text.id, status: "delivered" };
  assert.equal((await it.called(path, body, "another-secret")).status, 403);
  assert.equal((await it.called(`/callbacks/texts/${other.text.id}`, body)).status, 403);
  assert.equal((await real.inject({ method: "POST", url: path, payload: JSON.stringify(body) })).status, 403);
  const unknown = "00000000-0000-4000-8000-000000000000";
  assert.equal((await it.called(`/callbacks/texts/${unknown}`, { id: unknown, status: "failed" })).status, 204);
  assert.equal((await it.called("/callbacks/texts/no-uuid", { id: "no-uuid", status: "failed" })).status, 204);
  assert.equal((await real.inject({ method: "POST", url: path, payload: "x".repeat(20_000) })).status, 413);
  assert.deepEqual([await status(), await other.status()], ["sending", "sending"]);
});

let messages = 0;
const say = (from: string, body: string, id = `m-${messages++}`) => it.called("/callbacks/texts", { id, from, body });

test("a person who replies STOP gets no texts until they reply START", async () => {
  const { phone, uuid } = await texted();
  const before = it.texts.length;
  assert.equal((await say(phone, " Stop. ")).status, 200);
  const again = await refusal(api.deliverVerification({ params: { uuid }, body: {} }));
  assert.deepEqual([again.errorCode, again.message], ["OCV011", "Sms not eligible."]);
  await real.worker.runDue();
  assert.equal(it.texts.length, before);
  for (const word of ["help", "please stop texting me about it, I do not want any of this", "hello"])
    await say(phone, word);
  assert.equal((await refusal(api.deliverVerification({ params: { uuid }, body: {} }))).errorCode, "OCV011");
  await say(phone, "START");
  await api.deliverVerification({ params: { uuid }, body: {} });
  await real.worker.runDue();
  assert.equal(it.texts.length, before + 1);
});

test("when the gateway rejects a text as opted out, no more texts are sent to the phone until START", async () => {
  const phone = newPhone();
  const {
    vendors: { sms },
  } = real.deps;
  const { send } = sms;
  sms.send = async () => ({ kind: "rejected", reason: "opted out", optedOut: true });
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid }, body: {} });
  await real.worker.runDue();
  sms.send = send;
  const next = (await api.createVerification({ body: { channel: "sms", phone } })).body.uuid;
  assert.equal((await refusal(api.deliverVerification({ params: { uuid: next }, body: {} }))).errorCode, "OCV011");
  await say(phone, "START");
  assert.equal((await api.deliverVerification({ params: { uuid: next }, body: {} })).status, 200);
  // Send the queued text now, or it would be sent during the next test.
  await real.worker.runDue();
});

test("a STOP that arrives while a text is queued cancels the text", async () => {
  const phone = newPhone();
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  const { release } = await holdJobs();
  const before = it.texts.length;
  await api.deliverVerification({ params: { uuid }, body: {} });
  await say(phone, "STOP");
  await release();
  assert.equal(it.texts.length, before);
  assert.equal((await api.readVerification({ params: { uuid } })).body.status, "failed");
});

test("a queued text is not sent after its brand was stopped or lost its approval for production", async () => {
  const [mode, approval] = [{ brandUuid: brand.uuid, mode: "stopped" }, "production"] as const;
  const stops = {
    stop: () => setMode(real.admin, mode),
    resume: () => setMode(real.admin, { ...mode, mode: "active" }),
    disapprove: () => changeApproval(real.admin, { brandUuid: brand.uuid, approval, granted: false }),
    approve: () => changeApproval(real.admin, { brandUuid: brand.uuid, approval, granted: true }),
  };
  for (const [stop, resume] of [
    [stops.stop, stops.resume],
    [stops.disapprove, stops.approve],
  ] as const) {
    const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: newPhone() } })).body;
    const { release } = await holdJobs();
    const before = it.texts.length;
    await api.deliverVerification({ params: { uuid }, body: {} });
    await stop();
    await release();
    await resume();
    assert.equal(it.texts.length, before);
    assert.equal((await api.readVerification({ params: { uuid } })).body.status, "failed");
  }
});

test("usage counts texts that the gateway accepted, but not texts that were replaced or rejected", async () => {
  const settings = { consent: { declared: true } };
  const { uuid: brandUuid, apiKey } = await createBrand(real.admin, {
    customerUuid,
    name: "Hooli",
    settings,
    approvals: ["production"],
  });
  const api = real.as(apiKey);
  const begin = async () => (await api.createVerification({ body: { channel: "sms", phone: newPhone() } })).body.uuid;
  const deliver = (uuid: string) => api.deliverVerification({ params: { uuid }, body: {} });
  const texts = async (uuid: string) =>
    (await it.store.pool.query("select status from message where verification_uuid = $1 order by number", [uuid])).rows;
  const textsSent = async () =>
    (await readUsage({ ...real.deps, cells: cells.map(({ db }, number) => ({ number, db })) }, brandUuid)).reduce(
      (sum, month) => sum + month.textsSent,
      0,
    );

  const replaced = await begin();
  const { release } = await holdJobs();
  await deliver(replaced);
  await deliver(replaced);
  await release();
  assert.deepEqual(await texts(replaced), [{ status: "superseded" }, { status: "sent" }]);
  const refused = await begin();
  it.gateway.break("400");
  await deliver(refused);
  await real.worker.runDue();
  it.gateway.mend();
  assert.deepEqual(await texts(refused), [{ status: "failed" }]);
  const undelivered = await begin();
  await deliver(undelivered);
  await real.worker.runDue();
  const { id } = it.texts.at(-1) ?? assert.fail("nothing was texted");
  await it.called(`/callbacks/texts/${id}`, { id, status: "failed" });
  assert.deepEqual(await texts(undelivered), [{ status: "failed" }]);

  assert.equal(await textsSent(), 2);
  it.pass(24 * 60 * 60_000);
  await real.sweeper.sweep();
  assert.deepEqual(await texts(undelivered), []);
  assert.equal(await textsSent(), 2, "texts of erased verifications still count");
});

/** Delays new text jobs by 60 seconds so that the worker skips them. `release` makes them due and runs them. */
async function holdJobs() {
  const row = { environment: "production", name: "verification.sendText" };
  for (const { db } of cells) {
    await sql`create or replace function hold() returns trigger language plpgsql as $$ begin
      if new.name = '${sql.raw(row.name)}' then new.due_at := new.due_at + 60000; new.leased_until := 0; end if;
      return new; end $$`.execute(db);
    await sql`create trigger hold before insert on job for each row execute function hold()`.execute(db);
  }
  return {
    async release() {
      for (const { db } of cells) await sql`drop trigger hold on job`.execute(db);
      await it.store.pool.query(`update job set due_at = due_at - 60000 where name = '${row.name}'`);
      await real.worker.runDue();
    },
  };
}

test("a replayed START does not undo a later STOP", async () => {
  const { phone, uuid } = await texted();
  await say(phone, "START", "first");
  await say(phone, "STOP", "second");
  assert.equal((await say(phone, "START", "first")).status, 200);
  assert.equal((await refusal(api.deliverVerification({ params: { uuid }, body: {} }))).errorCode, "OCV011");
});

test("in the sandbox, a control call simulates STOP and START, and is rejected for the fixed test people", async () => {
  const phone = "+14155550777";
  const say = (from: string, body: string) => it.api.answerText({ body: { from, body } });
  const text = async () => {
    const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone } })).body;
    return await it.api.deliverVerification({ params: { uuid }, body: {} });
  };
  assert.equal((await say(phone, "Stop")).body.heeded, "stopped");
  assert.equal((await refusal(text())).errorCode, "OCV011");
  assert.equal((await say(phone, "thanks")).body.heeded, "ignored");
  assert.equal((await say(phone, "start")).body.heeded, "started");
  assert.equal((await text()).status, 200);
  assert.equal((await refusal(say("+12125550010", "STOP"))).status, 400);
});

test("a STOP with a forged signature is rejected", async () => {
  const { phone, uuid } = await texted();
  const forged = await it.called("/callbacks/texts", { id: "x", from: phone, body: "STOP" }, "another-secret");
  assert.equal(forged.status, 403);
  assert.equal((await api.deliverVerification({ params: { uuid }, body: {} })).status, 200);
});

test("a device that returns from the carrier is redirected only to its own verification", async () => {
  const go = (query: string) => real.inject({ method: "GET", url: `/callbacks/carrier?${query}` });
  const onward = await go("code=abc&state=w0rd.k1.seal");
  assert.equal(onward.status, 302);
  assert.equal(
    onward.headers.location,
    `https://api.example.com/1-click/verifications/device/w0rd/result?answer=${encodeURIComponent("code=abc&state=w0rd.k1.seal")}`,
  );
  for (const query of ["", "state=", "state=../x.1", "state=%2f%2fevil.example.1", `state=w.${"x".repeat(2_001)}`])
    assert.equal((await go(query)).status, 404, query);
});

test("Twilio: a STOP with a valid signature counts, and the response is empty TwiML", async () => {
  const twilio = await both({
    SMS_GATEWAY_URL: "",
    SMS_GATEWAY_SECRET: "",
    SMS_GATEWAY_FROM: "",
    TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
    TWILIO_AUTH_TOKEN: "token",
    TWILIO_FROM: "+16502530001",
  });
  const form = new URLSearchParams({
    MessageSid: "SM1",
    AccountSid: `AC${"0".repeat(32)}`,
    From: "+16502530000",
    Body: "STOP",
  });
  const url = "https://api.example.com/callbacks/texts";
  const post = (signature: string) =>
    twilio.real.inject({
      method: "POST",
      url: "/callbacks/texts",
      headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
      payload: form.toString(),
    });
  assert.equal((await post("AAAA")).status, 403);
  const accepted = await post(twilioSignature({ url, form }, "token"));
  assert.deepEqual([accepted.status, accepted.body], [200, "<Response/>"]);
  const { rows } = await twilio.store.pool.query("select stopped from text_stop");
  assert.deepEqual(rows, [{ stopped: true }]);
});
