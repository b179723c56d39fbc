import assert from "node:assert/strict";
import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import test from "node:test";
import { client } from "@countersign/contract/client";
import { createSandboxWebhook, listDeliveries, replayDelivery, rotateWebhook } from "@countersign/contract/webhook";
import { verifyWebhook } from "../../../../sdk/src/webhooks.ts";
import { listEnabledEndpoints } from "../../domain/webhook/endpoint-rows.ts";
import { healthLookupEvent, publish } from "../../domain/webhook/publish.ts";
import { assertNotStored } from "../harness/below-http.ts";
import { demoKey, otherKey, refusal, sandbox, testStart } from "../harness/sandbox.ts";
import { hookReceiver, type Received, signatureUnder } from "../harness/webhook-receiver.ts";

const it = await sandbox();
const minute = 60_000;
const hour = 60 * minute;

const control = (apiKey: string) =>
  client(
    { createSandboxWebhook, rotateWebhook, listDeliveries, replayDelivery },
    {
      send: ({ method, path, body, headers }) =>
        it.inject({
          method,
          url: path,
          headers: { authorization: apiKey, ...headers },
          ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        }),
    },
  );
const api = control(demoKey);
const define = async (
  url: string,
  authentication?: Parameters<typeof api.createSandboxWebhook>[0]["body"]["authentication"],
) => {
  const brand = await it.brand();
  const { body } = await api.createSandboxWebhook({
    params: { uuid: brand.uuid },
    body: { url, ...(authentication === undefined ? {} : { authentication }) },
  });
  return { ...body, brandUuid: brand.uuid };
};

/** Publishes an event as a health lookup does, and returns its subject. */
async function happen(brandUuid: string) {
  const subjectUuid = it.deps.random.uuid();
  const endpointUuids = await listEnabledEndpoints(it.deps, brandUuid, healthLookupEvent);
  await it.deps.db.inTransaction(async (trx) => {
    const dataKey = await it.deps.vault.createDataKey(trx, "sandbox", it.deps.clock.now());
    const body = {
      event: "1-click.health.lookup",
      healthDataUuid: subjectUuid,
      sentAt: it.deps.clock.now(),
      status: "SUCCEEDED",
      results: [{ memberId: "CANARY-4711" }],
    };
    await publish(it.deps, trx, {
      brandUuid,
      endpointUuids,
      event: "1-click.health.lookup",
      subjectUuid,
      dataKey,
      body,
    });
  });
  return subjectUuid;
}
const delivered = async (uuid: string) => (await api.listDeliveries({ params: { uuid } })).body.data;

const signatureOf = (secret: string, { headers, body }: Received) =>
  signatureUnder(secret, headers["x-webhook-timestamp"], body);

test("sends an event in one POST, signed over timestamp and body, and a 2xx acknowledges it", async () => {
  const { received, url } = await hookReceiver();
  const hook = await define(url);
  const healthDataUuid = await happen(hook.brandUuid);
  await it.runJobs();
  assert.equal(received.length, 1);
  const [one = assert.fail()] = received;
  assert.equal(one.headers["content-type"], "application/json");
  assert.match(String(one.headers["user-agent"]), /-Webhook\/1\.0$/);
  assert.equal(one.headers["x-webhook-signature"], signatureOf(hook.signingSecret, one));
  assert.equal(JSON.parse(one.body).healthDataUuid, healthDataUuid);
  const [log] = await delivered(hook.uuid);
  assert.deepEqual(
    [log?.status, log?.healthDataUuid, log?.attempts.map((attempt) => attempt.httpStatus)],
    ["delivered", healthDataUuid, [204]],
  );
});

test("attempts a delivery at 0, 1, 6, 36, 156, 516, and 1,236 minutes, and deletes the dead letter after 14 days", async () => {
  const { received, url } = await hookReceiver(() => 500);
  const hook = await define(url);
  await happen(hook.brandUuid);
  const begun = it.deps.clock.now();
  await it.runJobs();
  await it.advance(20 * hour + 36 * minute - 1);
  assert.equal(received.length, 6);
  assert.equal((await delivered(hook.uuid))[0]?.status, "pending");
  await it.advance(1);
  const [log] = await delivered(hook.uuid);
  assert.deepEqual(
    log?.attempts.map((attempt) => (attempt.at - begun) / minute),
    [0, 1, 6, 36, 156, 516, 1236],
  );
  assert.deepEqual([log?.status, log?.nextAttemptAt, received.length], ["deadLettered", undefined, 7]);
  assert.deepEqual(new Set(received.map((one) => one.body)).size, 1);
  await it.advance(14 * 24 * hour - 1);
  assert.equal((await delivered(hook.uuid)).length, 1);
  await it.advance(1);
  assert.deepEqual(await delivered(hook.uuid), []);
});

