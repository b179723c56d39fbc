import assert from "node:assert/strict";
import test from "node:test";
import { textedCode } from "../../../../service/src/test/harness/account-page.ts";
import { browserSandbox } from "../harness/browser.ts";
import { createPerson, prove, signIn } from "../harness/own-page.ts";

const it = await browserSandbox();
const said = "Someone else is signed in here now. Nothing was changed.";

/** Alice's page in one tab. Bob signs in in a second one, after she left, and Alice's tab hears of it or not. */
async function twoPeople({ hears }: { hears: boolean }) {
  const [alice, bob] = [await createPerson(it), await createPerson(it)];
  const person = await it.person();
  if (!hears) await person.context.addInitScript("delete window.BroadcastChannel");
  await signIn(it, person, alice.phone);
  const shows = (phone: string) => person.page.getByText(phone.slice(-4)).first().waitFor();
  await shows(alice.phone);
  const signInBob = async () => {
    const second = await person.context.newPage();
    const at = (step: string) => second.locator(`main[data-step="${step}"]`).waitFor();
    await person.context.clearCookies();
    await second.goto(`${it.walletUrl}/`);
    await second.getByRole("textbox", { name: "Phone number" }).fill(bob.phone.slice(2));
    await second.getByRole("button", { name: "Continue" }).click();
    await at("verificationCode");
    await it.runJobs();
    const code = (await textedCode(it, bob.phone)) ?? "";
    await second.getByRole("textbox", { name: "Verification code" }).fill(code);
    await at("home");
  };
  return { alice, bob, person, shows, signInBob };
}

test("a tab that shows one person stops nothing for another who signed in since, and then shows that one", async () => {
  const { alice, bob, person, shows, signInBob } = await twoPeople({ hears: false });
  await person.page.getByRole("button", { name: /^Demo API/ }).click();
  await person.at("brand");
  await person.button("Stop sharing").click();
  await signInBob();
  await person.button("Stop sharing").click();
  await person.page.getByText(said).waitFor();
  await person.at("home");
  await shows(bob.phone);
  for (const { read } of [alice, bob]) assert.equal((await read()).status, 200);
  // From here on, the page acts for the person whom it shows.
  await person.button("Show details").click();
  await prove(person);
  await person.at("home");
  await person.done();
});

test("a fresh start that one person began takes nothing from another who signed in since", async () => {
  const { bob, person, shows, signInBob } = await twoPeople({ hears: false });
  await person.button("I’m new to this number").click();
  await person.at("newHolder");
  await person.button("Start fresh").click();
  await signInBob();
  await person.button("Start fresh").click();
  await person.page.getByText(said).waitFor();
  await shows(bob.phone);
  assert.equal(await person.page.getByRole("button", { name: /^Demo API/ }).count(), 1);
  await person.done();
});

test("tabs tell each other when another person signs in", async () => {
  const { bob, person, shows, signInBob } = await twoPeople({ hears: true });
  await person.page.getByRole("button", { name: /^Demo API/ }).click();
  await person.at("brand");
  await signInBob();
  await person.page.getByText(said).waitFor();
  await person.at("home");
  await shows(bob.phone);
  await person.done();
});
