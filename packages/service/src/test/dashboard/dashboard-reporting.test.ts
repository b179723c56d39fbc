/** What members see of their brands' calls: log, analytics and usage, and who may see them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Journey, JourneyLine } from "@countersign/contract/dashboard-journeys";
import type { LogDetail, LogLine, UsageMonth } from "@countersign/contract/dashboard-reporting";
import { csvOf } from "../../domain/csv.ts";
import { logKeptMs } from "../../domain/reporting/log.ts";
import { demoBrands, secondDemoCustomer } from "../../providers/sandbox/demo.ts";
import { birthDate, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { hostedShare } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const viewer = await signedIn(it, { role: "viewer" });
type Page = { data: LogLine[]; hasOlder: boolean; hasNewer: boolean; cursors: { older: string; newer: string } };
const minuteMs = 60_000;

const pathOf = (brand: string, rest: string) => `/api/brands/${brand}/sandbox/${rest}`;
async function get<Value>(brand: string, rest: string): Promise<Value> {
  const { status, body } = await viewer.call("GET", pathOf(brand, rest));
  assert.equal(status, 200, JSON.stringify(body));
  return body as Value;
}
async function search(brand: string, filter: object = {}, cursor: object = {}): Promise<Page> {
  const { status, body } = await viewer.call("POST", pathOf(brand, "log"), { filter, ...cursor });
  assert.equal(status, 200, JSON.stringify(body));
  return body as Page;
}
/** Log lines are written in the background, a moment after the request. */
async function logged(brand: string, count: number): Promise<LogLine[]> {
  return await eventually(async () => {
    const { data } = await search(brand);
    return data.length >= count ? data : undefined;
  });
}
const ask = (apiKey: string, url: string) => it.inject({ method: "GET", url, headers: { authorization: apiKey } });

test("each call is logged with its subject, its key, and only the last four digits of the phone", async () => {
  const { uuid: brand, api } = await it.brand();
  const phone = freshPhone();
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  await api.deliverVerification({ params: { uuid } });
  await refusal(api.submitVerificationCode({ params: { uuid }, body: { code: "000001" } }));
  const [wrong, deliver, create] = await logged(brand, 3);
  assert.deepEqual(
    [create?.method, create?.status, deliver?.subjectUuid, create?.subjectUuid, wrong?.errorCode, wrong?.status],
    ["POST", 201, uuid, uuid, "OCV001", 400],
  );
  for (const line of [wrong, deliver, create]) assert.equal(line?.phoneLastFour, phone.slice(-4));
  assert.match(create?.route ?? "", /\/1-click\/verifications$/);
  assert.equal(create?.keyName, "first key");
  assert.ok(!JSON.stringify(await search(brand)).includes(phone));
  const detail = await get<LogDetail>(brand, `log/${create?.id}`);
  assert.match(detail.requestId, /^[0-9a-f-]{36}$/);
  assert.equal(detail.keyLastFour?.length, 4);
});

test("a refused 1-Click is logged with its ID and phone, and a line lists related calls of the same person", async () => {
  const { uuid: brand, api } = await it.brand();
  const phone = "+12125550020";
  const { data } = await refusal(api.createOneClick({ body: { phone } }));
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  const [second, first] = await logged(brand, 2);
  assert.deepEqual([first?.errorCode, first?.phoneLastFour], ["OCE011", "0020"]);
  assert.equal(first?.subjectUuid, data.identityUuid);
  const { related } = await get<LogDetail>(brand, `log/${second?.id}`);
  assert.deepEqual(
    related.map((one) => one.uuid),
    [data.identityUuid],
  );
  const { actions } = await get<LogDetail>(brand, `log/${first?.id}`);
  assert.deepEqual(actions, []);
  assert.equal(second?.subjectUuid, uuid);
});

