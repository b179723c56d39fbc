import assert from "node:assert/strict";
import test from "node:test";
import { linkFor } from "../../../../service/src/domain/member/sign-in.ts";
import { firstDemoCustomer } from "../../../../service/src/providers/sandbox/demo.ts";
import { demoKey } from "../../../../service/src/test/harness/sandbox.ts";
import { portOf } from "../harness/browser.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
await it.app.listen({ host: "127.0.0.1", port: 0 });
it.deps.addresses.apiUrl = `http://localhost:${portOf(it.app)}`;

/** Returns the body of the newest email to an address. */
async function mailTo(email: string): Promise<string> {
  const { data } = (await it.as(demoKey).listMessages({ query: { to: email } })).body;
  const [newest] = data;
  assert.ok(newest?.channel === "email");
  return newest.body;
}

test("the sign-in is a card with a picture where there is room, and fits every screen", async () => {
  for (const [name, at, hasPicture] of [
    ["dark", { colorScheme: "dark" }, true],
    ["phone", { on: "phone" }, false],
    ["phone-dark", { on: "phone", colorScheme: "dark" }, false],
    ["tablet", { on: "tablet" }, true],
  ] as const) {
    const person = await it.visitor(at);
    await person.page.goto("/brands");
    await person.at("signIn");
    assert.equal(await person.page.locator(".sign-in-picture").isVisible(), hasPicture, name);
    const overflow = await person.page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    assert.ok(Number(overflow) <= 0, `${overflow} px too wide (${name})`);
    await person.picture(`sign-in-${name}`);
    await person.done();
  }
});

test("a member signs in with a code from an email, by keyboard alone", async () => {
  const person = await it.visitor();
  const { page } = person;
  await page.goto("/brands");
  await person.at("signIn");
  await person.picture("sign-in-1");
  await person.box("Work email").fill("nobody");
  await page.keyboard.press("Enter");
  await page.getByText("Enter an email address").waitFor();
  await person.at("signIn");
  await person.box("Work email").fill(firstDemoCustomer.email);
  await page.keyboard.press("Enter");
  await person.at("code");
  assert.equal(await page.locator(".slots .cell").count(), 6, "the code field has six cells");
  await page.keyboard.type("000000");
  await page.getByText("2 tries are left").waitFor();
  await person.at("code");
  await person.picture("sign-in-2-wrong");
  const code = /^\d{6}/.exec(await mailTo(firstDemoCustomer.email))?.[0] ?? "";
  await page.keyboard.type(code);
  await person.at("brands");
  await person.picture("brands");
  await person.button("Sign out").click();
  await person.at("signIn");
  await page.goto("/brands");
  await person.at("signIn");
  await person.done();
});

test("without a mail server, the page says where the code is, and a button opens it", async () => {
  const person = await it.visitor({ on: "phone" });
  await person.page.goto("/brands");
  await person.box("Work email").fill(firstDemoCustomer.email);
  await person.button("Send a code").click();
  await person.at("code");
  await person.page.getByText("No mail server is connected, so no email is sent.").waitFor();
  const commands = await person.page.locator("figure pre").allInnerTexts();
  assert.deepEqual(commands, [`countersign dashboard link --email '${firstDemoCustomer.email}'`]);
  await person.picture("sign-in-2-no-mail");
  const opened = person.context.waitForEvent("page");
  await person.link("Open the outbox").click();
  const outbox = await opened;
  await outbox.waitForLoadState();
  const [newest] = JSON.parse(await outbox.locator("body").innerText()).data;
  await outbox.close();
  await person.page.keyboard.type(/^\d{6}/.exec(newest.body)?.[0] ?? "");
  await person.at("brands");
  await person.done();
});

test("shows an error when signing out fails, and succeeds on retry", async () => {
  const person = await it.member({ on: "phone" });
  const { page } = person;
  await page.goto("/brands");
  await person.at("brands");
  const fail = { status: 500, json: { message: "Broken." } };
  await page.route("**/api/session", (route) => route.fulfill(fail), { times: 1 });
  // On a phone, the menu has the button.
  await person.button("Menu").click();
  await person.button("Sign out").click();
  await page.getByText("Signing out did not work").waitFor();
  await person.at("brands");
  await person.picture("sign-out-failed");
  await person.button("Menu").click();
  await person.button("Sign out").click();
  await person.at("signIn");
  await person.done();
});

test("a sign-in link works once, and opening it without pressing its button does not use it", async () => {
  const link = await linkFor(it.accounts, firstDemoCustomer.email);
  const scanner = await it.visitor();
  await scanner.page.goto(link);
  await scanner.at("link");
  assert.equal(new URL(scanner.page.url()).hash, "");
  await scanner.picture("link");
  const person = await it.visitor();
  await person.page.goto(link);
  await person.button("Sign in now").click();
  await person.at("brands");
  await scanner.button("Sign in now").click();
  await scanner.page.getByText("This link has expired or was already used").waitFor();
  await scanner.at("link");
  await scanner.picture("link-over");
  await person.done();
  await scanner.done();
});
