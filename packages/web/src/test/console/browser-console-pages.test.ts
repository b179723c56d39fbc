/** Pages of the console: texts, the service itself, and every screen in the dark and on a phone. */
import assert from "node:assert/strict";
import test from "node:test";
import { saveSweepRuns } from "../../../../service/src/domain/retention/sweep-result-rows.ts";
import { countTextResults } from "../../../../service/src/domain/verification/texts/text-result-rows.ts";
import { phoneOnRecord } from "../../../../service/src/test/harness/account-page.ts";
import { hostedShare } from "../../../../service/src/test/harness/hosted-share.ts";
import { png } from "../../../../service/src/test/harness/logo-pictures.ts";
import { browserConsole, waitingBrand } from "../harness/console.ts";

const it = await browserConsole();
const everyScreen = [
  ["/", "status"],
  ["/approvals", "approvals"],
  ["/customers", "customers"],
  ["/person", "person"],
  ["/texts", "texts"],
  ["/audit", "audit"],
  ["/vendors", "vendors"],
  ["/retention", "retention"],
  ["/operators", "operators"],
  ["/me", "me"],
] as const;

test("the operator finds why texts to one carrier fail, and whether a number sent STOP", async () => {
  const day = (daysAgo: number) => ({ ...it.deps, clock: { now: () => it.deps.clock.now() - daysAgo * 86_400_000 } });
  const ended = (carrier: string, outcome: "delivered" | "failed", count: number, reason?: string) =>
    Array.from({ length: count }, () => ({ carrier, outcome, reason }));
  for (const [daysAgo, failed] of [
    [2, 3],
    [1, 14],
    [0, 21],
  ] as const)
    await countTextResults(day(daysAgo), [
      ...ended("Alpha Mobile", "delivered", 40),
      ...ended("Alpha Mobile", "failed", 1, "twilio 30003"),
      ...ended("Beta Wireless", "delivered", 12),
      ...ended("Beta Wireless", "failed", failed, "twilio 30007"),
    ]);
  const phone = "+13035550144";
  await it.api.answerText({ body: { from: phone, body: "STOP" } });
  const person = await it.staff();
  const { page, button, box } = person;
  await page.goto("/");
  await person.at("status");
  await person.link("Texts").click();
  await person.at("texts");
  await page.getByText("51% of 74 texts to Beta Wireless failed, more than to other carriers.").waitFor();
  await page.getByText("Most often: The carrier filtered it as spam.").waitFor();
  const row = page.getByRole("table", { name: "By carrier" }).getByRole("row", { name: /^Beta Wireless/ });
  await row.getByText("The carrier filtered it as spam").waitFor();
  await row.getByText("twilio 30007").waitFor();
  await person.picture("texts-carrier");
  await page.getByText("30 days", { exact: true }).click();
  await page.waitForURL(/days=30/);
  await person.at("texts");
  await box("Phone number").fill(phone);
  await box("Reason").fill(`No code on ${phone}`);
  await button("Look").click();
  await page
    .getByText("Do not write a phone number, an SSN or an email address. Use the number of the case.")
    .waitFor();
  await person.at("texts");
  await box("Reason").fill("Case 4712: no code arrives");
  await button("Look").click();
  await page.getByText("The number sent STOP").last().waitFor();
  await page.getByText("It gets texts again when the person sends START").waitFor();
  await person.at("texts");
  await person.picture("texts-stop");
  assert.ok(!page.url().includes(phone.slice(2)), "no URL has the phone");
  await person.link("Audit log").click();
  await person.at("audit");
  await page
    .getByRole("row", { name: new RegExp(`${person.staff.name} .*Case 4712: no code arrives`) })
    .first()
    .waitFor();
  await person.done();
  const dark = await it.staff({ on: "phone", colorScheme: "dark" });
  await dark.page.goto("/texts");
  await dark.at("texts");
  await dark.picture("texts-carrier-phone-dark");
  await dark.done();
});

test("a search for a person stays out of the address, and a record leaves a screen that was left open", async () => {
  const phone = await phoneOnRecord(it);
  await hostedShare(it, phone);
  const person = await it.staff({ role: "support" });
  const { page, box, button } = person;
  await page.clock.install();
  await page.goto("/customers");
  await person.at("customers");
  await page.getByRole("searchbox", { name: "Search" }).fill(phone);
  await page.keyboard.press("Enter");
  await page.getByText("This looks like a person.").waitFor();
  assert.equal(new URL(page.url()).search, "");
  await person.link("A person").click();
  await person.at("person");
  await box("Phone number").fill(phone);
  await box("Reason").fill("Case 4713");
  await button("Look").click();
  await page.getByRole("table", { name: "What is stored" }).waitFor();
  await page.clock.fastForward(10 * 60_000);
  await box("Phone number").waitFor();
  assert.equal(await box("Phone number").inputValue(), "");
  await person.done();
});

