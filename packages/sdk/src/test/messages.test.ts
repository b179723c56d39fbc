import assert from "node:assert/strict";
import { test } from "node:test";
import * as contract from "@countersign/contract/frame";
import { anything, assert as check, property } from "fast-check";
import { errorMessages, outcomes, products, type SdkEvent, type SdkResult, steps } from "../messages.ts";
import { frameSource, isHello, readMessage } from "../read.ts";

// The SDK's types have all that the frame sends. The tests below check the results and errors, to which the SDK adds.
const says = <Said>(said: Said): Said => said;
const bothWays = [
  (one: SdkResult) => says<contract.FrameResult>(one),
  (one: contract.FrameEvent) => says<SdkEvent>(one),
  (one: SdkEvent) => says<contract.FrameEvent>(one),
];

const uuids = {
  identityUuid: "b9cee304-691a-44f6-8b4a-29c7773f71ab",
  healthDataUuid: null,
  verificationUuid: null,
};
const result: contract.FrameResult = {
  type: "USER_SHARED_CREDENTIALS",
  step: "done",
  ...uuids,
  redirectUrl: "https://brand.example/back?identityUuid=b9cee304-691a-44f6-8b4a-29c7773f71ab",
};
const messages: contract.FromFrame[] = [
  { type: "ready", height: 480 },
  { type: "resize", height: 0.5 },
  { type: "close" },
  { type: "event", event: { type: "SDK_READY" } },
  { type: "event", event: { type: "USER_STEP_CHANGE", step: "phone", previousStep: null } },
  { type: "event", event: { type: "USER_STEP_CHANGE", step: "review", previousStep: "verificationCode" } },
  { type: "event", event: { type: "STEP_TIME_SPENT", step: "consent", durationMs: 0 } },
  { type: "event", event: { type: "USER_COMPLETED_PRODUCT", product: "1-click-verify", ...uuids } },
  { type: "event", event: { type: "VERIFICATION_CODE_RESENT" } },
  { type: "result", result },
  { type: "result", result: { ...result, type: "USER_OPTED_OUT", redirectUrl: null, identityUuid: null } },
  { type: "error", reason: "SHARE_CREDENTIALS_ERROR", errorCode: "OCE007", requestId: "r-1" },
];

/** What the SDK makes of a message of the frame. */
function told(message: contract.FromFrame) {
  if (message.type === "result")
    return { ...message, result: { ...message.result, outcome: outcomes[message.result.type] } };
  if (message.type !== "error") return message;
  const text = `${errorMessages[message.reason]} The service's code is OCE007.`;
  return { type: "error", error: { reason: message.reason, message: text, requestId: "r-1" } };
}

test("the SDK's message names equal those of the contract", () => {
  assert.equal(frameSource, contract.frameSource);
  assert.deepEqual(steps, contract.frameSteps);
  assert.deepEqual(products, contract.frameProducts);
  assert.deepEqual(Object.keys(outcomes), contract.frameResultTypes);
  assert.deepEqual(Object.keys(errorMessages), contract.frameErrorReasons);
  for (const way of bothWays) assert.equal(Reflect.apply(way, null, [result]), result);
});

test("reads each message with exactly its declared members", () => {
  for (const message of messages) {
    const more = structuredClone(message);
    const inner = "event" in more ? more.event : "result" in more ? more.result : more;
    Object.assign(more, { extra: 1, constructor: 2 });
    Object.assign(inner, { phone: "+12125550010", city: "Palo Alto" });
    assert.deepEqual(readMessage(more), told(message));
  }
});

test("a result has the uuids that its outcome promises, and the other uuids may be null", () => {
  for (const type of contract.frameResultTypes)
    for (const identityUuid of ["i", null])
      for (const healthDataUuid of ["h", null])
        for (const verificationUuid of ["v", null]) {
          const sent = { ...result, type, identityUuid, healthDataUuid, verificationUuid };
          const outcome = outcomes[type];
          const isPromised = outcome === "shared" || outcome === "verified";
          const isHealth = type === "USER_SHARED_HEALTH_DATA" || type === "NO_INSURANCE_FOUND";
          const isWhole = (identityUuid !== null || !isPromised) && (healthDataUuid !== null || !isHealth);
          const message = readMessage({ type: "result", result: sent });
          assert.deepEqual(message, isWhole ? { type: "result", result: { ...sent, outcome } } : undefined);
        }
});

test("an error is reported without details that are absent or malformed", () => {
  for (const reason of contract.frameErrorReasons)
    for (const bad of [undefined, null, 7, "", "BROKEN", "a b", "<b>", "x".repeat(65), {}]) {
      const requestId = bad === "BROKEN" ? "BROKEN" : null;
      const error = { reason, message: errorMessages[reason], requestId };
      assert.deepEqual(readMessage({ type: "error", reason, errorCode: bad, requestId: bad }), {
        type: "error",
        error,
      });
    }
});

test("rejects a message with any missing or invalid member", () => {
  const without = (message: object, name: string) =>
    Object.fromEntries(Object.entries(message).filter(([key]) => key !== name));
  for (const message of messages) {
    const [, name = ""] = Object.keys(message);
    const inner: unknown = Reflect.get(message, name);
    assert.equal(readMessage({ ...message, type: `${message.type} ` }), undefined);
    if (name === "") continue;
    for (const bad of [undefined, null, "", "x", -1, Number.NaN, Number.POSITIVE_INFINITY, true, {}, [], [inner]])
      assert.equal(readMessage({ ...message, [name]: bad }), undefined, JSON.stringify([message, name, bad]));
    if (typeof inner !== "object" || inner === null) continue;
    for (const member of Object.keys(inner)) {
      assert.equal(readMessage({ ...message, [name]: without(inner, member) }), undefined);
      for (const bad of [7.5, true, {}, [null], "javascript:alert(1)"]) {
        const isText = member.endsWith("Uuid") && typeof bad === "string";
        const isDuration = member === "durationMs" && bad === 7.5;
        if (!isText && !isDuration)
          assert.equal(readMessage({ ...message, [name]: { ...inner, [member]: bad } }), undefined);
      }
    }
  }
});

test("rejects a redirectUrl that would run a script or is not an absolute web URL", () => {
  for (const redirectUrl of ["javascript:alert(1)", " https://a.example", "data:text/html,x", "//a.example", "/a", ""])
    assert.equal(readMessage({ type: "result", result: { ...result, redirectUrl } }), undefined, redirectUrl);
});

test("ignores inherited members", () => {
  assert.equal(readMessage(Object.create({ type: "ready", height: 1 })), undefined);
  assert.equal(isHello(Object.create({ source: frameSource, type: "hello" })), false);
});

test("does not throw for any message", () => {
  check(
    property(anything(), (data) => {
      readMessage(data);
      readMessage({ type: "event", event: data });
      readMessage({ type: "result", result: data });
      assert.equal(isHello(data), false);
    }),
  );
});

test("recognizes a hello with additional members", () => {
  assert.ok(isHello({ source: frameSource, type: "hello", version: 2 }));
  for (const data of [
    { source: frameSource },
    { type: "hello" },
    { source: "x", type: "hello" },
    "hello",
    null,
    undefined,
  ])
    assert.equal(isHello(data), false);
});
