import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import test from "node:test";
import { laterState } from "../../domain/verification/texts/text-report.ts";
import { smsOutbox } from "../../providers/sandbox/outboxes.ts";
import { isSigned, signedHeaders } from "../../providers/signature.ts";
import { gatewayIncoming, gatewayReports } from "../../providers/sms-gateway/reports.ts";
import { gatewaySms } from "../../providers/sms-gateway/sms.ts";
import { reportAddress, twilioIncoming, twilioReports } from "../../providers/twilio/reports.ts";
import { twilioSignature } from "../../providers/twilio/signature.ts";
import { twilioSms } from "../../providers/twilio/sms.ts";
import { aText, reportConformance, smsConformance } from "../harness/conformance/sms.ts";
import { type FakeTime, fakeTime } from "../harness/fake-time.ts";
import { type FakeRequest, fakeVendor } from "../harness/vendors/fake-vendor.ts";
import { faultTable } from "../harness/vendors/fault-table.ts";

const accountSid = `AC${"0".repeat(32)}`;
const authToken = "twilio-token-for-tests";
const callbackUrl = "https://api.example.com/callbacks/twilio";
const secret = "gateway-secret-for-tests";

/** Twilio's Messages API: creates messages, and lists them by recipient. */
async function twilio(time: FakeTime, twist: (message: Record<string, unknown>) => object = (message) => message) {
  const messages: Record<string, unknown>[] = [];
  const vendor = await fakeVendor(time, (request) => {
    const right = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`;
    if (request.headers.authorization !== right) return { status: 401, body: { code: 20003 } };
    if (request.method === "GET")
      return { body: { messages: messages.filter((one) => one.to === request.url.searchParams.get("To")) } };
    const form = new URLSearchParams(request.body);
    if (form.get("To") === "+16502530404") return { status: 400, body: { code: 21610, message: "STOP" } };
    const message = {
      sid: `SM${String(messages.length).padStart(32, "0")}`,
      to: form.get("To"),
      body: form.get("Body"),
      status: "queued",
    };
    messages.push(message);
    return { status: 201, body: twist(message) };
  });
  const settings = { accountSid, authToken, from: "+16502530001", callbackUrl, apiUrl: vendor.url };
  const restarted = () => twilioSms(settings, time.tools);
  return { vendor, messages, sender: restarted(), restarted };
}

const plain = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** A fake SMS gateway that identifies a text by its id. */
async function gateway(time: FakeTime, twist: (answer: object) => object = (answer) => answer) {
  const texts = new Map<string, string>();
  const vendor = await fakeVendor(time, ({ body, headers }) => {
    const { id } = JSON.parse(body);
    assert.equal(headers["idempotency-key"], id);
    assert.ok(isSigned({ headers: plain(headers), body }, { secret, now: time.clock.now() }));
    texts.set(id, body);
    return { status: 202, body: twist({ id, status: "accepted" }) };
  });
  const settings = { url: `${vendor.url}/texts`, secret, from: "Countersign", callbackUrl: null };
  return { vendor, texts, sender: gatewaySms(settings, time.tools) };
}

smsConformance("the outbox", async () => ({ sender: smsOutbox(), handedOver: () => null, close: async () => {} }));
smsConformance("Twilio", async () => {
  const { sender, messages } = await twilio(fakeTime());
  return { sender, handedOver: () => messages.length, close: sender.close };
});
smsConformance("the gateway", async () => {
  const { sender, texts } = await gateway(fakeTime());
  return { sender, handedOver: () => texts.size, close: sender.close };
});

reportConformance("Twilio", () => ({
  reports: twilioReports({ accountSid, authToken, callbackUrl }),
  sign(textId, state) {
    const form = new URLSearchParams({
      MessageSid: "SM1",
      AccountSid: accountSid,
      MessageStatus: state,
      ErrorCode: "",
    });
    const url = reportAddress(callbackUrl, textId);
    return { body: form.toString(), headers: { "x-twilio-signature": twilioSignature({ url, form }, authToken) } };
  },
}));
reportConformance("the gateway", () => {
  const { clock } = fakeTime();
  return {
    reports: gatewayReports({ secret, clock }),
    sign(id, status) {
      const body = JSON.stringify({ id, status });
      return { body, headers: signedHeaders(secret, body, clock.now()) };
    },
  };
});

const isSent = ({ kind }: { kind: string }) => kind !== "rejected";
const isCreation = ({ method }: FakeRequest) => method === "POST";
faultTable("Twilio", {
  requestsMax: 3,
  steps: { sending: isCreation },
  gone: () => true,
  async make(time) {
    const { vendor, sender } = await twilio(time);
    return { vendor, ask: () => sender.send(aText), isOpen: isSent, close: sender.close };
  },
});
faultTable("the gateway", {
  requestsMax: 3,
  async make(time) {
    const { vendor, sender } = await gateway(time);
    return { vendor, ask: () => sender.send(aText), isOpen: isSent, close: sender.close };
  },
});

test("a response about another recipient or text fails the send", async () => {
  const ours = await twilio(fakeTime(), (message) => ({ ...message, to: "+16502530009" }));
  await assert.rejects(ours.sender.send(aText), /twilio/);
  const other = await gateway(fakeTime(), (answer) => ({ ...answer, id: "another" }));
  await assert.rejects(other.sender.send(aText), /sms gateway/);
  await Promise.all([ours.sender.close(), other.sender.close()]);
});

test("Twilio: a text that was sent before a restart is found and not sent again", async () => {
  const time = fakeTime();
  const { vendor, messages, sender, restarted } = await twilio(time);
  messages.push({ sid: "SM9", to: aText.to, body: aText.body, status: "sent" });
  vendor.break("half an answer", { where: isCreation });
  await assert.rejects(sender.send(aText), /twilio/);
  vendor.mend();
  const next = restarted();
  assert.deepEqual(await next.send({ ...aText, mayBeSent: true }), { kind: "accepted" });
  assert.equal(vendor.requests.filter(isCreation).length, 1);
  await Promise.all([sender.close(), next.close()]);
});

test("Twilio: a repeated attempt sends the text if no sent text is found, and sends nothing if the search fails", async () => {
  const time = fakeTime();
  const { vendor, messages, sender } = await twilio(time);
  const again = { ...aText, mayBeSent: true };
  vendor.break("reset", { where: (request) => !isCreation(request) });
  await assert.rejects(sender.send(again), /twilio/);
  assert.equal(messages.length, 0);
  vendor.mend();
  assert.deepEqual(await sender.send(again), { kind: "accepted" });
  assert.equal(messages.length, 1);
  await sender.close();
});

test("Twilio: a text to a phone that sent STOP is rejected as opted out", async () => {
  const { sender } = await twilio(fakeTime());
  const stopped = { ...aText, to: "+16502530404" as typeof aText.to };
  assert.deepEqual(await sender.send(stopped), { kind: "rejected", reason: "twilio 400 21610", optedOut: true });
  await sender.close();
});

test("the gateway is retried with the same id, and a busy Twilio after its Retry-After", async () => {
  const time = fakeTime();
  const { vendor, texts, sender } = await gateway(time);
  vendor.break("reset", { times: 2 });
  assert.deepEqual(await sender.send(aText), { kind: "accepted" });
  assert.equal(texts.size, 1);
  const busy = await twilio(time);
  busy.vendor.break("429, Retry-After 1", { times: 1 });
  assert.deepEqual(await busy.sender.send(aText), { kind: "accepted" });
  assert.deepEqual(time.pauses, [200, 1_000, 1_000]);
  await Promise.all([sender.close(), busy.sender.close()]);
});

test("an old report from the gateway is rejected", () => {
  const { clock, advance } = fakeTime();
  const body = JSON.stringify({ id: aText.id, status: "delivered" });
  const report = { textId: aText.id, body, headers: signedHeaders(secret, body, clock.now()) };
  advance(301_000);
  assert.deepEqual(gatewayReports({ secret, clock }).judge(report), { kind: "refused" });
});

test("our own request to the gateway is refused as a reply, although the same secret signs it", () => {
  const { clock } = fakeTime();
  const judge = (message: object) => {
    const body = JSON.stringify(message);
    return gatewayIncoming({ secret, clock }).judge({ body, headers: signedHeaders(secret, body, clock.now()) }).kind;
  };
  const reply = { id: aText.id, from: "+16502530001", body: "STOP" };
  assert.equal(judge(reply), "text");
  const reportUrl = "https://api.example.com/callbacks/texts/1";
  assert.equal(judge({ ...reply, to: "+16502530001", reportUrl }), "refused");
});

test("the gateway names phones that opted out, and what it made of an incoming text", async () => {
  const { sender } = await gateway(fakeTime(), (answer) => ({ ...answer, status: "rejected", optedOut: true }));
  assert.deepEqual(await sender.send(aText), {
    kind: "rejected",
    reason: "refused by the gateway",
    optedOut: true,
  });
  await sender.close();
  const { clock } = fakeTime();
  const judge = (more: object) => {
    const body = JSON.stringify({ id: "1", from: "+16502530001", body: "ALTA", ...more });
    return gatewayIncoming({ secret, clock }).judge({ body, headers: signedHeaders(secret, body, clock.now()) });
  };
  const text = { kind: "text", id: "1", from: "+16502530001", body: "ALTA" };
  assert.deepEqual(judge({}), text);
  for (const keyword of ["stop", "start", "none"]) assert.deepEqual(judge({ keyword }), { ...text, keyword });
  for (const keyword of ["STOP", "help", null, 1]) assert.deepEqual(judge({ keyword }), { kind: "refused" });
});

test("Twilio's decision about an incoming text counts, and without one YES is START", () => {
  const incomingUrl = "https://api.example.com/callbacks/texts";
  const judge = (body: string, optOutType?: string) => {
    const form = new URLSearchParams({ MessageSid: "SM1", AccountSid: accountSid, From: "+16502530001", Body: body });
    if (optOutType !== undefined) form.set("OptOutType", optOutType);
    const headers = { "x-twilio-signature": twilioSignature({ url: incomingUrl, form }, authToken) };
    const judged = twilioIncoming({ accountSid, authToken, incomingUrl }).judge({ body: form.toString(), headers });
    return judged.kind === "text" ? judged.keyword : judged.kind;
  };
  assert.deepEqual(
    [judge("BAJA", "STOP"), judge("ALTA", "START"), judge("AYUDA", "HELP"), judge("YES", "HELP"), judge(" Yes ")],
    ["stop", "start", "none", "none", "start"],
  );
  for (const body of ["STOP", "START", "yes please"]) assert.equal(judge(body), undefined);
  assert.equal(judge("STOP", "other"), undefined);
});

test("a delivered or failed text keeps that status, whatever order its reports arrive in", () => {
  const states = ["queued", "sent", "delivered", "failed"] as const;
  for (const first of states)
    for (const second of states)
      for (const third of states) {
        const after = laterState(laterState(laterState("queued", first), second), third);
        const ended = [first, second, third].find((one) => one === "delivered" || one === "failed");
        if (ended !== undefined) assert.equal(after, ended);
      }
});
