import assert from "node:assert/strict";
import test from "node:test";
import { allowedTarget, plainTarget, withParameter } from "../domain/brand/redirect.ts";
import { defaultSettings } from "../domain/brand/settings.ts";

const settings = {
  ...defaultSettings({ name: "Brand", integrationType: "api", consentDeclared: true }),
  redirectUrl: "https://brand.example/welcome?lang=en",
  allowedRedirectUrls: ["https://app.brand.example", "https://brand.example:8443/done", "http://localhost:3000"],
};
const production = { loopback: false };
const sandbox = { loopback: true };

const allowed = [
  "https://brand.example/welcome",
  "https://brand.example/welcome?lang=es&x=1",
  "https://app.brand.example",
  "https://app.brand.example/",
  "https://app.brand.example/any/path?with=query#and-fragment",
  "https://brand.example:8443/done",
  "https://brand.example:8443/done?x=1",
];
for (const text of allowed) {
  test(`${text} is allowed`, () => assert.ok(allowedTarget(settings, text, production)));
}

const hostile = [
  "",
  "brand.example/welcome",
  "//app.brand.example/",
  "///app.brand.example/",
  "/\\app.brand.example/",
  "https:app.brand.example/",
  "https:/app.brand.example/",
  "https:///app.brand.example/",
  "https:\\\\app.brand.example/",
  "HTTPS://app.brand.example/",
  "https://APP.brand.example/",
  "http://app.brand.example/",
  "ftp://app.brand.example/",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://app.brand.example/1",
  "https://app.brand.example@evil.example/",
  "https://user@app.brand.example/",
  "https://user:pass@app.brand.example/",
  "https://@app.brand.example/",
  "https://app.brand.example%40evil.example/",
  "https://app.brand.example.evil.example/",
  "https://evil.example/https://app.brand.example/",
  "https://evil.example?https://app.brand.example/",
  "https://evil.example#https://app.brand.example/",
  "https://evil.example\\@app.brand.example/",
  "https://app.brand.example\\evil",
  "https://app.brand.example\t/",
  "https://app.brand.example/\r\nSet-Cookie: a=b",
  "https://app.brand.example/%0d%0a\u2028",
  "https://app.brand.example /",
  "https://app.brand.example\u200b/",
  "https://app.brand.example./",
  "https://app。brand。example/",
  "https://ａｐｐ.brand.example/",
  "https://app.brаnd.example/",
  "https://app.brand.example:443/",
  "https://app.brand.example:8443/",
  "https://brand.example:8443/done/more",
  "https://brand.example:8443/done/../other",
  "https://brand.example/",
  "https://brand.example/welcome/",
  "https://brand.example/Welcome",
  "https://brand.example/welcome%2f..",
  "https://xapp.brand.example/",
  "https://127.0.0.1/",
  "https://localhost/",
  "http://localhost:3000/",
  "https://[::1]/",
  "https://2130706433/",
  "https://0x7f.1/",
];
for (const text of hostile) {
  test(`${JSON.stringify(text)} is refused`, () => assert.equal(allowedTarget(settings, text, production), null));
}

test("at least forty hostile spellings are in the table", () => assert.ok(hostile.length >= 40));

const crooked = [
  "https://localhost/",
  "https://127.0.0.1/",
  "https://127.9.9.9:8443/x",
  "https://[::1]/",
  "http://brand.example/",
  "https://user@brand.example/",
  "https://user:pass@brand.example/",
  "https://@brand.example/",
  "https://brand.example:443/",
  "https://BRAND.example/",
  "https:brand.example/",
];
for (const text of crooked) {
  test(`${text} is no plain target, whatever the settings are`, () =>
    assert.equal(plainTarget(text, production), null));
}

test("a full URL is that path alone, and the default is a full one, also where it looks like an origin", () => {
  const named = {
    ...settings,
    redirectUrl: "https://root.example",
    allowedRedirectUrls: ["https://slash.example/", "https://query.example?a=b"],
  };
  for (const host of ["root", "slash", "query"]) {
    assert.ok(allowedTarget(named, `https://${host}.example/?c=d`, production), host);
    assert.equal(allowedTarget(named, `https://${host}.example/other`, production), null, host);
  }
});

test("this machine is a target only where that is allowed, and only as named", () => {
  assert.ok(allowedTarget(settings, "http://localhost:3000/back?x=1", sandbox));
  assert.equal(allowedTarget(settings, "http://localhost:3001/", sandbox), null);
  assert.equal(allowedTarget(settings, "http://127.0.0.1:3000/", sandbox), null);
  assert.equal(plainTarget("http://brand.example/", sandbox), null);
});

test("one parameter is added and those that were there stay", () => {
  assert.equal(
    withParameter("https://brand.example/x?a=b&c=%20d#e", "verificationUuid", "u"),
    "https://brand.example/x?a=b&c=+d&verificationUuid=u#e",
  );
});
