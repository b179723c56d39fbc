import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { textedCode } from "../../../../service/src/test/harness/account-page.ts";
import { refusal } from "../../../../service/src/test/harness/sandbox.ts";
import { browserSandbox, type Viewport } from "../harness/browser.ts";
import { createPerson, prove, signIn } from "../harness/own-page.ts";

const it = await browserSandbox();
test("a late answer does not move the person back to the screen they left", async () => {
  const { phone } = await createPerson(it);
  const person = await it.person();
  await signIn(it, person, phone);
  await person.page.getByRole("button", { name: /^Demo API/ }).click();
  await person.at("brand");
  const back = Promise.withResolvers<void>();
  await person.page.route(/\/stop$/, async (route) => {
    await back.promise;
    await route.continue();
  });
  await person.button("Stop sharing").click();
  await person.button("Stop sharing").click();
  await person.button("Back").click();
  await person.at("home");
  back.resolve();
  await person.page.getByText("Sharing stopped. Demo API can’t read your data anymore.").waitFor();
  assert.equal(await person.at("home"), "Your data");
  await person.done();
});

for (const on of ["phone", "desktop"] satisfies Viewport[]) {
  test(`on a ${on}: lists who has data, shows values after the birthday, and stops sharing with a brand`, async () => {
    const { phone, read } = await createPerson(it);
    const person = await it.person({ on });
    await signIn(it, person, phone);
    const text = () => person.page.locator("main").innerText();
    await person.page.getByRole("button", { name: /^Show all/ }).click();
    await person.page.getByText("Demo API read your data 3 times").waitFor();
    assert.doesNotMatch(await person.page.content(), /Pied Piper|Hendricks|1989|Newell/);
    await person.button("Show details").click();
    await prove(person);
    await person.at("home");
    assert.match(await text(), /Pied Piper/);
    await person.button("Hide details").click();
    await person.page.getByText("Confirm your birthday to see your full details.").waitFor();
    assert.equal(await person.page.evaluate("document.activeElement.textContent"), "Show details");
    assert.doesNotMatch(await person.page.content(), /Pied Piper|Hendricks|1989|Newell/);
    await person.page.getByRole("button", { name: /^Demo API/ }).click();
    assert.equal(await person.at("brand"), "Demo API");
    await person.button("Show details").click();
    await prove(person);
    assert.equal(await person.at("brand"), "Demo API");
    await person.button("Hide details").waitFor();
    assert.match(await text(), /Richard[\s\S]*Hendricks[\s\S]*August 1, 1989/);
    await person.button("Stop sharing").click();
    await person.button("Stop sharing").click();
    await person.page.getByText("Sharing stopped. Demo API can’t read your data anymore.").waitFor();
    await person.page.getByText("You stopped sharing with Demo API").waitFor();
    await person.at("brand");
    assert.equal((await refusal(read())).errorCode, "OCE015");
    await person.button("Back").click();
    await person.at("home");
    await person.button("Sign out").click();
    await person.at("phone");
    await person.page.reload();
    await person.at("phone");
    await person.done();
  });
}

test("signs in, opens a brand, and stops sharing with it by keyboard alone", async () => {
  const { phone, read } = await createPerson(it);
  const person = await it.person({ on: "desktop" });
  const { page, at } = person;
  await page.goto(`${it.walletUrl}/`);
  await at("phone");
  const press = (key: string) => page.keyboard.press(key);
  const reach = async (name: RegExp) => {
    for (let steps = 0; steps < 40; steps += 1) {
      const focused = String(
        await page.evaluate("document.activeElement?.textContent || document.activeElement?.name"),
      );
      if (name.test(focused)) return;
      await press("Tab");
    }
    assert.fail(`Tab does not reach ${name}`);
  };
  await reach(/^phone$/);
  await page.keyboard.type(phone.slice(2));
  await press("Enter");
  await at("verificationCode");
  await it.runJobs();
  await page.keyboard.type((await textedCode(it, phone)) ?? "");
  await at("home");
  await reach(/^Demo API/);
  await press("Enter");
  await at("brand");
  assert.equal(await page.evaluate("document.activeElement?.tagName"), "H1");
  await reach(/^Stop sharing$/);
  await press("Space");
  await reach(/^Stop sharing$/);
  await press("Space");
  await page.getByText("Sharing stopped.").waitFor();
  assert.equal((await refusal(read())).errorCode, "OCE015");
  await person.done();
});

