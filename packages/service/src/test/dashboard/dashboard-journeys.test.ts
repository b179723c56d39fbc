/** Journeys as a brand's members read them: their steps, who may read them, and how much one answer has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Journey, type JourneyLine, journeyStepsMax, journeysMax } from "@countersign/contract/dashboard-journeys";
import { demoBrands, secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { codesSentTo, freshPhone } from "../harness/below-http.ts";
import { walks } from "../harness/client-journeys.ts";
import { agreed } from "../harness/consent-shown.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const viewer = await signedIn(it, { role: "viewer" });
const minuteMs = 60_000;

const pathOf = (brand: string, rest = "") => `/api/brands/${brand}/sandbox/journeys${rest}`;
async function get<Value>(brand: string, rest = ""): Promise<Value> {
  const { status, body } = await viewer.call("GET", pathOf(brand, rest));
  assert.equal(status, 200, JSON.stringify(body));
  return body as Value;
}
const list = async (brand: string, rest = "") => (await get<{ data: JourneyLine[] }>(brand, rest)).data;
const read = (brand: string, uuid: string) => get<Journey>(brand, `/${uuid}`);
/** A journey as soon as this many of its calls are in the log. */
const readWith = (brand: string, uuid: string, calls: number) =>
  eventually(async () => {
    const journey = await read(brand, uuid);
    return journey.steps.filter(({ call }) => call !== null).length >= calls ? journey : undefined;
  });
const namesOf = ({ steps }: Journey) => steps.map(({ name }) => name);
const stepOf = ({ steps }: Journey, name: string) => steps.find((one) => one.name === name);

test("a verification by text has its texts, its tries and its calls, in the order of time", async () => {
  const { uuid: brand, api } = await it.brand();
  const phone = freshPhone();
  const began = it.deps.clock.now();
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid } });
  const [code = ""] = await codesSentTo(it, phone);
  await it.advance(minuteMs);
  await refusal(
    api.submitVerificationCode({ params: { uuid }, body: { code: code === "000001" ? "000002" : "000001" } }),
  );
  await api.submitVerificationCode({ params: { uuid }, body: { code } });
  const journey = await readWith(brand, uuid, 4);
  assert.deepEqual(
    [journey.kind, journey.outcome, journey.flow, journey.phoneLastFour],
    ["verification", "verified", "sms", phone.slice(-4)],
  );
  assert.equal(journey.began, began);
  assert.equal(journey.ended, began + minuteMs);
  const code1 = stepOf(journey, "code");
  assert.deepEqual([code1?.count, code1?.to], [2, began + minuteMs]);
  assert.equal(stepOf(journey, "text")?.from, began);
  const calls = journey.steps.flatMap(({ call }) => call ?? []);
  assert.deepEqual(calls.map(({ status }) => status).toSorted(), [200, 200, 201, 400]);
  const times = journey.steps.map(({ from }) => from);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  // A call opens in the log.
  const { status } = await viewer.call("GET", `/api/brands/${brand}/sandbox/log/${calls[0]?.line}`);
  assert.equal(status, 200);
  assert.ok(!JSON.stringify(journey).includes(phone));
});

test("a verification with too many wrong codes ends with the last try, and its line says why", async () => {
  const { uuid: brand, api } = await it.brand();
  const phone = freshPhone();
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid } });
  const began = it.deps.clock.now();
  const [code = ""] = await codesSentTo(it, phone);
  for (let at = 0; at < 3; at += 1) {
    await it.advance(minuteMs);
    const wrong = code === "000001" ? "000002" : "000001";
    await refusal(api.submitVerificationCode({ params: { uuid }, body: { code: wrong } }));
  }
  const journey = await readWith(brand, uuid, 5);
  const step = stepOf(journey, "code");
  assert.deepEqual([step?.count, step?.from, step?.to], [3, began, began + 3 * minuteMs]);
  const [line] = await list(brand);
  assert.deepEqual(
    [line?.outcome, line?.reason, line?.phoneLastFour, line?.ended],
    ["failed", "codes", phone.slice(-4), null],
  );
  assert.equal(journey.reason, "codes");
});

test("a hosted signup has the review of the person, the decision and the reads of the brand", async () => {
  const { uuid: brand } = demoBrands.find(({ apiKey }) => apiKey === "sk_sandbox_demo_hosted") ?? assert.fail();
  const { uuid, read: readByBrand } = await hostedShare(it, freshPhone());
  await readByBrand();
  await readByBrand();
  const journey = await readWith(brand, uuid, 3);
  assert.deepEqual([journey.kind, journey.outcome, journey.errorCode], ["signup", "shared", null]);
  const names = namesOf(journey);
  for (const name of ["began", "code", "verified", "sources", "review", "shared", "read"])
    assert.ok(names.includes(name as (typeof names)[number]), `${name} is missing in ${names.join()}`);
  assert.equal(names.filter((name) => name === "read").length, 2);
  assert.deepEqual(journey.cut, []);
  const [newest] = await list(brand);
  assert.deepEqual([newest?.uuid, newest?.outcome], [uuid, "shared"]);
  // The verification of the signup has a journey of its own, but is not listed.
  const [proof] = journey.related;
  assert.deepEqual((await read(brand, proof?.uuid ?? "")).related, [{ uuid, kind: "signup" }]);
  assert.ok((await list(brand)).every((line) => line.uuid !== proof?.uuid));
});

