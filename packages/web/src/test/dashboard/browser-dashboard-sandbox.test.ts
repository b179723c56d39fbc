/** The clock's timeline, the outbox with many texts, settings compared line by line, and what roles may do. */
import assert from "node:assert/strict";
import test from "node:test";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { sampleRules } from "../../../../service/src/test/harness/sample-network-rules.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();
const minute = 60_000;

async function sendText() {
  const { uuid } = (await it.api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body;
  await it.api.deliverVerification({ params: { uuid }, body: { format: "codeAndLink" } });
  await it.runJobs();
}

const dueRow = ({ page }: Visitor, text: string | RegExp) =>
  page.getByRole("table", { name: "In order" }).getByRole("row").filter({ hasText: text });
const fits = async ({ page }: Visitor) =>
  assert.ok(Number(await page.evaluate("document.documentElement.scrollWidth")) <= 390);

async function resetClock(person: Visitor) {
  await person.button("Back to real time").click();
  await person.page.getByText("back on real time").waitFor();
}

test("the arrow keys take the slider from mark to mark, and the clock moves there", async () => {
  await sendText();
  const person = await it.member({ role: "developer" });
  await person.page.goto("/sandbox/clock");
  await person.at("clock");
  const slider = person.page.getByRole("slider", { name: "Move the clock to" });
  assert.equal(await slider.getAttribute("aria-valuetext"), "Now");
  await slider.press("ArrowRight");
  await person.page.locator(".due.happening").first().waitFor();
  assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^In 5 min, .*1 code expires, 1 link expires$/);
  await person.picture("clock-timeline");
  await slider.press("ArrowLeft");
  assert.equal(await slider.getAttribute("aria-valuetext"), "Now");
  await slider.press("ArrowRight");
  const before = it.deps.clock.now();
  await person.button("Move here").press("Enter");
  await person.page.getByText(/^Moved\./).waitFor();
  assert.equal(it.deps.clock.now(), before + 5 * minute);
  await dueRow(person, "1 code expires").waitFor({ state: "detached" });
  await dueRow(person, "1 record is erased").waitFor();
  assert.equal(await person.page.evaluate("document.activeElement.textContent"), "Move here");
  await person.at("clock");
  await resetClock(person);
  await person.done();
});

test("on a phone, the list says the same as the marks, and moves the clock", async () => {
  await sendText();
  const person = await it.member({ role: "developer", on: "phone", colorScheme: "dark" });
  await person.page.goto("/sandbox/clock");
  await person.at("clock");
  await fits(person);
  await person.picture("clock-phone");
  const code = dueRow(person, /codes? expires?/);
  await code.getByRole("button").click();
  await person.page.getByText(/^Moved\./).waitFor();
  await code.waitFor({ state: "detached" });
  // The line is gone, so the result has the focus.
  await person.page.locator("[role=status]:focus").waitFor();
  await resetClock(person);
  await person.done();
});

test("a viewer sees what becomes due but cannot move the clock", async () => {
  const person = await it.member({ role: "viewer" });
  await person.page.goto("/sandbox/clock");
  await dueRow(person, "erased").first().waitFor();
  await person.at("clock");
  assert.equal(await person.page.getByRole("slider").count(), 0);
  assert.equal(await person.page.getByRole("button", { name: /Move/ }).count(), 0);
  await person.done();
});

