/** The records of an OpenID sign-in have the words that its pages showed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { consentWords, provingText } from "@countersign/contract/consent";
import { freshPhone } from "../harness/below-http.ts";
import { agreed, sharedWords } from "../harness/consent-shown.ts";
import {
  authorizePath,
  beginAt,
  browserOf,
  hiddenFields,
  openidBrand,
  ownSite,
  pkce,
  requestOf,
  signIn,
} from "../harness/openid.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

/** The words of the records about a client, the newest last. */
async function recorded(brandUuid: string) {
  const rows = it.store.db.selectFrom("consent").select(["action", "words"]).where("brand_uuid", "=", brandUuid);
  return (await rows.orderBy("at").orderBy("action").execute()).map(({ action, words }) => [action, words]);
}

const proving = (name: string, data: boolean) => {
  const kind = provingText({ known: false, asksFor: { data, ssn: false, health: false } });
  return consentWords(kind, agreed(kind), name);
};

test("a phone's page from before a change of the client's name is shown again with the new name", async () => {
  const client = await openidBrand(it);
  const rename = (externalName: string) =>
    it.api.patchSandboxBrand({ params: { uuid: client.uuid }, body: { externalName } });
  await rename("Alpha Shop");
  const browser = browserOf(it);
  const page = await beginAt(browser, authorizePath(requestOf(client, pkce().challenge)));
  const form = { ...(await hiddenFields(browser, page)), phone: freshPhone() };
  await rename("Beta Lender");
  const shownAgain = await browser.visit(page, { form, headers: ownSite });
  assert.equal(shownAgain.status, 409);
  assert.match(shownAgain.body, /The company changed its name\. Check it before you continue\./);
  assert.match(shownAgain.body, /Beta Lender/);
  assert.doesNotMatch(shownAgain.body, /aria-invalid/);
  assert.deepEqual(await recorded(client.uuid), []);
  const now = { ...(await hiddenFields(browser, page)), phone: form.phone };
  assert.equal((await browser.visit(page, { form: now, headers: ownSite })).status, 303);
  assert.deepEqual(await recorded(client.uuid), [["prove", proving("Beta Lender", true)]]);
});

test("a client that asks for no details gets a share with the words of the review", async () => {
  const client = await openidBrand(it);
  const { externalName = "" } = (await it.api.readSandboxBrand({ params: { uuid: client.uuid } })).body.settings;
  await signIn(it, client, { scope: "openid" }, { phone: freshPhone() });
  const [prove, share, ...more] = await recorded(client.uuid);
  assert.deepEqual(more, []);
  assert.deepEqual(prove, ["prove", proving(externalName, false)]);
  assert.deepEqual(share, ["share", sharedWords(externalName, "en", "none of your details")]);
});
