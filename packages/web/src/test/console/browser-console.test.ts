/** The operator's first day in the console, without a terminal. */
import assert from "node:assert/strict";
import test from "node:test";
import { inviteOperator } from "../../../../service/src/domain/operator/operators.ts";
import { saveSweepRuns } from "../../../../service/src/domain/retention/sweep-result-rows.ts";
import { countTextResults } from "../../../../service/src/domain/verification/texts/text-result-rows.ts";
import { demoBrands, firstDemoCustomer } from "../../../../service/src/providers/sandbox/demo.ts";
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

test("the operator approves a brand with a changed name, and refuses another, who reads why", async () => {
  const linden = await waitingBrand(it, "Linden Health Inc.", { first: "Linden", changed: "Linden Health" });
  const fake = await waitingBrand(it, "Quick Sales LLC", { first: "Quick", changed: "Lind\u0435n Health" });
  const person = await it.staff();
  const { page, button, box } = person;
  await page.goto("/");
  await person.at("status");
  await person.picture("status");
  assert.equal(await page.getByRole("link", { name: /^Approvals/ }).textContent(), "Approvals4 4 waiting");
  await page.getByRole("link", { name: /^Approvals/ }).click();
  await person.at("approvals");
  await page.getByText("L\u0456nden").waitFor({ state: "detached" });
  const card = (name: string) => page.getByRole("article", { name, exact: true });
  await card("Lind\u0435n Health").getByText("Linden Health (Linden Health Inc.)").waitFor({ state: "detached" });
  await person.picture("approvals");

  await card("Linden Health")
    .getByRole("button", { name: /^Approve/ })
    .click();
  await person.at("approvals");
  await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText("Write at least three characters.").waitFor();
  await box("Reason").fill("It is the company's registered name");
  await person.picture("approve");
  await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await card("Linden Health").waitFor({ state: "detached" });
  await card("Linden")
    .getByRole("button", { name: /^Grant production/ })
    .click();
  await box("Reason").fill("Checklist and contract are complete");
  await page.getByRole("dialog").getByRole("button", { name: "Grant production", exact: true }).click();
  await card("Linden").waitFor({ state: "detached" });

  // Now that Linden Health is in use, the other name looks like it.
  await page.reload();
  await card("Lind\u0435n Health").getByText("Linden Health (Linden Health Inc.)").waitFor();
  await person.at("approvals");
  await person.picture("approvals-look-alike");
  await card("Lind\u0435n Health")
    .getByRole("button", { name: /^Reject/ })
    .click();
  await box("Reason").fill("The name of another company with a Cyrillic letter");
  await page.getByRole("dialog").getByRole("button", { name: "Reject", exact: true }).click();
  await card("Lind\u0435n Health").waitFor({ state: "detached" });
  await card("Quick")
    .getByRole("button", { name: /^Refuse/ })
    .click();
  await box("Reason").fill("We could not reach you at this address");
  await page.getByRole("dialog").getByRole("button", { name: "Refuse", exact: true }).click();
  await page.getByText("Nothing waits").waitFor();
  await person.at("approvals");

  const granted = (await linden.call("GET", `/api/brands/${linden.uuid}/production/approvals`)).body;
  assert.deepEqual(
    (granted.granted as { approval: string }[]).map(({ approval }) => approval),
    ["production"],
  );
  const settings = (await linden.call("GET", `/api/brands/${linden.uuid}/production/settings`)).body.settings;
  assert.equal((settings as { externalName: string }).externalName, "Linden Health");
  const refused = (await fake.call("GET", `/api/brands/${fake.uuid}/production/approvals`)).body;
  assert.equal(
    (refused.request as { refused: { reason: string } }).refused.reason,
    "We could not reach you at this address",
  );
  await page.getByRole("link", { name: "Audit log" }).click();
  await person.at("audit");
  await page.getByText("The name of another company with a Cyrillic letter").waitFor();
  assert.ok(await button("Download CSV").isVisible());
  await person.done();
});

