/** The devices on which a person is signed in. */
import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox, picture } from "../harness/browser.ts";
import { createPerson, signIn } from "../harness/own-page.ts";

const it = await browserSandbox();

test("lists sessions and signs out other devices", async () => {
  const { phone } = await createPerson(it);
  const [here, there] = [await it.person(), await it.person({ on: "desktop" })];
  await signIn(it, there, phone);
  await signIn(it, here, phone);
  await here.button("Where you’re signed in").click();
  await here.at("devices");
  const ending = here.page.locator(".device .link");
  const [text, end] = await Promise.all([here.page.locator(".device .who").last().boundingBox(), ending.boundingBox()]);
  assert.match((await ending.textContent()) ?? "", /^Sign out \w+/);
  assert.ok((end?.x ?? 0) > (text?.x ?? 0) + (text?.width ?? 0), "the button is beside its device");
  await here.button("Sign out everywhere else").click();
  await here.page.getByText("Sign out everywhere else").waitFor({ state: "detached" });
  await here.at("devices");
  await there.page.reload();
  await there.at("phone");
  await here.button("Sign out").click();
  await here.at("phone");
  await here.done();
  await there.done();
});

test("shows an error when signing out fails, here or on other devices, and succeeds on retry", async () => {
  const { phone } = await createPerson(it);
  const [here, there] = [await it.person(), await it.person({ on: "desktop" })];
  await signIn(it, there, phone);
  await signIn(it, here, phone);
  await here.page.route(/\/api\/account\/(sign-out|devices)$/, (route) => {
    const isEnd = route.request().method() !== "GET";
    return isEnd ? route.fulfill({ status: 500, json: { message: "Broken." } }) : route.continue();
  });
  await here.button("Sign out").click();
  await here.page.getByText("Signing out didn’t work").waitFor();
  assert.equal(await here.at("home"), "Your data");
  await picture(here.page, "own-still-in");
  await here.button("Where you’re signed in").click();
  await here.at("devices");
  await here.button("Sign out everywhere else").click();
  await here.page.getByText("We couldn’t sign out your other devices").waitFor();
  assert.equal(await here.at("devices"), "Where you’re signed in");
  await picture(here.page, "own-not-ended");
  await there.page.reload();
  await there.at("home");
  await there.context.setOffline(true);
  await there.button("Sign out").click();
  await there.page.getByText("Signing out didn’t work").waitFor();
  await there.at("home");
  await there.context.setOffline(false);
  await there.button("Sign out").click();
  await there.page.getByText("You’re signed out.").waitFor();
  await here.page.unroute(/\/api\/account\/(sign-out|devices)$/);
  await here.button("Sign out").click();
  await here.page.getByText("You’re signed out.").waitFor();
  for (const person of [here, there]) await person.done();
});