test("a 1-Click that was refused for good is logged with its ID, which its answer does not have", async () => {
  const { uuid: brand, api } = await it.brand();
  const { data } = await refusal(api.createOneClick({ body: { phone: "+14045551300" } }));
  const [line] = await logged(brand, 1);
  const uuid = line?.subjectUuid;
  assert.ok(uuid && !JSON.stringify(data).includes(uuid));
  const journey = await get<Journey>(brand, `journeys/${uuid}`);
  assert.deepEqual([journey.kind, journey.outcome, journey.errorCode], ["signup", "refused", "OCE013"]);
});

test("a list of journeys has one kind or outcome, if it is named", async () => {
  const { uuid: brand, api } = await it.brand();
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body;
  await api.createOneClick({ body: { phone: "+12125550010" } });
  const list = async (query: string) => (await get<{ data: JourneyLine[] }>(brand, `journeys${query}`)).data;
  assert.deepEqual((await list("")).map(({ kind }) => kind).sort(), ["signup", "verification"]);
  const ofKind = await list("?kind=verification");
  assert.deepEqual([ofKind.length, ofKind[0]?.uuid], [1, uuid]);
  assert.deepEqual(await list("?kind=health"), []);
  const ofOutcome = await list("?outcome=shared");
  assert.deepEqual([ofOutcome.length, ofOutcome[0]?.kind], [1, "signup"]);
});

test("a refused call does not tell its brand whether other brands know the phone", async () => {
  const [known, unknown] = [freshPhone(), freshPhone()];
  await it.api.createVerification({ body: { channel: "sms", phone: known } });
  const { uuid: brand, api } = await it.brand();
  const type = "EmailCredential" as const;
  const refused = (phone: string) =>
    refusal(api.createOneClick({ body: { phone, credentialRequests: [{ type }, { type }] } }));
  for (const phone of [known, unknown]) assert.equal((await refused(phone)).status, 400);
  assert.deepEqual(
    (await logged(brand, 2)).map(({ phoneLastFour }) => phoneLastFour),
    [null, null],
  );
  for (const phone of [known, unknown]) assert.deepEqual((await search(brand, { phone })).data, []);
  // A brand that has something about the phone finds its refused calls.
  await api.createVerification({ body: { channel: "sms", phone: known } });
  await refused(known);
  const refusals = (await logged(brand, 4)).filter(({ errorCode }) => errorCode === "ERR001");
  assert.deepEqual(
    refusals.flatMap(({ phoneLastFour }) => phoneLastFour ?? []),
    [known.slice(-4)],
  );
});

test("each filter finds exactly the matching lines", async () => {
  const { uuid: brand, api } = await it.brand();
  const [mine, other] = [freshPhone(), freshPhone()];
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: mine } })).body;
  await it.advance(minuteMs);
  const later = it.deps.clock.now();
  await api.createVerification({ body: { channel: "sms", phone: other } });
  await api.readVerification({ params: { uuid } });
  await refusal(api.readVerification({ params: { uuid: "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21" } }));
  await logged(brand, 4);
  const found = async (filter: object) => (await search(brand, filter)).data.length;
  assert.equal(await found({ status: "succeeded" }), 3);
  assert.equal(await found({ status: "refused" }), 1);
  assert.equal(await found({ status: "failed" }), 1);
  assert.equal(await found({ status: "broken" }), 0);
  assert.equal(await found({ errorCode: "OCV005" }), 1);
  assert.equal(await found({ method: "GET" }), 2);
  assert.equal(await found({ route: "/1-click/verifications/:uuid" }), 2);
  assert.equal(await found({ uuid }), 2);
  assert.equal(await found({ phone: mine }), 2);
  assert.equal(await found({ phone: other }), 1);
  assert.equal(await found({ phone: freshPhone() }), 0);
  assert.equal(await found({ lastFour: mine.slice(-4) }), mine.slice(-4) === other.slice(-4) ? 3 : 2);
  assert.equal(await found({ lastFour: "0000" }), 0);
  assert.equal(await found({ statusCode: 404 }), 1);
  const [line] = (await search(brand, { errorCode: "OCV005" })).data;
  const { requestId, explanation } = await get<LogDetail>(brand, `log/${line?.id}`);
  assert.equal(await found({ uuid: requestId.toUpperCase() }), 1);
  assert.ok(explanation !== null && explanation.fix.length > 0);
  assert.equal(await found({ range: "hour" }), 4);
  await it.advance(60 * minuteMs);
  assert.equal(await found({ range: "hour" }), 3);
  assert.equal(await found({ from: later }), 3);
  assert.equal(await found({ to: later }), 1);
  assert.equal(await found({ phone: mine, method: "GET" }), 1);
  // Special characters of patterns and SQL are matched literally.
  for (const route of ["%", "_", "' or 1=1 --", "\\"]) assert.equal(await found({ route }), 0, route);
});

