import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { compactVerify, createLocalJWKSet, decodeJwt, type JSONWebKeySet } from "jose";
import { birthDate, phoneOnRecord, signIn, wholeTimeline } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { wallet } from "../harness/hosted-share.ts";
import { insuranceFrames } from "../harness/insurance-frame.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const keysOf = async (app: typeof it.wallet) =>
  (await app.inject({ method: "GET", url: "/.well-known/jwks.json" })).json<JSONWebKeySet>();

test("a receipt verifies with the published keys, states the decision, and contains no personal values", async () => {
  const phone = freshPhone();
  await it.api.createOneClick({ body: { phone } });
  const browser = await signIn(it, phone);
  const [brand] = (await browser.readAccount()).body.brands;
  await browser.stopSharing({ params: { uuid: brand?.uuid ?? "" }, body: { consent: agreed("stop") } });
  const entries = await wholeTimeline(browser);
  const decisions = entries.flatMap(({ action, consent }) => (consent === undefined ? [] : [{ action, consent }]));
  assert.deepEqual(
    decisions.map(({ action }) => action),
    ["oneClick.released", "account.withdrawn"],
  );
  for (const listener of [it.wallet, it.app]) {
    const keys = createLocalJWKSet(await keysOf(listener));
    for (const { consent } of decisions) {
      const { receipt } = (await browser.readReceipt({ params: { uuid: consent.uuid } })).body;
      const { payload, protectedHeader } = await compactVerify(receipt, keys);
      assert.equal(protectedHeader.alg, "ES256");
      const text = new TextDecoder().decode(payload);
      assert.doesNotMatch(text, new RegExp(`${phone.slice(2)}|Hendricks|1989|Newell`));
      const claims = JSON.parse(text);
      assert.deepEqual(
        [claims.jti, claims.iss, claims.brand.name],
        [consent.uuid, "http://localhost:4001", "Demo API"],
      );
      assert.ok(Number.isInteger(claims.iat));
      const { words } = consent;
      if (words !== undefined)
        assert.equal(claims.words.sha256, createHash("sha256").update(words).digest("base64url"));
    }
  }
});

test("sharing does not stop with a name that the brand no longer has, because the record would have other words", async () => {
  const phone = freshPhone();
  const made = await it.brand({ externalName: "Alpha Shop" });
  await made.api.createOneClick({ body: { phone } });
  const browser = await signIn(it, phone);
  const [shown] = (await browser.readAccount()).body.brands;
  assert.equal(shown?.name, "Alpha Shop");
  await it.api.patchSandboxBrand({ params: { uuid: made.uuid }, body: { externalName: "Beta Lender" } });
  const stop = (name: string) =>
    browser.stopSharing({ params: { uuid: made.uuid }, body: { consent: agreed("stop"), name } });
  assert.equal((await refusal(stop("Alpha Shop"))).status, 409);
  assert.equal((await browser.readAccount()).body.brands[0]?.name, "Beta Lender");
  await stop("Beta Lender");
  const stopped = (await wholeTimeline(browser)).at(-1);
  assert.match(stopped?.consent?.words ?? "", /Beta Lender/);
});

test("a receipt with any single byte changed fails verification", async () => {
  const phone = freshPhone();
  await it.api.createOneClick({ body: { phone } });
  const browser = await signIn(it, phone);
  const consent = (await wholeTimeline(browser)).find((entry) => entry.consent !== undefined)?.consent;
  const { receipt } = (await browser.readReceipt({ params: { uuid: consent?.uuid ?? "" } })).body;
  const keys = createLocalJWKSet(await keysOf(it.wallet));
  await compactVerify(receipt, keys);
  const [head = "", body = "", signature = ""] = receipt.split(".");
  const parts = [head, body, signature].map((part) => Buffer.from(part, "base64url"));
  let changed = 0;
  for (const [index, part] of parts.entries()) {
    for (let byte = 0; byte < part.length; byte += 1) {
      const forged = parts.map((one, at) => {
        const copy = Buffer.from(one);
        if (at === index) copy[byte] = (copy[byte] ?? 0) ^ 1;
        return copy.toString("base64url");
      });
      const place = `byte ${byte} of part ${index}`;
      await assert.rejects(compactVerify(forged.join("."), keys), { code: /^ERR_J/ }, place);
      changed += 1;
    }
  }
  assert.ok(changed > 300);
});