for (const name of ["sdk", "sdkVerified"])
  test(`a signup by ${name} has the session that the brand made`, async () => {
    const made = await it.brand({ integrationType: "sdk", consent: { declared: true } });
    const target = {
      inject: it.inject,
      wallet: it.wallet,
      codeTo: async (to: string) => (await codesSentTo(it, to)).at(-1) ?? "",
    };
    await walks[name]?.go({ target, apiKey: made.apiKey, phone: freshPhone(), answer: () => ({}) });
    const [line] = await list(made.uuid);
    const journey = await read(made.uuid, line?.uuid ?? "");
    assert.equal(stepOf(journey, "session")?.from, it.deps.clock.now());
  });

test("declined and refused signups say when they ended", async () => {
  const { uuid: brand } = demoBrands.find(({ apiKey }) => apiKey === "sk_sandbox_demo_hosted") ?? assert.fail();
  const { uuid } = await hostedShare(it, freshPhone(), { share: false });
  const declined = await read(brand, uuid);
  assert.deepEqual([declined.outcome, declined.reason, declined.ended], ["declined", "declined", it.deps.clock.now()]);
  assert.equal(stepOf(declined, "declined")?.from, declined.ended);
  const { uuid: other, api } = await it.brand();
  await refusal(api.createOneClick({ body: { phone: "+14045551300" } }));
  const [refused] = await list(other);
  assert.equal(refused?.outcome, "refused");
  assert.match(refused?.errorCode ?? "", /^OCE0\d\d$/);
  const journey = await read(other, refused?.uuid ?? "");
  assert.equal(journey.ended, it.deps.clock.now());
  assert.deepEqual(stepOf(journey, "refused")?.tone, "bad");
});

test("unfinished ones expire, and a verification leaves its calls after a day", async () => {
  const { uuid: brand, api } = await it.brand();
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body;
  assert.deepEqual([(await read(brand, uuid)).outcome, (await list(brand))[0]?.outcome], ["open", "open"]);
  await it.advance(6 * minuteMs);
  const expired = await readWith(brand, uuid, 1);
  assert.deepEqual(
    [expired.outcome, expired.reason, expired.ended],
    ["expired", "noCode", stepOf(expired, "expired")?.from],
  );
  await it.advance(25 * 60 * minuteMs);
  await it.runJobs();
  const rest = await read(brand, uuid);
  assert.deepEqual([rest.kind, rest.outcome, namesOf(rest), rest.phoneLastFour], ["calls", "unknown", ["call"], null]);
  assert.deepEqual(await list(brand), []);
});

test("after a deletion, a journey has its times and no digits", async () => {
  const { uuid: brand, api } = await it.brand();
  const phone = freshPhone();
  const { uuid } = (await api.createOneClick({ body: { phone } })).body;
  assert.equal((await readWith(brand, uuid, 1)).phoneLastFour, phone.slice(-4));
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  await browser.deleteAccount({ body: { consent: agreed("delete") } });
  const journey = await read(brand, uuid);
  assert.deepEqual([journey.phoneLastFour, journey.outcome], [null, "shared"]);
  assert.equal(stepOf(journey, "erased")?.tone, "warn");
});

test("another brand's journey, an unknown one and a malformed id are refused alike", async () => {
  const { uuid: brand } = await it.brand();
  const { uuid: other, api } = await it.brand();
  const { uuid } = (await api.createOneClick({ body: { phone: freshPhone() } })).body;
  await readWith(other, uuid, 1);
  const ask = async (rest: string) => await viewer.call("GET", pathOf(brand, rest));
  const [foreign, unknown] = [await ask(`/${uuid}`), await ask("/5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21")];
  assert.equal(foreign.status, 404);
  const sayings = [foreign, unknown].map(({ body }) => JSON.stringify({ ...(body as object), data: null }));
  assert.equal(sayings[0], sayings[1]);
  for (const wrong of ["/x", "/5f0c2a52", `/${uuid}'`]) assert.equal((await ask(wrong)).status, 404, wrong);
  for (const max of ["0", "51", "x", "1e1"]) assert.equal((await ask(`?max=${max}`)).status, 400, max);
  const strangers = await signedIn(it, { customerUuid: secondDemoCustomer.uuid, role: "owner" });
  assert.equal((await strangers.call("GET", pathOf(other, `/${uuid}`))).status, 404);
  assert.equal((await strangers.call("GET", pathOf(other))).status, 404);
});

test("a journey with a thousand reads and a list of many are bounded, and the journey says what is left out", async () => {
  const { uuid: brand, api } = await it.brand();
  const { uuid } = (await api.createOneClick({ body: { phone: freshPhone() } })).body;
  await readWith(brand, uuid, 1);
  const { environment, clock } = it.deps;
  const line = {
    ...{ environment, at: clock.now(), request_id: "r", brand_uuid: brand, subject_uuid: uuid },
    ...{ method: "GET", route: "/v2/1-click/:uuid", status: 200, latency_ms: 1 },
  };
  await it.deps.db
    .insertInto("request_log")
    .values(Array.from({ length: 1_000 }, () => line))
    .execute();
  const journey = await read(brand, uuid);
  assert.equal(journey.steps.filter(({ call }) => call !== null).length, journeyStepsMax);
  assert.deepEqual(journey.cut, ["calls"]);
  // The first call is the one that began it.
  assert.equal(journey.steps.find(({ call }) => call !== null)?.call?.method, "POST");
  for (let at = 0; at <= journeysMax; at += 1)
    await api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
  assert.deepEqual(
    [(await list(brand)).length, (await list(brand, "?max=5")).length, (await list(brand, "?max=50")).length],
    [20, 5, journeysMax],
  );
});