test("pages have no gaps and no duplicates while new lines arrive", async () => {
  const { uuid: brand, apiKey } = await it.brand();
  const callMany = async (count: number) => {
    for (let index = 0; index < count; index += 1) await ask(apiKey, "/v2/1-click/verifications/channels?deviceIp=::1");
  };
  const total = async () =>
    (await it.store.db.selectFrom("request_log").select("id").where("brand_uuid", "=", brand).execute()).length;
  await callMany(120);
  while ((await total()) < 120);
  const first = await search(brand);
  await callMany(30);
  while ((await total()) < 150);
  const seen = first.data.map(({ id }) => id);
  let page = first;
  while (page.hasOlder) {
    page = await search(brand, {}, { older: page.cursors.older });
    assert.ok(page.hasNewer);
    seen.push(...page.data.map(({ id }) => id));
  }
  assert.equal(seen.length, 120);
  const inCell = (id: string | undefined) => Number(id?.split("-")[1]);
  assert.deepEqual(
    seen,
    [...new Set(seen)].sort((a, b) => inCell(b) - inCell(a)),
  );
  const newer = await search(brand, {}, { newer: first.cursors.newer });
  assert.equal(newer.data.length, 30);
  assert.ok(!newer.hasNewer);
  assert.ok(inCell(newer.data.at(-1)?.id) > inCell(seen[0]));
});

test("after a person is deleted, the log neither shows the phone nor finds lines by it", async () => {
  const { uuid: brand, api } = await it.brand();
  const phone = freshPhone();
  await hostedShare(it, phone);
  await api.createVerification({ body: { channel: "sms", phone } });
  const [line] = await logged(brand, 1);
  assert.equal(line?.phoneLastFour, phone.slice(-4));
  const person = await signIn(it, phone);
  await person.proveAccount({ body: { birthDate } });
  await person.deleteAccount({ body: { consent: agreed("delete") } });
  const after = (await search(brand)).data;
  assert.equal(after.length, 1);
  assert.equal(after[0]?.phoneLastFour, null);
  assert.equal((await search(brand, { phone })).data.length, 0);
  assert.equal((await search(brand, { lastFour: phone.slice(-4) })).data.length, 0);
});

test("hostile input does not appear in the log", async () => {
  const { uuid: brand, apiKey } = await it.brand();
  const evil = "<script>alert(1)</script>%0a%0dINJECTED";
  await ask(apiKey, `/v2/1-click/verifications/${encodeURIComponent(evil)}`);
  await it.inject({
    method: "POST",
    url: "/v2/1-click",
    headers: { authorization: apiKey, "content-type": "application/json", "x-request-id": evil },
    payload: JSON.stringify({ phone: evil, identityUuid: evil }),
  });
  const lines = await logged(brand, 2);
  const text = JSON.stringify([lines, await Promise.all(lines.map(({ id }) => get(brand, `log/${id}`)))]);
  for (const part of ["script", "INJECTED", "alert"]) assert.ok(!text.includes(part), part);
});

test("log lines are deleted after thirty days", async () => {
  const { uuid: brand, apiKey } = await it.brand();
  await ask(apiKey, "/v2/1-click/verifications/channels?deviceIp=::1");
  await logged(brand, 1);
  await it.advance(logKeptMs - minuteMs);
  assert.equal((await search(brand)).data.length, 1);
  await it.advance(2 * 24 * 60 * minuteMs);
  assert.equal((await search(brand)).data.length, 0);
});

