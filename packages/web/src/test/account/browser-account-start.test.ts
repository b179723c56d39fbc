import assert from "node:assert/strict";
import test from "node:test";
import type { Route } from "playwright-core";
import { hostedShare } from "../../../../service/src/test/harness/hosted-share.ts";
import { browserSandbox, picture } from "../harness/browser.ts";
import { createPerson, prove, signIn } from "../harness/own-page.ts";

const it = await browserSandbox();
const minute = 60_000;

test("a visit without a session causes no error in the console or in a response", async () => {
  const person = await it.person();
  const errors: string[] = [];
  person.page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  person.page.on("response", (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
  });
  await person.page.goto(`${it.walletUrl}/`);
  await person.at("phone");
  assert.equal(await person.page.locator(".said").innerText(), "");
  assert.deepEqual(errors, []);
  await person.done();
});

for (const [how, locale, message] of [
  ["reload", "en-US", "Your session has expired. Sign in again."],
  ["click", "en-US", "Your session has expired. Sign in again."],
] as const)
  test(`after the session ended, a ${how} shows a message about it, which has the focus`, async () => {
    const { phone } = await createPerson(it);
    const person = await it.person({ locale });
    const { page } = person;
    await signIn(it, person, phone);
    await it.advance(16 * minute);
    if (how === "reload") await page.reload();
    else await page.getByRole("button", { name: /^Demo API/ }).click();
    await person.at("phone");
    assert.ok((await page.locator("main").innerText()).startsWith(message));
    assert.equal(await page.evaluate("document.activeElement?.textContent"), message);
    await picture(page, `own-ended-${how}`);
    if (how === "click") return await person.done();
    // The ended session is reported once.
    await page.reload();
    await person.at("phone");
    assert.ok((await page.locator("main").innerText()).startsWith("Manage what you share"));
    await person.done();
  });

test("stopping asks first and says what stops; Cancel changes nothing and gives the focus back", async () => {
  const { phone, read } = await createPerson(it);
  const person = await it.person();
  const { page, button } = person;
  await signIn(it, person, phone);
  await page.getByRole("button", { name: /^Demo API/ }).click();
  await person.at("brand");
  const focused = () => page.evaluate("document.activeElement?.textContent");
  await button("Stop sharing").press("Enter");
  await page.getByRole("heading", { name: "Stop sharing with Demo API?" }).waitFor();
  await person.at("brand");
  assert.equal(await focused(), "Stop sharing with Demo API?");
  await page.getByText("Once you stop, Demo API can’t read your data").waitFor();
  await picture(page, "own-stop-ask");
  await button("Cancel").press("Enter");
  await button("Stop sharing").waitFor();
  await page.waitForFunction("document.activeElement?.textContent === 'Stop sharing'");
  assert.equal((await read()).status, 200);
  await button("Stop sharing").press("Enter");
  await button("Stop sharing").press("Enter");
  const done =
    "Sharing stopped. Demo API can’t read your data anymore. It may have kept earlier copies. Ask Demo API to delete them.";
  await page.getByText(done).waitFor();
  await person.at("brand");
  assert.equal(await focused(), done);
  assert.ok((await page.locator("main").innerText()).startsWith(done));
  await person.done();
});

test("the download screen offers the readable page before the file", async () => {
  const person = await it.person();
  await signIn(it, person, (await createPerson(it)).phone);
  await person.button("View or download everything").click();
  await prove(person);
  await person.at("download");
  const offered = await person.page.locator("main a.button").allInnerTexts();
  assert.match(offered.join(), /^View as a page.*,Download as a file \(JSON\)$/s);
  await person.done();
});

test("the home page says what a brand can read and until when, and shows three activities first", async () => {
  const { phone } = await createPerson(it);
  await hostedShare(it, phone, { share: false });
  const person = await it.person();
  await signIn(it, person, phone);
  const row = person.page.getByRole("button", { name: /^Demo Hosted/ });
  assert.match(await row.innerText(), /Can read employer until \d+:\d\d\s[AP]M/);
  const entries = person.page.locator(".timeline > li");
  await entries.first().waitFor();
  assert.equal(await entries.count(), 3);
  await person.page.getByText("Demo Hosted can still read what you shared before.").waitFor();
  await person.page.getByRole("button", { name: /^Show all \(\d+\)$/ }).click();
  await person.page.locator(".timeline > li:nth-child(4):focus").waitFor();
  await person.button("Where you’re signed in").click();
  await person.page.getByText("You’re signed in on this device only.").waitFor();
  await person.done();
});

test("two presses for earlier activity load it once", async () => {
  const { phone, read } = await createPerson(it);
  // More than one page of the timeline, as one group.
  for (let reads = 0; reads < 60; reads += 1) await read();
  const person = await it.person();
  const { page, button } = person;
  await signIn(it, person, phone);
  let calls = 0;
  const held = Promise.withResolvers<void>();
  await page.route(/\/timeline\?.*before=/, async (route) => {
    calls += 1;
    await held.promise;
    await route.continue();
  });
  await button("Show earlier activity").dblclick();
  await person.at("home");
  held.resolve();
  await page.getByRole("button", { name: /^Show all/ }).click();
  await page.getByText("Demo API read your data 60 times").waitFor();
  assert.equal(await page.getByText("Demo API read your data 3 times").count(), 1);
  assert.equal(calls, 1);
  await person.done();
});