test("support answers a person who asks what is stored, has it deleted, and sees who looked", async () => {
  const phone = await phoneOnRecord(it);
  await hostedShare(it, phone);
  const person = await it.staff({ role: "support" });
  const { page, button, box } = person;
  await page.goto("/person");
  await person.at("person");
  await person.picture("person-ask");
  await button("Look").click();
  await page.getByText("Write at least three characters.").waitFor();
  await box("Reason").fill("Case 4711");
  await box("Phone number").fill("12");
  await button("Look").click();
  await page.getByText("Use a US phone number, such as +1 212 555 0110.").waitFor();
  await person.at("person");
  await box("Phone number").fill(phone);
  await button("Look").click();
  await page.getByRole("table", { name: "What is stored" }).getByText("1-Clicks").first().waitFor();
  await person.at("person");
  await person.picture("person");
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, "/person", "no URL has the phone");
  const looks = page.getByRole("table", { name: "Who looked" });
  assert.deepEqual(
    await looks
      .getByRole("row")
      .nth(1)
      .getByRole("cell")
      .allTextContents()
      .then((all) => all.slice(1)),
    [person.staff.name, "Looked at a person’s record", "Case 4711"],
  );
  await button("Delete this person").click();
  await box("Reason").fill("Case 4711: asked by email");
  await person.at("person");
  await person.picture("person-delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("The person is deleted").waitFor();
  await person.at("person");
  await person.picture("person-deleted");
  await button("Look at another person").click();
  await box("Phone number").fill(phone);
  await box("Reason").fill("Check");
  await button("Look").click();
  await page.getByText("Nothing is stored").waitFor();
  await person.picture("person-none");
  await page.goto("/audit?action=person.deleted");
  await person.at("audit");
  await page.getByText("Case 4711: asked by email").waitFor();
  await page.getByRole("cell", { name: person.staff.name, exact: true }).first().waitFor();
  assert.equal(await button("Download CSV").count(), 0, "support saves no log");
  await person.picture("audit");
  await person.done();
});

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
  await page.getByText("51 % of 74 texts to Beta Wireless failed, more than to other carriers.").waitFor();
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
  await page.getByText("Do not write a phone number or an email address. Use the number of the case.").waitFor();
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
  await page.getByText("Case 4712: no code arrives").waitFor();
  await page.getByRole("cell", { name: person.staff.name, exact: true }).first().waitFor();
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

test("the operator finds a brand, limits it and grants an add-on; support sees it without the buttons", async () => {
  const [brand] = demoBrands.filter(({ customerUuid }) => customerUuid === firstDemoCustomer.uuid);
  assert.ok(brand);
  const person = await it.staff();
  const { page, box, choice } = person;
  await page.goto("/customers");
  await person.at("customers");
  await person.picture("customers");
  await page.getByRole("searchbox", { name: "Search" }).fill("Demo customer");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=Demo/);
  await person.at("customers");
  const row = page.getByRole("row", { name: new RegExp(`^${brand.name} .*Sandbox`) }).first();
  await row.getByRole("button", { name: /^Limit/ }).click();
  await choice("State").selectOption("Stopped");
  await page.getByText("Every call of the brand is refused, also reads.").waitFor();
  await box("Reason").fill("A key was published");
  await person.at("customers");
  await person.picture("limit");
  await page.getByRole("dialog").getByRole("button", { name: "Set", exact: true }).click();
  await row.getByText("Stopped").waitFor();
  const refused = await it.inject({
    method: "POST",
    url: "/v2/1-click",
    headers: { authorization: brand.apiKey },
    payload: { phone: "+12125550010" },
  });
  assert.equal(refused.status, 403);
  await row.getByRole("button", { name: /^Add-ons/ }).click();
  await person.at("customers");
  await person.picture("add-ons");
  await page.getByRole("button", { name: "Revoke Autofill" }).click();
  await box("Reason").fill("Not in the contract");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await person.done();

  const support = await it.staff({ role: "support", on: "phone" });
  await support.page.goto("/customers?search=Demo");
  await support.at("customers");
  await support.page.getByText("You can only view this page. An operator can answer.").waitFor();
  await support.page.getByText("Stopped").first().waitFor();
  assert.equal(await support.page.getByRole("button", { name: /^(Limit|Add-ons)/ }).count(), 0);
  await support.picture("customers-phone");
  await support.done();
});

test("an empty search, an unknown address and a failed call have their own screens", async () => {
  const person = await it.staff();
  const { page } = person;
  await page.goto("/customers?search=nobody");
  await page.getByText("No customer found").waitFor();
  await person.at("customers");
  await page.goto("/nowhere");
  await person.at("missing");
  await page.route("**/api/console/audit", (route) => route.fulfill({ status: 503, json: { message: "" } }));
  await page.goto("/audit");
  await page.getByText("The service is temporarily unavailable.").waitFor();
  await person.at("audit");
  await page.unrouteAll();
  await it.store.db.deleteFrom("operator_session").execute();
  await page.getByRole("link", { name: "Status" }).click();
  await person.at("signIn");
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
  await page.getByRole("link", { name: "Expired data is not erased: Webhook deliveries (Sandbox)." }).click();
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

test("an invitation's link signs in once; the used one says so", async () => {
  const { link } = await inviteOperator(it.accounts, { email: "n@operator.example", name: "New", role: "support" });
  const person = await it.visitor();
  await person.page.goto(link.slice(it.operatorUrl.length));
  await person.at("link");
  assert.ok(!person.page.url().includes("#"), "the page removes the token from the address");
  await person.picture("invited");
  await person.button("Accept the invitation").click();
  await person.at("status");
  await person.button("Sign out").click();
  await person.at("signIn");
  await person.picture("sign-in");
  await person.page.goto("about:blank");
  await person.page.goto(link);
  await person.button("Accept the invitation").click();
  await person.page.getByText("This link no longer works").waitFor();
  await person.at("link");
  await person.done();
});