test("a person cannot read the receipt of another person's decision", async () => {
  const [one, two] = [freshPhone(), freshPhone()];
  for (const phone of [one, two]) await it.api.createOneClick({ body: { phone } });
  const [first, second] = [await signIn(it, one), await signIn(it, two)];
  const consent = (await wholeTimeline(first)).find((entry) => entry.consent !== undefined)?.consent;
  const asked = second.readReceipt({ params: { uuid: consent?.uuid ?? "" } });
  assert.equal((await refusal(asked)).status, 404);
});

for (const share of [true, false])
  test(`after a brand is renamed, the receipt, the timeline and the download have the name that the person saw (${share ? "shared" : "declined"})`, async () => {
    const phone = freshPhone();
    const brand = await it.brand({ integrationType: "hosted", externalName: "First Name" });
    const begun = (await brand.api.beginOneClick({ body: { phone } })).body;
    const page = new URL(begun.url ?? "").pathname.slice("/request/".length);
    const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: begun.code ?? "" } })).body;
    const session = wallet(it, sessionToken);
    await session.viewPage();
    await session.decidePage({ body: { share, consent: agreed(share ? "share" : "decline") } });
    await it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { externalName: "Second Name" } });
    const browser = await signIn(it, phone);
    await browser.proveAccount({ body: { birthDate } });
    const action = share ? "oneClick.released" : "oneClick.declined";
    const entry = (await wholeTimeline(browser)).find((one) => one.action === action);
    assert.equal(entry?.brand?.name, "First Name");
    const { receipt } = (await browser.readReceipt({ params: { uuid: entry?.consent?.uuid ?? "" } })).body;
    assert.equal(decodeJwt<{ brand: { name: string } }>(receipt).brand.name, "First Name");
    const { decisions } = (await browser.downloadAccount()).body;
    assert.match(JSON.stringify(decisions), /"brand":"First Name"/);
    assert.equal((await browser.readAccount()).body.brands[0]?.name, "Second Name");
  });

/** The names in the receipt and the timeline of an entry, after the brand got another name. */
async function namesAfterRename(brand: { uuid: string }, phone: string, action: string) {
  await it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { externalName: "Second Name" } });
  const browser = await signIn(it, phone);
  await browser.proveAccount({ body: { birthDate } });
  const entry = (await wholeTimeline(browser)).find((one) => one.action === action);
  const { receipt } = (await browser.readReceipt({ params: { uuid: entry?.consent?.uuid ?? "" } })).body;
  return [entry?.brand?.name, decodeJwt<{ brand: { name: string } }>(receipt).brand.name];
}

test("after a brand is renamed, the receipt of a shared plan has the name that the person saw", async () => {
  const brand = await it.brand({ integrationType: "sdk", externalName: "First Name", health: { enabled: true } });
  const phone = await phoneOnRecord(it);
  const { page } = await insuranceFrames(it).shared(brand.api, phone);
  await page.findInsurance({ body: {} });
  await it.runJobs();
  await page.chooseInsurance({ body: { plan: 0, consent: agreed("insurance") } });
  assert.deepEqual(await namesAfterRename(brand, phone, "health.released"), ["First Name", "First Name"]);
});

test("after a brand is renamed, the receipt of what it issued has its name of then", async () => {
  const brand = await it.brand({ externalName: "First Name" });
  const phone = freshPhone();
  const credentials = [{ type: "EmployerNameCredential" as const, data: { employer: "Hooli" } }];
  await brand.api.issueCredentials({ body: { phone, credentials } });
  assert.deepEqual(await namesAfterRename(brand, phone, "credential.issued"), ["First Name", "First Name"]);
});
