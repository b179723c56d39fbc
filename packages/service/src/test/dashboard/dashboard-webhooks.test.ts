// alone: its harness is one service, which other files also use
import assert from "node:assert/strict";
import test from "node:test";
import { defineEndpoint } from "../../domain/webhook/endpoint.ts";
import { webhookSignature } from "../../domain/webhook/request.ts";
import { sendTest } from "../../domain/webhook/test-event.ts";
import {
  address,
  audit,
  day,
  happen,
  hooked,
  it,
  list,
  none,
  owner,
  receiver,
  sent,
  viewer,
  webhookOf,
} from "../harness/dashboard-webhooks.ts";
import { noWorker } from "../harness/test-jobs.ts";

test("a new webhook's secret is shown once and signs its events", async () => {
  const { brand, base, secret } = await hooked();
  assert.match(secret, /^whsec_/);
  const listed = await owner.call("GET", `${base}/webhooks`);
  assert.ok(!JSON.stringify(listed.body).includes(secret));
  await happen(brand);
  const [request] = sent;
  assert.ok(request);
  const timestamp = request.headers["x-webhook-timestamp"] ?? "";
  assert.equal(request.headers["x-webhook-signature"], webhookSignature([secret], timestamp, request.body));
  const { data } = await list(base);
  assert.deepEqual(
    data.map((one) => [one.status, one.isTest, one.attempts.map((attempt) => attempt.httpStatus)]),
    [["delivered", false, [204]]],
  );
});

test("after a rotation, both secrets sign until the announced time", async () => {
  const { base, one, secret } = await hooked();
  const rotated = await owner.call("POST", `${one}/rotate`);
  const { signingSecret, previousSecretUntil } = rotated.body;
  assert.equal(previousSecretUntil, it.deps.clock.now() + day);
  assert.equal((await webhookOf(base)).previousSecretUntil, previousSecretUntil);
  const send = async () => {
    await owner.call("POST", `${one}/test`);
    await it.runJobs();
    const { headers, body } = sent.at(-1) ?? assert.fail("nothing was sent");
    const timestamp = headers["x-webhook-timestamp"] ?? "";
    return {
      signature: headers["x-webhook-signature"],
      of: (...secrets: string[]) => webhookSignature(secrets, timestamp, body),
    };
  };
  const both = await send();
  assert.equal(both.signature, both.of(String(signingSecret), secret));
  await it.advance(day);
  const alone = await send();
  assert.equal(alone.signature, alone.of(String(signingSecret)));
  assert.equal((await webhookOf(base)).previousSecretUntil, null);
});

test("authentication is sent but never shown, and moving to another host requires entering it again", async () => {
  const secret = "k-CANARY-998877";
  const { base, one, brand } = await hooked(address, { type: "apiKey", header: "X-Api-Key", value: secret });
  await owner.call("POST", `${one}/test`);
  await it.runJobs();
  assert.equal(sent[0]?.headers["x-api-key"], secret);
  const moved = await owner.call("PATCH", one, { url: "https://elsewhere.example/hook" });
  assert.equal(moved.status, 400);
  assert.deepEqual(
    (moved.body.data as { errors: { path: string }[] }).errors.map(({ path }) => path),
    ["body.authentication"],
  );
  assert.equal((await owner.call("PATCH", one, { url: `${address}/v2?token=T-CANARY` })).status, 200);
  const basic = { type: "basic", username: "u", password: "p-CANARY-112233" };
  const given = { url: "https://elsewhere.example/hook", authentication: basic };
  assert.equal((await owner.call("PATCH", one, given)).status, 200);
  const shown = JSON.stringify([await webhookOf(base), await audit(brand.uuid), await list(base)]);
  for (const value of [secret, "p-CANARY-112233", "T-CANARY"]) assert.ok(!shown.includes(value), value);
  assert.equal((await webhookOf(base)).authentication, "basic");
});

test("a viewer sees a URL without what may be a secret, and reserved headers are refused", async () => {
  const { base, one } = await hooked(`${address}?token=T-CANARY`);
  assert.equal((await webhookOf(base, viewer)).url, `${address}/...NARY`);
  assert.equal((await webhookOf(base)).url, `${address}?token=T-CANARY`);
  for (const header of ["X-Webhook-Signature", "Host", "content-type"]) {
    const refused = await owner.call("PATCH", one, { authentication: { type: "apiKey", header, value: "x" } });
    assert.equal(refused.status, 400, header);
  }
});

