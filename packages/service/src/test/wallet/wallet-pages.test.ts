import assert from "node:assert/strict";
import { test } from "node:test";
import { hostedShare } from "../harness/hosted-share.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const get = (url: string, headers: Record<string, string> = {}) => it.wallet.inject({ method: "GET", url, headers });

test("every page has a policy without inline code or other hosts, sends no referrer, and is not cached", async () => {
  for (const url of ["/", "/request", "/request/none", "/v/none", "/terms", "/privacy", "/demo/landing"]) {
    const { headers } = await get(url);
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /^default-src 'none'; base-uri 'none'; frame-ancestors 'none'/, url);
    assert.doesNotMatch(policy, /unsafe|https?:|\*|data:/, url);
    assert.deepEqual([headers["referrer-policy"], headers["cache-control"]], ["no-referrer", "no-store"], url);
  }
});

test("uses the language that the browser prefers, unless the URL names another", async () => {
  const cases = [
    ["/terms", "es-MX,en;q=0.8", "es"],
    ["/terms", "en;q=0.5, es;q=0.9", "es"],
    ["/terms", "fr, de", "en"],
    ["/terms", "es;q=0, en;q=0.1", "en"],
    ["/terms?lang=en", "es", "en"],
    ["/request/none", "es", "es"],
  ] as const;
  for (const [url, wanted, expected] of cases)
    assert.match((await get(url, { "accept-language": wanted })).body, new RegExp(`<html lang="${expected}"`), wanted);
});

test("themes and assets are cached for a year and compressed; missing ones return 404", async () => {
  const page = (await get("/terms")).body;
  const theme = /href="(\/theme\/[^"]+)"/.exec(page)?.[1] ?? "";
  const sheet = await get(theme);
  assert.deepEqual([sheet.statusCode, sheet.headers["cache-control"]], [200, "public, max-age=31536000, immutable"]);
  for (const gone of ["/theme/x.css", "/assets/nothing.js", "/assets/..%2f..%2fpackage.json"])
    assert.equal((await get(gone)).statusCode, 404, gone);
  const styles = /href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1];
  assert.ok(styles, "the wallet is not built: run npm test, which builds it");
  for (const [accepted, sent] of [
    ["gzip, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", undefined],
  ] as const)
    assert.equal((await get(styles, { "accept-encoding": accepted })).headers["content-encoding"], sent, accepted);
});

test("a brand name cannot inject a script into the page or its data", async () => {
  const name = "</script><script>alert(1)</script>";
  const brand = await it.brand({
    integrationType: "hosted",
    externalName: name,
    redirectUrl: "https://brand.example/",
  });
  const { url } = (await brand.api.beginOneClick({ body: { phone: "+12125550010" } })).body;
  const { body } = await get(new URL(url ?? "").pathname);
  assert.ok(!body.includes("<script>alert"), body);
});

test("styling that is not a color, a number, or a supported typeface never reaches a page", async () => {
  const hostile = [
    "url(javascript:alert(1))",
    "</style><script>alert(1)</script>",
    "red;background:url(//evil.example)",
  ];
  for (const text of hostile) {
    for (const member of ["primaryColor", "backgroundColor", "inputRadius", "alignment", "logoUrl"]) {
      const settings = { styling: { [member]: text } };
      const payload = { settings };
      const headers = { authorization: demoKey };
      const { status } = await it.inject({ method: "POST", url: "/sandbox/brands", payload, headers });
      assert.equal(status, 400, `${member} ${text}`);
    }
    const styled = await it.brand({
      integrationType: "hosted",
      redirectUrl: "https://brand.example/",
      styling: { fontFamily: text },
    });
    const { url } = (await styled.api.beginOneClick({ body: { phone: "+12125550010" } })).body;
    const { body } = await get(new URL(url ?? "").pathname);
    const sheet = await get(/href="(\/theme\/[^"]+)"/.exec(body)?.[1] ?? "");
    assert.equal(sheet.statusCode, 200);
    for (const shown of [body, sheet.body]) assert.doesNotMatch(shown, /alert|evil\.example/);
  }
});

