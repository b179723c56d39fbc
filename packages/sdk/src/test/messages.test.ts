import assert from "node:assert/strict";
import { test } from "node:test";
import * as contract from "@countersign/contract/frame";
import { anything, assert as check, property } from "fast-check";
import type { FrameMessage, SdkEvent, SdkResult } from "../messages.ts";
import { errorReasons, frameSource, isHello, products, readMessage, resultTypes, steps } from "../read.ts";

// Checked in both directions: the SDK reads every message of the frame, and the frame can send every message that the
// SDK declares.
const says = <Said>(said: Said): Said => said;
const bothWays = [
  (one: contract.FromFrame) => says<FrameMessage>(one),
  (one: FrameMessage) => says<contract.FromFrame>(one),
  (one: contract.FrameResult) => says<SdkResult>(one),
  (one: SdkResult) => says<contract.FrameResult>(one),
  (one: contract.FrameEvent) => says<SdkEvent>(one),
  (one: SdkEvent) => says<contract.FrameEvent>(one),
];

const uuids = {
  identityUuid: "b9cee304-691a-44f6-8b4a-29c7773f71ab",
  healthDataUuid: null,
  verificationUuid: null,
};
const result: SdkResult = {
  type: "USER_SHARED_CREDENTIALS",
  step: "done",
  ...uuids,
  redirectUrl: "https://brand.example/back?identityUuid=b9cee304-691a-44f6-8b4a-29c7773f71ab",
};
const messages: FrameMessage[] = [
  { type: "ready", height: 480 },
  { type: "resize", height: 0.5 },
  { type: "event", event: { type: "SDK_READY" } },
  { type: "event", event: { type: "USER_STEP_CHANGE", step: "phone", previousStep: null } },
  { type: "event", event: { type: "USER_STEP_CHANGE", step: "review", previousStep: "verificationCode" } },
  { type: "event", event: { type: "STEP_TIME_SPENT", step: "consent", durationMs: 0 } },
  { type: "event", event: { type: "USER_COMPLETED_PRODUCT", product: "1-click-verify", ...uuids } },
  { type: "event", event: { type: "VERIFICATION_CODE_RESENT" } },
  { type: "result", result },
  { type: "result", result: { ...result, redirectUrl: null, identityUuid: null } },
  { type: "error", reason: "SHARE_CREDENTIALS_ERROR" },
];

test("the SDK's message names equal those of the contract", () => {
  assert.equal(frameSource, contract.frameSource);
  assert.deepEqual(steps, contract.frameSteps);
  assert.deepEqual(products, contract.frameProducts);
  assert.deepEqual(resultTypes, contract.frameResultTypes);
  assert.deepEqual(errorReasons, contract.frameErrorReasons);
  for (const message of messages)
    for (const way of bothWays.slice(0, 2)) assert.equal(Reflect.apply(way, null, [message]), message);
});

test("reads each message with exactly its declared members", () => {
  for (const message of messages) {
    const more = structuredClone(message);
    const inner = "event" in more ? more.event : "result" in more ? more.result : more;
    Object.assign(more, { extra: 1, constructor: 2 });
    Object.assign(inner, { phone: "+12125550010", city: "Palo Alto" });
    assert.deepEqual(readMessage(more), message);
  }
});

test("rejects a message with any missing or invalid member", () => {
  const without = (message: object, name: string) =>
    Object.fromEntries(Object.entries(message).filter(([key]) => key !== name));
  for (const message of messages) {
    const [, name = ""] = Object.keys(message);
    const inner: unknown = Reflect.get(message, name);
    for (const bad of [undefined, null, "", "x", -1, Number.NaN, Number.POSITIVE_INFINITY, true, {}, [], [inner]])
      assert.equal(readMessage({ ...message, [name]: bad }), undefined, JSON.stringify([message, name, bad]));
    assert.equal(readMessage({ ...message, type: `${message.type} ` }), undefined);
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
