/** Who may see the printable page of all data, and for how long. */
import assert from "node:assert/strict";
import test from "node:test";
import { minuteMs } from "@countersign/contract/time";
import { browserSandbox, type Person } from "../harness/browser.ts";
import { createPerson, prove, signIn } from "../harness/own-page.ts";

const it = await browserSandbox();
const values = /Pied Piper|Hendricks|1989/;
const shownAgain = 'document.dispatchEvent(new Event("visibilitychange"))';

/** A person who has proven who they are in one tab. `everything` opens their printable page in another one. */
async function proven({ hears = true } = {}) {
  const person = await it.person();
  if (!hears) await person.context.addInitScript("delete window.BroadcastChannel");
  await proveAs(person, (await createPerson(it)).phone);
  const everything = await person.context.newPage();
  await everything.clock.install();
  await everything.goto(`${it.walletUrl}/everything`);
  await everything.getByText("Pied Piper").first().waitFor();
  return { person, everything };
}

async function proveAs(person: Person, phone: string): Promise<void> {
  await signIn(it, person, phone);
  await person.button("Show details").click();
  await prove(person);
  await person.button("Hide details").waitFor();
}

test("the printable page of one person goes when another one has proven who they are in this browser", async () => {
  const { person, everything } = await proven({ hears: false });
  await person.button("Sign out").click();
  await person.at("phone");
  const { phone } = await createPerson(it);
  await proveAs(person, phone);
  await everything.evaluate(shownAgain);
  await everything.locator('main[data-step="home"]').waitFor();
  await everything.getByText(phone.slice(-4)).first().waitFor();
  await person.done();
});

test("the printable page goes when the proof ends, in a tab that stays visible and without a connection", async () => {
  const { person, everything } = await proven();
  await everything.clock.fastForward("09:00");
  assert.match(await everything.content(), values);
  await it.advance(11 * minuteMs);
  await everything.clock.fastForward("01:30");
  await everything.locator('main[data-step="home"]').waitFor();
  assert.doesNotMatch(await everything.content(), values);
  await person.done();
});

test("details that are hidden in one tab are hidden in all", async () => {
  const { person, everything } = await proven();
  const second = await person.context.newPage();
  await second.goto(`${it.walletUrl}/`);
  await second.getByText("Pied Piper").first().waitFor();
  await person.button("Hide details").click();
  await everything.locator('main[data-step="home"]').waitFor();
  await second.getByRole("button", { name: "Show details" }).waitFor();
  for (const tab of [everything, second]) assert.doesNotMatch(await tab.content(), values);
  await person.done();
});