test("the demo's landing page shows an id only if it looks like a uuid", async () => {
  const hostile = await get("/demo/landing?identityUuid=%3Cscript%3E");
  assert.doesNotMatch(hostile.body, /<script|%3C/);
  const uuid = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
  assert.match((await get(`/demo/landing?1ClickUuid=${uuid}`)).body, new RegExp(`/1-click/${uuid}`));
  assert.match((await get(`/demo/landing?identityUuid=${uuid}&optedOut=true`)).body, /didn’t share/);
});

test("the demo's landing page shows the values that the person shared with the demo brand, and no whole SSN", async () => {
  const landing = async ({ uuid }: { uuid: string }, more = "") =>
    (await get(`/demo/landing?identityUuid=${uuid}${more}`)).body;
  const shared = await landing(await hostedShare(it, "+12125550010"));
  for (const value of [
    "Richard Harrison Hendricks",
    "5320 Newell Rd, Palo Alto, ",
    "\\(212\\) 555-0010",
    "08/01/1989",
    "•••-••-6789",
  ])
    assert.match(shared, new RegExp(`value="${value}[^"]*" readonly`));
  // Each value has its source, and the form leads on.
  assert.match(shared, /id="value-address-hint">From a credit bureau</);
  const next = /href="(\?identityUuid=[^"]+)">Create account</.exec(shared)?.[1]?.replace("&amp;", "&");
  assert.match((await get(`/demo/landing${next}`)).body, /Your account is open/);
  assert.doesNotMatch(shared, /000456789/);
  const declined = await landing(await hostedShare(it, "+12125550011", { share: false }), "&optedOut=true");
  const other = await landing(
    (await it.as("sk_sandbox_demo_api").beginOneClick({ body: { phone: "+12125550010" } })).body,
  );
  for (const body of [declined, other]) assert.doesNotMatch(body, /value=/);
});

test("the demo's landing page without a person has an empty form, and leads to the stage", async () => {
  const { body } = await get("/demo/landing");
  assert.doesNotMatch(body, /value=/);
  assert.match(body, /<a class="button main" href="\/demo">/);
});

test("the demo's landing page addresses the person and collapses the part for developers", async () => {
  for (const query of ["", "?identityUuid=5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21"]) {
    const { body } = await get(`/demo/landing${query}`);
    const [person = "", folded = ""] = body.split('<details class="aside"><summary>For developers</summary>');
    assert.match(person, /This is a demo of a company’s website\./);
    assert.doesNotMatch(person, /API|Uuid|POST|curl/);
    assert.match(folded, /\/v2\/1-click/);
  }
});

test("what a person types who looks for their own page leads there", async () => {
  for (const url of ["/account", "/me", "/login", "/sign-in"]) {
    const { statusCode, headers } = await get(url);
    assert.deepEqual([statusCode, headers.location], [303, "/"], url);
  }
});

test("a link's page explains what Continue does and may redirect to the redirectUrl of its 1-Click", async () => {
  const settings = { allowedRedirectUrls: ["https://brand.example"], redirectUrl: "https://default.example/" };
  const brand = await it.brand({ integrationType: "v1", ...settings });
  const ask = async (phone: string, isHosted: boolean) => {
    const redirectUrl = "https://brand.example/back";
    const payload = { phone, isHosted, birthDate: "1989-08-01", verificationOptions: "only_link", redirectUrl };
    await it.inject({ method: "POST", url: "/1-click", headers: { authorization: brand.apiKey }, payload });
    await it.runJobs();
    const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
    return await get(new URL(/http\S+/.exec(text?.body ?? "")?.[0] ?? "").pathname);
  };
  const headless = await ask("+12025550191", false);
  assert.match(headless.body, /gets the details that you agreed to share/);
  assert.match(String(headless.headers["content-security-policy"]), /form-action 'self' https:\/\/brand\.example;/);
  const hosted = (await ask("+12025550192", true)).body;
  assert.match(hosted, /decide whether to share it/);
  // The age needs no time zone.
  assert.match(hosted, />just now<\/time>/);
  assert.doesNotMatch(hosted, /UTC/);
});