test("billed items are counted in the month in which they began", async () => {
  const { uuid: brand, api } = await it.brand({ health: { enabled: true } });
  const phone = "+12125550010";
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  for (const _text of [1, 2]) {
    await api.deliverVerification({ params: { uuid } });
    await it.runJobs();
  }
  await api.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  const { uuid: identity } = (await api.createOneClick({ body: { phone: "+12125550010" } })).body;
  await api.createHealthLookup({ body: { identityUuid: identity } });
  await it.runJobs();
  const { data } = await get<{ data: UsageMonth[] }>(brand, "usage");
  assert.equal(data.length, 13);
  const month = new Date(it.deps.clock.now()).toISOString().slice(0, 7);
  const [now, before] = data;
  assert.equal(now?.month, month);
  const { textsSent, verifications, signups, riskSignals, healthAutofills } = now ?? assert.fail();
  assert.deepEqual([textsSent, verifications, signups, riskSignals, healthAutofills], [2, 1, 1, 1, 1]);
  assert.equal(before?.textsSent, 0);
  const { csv } = await get<{ csv: string }>(brand, "usage-csv?of=usage");
  assert.match(csv, /^"month","textsSent"/);
  assert.ok(csv.includes(`"${month}",2,0,1,1,1,1,`));
});

test("the ledger is paged and exported as CSV, and no cell is a formula", async () => {
  const { uuid: brand } = await it.brand();
  const values = Array.from({ length: 60 }, (_, index) => ({
    environment: "sandbox",
    at: it.deps.clock.now() + index,
    kind: index === 0 ? "=cmd|' /C calc'!A0" : "issuedCredentialUsed",
    brand_uuid: brand,
    person_uuid: null,
    subject_uuid: it.deps.random.uuid(),
    cause_uuid: it.deps.random.uuid(),
    detail: "{}",
  }));
  await it.store.db.insertInto("ledger_entry").values(values).execute();
  type Ledger = { data: { id: string }[]; hasOlder: boolean; older: string };
  const first = await get<Ledger>(brand, "ledger");
  const second = await get<Ledger>(brand, `ledger?older=${first.older}`);
  assert.deepEqual([first.data.length, first.hasOlder, second.data.length, second.hasOlder], [50, true, 10, false]);
  const { csv, isWhole } = await get<{ csv: string; isWhole: boolean }>(brand, "usage-csv?of=ledger");
  assert.equal(csv.split("\r\n").length, 62);
  assert.ok(isWhole);
  assert.ok(csv.includes(`"'=cmd|' /C calc'!A0"`));
  assert.equal(csvOf([["＝1", " ＠a"]]), `"'＝1","' ＠a"\r\n`);
  assert.equal(csvOf([["=1", "+1", "-1", "@a", "\t=1", ' "x', 5]]), `"'=1","'+1","'-1","'@a","'\t=1"," ""x",5\r\n`);
});

test("every call about another customer's brand gets a 404", async () => {
  const stranger = await signedIn(it, { customerUuid: secondDemoCustomer.uuid });
  const [own] = demoBrands.filter(({ customerUuid }) => customerUuid !== secondDemoCustomer.uuid);
  for (const rest of ["analytics", "usage", "ledger", "usage-csv?of=ledger", "log/0-1"])
    assert.equal((await stranger.call("GET", pathOf(own?.uuid ?? "", rest))).status, 404, rest);
  assert.equal((await stranger.call("POST", pathOf(own?.uuid ?? "", "log"), { filter: {} })).status, 404);
  const { uuid: mine, api } = await it.brand();
  await api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
  const [line] = await logged(mine, 1);
  const { uuid: beside } = await it.brand();
  assert.equal((await viewer.call("GET", pathOf(beside, `log/${line?.id}`))).status, 404);
});