test("does not follow redirects, keeps a webhook after a 410, and retries an unreachable receiver", async () => {
  const { received, url } = await hookReceiver((count) => [302, 410][count - 1] ?? 200);
  const hook = await define(url);
  await happen(hook.brandUuid);
  await it.runJobs();
  await it.advance(6 * minute);
  assert.deepEqual(
    (await delivered(hook.uuid))[0]?.attempts.map((attempt) => attempt.httpStatus),
    [302, 410, 200],
  );
  assert.equal(received.length, 3);
  const gone = await define("http://127.0.0.1:2/hook");
  await happen(gone.brandUuid);
  await it.runJobs();
  const [log] = await delivered(gone.uuid);
  assert.deepEqual(
    [log?.status, log?.attempts[0]?.error, log?.nextAttemptAt],
    ["pending", "connection refused", it.deps.clock.now() + minute],
  );
});

test("signs with the new and the old secret for a day after a rotation, then only with the new one", async () => {
  const { received, url } = await hookReceiver();
  const hook = await define(url);
  const { signingSecret } = (await api.rotateWebhook({ params: { uuid: hook.uuid } })).body;
  const signed = async () => {
    await happen(hook.brandUuid);
    await it.runJobs();
    const last = received.at(-1) ?? assert.fail();
    return { header: String(last.headers["x-webhook-signature"]), last };
  };
  const both = await signed();
  assert.equal(both.header, `${signatureOf(signingSecret, both.last)},${signatureOf(hook.signingSecret, both.last)}`);
  await it.advance(24 * hour);
  const one = await signed();
  assert.equal(one.header, signatureOf(signingSecret, one.last));
});

test("sends the configured authentication, never returns it, and stores no secret in plaintext", async () => {
  const { received, url } = await hookReceiver();
  const byKey = await define(url, { type: "apiKey", header: "X-Brand-Key", value: "s3cret-value" });
  const basic = await define(url, { type: "basic", username: "user", password: "pa:ss-word" });
  for (const hook of [byKey, basic]) await happen(hook.brandUuid);
  await it.runJobs();
  assert.deepEqual(
    received.map((one) => one.headers["x-brand-key"] ?? one.headers.authorization).sort(),
    [`Basic ${Buffer.from("user:pa:ss-word").toString("base64")}`, "s3cret-value"].sort(),
  );
  assert.deepEqual(Object.keys(byKey).sort(), ["brandUuid", "signingSecret", "url", "uuid"]);
  await assertNotStored(it, ["s3cret-value", "pa:ss-word", "CANARY-4711", "whsec_"]);
});

test("Basic authentication sends NFC UTF-8 as in RFC 7617 and rejects control characters and a colon in the username", async () => {
  const { received, url } = await hookReceiver();
  const decomposed = "cafe\u0301 €: 🔑";
  const hook = await define(url, { type: "basic", username: "jürgen", password: decomposed });
  await happen(hook.brandUuid);
  await it.runJobs();
  const [, sent = ""] = /^Basic (.*)$/.exec(String(received[0]?.headers.authorization)) ?? [];
  assert.equal(Buffer.from(sent, "base64").toString("utf8"), "jürgen:caf\u00e9 €: 🔑");
  for (const wrong of [{ username: "a:b" }, { username: "a\nb" }, { password: "a\u0000" }, { password: "a\r\nX: y" }]) {
    const authentication = { type: "basic" as const, username: "user", password: "pass", ...wrong };
    const { status } = await refusal(
      api.createSandboxWebhook({ params: { uuid: hook.brandUuid }, body: { url, authentication } }),
    );
    assert.equal(status, 400, JSON.stringify(wrong));
  }
});

test("a replay sends the same event with a new time and restarts the retry schedule", async () => {
  const { received, url } = await hookReceiver((count) => (count === 1 ? 200 : 500));
  const hook = await define(url);
  await happen(hook.brandUuid);
  await it.runJobs();
  await it.advance(10 * minute);
  const [first] = await delivered(hook.uuid);
  await api.replayDelivery({ params: { uuid: first?.uuid ?? "" } });
  await it.runJobs();
  const [before, again] = received.map((one) => JSON.parse(one.body));
  assert.equal(again.sentAt, before.sentAt + 10 * minute);
  assert.deepEqual({ ...again, sentAt: 0 }, { ...before, sentAt: 0 });
  assert.equal((await delivered(hook.uuid))[0]?.status, "pending");
});

