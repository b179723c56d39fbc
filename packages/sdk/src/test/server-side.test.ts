/** Tests the SDK without a window, as in server-side rendering. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { Countersign, type CountersignOptions, CountersignUsageError, type SdkError } from "../index.ts";
import { errorMessages } from "../messages.ts";
import { CountersignFrame } from "../react.ts";

const sessionKey = "9a1f6f0e-3d1c-4a7e-8a55-6c0d6e5b7f21";
const walletUrl = "https://wallet.example";

/** Accepts invalid options, as an untyped page might pass them. */
function create(given: Record<string, unknown>) {
  const errors: SdkError[] = [];
  const options: CountersignOptions = {
    sessionKey,
    walletUrl,
    onResult() {},
    onError: (error) => errors.push(error),
  };
  return { sdk: new Countersign(Object.assign(options, given)), errors };
}

test("the SDK can be imported, created, shown, and destroyed without a window, and reports no error", () => {
  const { sdk, errors } = create({});
  sdk.show();
  sdk.destroy();
  sdk.destroy();
  sdk.show();
  assert.deepEqual(errors, []);
});

test("an empty or missing key is reported before the constructor returns", () => {
  const error = { reason: "INVALID_SESSION_KEY", message: errorMessages.INVALID_SESSION_KEY, requestId: null };
  for (const key of ["", " ", undefined, null, 7]) {
    const { sdk, errors } = create({ sessionKey: key });
    sdk.show();
    assert.deepEqual(errors, [error]);
  }
});

const walletFix = "Pass the walletUrl of your environment, such as https://wallet.example.";
const callbackFix = (name: string) => `Pass a function as ${name}.`;
const wallets = ["", "wallet.example", undefined, "javascript:alert(1)", "file:///etc", "https://"];
const callbacks = ["onResult", "onError", "onEvent"];
const fixes = new Map<Record<string, unknown>, string>([
  ...wallets.map((one) => [{ walletUrl: one }, walletFix] as const),
  ...callbacks.map((name) => [{ [name]: "finish" }, callbackFix(name)] as const),
  [{ onResult: undefined }, callbackFix("onResult")],
  [{ onError: undefined }, callbackFix("onError")],
]);

test("invalid options throw a CountersignUsageError that states the fix", () => {
  const usageError = (message: string) => (error: unknown) => {
    assert.ok(error instanceof CountersignUsageError && error.name === "CountersignUsageError");
    assert.equal(error.message, message);
    return true;
  };
  for (const [given, fix] of fixes) assert.throws(() => create(given), usageError(fix));
  const none = "Pass options: new Countersign({ sessionKey, walletUrl, onResult, onError }).";
  for (const options of [[], [null], ["key"]])
    assert.throws(() => Reflect.construct(Countersign, options), usageError(none));
});

test("the component renders its container on a server", () => {
  const props = { sessionKey, walletUrl, onResult() {}, onError() {}, className: "signup" };
  assert.equal(renderToString(createElement(CountersignFrame, props)), '<div class="signup"></div>');
});
