/** A brand's analytics: counts, latencies, funnels, and the period before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Analytics, LogLine } from "@countersign/contract/dashboard-reporting";
import { freshPhone } from "../harness/below-http.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const viewer = await signedIn(it, { role: "viewer" });
const minuteMs = 60_000;

const pathOf = (brand: string, rest: string) => `/api/brands/${brand}/sandbox/${rest}`;
async function get<Value>(brand: string, rest: string): Promise<Value> {
  const { status, body } = await viewer.call("GET", pathOf(brand, rest));
  assert.equal(status, 200, JSON.stringify(body));
  return body as Value;
}
/** Log lines are written in the background, a moment after the request. */
async function logged(brand: string, count: number): Promise<LogLine[]> {
  return await eventually(async () => {
    const { data } = (await viewer.call("POST", pathOf(brand, "log"), { filter: {} })).body as { data: LogLine[] };
    return data.length >= count ? data : undefined;
  });
}

test("analytics count each request once, including erased ones", async () => {
  const { uuid: brand, api } = await it.brand();
  const begin = async () => {
    const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body;
    return uuid;
  };
  const from = it.deps.clock.now();
  const [verified, failed, expired] = [await begin(), await begin(), await begin()];
  for (const uuid of [verified, failed]) await api.deliverVerification({ params: { uuid } });
  await it.runJobs();
  await api.submitVerificationCode({ params: { uuid: verified }, body: { code: "111111" } });
  for (const code of ["000001", "000002", "000003"])
    await refusal(api.submitVerificationCode({ params: { uuid: failed }, body: { code } }));
  await it.advance(10 * minuteMs);
  await begin();
  await api.createOneClick({ body: { phone: "+12125550010" } });
  const { data } = await refusal(api.createOneClick({ body: { phone: "+12125550020" } }));
  await refusal(api.createOneClick({ body: { phone: "+14045551300" } }));
  await logged(brand, 13);
  const range = `analytics?from=${from}&to=${from + 60 * minuteMs}&bucket=minute`;
  const analytics = await get<Analytics>(brand, range);
  const [sms] = analytics.verifications;
  assert.deepEqual(sms, {
    channel: "sms",
    created: 4,
    sending: 2,
    delivered: 2,
    verified: 1,
    failed: 1,
    expired: 1,
    open: 1,
  });
  assert.equal(analytics.over.verifications.at.length, 60);
  assert.deepEqual(
    analytics.over.verifications.series.map(({ name, counts }) => [name, counts[0], counts[10]]),
    [
      ["verified", 1, 0],
      ["failed", 1, 0],
      ["expired", 1, 0],
      ["open", 0, 1],
    ],
  );
  const { asked, moreAsked, released } = analytics.signup;
  assert.deepEqual([asked >= 2, moreAsked, released], [true, 1, 1]);
  assert.ok(data.identityUuid);
  assert.ok(analytics.over.errors.series.some(({ name, counts }) => name === "OCE011" && counts[10] === 1));
  assert.ok(expired);
  await it.advance(25 * 60 * minuteMs);
  const erased = await it.store.db.selectFrom("verification").select("uuid").where("brand_uuid", "=", brand).execute();
  assert.deepEqual(erased, []);
  const [again] = (await get<Analytics>(brand, range)).verifications;
  assert.deepEqual(again, { ...sms, expired: 2, open: 0 });
});

test("calls are counted by outcome with their latencies, and compared with the period before", async () => {
  const { uuid: brand, api } = await it.brand();
  const hourMs = 60 * minuteMs;
  await api.createOneClick({ body: { phone: "+12125550010" } });
  await logged(brand, 1);
  await it.advance(hourMs);
  await refusal(api.createOneClick({ body: { phone: "+14045551300" } }));
  await api.createOneClick({ body: { phone: "+12125550010" } });
  const proof = (await api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body.uuid;
  await api.readVerification({ params: { uuid: proof } });
  const lines = await logged(brand, 5);
  const from = Math.floor(it.deps.clock.now() / hourMs) * hourMs;
  const { calls, before, over, signup } = await get<Analytics>(
    brand,
    `analytics?from=${from}&to=${from + hourMs}&bucket=minute`,
  );
  const taken = lines.slice(0, 4).map(({ latencyMs }) => latencyMs);
  taken.sort((a, b) => a - b);
  assert.deepEqual(calls, { all: 4, refused: 1, broken: 0, p50: taken[1], p95: taken[3], p99: taken[3] });
  assert.deepEqual([before.calls?.all, before.calls?.refused], [1, 0]);
  assert.deepEqual(before.signup, { all: 1, part: 1 });
  assert.deepEqual(before.verifications, { all: 0, part: 0 });
  const total = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0);
  assert.deepEqual(
    over.calls.series.map(({ name, counts }) => [name, total(counts)]),
    [
      ["succeeded", 3],
      ["refused", 1],
      ["broken", 0],
    ],
  );
  const highest = over.latency.series.find(({ name }) => name === "p99")?.values.filter((one) => one !== null);
  assert.deepEqual(highest, [taken[3]]);
  assert.deepEqual(signup.funnels, [{ journey: "v21Api", created: 2, proven: 2, reviewed: 1, shared: 1 }]);
  const older = await get<Analytics>(brand, "analytics?range=month");
  assert.equal(older.before.calls, null);
});

test("an unknown range, an empty range, or a range with too many buckets is refused", async () => {
  const { uuid: brand } = await it.brand();
  for (const query of ["from=0&to=86400000&bucket=minute", "from=5&to=5", "range=century"]) {
    const { status } = await viewer.call("GET", pathOf(brand, `analytics?${query}`));
    assert.equal(status, 400, query);
  }
});
