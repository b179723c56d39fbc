import assert from "node:assert/strict";
import test from "node:test";
import { textedCode } from "../../../../service/src/test/harness/account-page.ts";
import { browserSandbox, type Person } from "../harness/browser.ts";
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
    await person.context.clearCookies();
    await second.goto(`${it.walletUrl}/`);
    await signInOn(second, bob.phone);
  };
  return { alice, bob, person, shows, signInBob };
}

/** Signs in on a page that is open. */
async function signInOn(page: Person["page"], phone: string): Promise<void> {
  const at = (step: string) => page.locator(`main[data-step="${step}"]`).waitFor();
  await page.getByRole("textbox", { name: "Phone number" }).fill(phone.slice(2));
  await page.getByRole("button", { name: "Continue" }).click();
  await at("verificationCode");
  await it.runJobs();
  const code = (await textedCode(it, phone)) ?? "";
  await page.getByRole("textbox", { name: "Verification code" }).fill(code);
  await at("home");
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

test("an answer for a person who left changes nothing on the page of another who signed in in this tab", async () => {
  const [alice, bob] = [await createPerson(it), await createPerson(it)];
  const person = await it.person();
  const { page, button } = person;
  /** Holds the answer to a call. Without `answer`, the service answers it. */
  const hold = async (path: string, answer?: { status: number; json: object }) => {
    const held = Promise.withResolvers<void>();
    await page.route(path, async (route) => {
      const response = answer ?? { response: await route.fetch() };
      await held.promise;
      await route.fulfill(response);
    });
    return held.resolve;
  };
  const releases = [
    await hold("**/api/account/brands/*/stop"),
    await hold("**/api/account/devices", { status: 401, json: { message: "You are not signed in." } }),
  ];
  await signIn(it, person, alice.phone);
  await page.getByRole("button", { name: /^Demo API/ }).click();
  await person.at("brand");
  await button("Stop sharing").click();
  const stopping = page.waitForRequest(/\/stop$/);
  await page.locator(".grave.full").click();
  await stopping;
  await button("Back").click();
  await person.at("home");
  const listing = page.waitForRequest(/\/devices$/);
  await button("Where you’re signed in").click();
  await listing;
  await button("Sign out").click();
  await person.at("phone");
  await signInOn(page, bob.phone);
  for (const release of releases) {
    const answered = page.waitForEvent("requestfinished");
    release();
    await answered;
    // The page handles an answer before it draws the next two frames.
    await page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))");
    await person.at("home");
    await page.getByText(bob.phone.slice(-4)).first().waitFor();
    assert.equal(await page.getByText(alice.phone.slice(-4)).count(), 0);
  }
  await person.done();
});
