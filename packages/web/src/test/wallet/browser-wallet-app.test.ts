import assert from "node:assert/strict";
import test from "node:test";
import { birthDate, phoneOnRecord, signIn } from "../../../../service/src/test/harness/account-page.ts";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { holder, present, presenter } from "../../../../service/src/test/harness/holder.ts";
import { begin, browserSandbox, buttonNamed, picture } from "../harness/browser.ts";

const it = await browserSandbox();

/** Someone whose wallet app holds an employer, under an earlier phone. */
async function withEmployer() {
  const phone = await phoneOnRecord(it);
  const credentials = [{ type: "EmployerNameCredential", data: { employer: "Pied Piper" } }];
  const issued = (await it.api.issueCredentials({ body: { phone, credentials } })).body.credentials[0]?.id ?? "";
  const page = await signIn(it, phone);
  await page.proveAccount({ body: { birthDate } });
  const { offer, transactionCode } = (await page.takeOut({ body: { issued } })).body;
  const [held = assert.fail("no copy")] = await holder().accept(offer, transactionCode);
  return held;
}

test("a missing detail comes from a wallet app, and only the browser to which it returns shows it", async () => {
  const held = await withEmployer();
  const credentialRequests = [{ type: "EmployerNameCredential", mandatory: "yes", allowUserInput: true }];
  const { url, code, read } = await begin(it, freshPhone(), { body: { credentialRequests } });
  const person = await it.person();
  const { page, box, button, at } = person;
  await page.goto(url);
  await at("verificationCode");
  await box("Verification code").fill(code);
  assert.equal(await at("review"), "Add your employer");
  await picture(page, "wallet-app-missing");
  await button("Or use a card from your wallet app").click();
  const link = page.getByRole("link", { name: "Open wallet app" });
  await link.waitFor();
  await picture(page, "wallet-app-open");
  const app = presenter();
  const request = await app.read((await link.getAttribute("href")) ?? "");
  assert.equal(request.query.credentials[0]?.format, "dc+sd-jwt");
  const { nonce, audience } = request;
  const presentation = await present(held, { employerName: true }, { nonce, audience, at: it.deps.clock.now() });
  const answer = await app.send(request, { employerName: [presentation] });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const stranger = await it.person();
  await stranger.page.goto(answer.body.redirect_uri);
  assert.equal(await stranger.at("error"), "This code was already used");
  assert.doesNotMatch(await stranger.page.locator("main").innerText(), /Pied Piper/);
  await stranger.done();
  // The wallet app opens another tab of the same browser, which gets the session from the first one.
  const tab = await page.context().newPage();
  await tab.goto(answer.body.redirect_uri);
  await tab.getByText("Pied Piper").waitFor();
  await picture(tab, "wallet-app-review");
  await tab.getByRole("button", buttonNamed("Share")).click();
  await tab.waitForURL(/landing/);
  assert.equal((await read()).body.credentials?.employerName, "Pied Piper");
  await person.done();
});