test("a late answer about the activity does not replace a newer one", async () => {
  const { phone, read } = await createPerson(it);
  const person = await it.person();
  const { page, button } = person;
  await signIn(it, person, phone);
  await button("Show details").click();
  await person.at("birthday");
  const held = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    const response = await route.fetch();
    answered.resolve();
    await held.promise;
    await route.fulfill({ response });
  };
  await page.route("**/timeline", hold, { times: 1 });
  await prove(person);
  await answered.promise;
  await read();
  await button("Hide details").click();
  const newest = page.locator(".timeline > li").first().locator(".what");
  assert.equal(await newest.textContent(), "Demo API read your data");
  const late = page.waitForResponse("**/timeline");
  held.resolve();
  await (await late).finished();
  await person.at("home");
  assert.equal(await newest.textContent(), "Demo API read your data");
  await person.done();
});

test("a brand's page says until when it can read insurance, and the question before stopping is completely visible", async () => {
  const { phone } = await createPerson(it);
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  await it.api.createHealthLookup({ body: { identityUuid: uuid } });
  await it.runJobs();
  const person = await it.person();
  const { button } = person;
  await signIn(it, person, phone);
  const row = person.page.getByRole("button", { name: /^Demo API/ });
  assert.match(await row.innerText(), /, and health insurance until \d+:\d\d\s[AP]M/);
  await row.click();
  await person.page.getByText(/^Demo API can read your health insurance until \d+:\d\d\s[AP]M\.$/).waitFor();
  await picture(person.page, "own-brand-insurance");
  await person.page.evaluate("document.querySelector('button.grave').scrollIntoView({ block: 'end' })");
  await button("Stop sharing").click();
  await button("Cancel").waitFor();
  const isVisible = "document.querySelector('.ask').getBoundingClientRect().bottom <= innerHeight";
  assert.equal(await person.page.evaluate(isVisible), true);
  await person.done();
});

test("the readable page shows times in the person's time zone", async () => {
  const person = await it.person({ timezoneId: "America/Los_Angeles" });
  const { page } = person;
  await signIn(it, person, (await createPerson(it)).phone);
  await person.button("Show details").click();
  await prove(person);
  await person.at("home");
  await page.goto(`${it.walletUrl}/everything`);
  await page.getByText("Times are in your time zone, America/Los_Angeles.").waitFor();
  await person.at("everything");
  const timeZone = "America/Los_Angeles";
  const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone });
  const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone });
  const times = page.locator(".timeline time");
  const [heading, first] = await times.evaluateAll((all) =>
    all.map((time) => [time.textContent, time.getAttribute("datetime")]),
  );
  // A day or a time stays on one line.
  const onOneLine = (format: Intl.DateTimeFormat, at = "") => format.format(new Date(at)).replace(/\s/g, "\u00a0");
  assert.equal(heading?.[0], onOneLine(day, heading?.[1] ?? ""));
  assert.equal(first?.[0], onOneLine(clock, first?.[1] ?? ""));
  const days = await page.locator(".timeline .day").filter({ visible: true }).allTextContents();
  assert.deepEqual(days, [...new Set(days)], "a day is the heading of its first item only");
  await person.done();
});

test("full values disappear when their proof ends, and in a tab that is shown again after a sign-out elsewhere", async () => {
  const person = await it.person();
  const { page, button } = person;
  const shownAgain = 'document.dispatchEvent(new Event("visibilitychange"))';
  await page.clock.install();
  await signIn(it, person, (await createPerson(it)).phone);
  await button("Show details").click();
  await prove(person);
  await page.getByText("Pied Piper").first().waitFor();
  const other = await person.context.newPage();
  await other.goto(`${it.walletUrl}/everything`);
  await other.getByText("Pied Piper").first().waitFor();
  await it.advance(11 * 60_000);
  await page.clock.fastForward("11:00");
  await button("Show details").waitFor();
  assert.doesNotMatch(await page.content(), /Pied Piper|Hendricks|1989/);
  await other.evaluate(shownAgain);
  await other.locator('main[data-step="home"]').waitFor();
  await button("Show details").click();
  await prove(person);
  await page.getByText("Pied Piper").first().waitFor();
  await other.reload();
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.locator('main[data-step="phone"]').waitFor();
  await page.evaluate(shownAgain);
  await person.at("phone");
  assert.doesNotMatch(await page.content(), /Pied Piper|Hendricks|1989/);
  await person.done();
});

test("a picture shows who has which detail, and sharing can be stopped from it", async () => {
  const { phone, read } = await createPerson(it);
  const person = await it.person();
  const { page, button } = person;
  await signIn(it, person, phone);
  const map = page.getByRole("region", { name: "Who has which detail" });
  const lines = map.locator(".map-lines path");
  const brand = map.getByRole("button", { name: /^Choose Demo API until \d+:\d\d/ });
  assert.equal(await lines.count(), 6);
  await brand.click();
  await map.getByText("Read 3 times").waitFor();
  assert.equal(await map.locator(".map-lines .dim").count(), 1, "the other brand has one detail");
  await person.at("home");
  await picture(page, "own-map");
  await map.getByRole("button", { name: "Stop sharing", exact: true }).click();
  await map.getByRole("heading", { name: "Stop sharing with Demo API?" }).waitFor();
  await map.locator(".grave.full").click();
  await page.getByText("Sharing stopped. Demo API can’t read your data anymore.").waitFor();
  assert.equal(await lines.count(), 1);
  assert.equal(await button("Stop sharing").count(), 0);
  await assert.rejects(read());
  await person.done();
});

test("what the person shared and what a company read have different dots", async () => {
  const { phone } = await createPerson(it);
  const person = await it.person();
  await signIn(it, person, phone);
  const dotOf = (text: string) =>
    person.page
      .locator(".timeline .what", { hasText: text })
      .first()
      .evaluate((one) => getComputedStyle(one, "::before").border + getComputedStyle(one, "::before").backgroundColor);
  await person.page.locator(".timeline + .link").click();
  const [shared, read] = await Promise.all([dotOf("You shared with"), dotOf("Demo API read your data")]);
  assert.notEqual(shared, read);
  await person.done();
});