const inside = [
  "http://brand.example/hook",
  "https://127.0.0.1/hook",
  "https://169.254.169.254/latest/meta-data",
  "https://[::ffff:10.0.0.1]/",
  "https://0x7f000001/",
  "https://localhost/",
  "https://metadata.internal/",
  "https://user:pass@brand.example/",
  "javascript:alert(1)",
  "file:///etc/passwd",
];

test("internal addresses are refused when a webhook is defined, changed or tested", async () => {
  const { brand, base, one } = await hooked();
  for (const url of inside) {
    const created = await owner.call("POST", `${base}/webhooks`, { url, authentication: none });
    assert.equal(created.status, 400, url);
    assert.equal((await owner.call("PATCH", one, { url })).status, 400, url);
    // Store the URL as if it had been allowed when the webhook was defined.
    const { vendors } = it.deps;
    const lax = { ...it.deps, vendors: { ...vendors, outbound: { ...vendors.outbound, judge: () => null } } };
    if (!URL.canParse(url) || !/^https?:/.test(url)) continue;
    const { uuid } = await defineEndpoint(lax, brand.uuid, { url, authentication: { type: "none" } });
    assert.equal((await owner.call("POST", `${base}/webhooks/${uuid}/test`)).status, 400, url);
    assert.equal((await owner.call("PATCH", `${base}/webhooks/${uuid}`, { enabled: false })).status, 200, url);
    assert.equal((await owner.call("DELETE", `${base}/webhooks/${uuid}`)).status, 200, url);
  }
  await it.runJobs();
  assert.equal(sent.length, 0);
});

test("a test event is signed and delivered like a real one, is marked as a test, and is limited to ten a minute", async () => {
  const { base, one, secret } = await hooked();
  const tried = await owner.call("POST", `${one}/test`);
  assert.equal(tried.status, 202);
  await it.runJobs();
  const [request] = sent;
  assert.ok(request);
  const timestamp = request.headers["x-webhook-timestamp"] ?? "";
  assert.equal(request.headers["x-webhook-signature"], webhookSignature([secret], timestamp, request.body));
  const { event, test: isTest, healthDataUuid, status: state, results } = JSON.parse(request.body);
  assert.deepEqual([event, isTest, state, results.length], ["1-click.health.lookup", true, "SUCCEEDED", 1]);
  assert.match(healthDataUuid, /^[0-9a-f-]{36}$/);
  const { data } = await list(base);
  assert.deepEqual(
    data.map((line) => [line.uuid, line.isTest, line.status]),
    [[tried.body.delivery, true, "delivered"]],
  );
  for (let i = 0; i < 9; i += 1) assert.equal((await owner.call("POST", `${one}/test`)).status, 202);
  assert.equal((await owner.call("POST", `${one}/test`)).status, 429);
});

test("a disabled webhook gets no new events, and pending ones are sent after it is enabled", async () => {
  const { brand, base, one } = await hooked();
  receiver.status = 500;
  await happen(brand);
  await owner.call("PATCH", one, { enabled: false });
  await it.advance(2 * 60_000);
  await happen(brand);
  assert.equal(sent.length, 1);
  const { data } = await list(base);
  assert.deepEqual(
    data.map((line) => [line.status, line.attempts.map((attempt) => attempt.httpStatus ?? attempt.error)]),
    [["pending", [500, "the webhook is switched off"]]],
  );
  assert.equal((await owner.call("POST", `${one}/test`)).status, 409);
  assert.equal((await owner.call("POST", `${base}/deliveries/${data[0]?.uuid}/replay`)).status, 409);
  receiver.status = 204;
  await owner.call("PATCH", one, { enabled: true });
  await it.advance(5 * 60_000);
  assert.equal((await list(base)).data[0]?.status, "delivered");
});

