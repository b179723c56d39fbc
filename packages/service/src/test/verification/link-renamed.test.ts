/** A texted link's page names the brand and what follows. If either changes, the page's "Continue" does nothing. */
import assert from "node:assert/strict";
import test from "node:test";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { freshPhone } from "../harness/below-http.ts";
import { hiddenFieldsIn, linkForm, pressLink } from "../harness/link-form.ts";
import { sandbox } from "../harness/sandbox.ts";

let isSourceDown = false;
const identity = sandboxIdentity();
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question) => {
        if (isSourceDown) throw new Error("the source is down");
        return await identity.lookUp(question);
      },
    },
  },
});

/** A brand of the first name that has texted a link. `release`: its 1-Click shares as soon as the person continues. */
async function texted(kind: "release" | "proof", redirectUserAfter?: "infoConfirmation") {
  const integrationType = kind === "release" ? "v1" : "api";
  const redirectUrl = "https://brand.example/home";
  const brand = await it.brand({ integrationType, externalName: "Alpha Shop", redirectUrl });
  const phone = freshPhone();
  const headers = { authorization: brand.apiKey };
  const v1 = async (method: "GET" | "POST", url: string, payload?: object) =>
    await it.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  let uuid = "";
  if (kind === "release") {
    const asked = { phone, isHosted: false, birthDate: "1970-08-01", verificationOptions: "only_link" };
    const { body } = await v1("POST", "/1-click", asked);
    assert.ok(typeof body === "object" && body !== null && "uuid" in body, JSON.stringify(body));
    uuid = String(body.uuid);
  } else {
    uuid = (await brand.api.createVerification({ body: { channel: "sms", phone } })).body.uuid;
    await brand.api.deliverVerification({ params: { uuid }, body: { format: "link", redirectUserAfter } });
  }
  await it.runJobs();
  const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
  const path = /\/v\/\w+/.exec(text?.body ?? "")?.[0] ?? assert.fail(text?.body);
  const rename = (externalName: string) =>
    it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { externalName } });
  return { brand, uuid, path, rename, canRead: async () => (await v1("GET", `/1-click/${uuid}`)).status === 200 };
}

const recordsOf = async (brandUuid: string) => {
  const audits = it.store.db.selectFrom("audit").select(["action", "detail"]).where("brand_uuid", "=", brandUuid);
  return (await audits.orderBy("id").execute()).map(({ action, detail }) => ({ action, detail }));
};

test("after a change of the name, Continue shares nothing and shows the page with the new name; from there it shares", async () => {
  const { brand, path, rename, canRead } = await texted("release");
  const before = await linkForm(it, path);
  assert.equal(before.brand, "Alpha Shop");
  await rename("Beta & <Lender>");
  for (const form of [before, { choice: "continue" }, { choice: "continue", brand: "" }]) {
    const shownAgain = await pressLink(it, path, form);
    assert.equal(shownAgain.statusCode, 409);
    assert.match(shownAgain.body, /role="alert">The company changed its name\. Check it before you continue\./);
    assert.match(shownAgain.body, /Beta &amp; &lt;Lender> gets the details that you agreed to share/);
    assert.doesNotMatch(shownAgain.body, /Alpha Shop/);
    assert.match(String(shownAgain.headers["content-security-policy"]), /form-action 'self' https:\/\/brand\.example;/);
  }
  assert.deepEqual(await recordsOf(brand.uuid), []);
  assert.equal(await canRead(), false);
  assert.doesNotMatch((await it.wallet.inject({ method: "GET", url: path })).body, /changed its name/);
  assert.equal((await pressLink(it, path)).statusCode, 303);
  const released = (await recordsOf(brand.uuid)).find(({ action }) => action === "oneClick.released");
  assert.match(JSON.stringify(released), /"brandName":"Beta & <Lender>"/);
});

test("a page with an earlier name does not prove the phone, but the person can still deny it", async () => {
  const { brand, uuid, path, rename } = await texted("proof");
  const form = await linkForm(it, path);
  await rename("Beta Lender");
  assert.equal((await pressLink(it, path, form)).statusCode, 409);
  const status = async () => (await brand.api.readVerification({ params: { uuid } })).body.status;
  assert.equal(await status(), "delivered");
  assert.equal((await pressLink(it, path, { choice: "deny" })).statusCode, 200);
  assert.equal(await status(), "failed");
});

for (const declared of [true, false])
  test(`a page that promised ${declared ? "a review" : "a proof only"} proves nothing after the brand changed that`, async () => {
    const { brand, uuid, path } = await texted("proof", "infoConfirmation");
    const declare = (declared: boolean) =>
      it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { consent: { declared } } });
    await declare(declared);
    const form = await linkForm(it, path);
    await declare(!declared);
    const shownAgain = await pressLink(it, path, form);
    assert.equal(shownAgain.statusCode, 409);
    assert.match(shownAgain.body, /role="alert">This changed while it was open\. Please check it again\./);
    assert.equal((await brand.api.readVerification({ params: { uuid } })).body.status, "delivered");
    assert.equal(
      (await pressLink(it, path, { ...hiddenFieldsIn(shownAgain.body), choice: "continue" })).statusCode,
      303,
    );
  });

test("a page says that the brand can then read details, and one that did not say so proves nothing after that changed", async () => {
  const { brand, path } = await texted("proof");
  const change = (settings: Parameters<typeof it.api.patchSandboxBrand>[0]["body"]) =>
    it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: settings });
  const shown = async () => (await it.wallet.inject({ method: "GET", url: path })).body;
  const reads = "It can then get the details that you agreed to share.";
  assert.ok((await shown()).includes(reads));
  await change({ consent: { declared: false } });
  assert.ok(!(await shown()).includes(reads));
  const form = await linkForm(it, path);
  await change({ consent: { declared: true } });
  assert.equal((await pressLink(it, path, form)).statusCode, 409);
  assert.equal((await pressLink(it, path)).statusCode, 303);
});

test("a repeated Continue leads back after a change of the name, because nothing is left to decide", async () => {
  for (const kind of ["release", "proof"] as const) {
    const { brand, path, rename } = await texted(kind);
    const form = await linkForm(it, path);
    const first = await pressLink(it, path, form);
    const records = await recordsOf(brand.uuid);
    await rename("Beta Lender");
    const again = await pressLink(it, path, form);
    assert.deepEqual([again.statusCode, again.headers.location], [303, first.headers.location], kind);
    assert.deepEqual(await recordsOf(brand.uuid), records, kind);
  }
});

test("a Continue that is repeated because the source was down shares nothing under another name than the page's", async () => {
  const { path, rename, canRead } = await texted("release");
  const form = await linkForm(it, path);
  isSourceDown = true;
  assert.equal((await pressLink(it, path, form)).statusCode, 503);
  isSourceDown = false;
  await rename("Beta Lender");
  const shownAgain = await pressLink(it, path, form);
  assert.equal(shownAgain.statusCode, 409);
  assert.equal(await canRead(), false);
  assert.equal((await pressLink(it, path, { ...hiddenFieldsIn(shownAgain.body), choice: "continue" })).statusCode, 303);
  assert.equal(await canRead(), true);
});
