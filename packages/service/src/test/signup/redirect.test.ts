import assert from "node:assert/strict";
import test from "node:test";
import { allowedTarget, plainTarget, withParameter } from "../../domain/brand/redirect.ts";
import { defaultSettings } from "../../domain/brand/settings.ts";

const settings = {
  ...defaultSettings({ name: "Brand", integrationType: "api", consentDeclared: true }),
  redirectUrl: "https://brand.example/welcome?lang=en",
  allowedRedirectUrls: ["https://app.brand.example", "https://brand.example:8443/done", "http://localhost:3000"],
};
const production = { loopbackRedirects: false };
const sandbox = { loopbackRedirects: true };

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
  test(`${text} is allowed`, () => assert.ok(allowedTarget(production, settings, text)));
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
  test(`${JSON.stringify(text)} is refused`, () => assert.equal(allowedTarget(production, settings, text), null));
}

test("the table has at least 40 hostile URLs", () => assert.ok(hostile.length >= 40));

const refusedTargets = [
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
for (const text of refusedTargets) {
  test(`${text} is refused as a target, whatever the settings are`, () =>
    assert.equal(plainTarget(text, { loopback: false }), null));
}

test("a full URL allows only its own path, and redirectUrl is a full URL even if it looks like an origin", () => {
  const named = {
    ...settings,
    redirectUrl: "https://root.example",
    allowedRedirectUrls: ["https://slash.example/", "https://query.example?a=b"],
  };
  for (const host of ["root", "slash", "query"]) {
    assert.ok(allowedTarget(production, named, `https://${host}.example/?c=d`), host);
    assert.equal(allowedTarget(production, named, `https://${host}.example/other`), null, host);
  }
});

const bare = { ...settings, redirectUrl: null, allowedRedirectUrls: [] };
const onThisMachine = [
  "http://localhost",
  "http://localhost/",
  "https://localhost/",
  "http://localhost:80/back",
  "https://localhost:443",
  "http://localhost:1/",
  "http://localhost:3000/back?x=1#y",
  "https://localhost:65535?x=1",
  "http://127.0.0.1:3000/",
  "http://127.1.2.3/",
  "https://127.255.255.254:8443/",
  "http://[::1]/",
  "https://[::1]:3000/back",
];
for (const text of onThisMachine)
  test(`${text} needs no setting in the sandbox, and no setting allows it in production`, () => {
    assert.ok(allowedTarget(sandbox, bare, text));
    assert.equal(allowedTarget(production, bare, text), null);
    for (const listed of [text, new URL(text).origin]) {
      const listing = { ...settings, redirectUrl: listed, allowedRedirectUrls: [listed] };
      assert.equal(allowedTarget(production, listing, text), null);
    }
  });

const nearlyThisMachine = [
  "http://localhost.evil.com/",
  "http://localhost.evil.com:3000/",
  "http://localhost@evil.com/",
  "http://127.0.0.1@evil.com/",
  "http://localhost:3000@evil.com/",
  "http://user@localhost/",
  "http://user:pass@127.0.0.1/",
  "http://localhost\\@evil.com/",
  "http://localhost#@evil.com\n",
  "http://evil.com/localhost",
  "http://evil.com?localhost",
  "http://xlocalhost/",
  "http://localhost.",
  "https://localhost./",
  "http://app.localhost/",
  "https://app.localhost/",
  "https://app.localhost./",
  "http://LOCALHOST/",
  "HTTP://localhost/",
  "http://ｌocalhost/",
  "http://localhost\u200b/",
  "http:localhost/",
  "http:/localhost/",
  "http:///localhost/",
  "http:\\\\localhost\\",
  "//localhost/",
  "localhost:3000",
  "ftp://localhost/",
  "javascript://localhost/%0aalert(1)",
  "http://127.1/",
  "http://127.0.0.1./",
  "http://127.0.0.256/",
  "http://127.0.0.1.evil.com/",
  "http://127.0.0.1.nip.io/",
  "http://0x7f.1/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://2130706433/",
  "http://１２７.0.0.1/",
  "http://0.0.0.0/",
  "https://0.0.0.0/",
  "http://0/",
  "http://[::]/",
  "https://[::]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::0001]/",
  "http://[::1%25lo]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::7f00:1]/",
  "http://[::1]evil.com/",
  "http://localhost:0x50/",
  "http://localhost:080/",
  "http://localhost:65536/",
  "http://localhost:/",
  "http://localhost:443:80/",
  "https://localhost:80@evil.com/",
];
for (const text of nearlyThisMachine)
  test(`${JSON.stringify(text)} never counts as a local URL, in either environment and with any setting`, () => {
    const listing = { ...settings, redirectUrl: text, allowedRedirectUrls: [text] };
    for (const environment of [sandbox, production]) {
      assert.equal(allowedTarget(environment, bare, text), null);
      assert.equal(allowedTarget(environment, listing, text), null);
    }
  });

test("on other hosts, http is refused even in the sandbox, and https needs a setting", () => {
  for (const text of ["https://brand.example/welcome", "https://localhost.evil.com/"])
    assert.equal(allowedTarget(sandbox, bare, text), null);
  assert.equal(plainTarget("http://brand.example/", { loopback: true }), null);
  assert.ok(allowedTarget(sandbox, settings, "https://brand.example/welcome"));
});

test("withParameter adds one parameter and keeps the existing ones", () => {
  assert.equal(
    withParameter("https://brand.example/x?a=b&c=%20d#e", "verificationUuid", "u"),
    "https://brand.example/x?a=b&c=+d&verificationUuid=u#e",
  );
});