test("a deleted webhook gets no more events, its pending deliveries are dead-lettered, and their bodies are erased", async () => {
  const { brand, base, one, uuid } = await hooked();
  receiver.status = 500;
  await happen(brand);
  assert.equal((await owner.call("DELETE", one)).status, 200);
  assert.deepEqual((await owner.call("GET", `${base}/webhooks`)).body.data, []);
  const { data } = await list(base);
  assert.deepEqual(
    data.map((line) => [line.status, line.isErased, line.attempts.at(-1)?.error]),
    [["deadLettered", true, "the webhook was deleted"]],
  );
  const count = sent.length;
  await happen(brand);
  await it.advance(day);
  assert.equal(sent.length, count);
  assert.equal((await owner.call("POST", `${base}/deliveries/${data[0]?.uuid}/replay`)).status, 409);
  for (const [method, path] of [
    ["PATCH", one],
    ["DELETE", one],
    ["POST", `${one}/rotate`],
    ["POST", `${one}/test`],
  ] as const)
    assert.equal((await owner.call(method, path, {})).status, 404, path);
  const row = await it.store.db
    .selectFrom("webhook_endpoint")
    .innerJoin("data_key", "data_key.uuid", "webhook_endpoint.data_key_uuid")
    .select("wrapped")
    .where("webhook_endpoint.uuid", "=", uuid)
    .executeTakeFirst();
  assert.equal(row?.wrapped, null);
});

test("an event published while its webhook is being deleted is dead-lettered at its first attempt, unsent", async () => {
  const { brand, base, uuid } = await hooked();
  // Do not wake the worker, so that the event is not sent before the deletion.
  await sendTest({ ...it.deps, worker: noWorker }, { uuid });
  // Simulate a deletion that missed the delivery.
  await it.store.db
    .updateTable("webhook_endpoint")
    .set({ deleted_at: it.deps.clock.now() })
    .where("brand_uuid", "=", brand.uuid)
    .execute();
  await it.runJobs();
  const { data } = await list(base);
  assert.deepEqual(
    data.map((line) => [line.status, line.attempts.length]),
    [["deadLettered", 1]],
  );
  assert.equal(sent.length, 0);
});

test("five days without an acknowledgement mark a webhook as failing, and the first acknowledgement clears it", async () => {
  const { base, one } = await hooked();
  receiver.status = 500;
  const began = it.deps.clock.now();
  await owner.call("POST", `${one}/test`);
  await it.runJobs();
  assert.deepEqual([(await webhookOf(base)).failingSince, (await webhookOf(base)).needsAttention], [began, false]);
  await it.advance(5 * day - (it.deps.clock.now() - began) - 1);
  assert.equal((await webhookOf(base)).needsAttention, false);
  await it.advance(1);
  assert.deepEqual([(await webhookOf(base)).failingSince, (await webhookOf(base)).needsAttention], [began, true]);
  receiver.status = 200;
  await owner.call("POST", `${one}/test`);
  await it.runJobs();
  assert.deepEqual([(await webhookOf(base)).failingSince, (await webhookOf(base)).needsAttention], [null, false]);
});

test("webhooks of an environment that this service does not run get a 409 with the reason", async () => {
  const { brand } = await hooked();
  const base = `/api/brands/${brand.uuid}/production`;
  assert.equal((await owner.call("GET", `${base}/webhooks`)).status, 404);
  await owner.call("POST", `/api/brands/${brand.uuid}/production`, { sourceVersion: 1 });
  const answer = await owner.call("GET", `${base}/webhooks`);
  assert.equal(answer.status, 409);
  assert.match(String(answer.body.message), /does not run the production environment/);
});

test("hostile input is stored unchanged and returned as JSON only", async () => {
  const url = "https://brand.example/%3Cscript%3Ealert(1)%3C/script%3E?q=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E";
  const { base } = await hooked(url, { type: "apiKey", header: "X-Key", value: '"><script>alert(1)</script>' });
  const answer = await owner.call("GET", `${base}/webhooks`);
  assert.match(String(answer.headers["content-type"]), /^application\/json/);
  assert.equal(answer.headers["x-content-type-options"], "nosniff");
  assert.equal((await webhookOf(base)).url, url);
});

test("a brand has at most twenty webhooks and sees only its own", async () => {
  const { base } = await hooked();
  const add = async () => (await owner.call("POST", `${base}/webhooks`, { url: address, authentication: none })).status;
  for (let defined = 1; defined < 20; defined += 1) assert.equal(await add(), 201);
  assert.equal(await add(), 409);
  const other = await hooked();
  assert.deepEqual(
    ((await owner.call("GET", `${other.base}/webhooks`)).body.data as { uuid: string }[]).map(({ uuid }) => uuid),
    [other.uuid],
  );
});