test("the SDK accepts first attempts, retries, and replays sent after the sandbox clock moved", async () => {
  const { received, url } = await hookReceiver((count) => (count === 1 ? 500 : 200));
  const hook = await define(url);
  await it.advance(3 * 24 * hour);
  await happen(hook.brandUuid);
  await it.runJobs();
  await it.advance(minute);
  const [log] = await delivered(hook.uuid);
  await api.replayDelivery({ params: { uuid: log?.uuid ?? "" } });
  await it.runJobs();
  assert.equal(received.length, 3);
  const now = it.accountClock.now();
  for (const { headers, body } of received) {
    assert.equal(headers["x-webhook-timestamp"], String(Math.floor(now / 1000)));
    const event = await verifyWebhook({ headers, body, secret: hook.signingSecret, now });
    assert.ok(event.sentAt >= now + 3 * 24 * hour, "sentAt uses the sandbox clock");
  }
});

test("a delivery cannot be replayed an hour after it was acknowledged", async () => {
  const { url } = await hookReceiver();
  const hook = await define(url);
  await happen(hook.brandUuid);
  await it.runJobs();
  await it.advance(hour);
  const [log] = await delivered(hook.uuid);
  assert.equal((await refusal(api.replayDelivery({ params: { uuid: log?.uuid ?? "" } }))).status, 409);
});

test("another customer's webhooks and deliveries return 404", async () => {
  const { url } = await hookReceiver();
  const hook = await define(url);
  await happen(hook.brandUuid);
  await it.runJobs();
  const [log] = await delivered(hook.uuid);
  const stranger = control(otherKey);
  const calls = [
    () => stranger.createSandboxWebhook({ params: { uuid: hook.brandUuid }, body: { url } }),
    () => stranger.rotateWebhook({ params: { uuid: hook.uuid } }),
    () => stranger.listDeliveries({ params: { uuid: hook.uuid } }),
    () => stranger.replayDelivery({ params: { uuid: log?.uuid ?? "" } }),
  ];
  for (const call of calls) assert.equal((await refusal(call())).status, 404);
});

test("the v1 push has the same data as a read, is signed with the published key, and does not delay the redirect", async () => {
  const { received, url } = await hookReceiver((count) => (count === 1 ? 500 : 200));
  const settings = {
    integrationType: "v1",
    redirectUrl: "http://localhost:4001/demo/landing",
    v1: { push: { url, authorization: "Bearer brand" } },
  };
  const brand = await it.brand(settings);
  const call = async (method: "GET" | "POST", path: string, payload?: object) =>
    (
      await it.inject({
        method,
        url: path,
        headers: { authorization: brand.apiKey },
        ...(payload === undefined ? {} : { payload }),
      })
    ).body as Record<string, string>;
  const begun = await call("POST", "/1-click", { phone: "+10123456789", isHosted: false, birthDate: "1970-08-01" });
  const led = await it.wallet.inject({ method: "GET", url: `${new URL(begun.url ?? "").pathname}?code=111111` });
  assert.equal(led.statusCode, 303);
  await it.runJobs();
  await it.advance(minute);
  assert.equal(received.length, 2);
  const { headers, body } = received[1] ?? assert.fail();
  assert.equal(headers.authorization, "Bearer brand");
  const told = JSON.parse(body);
  const sentAt = new Date(it.deps.clock.now() - minute).toISOString();
  assert.deepEqual([told.type, told.timestamp], ["user.credentials.push", sentAt]);
  assert.deepEqual(told.data, { uuid: begun.uuid, ...((await call("GET", `/1-click/${begun.uuid}`)) as object) });
  const { keys } = (await it.inject({ method: "GET", url: "/.well-known/jwks.json" })).body as { keys: [JsonWebKey] };
  const key = createPublicKey({ key: keys[0], format: "jwk" });
  assert.ok(verify("sha256", Buffer.from(body), key, Buffer.from(String(headers["x-signature"]), "base64")));
  assert.ok(!verify("sha256", Buffer.from(`${body} `), key, Buffer.from(String(headers["x-signature"]), "base64")));
  assert.ok(it.deps.clock.now() > testStart);
});