test("the outbox draws a few of a thousand texts, grouped by phone, newest first", async () => {
  const person = await it.member({ role: "developer", on: "phone" });
  const { page } = person;
  const data = Array.from({ length: 1_000 }, (_, at) => ({
    id: it.deps.random.uuid(),
    to: `+1212555${String(2000 + (at % 100))}`,
    body: `${String(100_000 + at)} is your code to verify your phone for Hooli.`,
    channel: "sms",
    brandName: "Hooli",
    journey: null,
    sentAt: it.deps.clock.now() - at * minute,
  }));
  await page.route("**/api/sandbox/outbox", (route) => route.fulfill({ json: { data } }));
  await page.goto("/sandbox/outbox");
  await page.getByText("1000 messages", { exact: true }).waitFor();
  await person.at("outbox");
  await page.locator(".thread").nth(23).waitFor();
  await fits(person);
  assert.equal(await page.locator(".thread").count(), 24);
  assert.equal(await page.locator(".bubble").count(), 48);
  const first = page.getByRole("region", { name: "+12125552000" });
  assert.match((await first.locator(".bubble").first().textContent()) ?? "", /^100000/);
  await person.picture("outbox-phone");
  await person.button("Show 8 older +12125552000").click();
  await first.getByText("100900 is your code").waitFor();
  await person.button("Show 76 more phones or addresses").click();
  await page.getByRole("region", { name: "+12125552047" }).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("100555");
  await page.getByText("1 of 1000 messages").waitFor();
  await page.getByRole("region", { name: "+12125552055" }).getByText("100555 is").waitFor();
  await person.done();
});

test("settings show their unsaved edits line by line, but no secret", async () => {
  const person = await it.member();
  const { uuid } = await it.brand({ allowedOrigins: ["https://one.example"] });
  await person.page.goto(`/brands/${uuid}/sandbox/settings/redirects`);
  const changes = person.page.getByRole("complementary", { name: "What changes" });
  await changes.getByText("Nothing yet.").waitFor();
  await changes.getByText("https://one.example").waitFor();
  await person.page.getByLabel("Allowed origins").fill("https://one.example\nhttps://two.example");
  await changes.locator("ins").getByText("https://two.example").waitFor();
  assert.equal(await changes.locator("del").count(), 0);
  await changes.getByText("1 more line stays the same.").waitFor();
  await person.at("settings");
  await person.picture("settings-changes");
  await person.done();
});

test("sandbox and production are compared line by line", async () => {
  const person = await it.member({ on: "phone" });
  const { body } = await person.member.call("POST", "/api/brands", { name: "Bachmanity", integrationType: "api" });
  const uuid = String(body.uuid);
  await person.page.goto(`/brands/${uuid}/production/compare`);
  await person.page.getByRole("list", { name: "Steps to production" }).getByText("Do this next.").waitFor();
  await person.at("noProduction");
  await fits(person);
  await person.picture("production-unset-phone");
  await person.button("Prepare production settings").click();
  await person.button("Set up production").click();
  await person.at("approvals");
  await person.page.goto(`/brands/${uuid}/production/compare`);
  await person.at("compare");
  const settings = `/api/brands/${uuid}/sandbox/settings`;
  const { version } = (await person.member.call("GET", settings)).body;
  const origins = ["https://one.example", "https://two.example"];
  await person.member.call("PATCH", settings, { version, patch: { allowedOrigins: origins } });
  await person.page.reload();
  await person.page.locator(".only-here").getByText("https://two.example").waitFor();
  assert.equal(
    await person.page
      .locator(".compare .only-here")
      .getByText(/example/)
      .count(),
    2,
  );
  await person.at("compare");
  await fits(person);
  await person.picture("compare-lines-phone");
  await person.done();
});

test("the team page has the roles as a matrix", async () => {
  const person = await it.member({ on: "phone", role: "viewer" });
  await person.page.goto("/team");
  const roles = person.page.getByRole("table", { name: "Roles" });
  await roles.getByRole("row", { name: "Request production Yes No No" }).waitFor();
  await roles.getByRole("row", { name: "Try network rules Yes Yes Yes" }).waitFor();
  await person.at("team");
  await fits(person);
  await person.done();
});

test("a viewer sees what the rules decide but cannot change them", async () => {
  const person = await it.member({ role: "viewer" });
  const { uuid } = await it.brand({ networkRules: sampleRules });
  await person.page.goto(`/brands/${uuid}/sandbox/network-rules`);
  const decisions = person.page.getByRole("row", { name: /^Decision/ }).getByRole("cell");
  await decisions.first().getByText("In network", { exact: true }).waitFor();
  assert.equal(await person.page.getByRole("button", { name: /Add a rule|Edit|Delete|Duplicate|Save/ }).count(), 0);
  await person.done();
});
