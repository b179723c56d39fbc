// rest: visits every page with hostile text in every field
/** Malicious text in every text field is stored and shown on every page, but never executed. */
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
const hostile = [
  '"><script>window.hit=1</script>',
  "<img src=x onerror=window.hit=1>",
  "javascript:window.hit=1//",
  "</style><script>window.hit=1</script>",
  '=HYPERLINK("evil")',
  "{{constructor.constructor('window.hit=1')()}}",
];
/** A brand's pages that show user-entered text. */
const pages = [
  "start",
  "settings/general",
  "settings/formats",
  "settings/health",
  "settings/consent",
  "requests",
  "styling",
  "keys",
  "approvals",
  "webhooks",
  "webhooks/deliveries",
  "network-rules",
  "log",
  "analytics",
  "usage",
];

/** A pattern may contain any marks, but no words other than parts. */
const patternOf = (part: string, text: string) => `${part} ${text.replace(/[\p{L}\p{N}_]+/gu, "")}`;

test("malicious text in text fields is not executed on any page", async () => {
  const person = await it.member();
  const { call } = person.member;
  const patch = (brand: string, version: number, text: string) =>
    call("PATCH", `/api/brands/${brand}/sandbox/settings`, {
      version,
      patch: {
        externalName: text.slice(0, 100),
        consent: { text, version: text.slice(0, 50) },
        credentialFormats: { fullName: patternOf("lastName", text), address: patternOf("city", text) },
        health: { providers: [{ type: "organization", name: text, npi: "1999999984" }] },
        defaultCredentialRequests: [{ type: "FirstNameCredential", description: text }],
        networkRules: [
          {
            name: text,
            status: "IN_NETWORK",
            notes: text,
            metadata: { [text]: text },
            conditions: [{ key: "payerName", operator: "INCLUDE", values: [text] }],
          },
        ],
      },
    });
  /** Sends a verification text and a test webhook, and returns the uuid of the webhook's delivery. */
  const traffic = async (uuid: string, apiKey: string, hook: { body: Record<string, unknown> }) => {
    const api = it.as(apiKey);
    const verification = (await api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body;
    await api.deliverVerification({ params: { uuid: verification.uuid } });
    const sent = await call("POST", `/api/brands/${uuid}/sandbox/webhooks/${hook.body.uuid}/test`);
    await it.runJobs();
    return String(sent.body.delivery);
  };
  let brand = "";
  for (const text of hostile) {
    const made = await call("POST", "/api/brands", { name: text, integrationType: "api" });
    assert.equal(made.status, 201, text);
    brand = String(made.body.uuid);
    const changed = await patch(brand, 1, text);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const hook = await call("POST", `/api/brands/${brand}/sandbox/webhooks`, {
      url: `https://brand.example/${text.replace(/[\\\s#]/g, "")}`,
      authentication: { type: "apiKey", header: "X-Key", value: text },
    });
    assert.equal(hook.status, 201, JSON.stringify(hook.body));
    await call("POST", `/api/brands/${brand}/sandbox/keys`, { name: text.slice(0, 60), ipRanges: [] });
    await call("POST", "/api/members", { email: `m${hostile.indexOf(text)}@example.com`, name: text, role: "viewer" });
    await call("POST", `/api/brands/${brand}/production`, { sourceVersion: 1 });
    await call("POST", `/api/brands/${brand}/approval-request`, { confirmed: [], note: text });
    await call("PATCH", "/api/customer", { name: text });
    await call("PATCH", "/api/me", { name: text });
    const paths = ["/brands", "/team", "/audit", "/me", `/brands/${brand}/sandbox/compare`];
    for (const page of pages) paths.push(`/brands/${brand}/sandbox/${page}`);
    paths.push("/sandbox/outbox", `/brands/${brand}/production/approvals`);
    paths.push(`/brands/${brand}/sandbox/webhooks/deliveries/${await traffic(brand, String(made.body.apiKey), hook)}`);
    for (const path of paths) {
      await person.page.goto(path);
      await person.page.locator("main h1").waitFor();
      await person.page.locator("body:not(:has(.loading))").waitFor();
      assert.equal(await person.page.evaluate("window.hit"), undefined, `${text} on ${path}`);
    }
  }
  await person.page.goto("/brands");
  await person.at("brands");
  await person.picture("hostile-brands");
  await person.done();
});

test("another site cannot frame the dashboard or act with its visitor's session", async () => {
  const person = await it.member();
  const { page } = person;
  const stranger = `${it.deps.addresses.walletUrl.replace("localhost", "127.0.0.1")}/stranger`;
  await page.route(stranger, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>Stranger</title><h1>Stranger</h1>
<iframe src="${it.dashboardUrl}/brands"></iframe>
<form id="form" method="post" enctype="text/plain" action="${it.dashboardUrl}/api/brands"><input name='{"name":"x","integrationType":"api","a":"' value='"}'></form>`,
    }),
  );
  await page.goto(stranger);
  const frame = page.frames().find((one) => one !== page.mainFrame());
  assert.equal(await frame?.locator("#app").count(), 0);
  const before = await it.store.db.selectFrom("brand").select("uuid").execute();
  const asked = page.evaluate(
    `fetch("${it.dashboardUrl}/api/brands", { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body: JSON.stringify({ name: "x", integrationType: "api" }) }).then((r) => r.status, () => "refused")`,
  );
  assert.equal(await asked, "refused");
  await page.evaluate('document.getElementById("form").submit()');
  await page.waitForURL(`${it.dashboardUrl}/api/brands`);
  assert.deepEqual(await it.store.db.selectFrom("brand").select("uuid").execute(), before);
  await person.context.close();
});
