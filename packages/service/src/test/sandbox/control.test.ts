import assert from "node:assert/strict";
import { test } from "node:test";
import { freshPhone } from "../harness/below-http.ts";
import { assertEnvelope, otherKey, refusal, type Sandbox, sandbox, sdkKey, testStart } from "../harness/sandbox.ts";

const it = await sandbox();
const other = it.as(otherKey);
const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

type Headers = Record<string, string>;
type Request = { headers?: Headers; from?: string; payload?: string };
/** Calls the clock without a key and returns the status: GET without a payload, POST with one. */
async function keyless({ headers, from, payload }: Request, where: Sandbox = it): Promise<number> {
  const { status, body } = await where.inject({
    method: payload === undefined ? "GET" : "POST",
    url: "/sandbox/clock",
    headers: { host: "localhost:4000", ...headers },
    remoteAddress: from,
    payload,
  });
  if (status >= 400) assertEnvelope(status, body);
  return status;
}

const json = { "content-type": "application/json" };
const still = '{"advanceMs":0}';
const followed = { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const allowed: [string, Request][] = [
  ["from this machine with the host localhost", {}],
  ["with an IPv4 loopback host", { headers: { host: "127.0.0.1:4000" } }],
  ["with another IPv4 loopback host", { headers: { host: "127.8.8.8" } }],
  ["with the IPv6 loopback host", { headers: { host: "[::1]:4000" }, from: "::1" }],
  ["with a host in capitals", { headers: { host: "LOCALHOST:4000" } }],
  ["from an IPv4-mapped IPv6 address", { from: "::ffff:127.0.0.1" }],
  ["from the service's own pages", { headers: { origin: "http://localhost:4000", "sec-fetch-site": "same-origin" } }],
  ["from the address bar", { headers: { "sec-fetch-site": "none" } }],
  ["from a link of another local page", { headers: followed }],
  ["with a JSON body", { headers: json, payload: still }],
  ["with a JSON body and charset", { headers: { "content-type": "Application/JSON; charset=utf-8" }, payload: still }],
];
for (const [what, request] of allowed) {
  test(`sandbox control needs no key ${what}`, async () => assert.equal(await keyless(request), 200));
}

const refused: [string, Request][] = [
  ["a request from another machine", { from: "192.0.2.1" }],
  ["a request from the same network", { from: "10.0.0.1" }],
  ["a page of another site", { headers: { origin: "https://evil.example" } }],
  ["a page of another local port", { headers: { origin: "http://localhost:4001" } }],
  ["a page with a null origin", { headers: { origin: "null" } }],
  ["a request with X-Forwarded-For", { headers: { "x-forwarded-for": "127.0.0.1" } }],
  ["a request with X-Forwarded-Host", { headers: { "x-forwarded-host": "localhost" } }],
  ["a request with X-Forwarded-Proto", { headers: { "x-forwarded-proto": "http" } }],
  ["a request with an empty X-Forwarded-For", { headers: { "x-forwarded-for": "" } }],
  ["a request with Forwarded", { headers: { forwarded: "for=127.0.0.1" } }],
  ["a request with Sec-Fetch-Site: cross-site", { headers: { "sec-fetch-site": "cross-site" } }],
  ["a request with Sec-Fetch-Site: same-site", { headers: { "sec-fetch-site": "same-site" } }],
  ["a link of another site", { headers: { ...followed, "sec-fetch-site": "cross-site" } }],
  ["a frame in another local page", { headers: { ...followed, "sec-fetch-dest": "iframe" } }],
  ["a script of another local page", { headers: { ...followed, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" } }],
  ["a form of another local page", { headers: { ...followed, ...json }, payload: still }],
  ["a plain text body", { headers: { "content-type": "text/plain" }, payload: still }],
  ["a form", { headers: { "content-type": "application/x-www-form-urlencoded" }, payload: still }],
  ["a body without a content type", { payload: still }],
  ["a body of type application/jsonp", { headers: { "content-type": "application/jsonp" }, payload: still }],
];
for (const [what, request] of refused) {
  test(`without a key, ${what} is refused`, async () => assert.equal(await keyless(request), 401));
}

test("if DEMO is off, sandbox control needs a key but accepts it from any address", async () => {
  const demoOff = await sandbox({}, { DEMO: "off" });
  assert.equal(await keyless({}, demoOff), 401);
  const { status } = await demoOff.inject({
    method: "GET",
    url: "/sandbox/clock",
    headers: { authorization: otherKey, "x-forwarded-for": "192.0.2.1" },
    remoteAddress: "198.51.100.1",
  });
  assert.equal(status, 200);
  assert.equal((await refusal(demoOff.as(otherKey).moveClock({ body: { advanceMs: 1 } }))).status, 403);
});

test("a caller without a key acts as the first demo customer", async () => {
  const { uuid } = (await it.as(null).createSandboxBrand({ body: {} })).body;
  assert.equal((await it.api.readSandboxBrand({ params: { uuid } })).body.uuid, uuid);
  assert.equal((await refusal(other.readSandboxBrand({ params: { uuid } }))).status, 404);
});

/** Sends texts of one verification to a phone, one after another. */
async function texted(api: typeof it.api, phone: string, times = 1): Promise<void> {
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
  for (let sent = 0; sent < times; sent += 1) {
    await api.deliverVerification({ params: { uuid } });
    await it.runJobs();
    await it.advance(second);
  }
}

test("texts of all the customer's brands are listed newest first, filtered by phone, with times in milliseconds", async () => {
  const [one, two] = [freshPhone(), freshPhone()];
  await texted(it.api, one, 2);
  await texted(it.as(sdkKey), two);
  const listed = async (to?: string) =>
    (await it.api.listMessages({ query: to === undefined ? {} : { to } })).body.data;
  const all = await listed();
  assert.deepEqual(
    all.slice(0, 3).map(({ to }) => to),
    [two, one, one],
  );
  assert.deepEqual(
    all.map(({ sentAt }) => sentAt),
    all.map(({ sentAt }) => sentAt).sort((a, b) => b - a),
  );
  assert.deepEqual(
    (await listed(one)).map(({ to }) => to),
    [one, one],
  );
  assert.deepEqual(await listed(one.replace("+", " ")), await listed(one));
  const [text] = await listed(two);
  assert.deepEqual(Object.keys(text ?? {}).sort(), ["body", "brandUuid", "channel", "from", "id", "sentAt", "to"]);
  assert.equal(text?.channel, "sms");
  assert.ok(Math.abs((text?.sentAt ?? 0) - testStart) < minute);
  assert.deepEqual(await listed(freshPhone()), []);
});

test("texts of another customer are never listed", async () => {
  const phone = freshPhone();
  await texted(other, phone);
  assert.equal((await other.listMessages({ query: { to: phone } })).body.data.length, 1);
  assert.deepEqual((await it.api.listMessages({ query: { to: phone } })).body.data, []);
  assert.ok((await it.api.listMessages()).body.data.every(({ to }) => to !== phone));
});

const wrongMoves: [string, Record<string, number>, string][] = [
  ["neither property", {}, "body"],
  ["both properties", { advanceMs: 1, now: testStart + day }, "body"],
  ["a move back", { advanceMs: -1 }, "body.advanceMs"],
  ["a past time", { now: testStart - day }, "body.now"],
  ["more than 400 days", { advanceMs: 400 * day + 1 }, "body.advanceMs"],
  ["a time more than 400 days ahead", { now: testStart + 402 * day }, "body.now"],
  ["a number too large for a time", { now: 1e300 }, "body.now"],
];
test("the clock moves only forward, by advanceMs or to now, and at most 400 days", async () => {
  const before = (await it.api.readClock()).body;
  for (const [what, body, path] of wrongMoves) {
    const { errorCode, data } = await refusal(it.api.moveClock({ body }));
    assert.deepEqual([errorCode, (data.errors as { path: string }[])[0]?.path], ["ERR001", path], what);
  }
  assert.deepEqual((await it.api.readClock()).body, before);
  const moved = (await it.api.moveClock({ body: { now: before.now + minute } })).body;
  assert.deepEqual(moved, { now: before.now + minute, offsetMs: before.offsetMs + minute, jobsRun: 0 });
  assert.deepEqual((await it.api.readClock()).body, { now: moved.now, offsetMs: moved.offsetMs });
  assert.equal((await it.api.moveClock({ body: { now: moved.now } })).body.now, moved.now);
});

test("the offset is stored in the database, so that all processes and the next start have the same time", async () => {
  const { offsetMs } = (await it.advance(minute)).body;
  const rows = await it.store.db.selectFrom("environment_clock").selectAll().execute();
  assert.deepEqual(rows, [{ environment: "sandbox", offset_ms: offsetMs }]);
});

test("of two processes that move the clock at once, the later time wins", async () => {
  const { offsetMs } = (await it.api.readClock()).body;
  // The other process's move, before its notification has reached this process.
  await it.store.db
    .updateTable("environment_clock")
    .set({ offset_ms: offsetMs + day })
    .execute();
  const moved = (await it.advance(minute)).body;
  assert.equal(moved.offsetMs, offsetMs + day);
  assert.deepEqual((await it.api.readClock()).body, { now: moved.now, offsetMs: moved.offsetMs });
});

test("moving the clock runs due jobs in order, each at its own time", async () => {
  const attempts: number[] = [];
  const noSms = await sandbox({
    vendors: {
      sms: {
        from: "Countersign",
        route: "test",
        keepsTexts: true,
        async send() {
          attempts.push(noSms.deps.clock.now() - testStart);
          throw new Error("the gateway does not answer");
        },
      },
    },
  });
  const { uuid } = (await noSms.api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body;
  await noSms.api.deliverVerification({ params: { uuid } });
  await noSms.runJobs();
  assert.deepEqual(attempts, [0]);
  const oneClick = (await noSms.api.createOneClick({ body: { phone: freshPhone() } })).body.uuid;
  assert.equal((await noSms.advance(2 * 60 * minute)).body.jobsRun, 5);
  // The retry delays are 1, 5, 20, 60 and 120 seconds. After that, the text fails.
  assert.deepEqual(
    attempts,
    [0, 1, 6, 26, 86, 206].map((seconds) => seconds * second),
  );
  assert.equal((await noSms.api.readVerification({ params: { uuid } })).body.status, "failed");
  const row = await noSms.store.db.selectFrom("one_click").selectAll().where("uuid", "=", oneClick).executeTakeFirst();
  assert.deepEqual([row?.sealed, row?.erased_at], [null, testStart + 2 * 60 * minute]);
});

test("after a clock reset, a verification that expired only on the moved clock is pending again", async () => {
  const params = {
    uuid: (await it.api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body.uuid,
  };
  const { now } = (await it.api.readClock()).body;
  await it.api.moveClock({ body: { now: now + 5 * minute } });
  assert.equal((await it.api.readVerification({ params })).body.status, "expired");
  assert.deepEqual((await it.api.resetClock()).body, { now: testStart, offsetMs: 0 });
  assert.equal((await it.api.readVerification({ params })).body.status, "pending");
});

test("if SANDBOX_CLOCK is off, the clock can be read but not moved", async () => {
  const fixed = await sandbox({}, { SANDBOX_CLOCK: "off" });
  assert.deepEqual((await fixed.api.readClock()).body, { now: testStart, offsetMs: 0 });
  assert.equal((await refusal(fixed.api.moveClock({ body: { advanceMs: 1 } }))).status, 403);
  assert.equal((await refusal(fixed.api.resetClock())).status, 403);
});
