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
function made(given: Record<string, unknown>) {
  const errors: SdkError[] = [];
  const options: CountersignOptions = {
    sessionKey,
    walletUrl,
    onResult() {},
    onError: (error) => errors.push(error),
  };
  return { sdk: new Countersign(Object.assign(options, given)), errors };
}

test("it can be imported, made, shown and destroyed without a window, and says nothing", () => {
  const { sdk, errors } = made({});
  sdk.show();
  sdk.destroy();
  sdk.destroy();
  sdk.show();
  assert.deepEqual(errors, []);
});

test("an empty or missing key is refused before the constructor returns", () => {
  for (const key of ["", " ", undefined, null, 7])
    assert.deepEqual(made({ sessionKey: key }).errors, [{ reason: "INVALID_SESSION_KEY" }]);
});

test("an address that is none is unreachable", () => {
  for (const url of ["", "wallet.example", undefined, "javascript:alert(1)", "file:///etc"])
    assert.deepEqual(made({ walletUrl: url }).errors, [{ reason: "UNREACHABLE" }]);
});

test("the component renders its place on a server", () => {
  const props = { sessionKey, walletUrl, onResult() {}, onError() {}, className: "signup" };
  assert.equal(renderToString(createElement(CountersignFrame, props)), '<div class="signup"></div>');
});
