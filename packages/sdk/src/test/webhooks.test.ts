import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookSignature } from "../../../service/src/domain/webhook/request.ts";
import {
  type HealthLookupEvent,
  signWebhook,
  type VerifyWebhookInput,
  verifyWebhook,
  WebhookError,
} from "../webhooks.ts";

const secret = "whsec_dGhlIHRleHQgaXRzZWxmIGlzIHRoZSBrZXk";
const now = Date.UTC(2026, 0, 2, 12);
const timestamp = String(now / 1000);
const uuid = "0b7f1c9e-6a43-4d0f-9a54-0d2b5d1f4c11";
const body = JSON.stringify({
  event: "1-click.health.lookup",
  healthDataUuid: uuid,
  status: "FAILED",
  sentAt: now,
  errors: [{ message: "ünïcode ✓" }],
});
const signature = webhookSignature([secret], timestamp, body);
const right = { body, secret, now, timestamp, signature };

/** The event of a body about a lookup. */
async function lookupIn(input: VerifyWebhookInput): Promise<HealthLookupEvent> {
  const event = await verifyWebhook(input);
  return event.event === "1-click.health.lookup" ? event : assert.fail(event.event);
}

async function reasonOf(input: VerifyWebhookInput): Promise<string> {
  const error = await verifyWebhook(input).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WebhookError);
  for (const kept of [secret, signature.slice(3), uuid]) assert.ok(!error.message.includes(kept));
  return error.reason;
}

test("accepts a body that the service signed, as text or bytes, and returns its event", async () => {
  const event = await lookupIn(right);
  assert.deepEqual([event.event, event.healthDataUuid, event.status], ["1-click.health.lookup", uuid, "FAILED"]);
  assert.deepEqual(await verifyWebhook({ ...right, body: new TextEncoder().encode(body) }), event);
});

test("the type of an event is known from its name", async () => {
  const ended = JSON.stringify({ event: "1-click.signup.ended", identityUuid: uuid, reason: "withdrawn", sentAt: now });
  const signed = webhookSignature([secret], timestamp, ended);
  const event = await verifyWebhook({ ...right, body: ended, signature: signed });
  assert.deepEqual(event.event === "1-click.signup.ended" ? [event.identityUuid, event.reason] : [], [
    uuid,
    "withdrawn",
  ]);
});

test("accepts headers in the formats that frameworks use", async () => {
  const pairs = { "X-Webhook-Timestamp": timestamp, "X-Webhook-Signature": signature };
  const lower = { "x-webhook-timestamp": [timestamp], "x-webhook-signature": signature, get: undefined };
  for (const headers of [pairs, lower, new Headers(pairs), new Map(Object.entries(lower))]) {
    const source = headers instanceof Map ? Object.fromEntries(headers) : headers;
    assert.equal((await lookupIn({ body, secret, now, headers: source })).healthDataUuid, uuid);
  }
});

test("signWebhook creates the same headers as the service, also during a rotation", async () => {
  for (const secrets of [[secret], ["whsec_new", secret]]) {
    const headers = await signWebhook({ body, secret: secrets, now: now + 999 });
    assert.deepEqual(headers, {
      "x-webhook-timestamp": timestamp,
      "x-webhook-signature": webhookSignature(secrets, timestamp, body),
    });
    assert.equal((await lookupIn({ body, headers, secret, now })).healthDataUuid, uuid);
  }
});

test("accepts either secret after a rotation and ignores other signature versions", async () => {
  const rotated = `v2=later, ${webhookSignature(["whsec_new", secret], timestamp, body)}`;
  for (const one of ["whsec_new", secret])
    assert.ok(await verifyWebhook({ ...right, signature: rotated, secret: one }));
});

test("reports the reason for each invalid input and reveals no secret", async () => {
  const wrong: [VerifyWebhookInput, string][] = [
    [{ ...right, secret: "whsec_other" }, "WRONG_SIGNATURE"],
    [{ ...right, body: `${body} ` }, "WRONG_SIGNATURE"],
    [{ ...right, timestamp: String(now / 1000 + 1) }, "WRONG_SIGNATURE"],
    [{ ...right, timestamp: `0${timestamp}` }, "WRONG_SIGNATURE"],
    [{ ...right, timestamp: `${timestamp}.0` }, "MALFORMED_TIMESTAMP"],
    [{ ...right, timestamp: "" }, "MALFORMED_TIMESTAMP"],
    [{ ...right, signature: "" }, "MALFORMED_SIGNATURE"],
    [{ ...right, signature: signature.slice(3) }, "MALFORMED_SIGNATURE"],
    [{ ...right, signature: signature.toUpperCase() }, "MALFORMED_SIGNATURE"],
    [{ ...right, signature: `${"v1=0,".repeat(8)}${signature}` }, "MALFORMED_SIGNATURE"],
    [{ body, secret, now, headers: {} }, "MISSING_HEADER"],
    [{ body, secret, now, headers: { "x-webhook-timestamp": [timestamp, timestamp] } }, "MISSING_HEADER"],
    [{ body, secret, now, headers: new Headers() }, "MISSING_HEADER"],
  ];
  for (const [input, reason] of wrong) assert.equal(await reasonOf(input), reason);
});

test("rejects a request older or newer than the tolerance, and accepts one at the limit", async () => {
  for (const away of [-300_000, 300_000]) assert.ok(await verifyWebhook({ ...right, now: now + away }));
  for (const away of [-300_001, 300_001])
    assert.equal(await reasonOf({ ...right, now: now + away }), "OUT_OF_TOLERANCE");
  assert.equal(await reasonOf({ ...right, now: now + 11, toleranceMs: 10 }), "OUT_OF_TOLERANCE");
  assert.equal(await reasonOf({ ...right, toleranceMs: Number.NaN }), "OUT_OF_TOLERANCE");
  assert.ok(await verifyWebhook({ ...right, now: now * 2, toleranceMs: Number.POSITIVE_INFINITY }));
});

test("rejects a signed body that is not an event, and a body that was already parsed", async () => {
  for (const one of ["null", "[]", '"text"', "{}", '{"event":1}', "{"]) {
    const signed = webhookSignature([secret], timestamp, one);
    assert.equal(await reasonOf({ ...right, body: one, signature: signed }), "MALFORMED_BODY");
  }
  const parsed: VerifyWebhookInput = Object.assign({}, right, { body: JSON.parse(body) });
  assert.equal(await reasonOf(parsed), "MALFORMED_BODY");
});
