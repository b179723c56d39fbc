/** Tests the SDK without a window, as in server-side rendering. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { Countersign, type CountersignOptions, type SdkError } from "../index.ts";
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

test("an empty or missing key is rejected before the constructor returns", () => {
  for (const key of ["", " ", undefined, null, 7])
    assert.deepEqual(create({ sessionKey: key }).errors, [{ reason: "INVALID_SESSION_KEY" }]);
});

test("an invalid walletUrl is reported as UNREACHABLE", () => {
  for (const url of ["", "wallet.example", undefined, "javascript:alert(1)", "file:///etc"])
    assert.deepEqual(create({ walletUrl: url }).errors, [{ reason: "UNREACHABLE" }]);
});

test("the component renders its container on a server", () => {
  const props = { sessionKey, walletUrl, onResult() {}, onError() {}, className: "signup" };
  assert.equal(renderToString(createElement(CountersignFrame, props)), '<div class="signup"></div>');
});