test("the pages about the service show vendors, erasures, keys and people, with what is wrong first", async () => {
  await saveSweepRuns(it.deps, [
    { sweep: "oneClicks", erased: 214 },
    { sweep: "verifications", erased: 87 },
    { sweep: "deliveries", erased: null },
  ]);
  const person = await it.staff();
  const { page } = person;
  await page.goto("/");
  await person.at("status");
  const trouble = page
    .getByRole("listitem")
    .filter({ hasText: "Expired data is not erased: Webhook deliveries (Sandbox)." });
  const guide = await trouble.getByRole("link", { name: /^What to do/ }).getAttribute("href");
  assert.match(guide ?? "", /\/docs\/operate\/monitor#countersignsweepsfail$/);
  await trouble.getByRole("link", { name: "Open retention and keys" }).click();
  await person.at("retention");
  await page.getByText("These sweeps fail, and run again every few seconds: Webhook deliveries.").waitFor();
  await page.getByRole("row", { name: /^Data of 1-Clicks 214 214/ }).waitFor();
  await person.picture("retention-failing");
  await person.link("Vendors").click();
  await person.at("vendors");
  await page.getByText("No vendor is configured").waitFor();
  await person.link("Operators").click();
  await person.at("operators");
  await page
    .getByRole("row", { name: new RegExp(`^${person.staff.name}`) })
    .getByText("No passkey")
    .waitFor();
  await person.picture("operators-list");
  await person.done();
});

test("support's menu has no page of an operator, and such an address says why", async () => {
  const linden = await waitingBrand(it, "Hooli", { first: "Hooli", changed: "Hooli Search" });
  const person = await it.staff({ role: "support" });
  const { page } = person;
  await page.goto("/");
  await person.at("status");
  for (const name of ["Vendors", "Retention and keys", "Operators"])
    assert.equal(await person.link(name).count(), 0, name);
  await page.goto("/vendors");
  await person.at("noRight");
  await page.getByText("It needs the role Operator. Yours is Support.").waitFor();
  await person.picture("no-right");
  await page.goto("/approvals");
  await person.at("approvals");
  // The note helps support to answer the brand.
  await page.getByRole("article", { name: "Hooli", exact: true }).getByText("sign-up of our shop").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Grant/ }).count(), 0);
  await person.done();
  assert.ok(linden.uuid);
});

test("every screen is readable on a desktop in the dark, and on a phone in the light", async () => {
  for (const at of [{ colorScheme: "dark" }, { on: "phone" }] as const) {
    const person = await it.staff(at);
    for (const [path, step] of everyScreen) {
      await person.page.goto(path);
      await person.at(step);
      await person.picture(`${step}-${"on" in at ? "phone" : "dark"}`);
    }
    await person.done();
  }
});

test("every screen fits a phone in the dark, and its menu opens by keyboard", async () => {
  const person = await it.staff({ on: "phone", colorScheme: "dark" });
  const { page, button } = person;
  for (const [path, step] of everyScreen) {
    await page.goto(path);
    await person.at(step);
    await person.picture(`${step}-phone-dark`);
  }
  await button("Menu").press("Enter");
  await page.getByRole("dialog", { name: "Menu" }).waitFor();
  await person.picture("menu-phone-dark");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Menu" }).waitFor({ state: "detached" });
  await person.done();
});

test("a logo that waits is shown from the console itself", async () => {
  const customer = await waitingBrand(it, "Aviato", { first: "Aviato", changed: "Aviato Air" });
  await it.store.db
    .insertInto("name_request")
    .values({
      ...{ uuid: it.deps.random.uuid(), customer_uuid: customer.customerUuid },
      ...{
        brand_uuid: customer.uuid,
        environment: "production",
        path: "styling.logoUrl",
        value: "/logo/x",
        requested_at: 1,
      },
    })
    .execute();
  const bytes = png();
  const row = { brand_uuid: customer.uuid, environment: "production", is_waiting: true, hash: Buffer.alloc(32) };
  await it.store.db
    .insertInto("brand_logo")
    .values({ ...row, type: "png", bytes, created_at: 1 })
    .execute();
  const person = await it.staff();
  await person.page.goto("/approvals");
  await person.at("approvals");
  await person.page.getByRole("img", { name: "The requested logo" }).waitFor();
  const width =
    "document.querySelector('.waiting-logo').decode().then(() => document.querySelector('.waiting-logo').width)";
  assert.ok(Number(await person.page.evaluate(width)) > 0);
  await person.picture("approvals-logo");
  await person.done();
});