test("an unknown path is a page in the person's language; callers that ask for JSON and the API get JSON", async () => {
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "accept-language": "es" };
  for (const url of ["/nothing", "/nothing/more?x=1", "/%zz", `/v/${"x".repeat(300)}`]) {
    const { statusCode, headers, body } = await get(url, browser);
    assert.ok(statusCode >= 400, url);
    assert.match(String(headers["content-type"]), /^text\/html/, url);
    assert.match(body, /<html lang="es"[\s\S]*<h1>No encontramos esta página<\/h1>[\s\S]*href="\/"/, url);
  }
  assert.match((await get("/nothing")).body, /<h1>We can’t find this page/);
  // A slash at the end is ignored, so this is `/api`.
  for (const path of ["/api", "/api/", "/api/page/%2e%2e"])
    assert.match(String((await get(path)).headers["content-type"]), /^application\/json/, path);
  const asJson = await get("/nothing", { accept: "application/json" });
  assert.deepEqual([asJson.statusCode, asJson.json<{ name: string }>().name], [404, "NotFound"]);
  assert.match((await get("/nothing", { accept: "application/problem+json" })).body, /^\{/);
  assert.match((await get("/api/nothing", browser)).body, /^\{/);
  assert.match((await it.app.inject({ url: "/nothing", headers: browser })).body, /^\{/);
});

test("every listener serves the logo mark as the icon of its pages and as /favicon.ico", async () => {
  for (const [app, page] of [
    [it.wallet, "/"],
    [it.wallet, "/terms"],
    [it.dashboard, "/"],
    [it.app, "/docs/"],
  ] as const) {
    const { body, headers } = await app.inject({ url: page });
    const icon = /<link rel="icon" href="([^"]+)"/.exec(body)?.[1] ?? assert.fail(page);
    assert.match(String(headers["content-security-policy"]), /img-src 'self'/);
    for (const url of [icon, "/favicon.ico"]) {
      const found = await app.inject({ url });
      assert.deepEqual([found.statusCode, found.headers["content-type"]], [200, "image/svg+xml"], url);
      assert.match(found.body, /^<svg /);
    }
  }
});

test("every page of the product names its icons, and loads its typeface early from its own server", async () => {
  const { body, headers } = await get("/");
  const policy = String(headers["content-security-policy"]);
  for (const part of ["font-src 'self'", "manifest-src 'self'"]) assert.ok(policy.includes(part), policy);
  const preload = /<link rel="preload" href="([^"]+)" as="font" type="font\/woff2" crossorigin/.exec(body)?.[1];
  assert.equal((await get(preload ?? assert.fail("no typeface"))).headers["content-type"], "font/woff2");
  const hrefOf = (rel: string) => new RegExp(`<link rel="${rel}" href="([^"]+)"`).exec(body)?.[1] ?? assert.fail(rel);
  const manifest = (await get(hrefOf("manifest"))).json<{ icons: { src: string; type: string }[] }>();
  assert.deepEqual(
    manifest.icons.map(({ src }) => src),
    ["/mark.svg", "/icon-192.png", "/icon-512.png"],
  );
  for (const { src, type } of [...manifest.icons, { src: hrefOf("apple-touch-icon"), type: "image/png" }]) {
    const found = await get(src);
    assert.deepEqual([found.statusCode, found.headers["content-type"]], [200, type], src);
  }
});

test("the frame's page, opened on its own or without a key, says at once that it belongs in a company's website", async () => {
  const opened = [
    get("/sdk"),
    get(`/sdk?s=${"a".repeat(43)}`, { "sec-fetch-dest": "document" }),
    get("/sdk", { "sec-fetch-dest": "iframe" }),
  ];
  for (const { body, headers } of await Promise.all(opened)) {
    assert.match(body, /<h1>This page is part of a sign-up form<\/h1>/);
    assert.doesNotMatch(body, /<script/);
    assert.match(String(headers["content-security-policy"]), /frame-ancestors 'none'/);
  }
  assert.match((await get(`/sdk?s=${"a".repeat(43)}`, { "sec-fetch-dest": "iframe" })).body, /data-step="loading"/);
});

test("the terms and the privacy policy say what a company gets if the person declines", async () => {
  const rules = {
    en: /still gets your phone number and a fraud-risk rating for it/,
    es: /su número de teléfono y una calificación del riesgo de fraude de ese número/,
  };
  for (const page of ["/terms", "/privacy"])
    for (const [language, rule] of Object.entries(rules))
      assert.match((await get(`${page}?lang=${language}`)).body, rule, page);
});