test("corrects a value, downloads all data with valid receipts, and opens the data as a page", async () => {
  const { phone, hosted } = await createPerson(it);
  const person = await it.person();
  const { page } = person;
  await signIn(it, person, phone);
  await person.button("Show details").click();
  await prove(person);
  await person.at("home");
  await page.getByRole("button", { name: /^Demo Hosted/ }).click();
  await person.at("brand");
  await person.button("Edit employer").click();
  await person.at("edit");
  await person.button("Cancel").click();
  await person.at("brand");
  await person.button("Edit employer").click();
  await person.box("Employer").fill("Hooli");
  await person.button("Save").click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await hosted.read()).body.credentials?.employerName, "Hooli");
  await person.button("Back").click();
  await person.at("home");
  await person.button("View or download everything").click();
  await person.at("download");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download as a file (JSON)" }).click(),
  ]);
  const downloaded = JSON.parse(await readFile(await file.path(), "utf8"));
  assert.equal(file.suggestedFilename(), "countersign.json");
  assert.match(JSON.stringify(downloaded.shared), /Hooli/);
  const keys = await it.wallet.inject({ method: "GET", url: "/.well-known/jwks.json" });
  const jwks = createLocalJWKSet(keys.json<JSONWebKeySet>());
  for (const { receipt } of downloaded.decisions) await compactVerify(receipt, jwks);
  assert.ok(downloaded.decisions.length >= 3);
  const [printed] = await Promise.all([
    person.context.waitForEvent("page"),
    page.getByRole("link", { name: /^View as a page/ }).click(),
  ]);
  await printed.locator('main[data-step="everything"]').waitFor();
  const folded = printed.locator("details:not([open])");
  const before = await folded.count();
  await printed.evaluate('dispatchEvent(new Event("beforeprint"))');
  assert.equal(await folded.count(), 0);
  await printed.evaluate('dispatchEvent(new Event("afterprint"))');
  assert.equal(await folded.count(), before);
  await printed.getByRole("link", { name: "What companies can read now 2" }).click();
  await printed.getByRole("heading", { name: "Demo Hosted", exact: true }).click();
  await printed.getByText(/^Hooli/).waitFor();
  await printed.getByRole("link", { name: "Back to your data" }).click();
  await printed.locator('main[data-step="home"]').waitFor();
  await person.done();
});

test("deletes everything after the birthday and a typed word, and offers a receipt", async () => {
  const { phone, read } = await createPerson(it);
  const person = await it.person();
  await signIn(it, person, phone);
  await person.button("Delete everything").click();
  await prove(person);
  await person.at("delete");
  await person.button("Cancel").click();
  await person.at("home");
  await person.button("Delete everything").click();
  await person.at("delete");
  const erase = person.button("Delete everything");
  assert.equal(await erase.getAttribute("aria-disabled"), "true");
  await person.box("Type DELETE to confirm").press("Enter");
  await person.at("delete");
  await person.box("Type DELETE to confirm").fill("delete");
  assert.equal(await erase.getAttribute("aria-disabled"), null);
  await person.button("Delete everything").click();
  assert.equal(await person.at("done"), "Your data was deleted");
  assert.equal((await refusal(read())).errorCode, "OCE015");
  const [file] = await Promise.all([
    person.page.waitForEvent("download"),
    person.page.getByRole("link", { name: "Download receipt" }).click(),
  ]);
  assert.match(await readFile(await file.path(), "utf8"), /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  await person.button("Done").click();
  await person.at("phone");
  await person.done();
});

test("the new holder of a number starts without the former holder's data", async () => {
  const { phone } = await createPerson(it);
  const person = await it.person();
  await signIn(it, person, phone);
  await person.button("I’m new to this number").click();
  await person.at("newHolder");
  await person.button("Start fresh").click();
  await person.page.getByRole("heading", { name: "Start fresh with this number?" }).waitFor();
  await person.at("newHolder");
  await person.page.locator("h2:focus").waitFor();
  await person.button("Cancel").click();
  await person.at("home");
  await person.button("I’m new to this number").click();
  await person.button("Start fresh").click();
  await person.page.locator("h2:focus").waitFor();
  await person.button("Start fresh").click();
  await person.at("home");
  await person.page.getByText("No one yet.").waitFor();
  await person.page.reload();
  await person.at("home");
  await person.done();
});

test("shows an error for a wrong phone, code, or birthday, and lets the person correct it", async () => {
  const { phone } = await createPerson(it);
  const person = await it.person();
  await person.page.goto(`${it.walletUrl}/`);
  await person.box("Phone number").fill("12");
  await person.button("Continue").click();
  await person.page.getByText("Enter a US phone number").first().waitFor();
  await person.box("Phone number").fill(phone.slice(2));
  await person.button("Continue").click();
  await person.at("verificationCode");
  await it.runJobs();
  const code = (await textedCode(it, phone)) ?? "";
  const [wrong = "", otherWrong = ""] = ["000000", "000001", "000002"].filter((one) => one !== code);
  await person.box("Verification code").fill(wrong);
  await person.page.getByText("That code isn’t right. 2 tries left.").first().waitFor();
  // The same code is not sent again, so it uses no attempt.
  await person.box("Verification code").press("Enter");
  await person.box("Verification code").fill(otherWrong);
  await person.page.getByText("That code isn’t right. 1 try left.").first().waitFor();
  await person.button("Change number").click();
  await person.at("phone");
  await person.button("Continue").click();
  await person.at("verificationCode");
  await it.runJobs();
  await person.box("Verification code").fill((await textedCode(it, phone)) ?? "");
  await person.at("home");
  await person.button("Show details").click();
  await person.at("birthday");
  await person.box("Birthday").fill("01/01/1990");
  await person.page.getByText("doesn’t match.").first().waitFor();
  await person.button("Use the last 4 of my SSN instead").click();
  await person.at("ssn4");
  await person.box("Last 4 digits of SSN").fill("6789");
  // The review of a brand shows the digits of the SSN, so they do not suffice.
  await person.at("birthday");
  await person.page.getByText("We need one more answer").first().waitFor();
  assert.equal(await person.button("Use the last 4 of my SSN instead").count(), 0);
  await person.box("Birthday").fill("08/01/1989");
  await person.at("home");
  await person.done();
});
