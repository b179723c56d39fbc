/** The operator's first day in the console, without a terminal. */
import assert from "node:assert/strict";
import test from "node:test";
import { inviteOperator } from "../../../../service/src/domain/operator/operators.ts";
import { demoBrands, firstDemoCustomer } from "../../../../service/src/providers/sandbox/demo.ts";
import { phoneOnRecord } from "../../../../service/src/test/harness/account-page.ts";
import { hostedShare } from "../../../../service/src/test/harness/hosted-share.ts";
import { browserConsole, waitingBrand } from "../harness/console.ts";

const it = await browserConsole();

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
  const card = (name: string) => page.getByRole("article", { name, exact: true });
  // Both names wait, and each warns of the other.
  await card("Lind\u0435n Health").getByText("Linden Health (Linden Health Inc.), which also waits").waitFor();
  await card("Lind\u0435n Health").getByText("This name mixes letters of two scripts.").waitFor();
  await card("Linden Health").getByText("Lind\u0435n Health (Quick Sales LLC), which also waits").waitFor();
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
  await card("Lind\u0435n Health").getByText("Linden Health (Linden Health Inc.)", { exact: true }).waitFor();
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
  await page.getByText("No brand waits for an answer").waitFor();
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
  await looks.getByRole("row", { name: `${person.staff.name} Looked at a person’s record Case 4711` }).waitFor();
  // States are words of the glossary, not of the database.
  await page.getByRole("row", { name: /^1-Clicks Shared with the brand/ }).waitFor();
  assert.equal(await page.getByText("oneClick.released").count(), 0);
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
  await page
    .getByRole("row", { name: new RegExp(`^A person .*Deleted a person.*${person.staff.name}`) })
    .first()
    .waitFor();
  assert.equal(await button("Download CSV").count(), 0, "support saves no log");
  await person.picture("audit");
  await person.done();
});

test("the operator finds a brand, stops it and revokes an add-on; support sees it without the buttons", async () => {
  const [brand] = demoBrands.filter(({ customerUuid }) => customerUuid === firstDemoCustomer.uuid);
  assert.ok(brand);
  const person = await it.staff();
  const { page, box, link } = person;
  await page.goto("/customers");
  await person.at("customers");
  await person.picture("customers");
  await page.getByRole("searchbox", { name: "Search" }).fill("Demo customer");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=Demo/);
  await person.at("customers");
  await link(brand.name).click();
  await person.at("brand");
  await person.picture("brand");
  await page.getByRole("button", { name: /^Stop/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Every call of the brand is refused, also reads.").waitFor();
  await box("Reason").fill("A key was published");
  await person.at("brand");
  await person.picture("stop");
  await dialog.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: /^Let it work/ }).waitFor();
  const refused = await it.inject({
    method: "POST",
    url: "/v2/1-click",
    headers: { authorization: brand.apiKey },
    payload: { phone: "+12125550010" },
  });
  assert.equal(refused.status, 403);
  await page.getByRole("button", { name: "Revoke Autofill" }).click();
  await box("Reason").fill("Not in the contract");
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("button", { name: "Grant Autofill" }).waitFor();
  const acts = page.getByRole("table", { name: "Entries about this brand" });
  await acts.getByRole("row", { name: /^Limited a brand.*A key was published/ }).waitFor();
  await acts
    .getByRole("row", { name: /^Looked at a brand/ })
    .first()
    .waitFor();
  await person.picture("brand-stopped");
  await person.done();

  const support = await it.staff({ role: "support", on: "phone" });
  await support.page.goto("/customers?search=Demo");
  await support.at("customers");
  await support.page.getByText("Stopped").first().waitFor();
  await support.picture("customers-phone");
  await support.link(brand.name).click();
  await support.at("brand");
  await support.page.getByText("You can only view this page. An operator can answer.").waitFor();
  assert.equal(await support.page.getByRole("button", { name: /^(Stop|Let it work|Grant|Revoke)/ }).count(), 0);
  await support.picture("brand-phone");
  await support.done();
});

test("the audit log finds the entries of a customer by name, and those of one kind", async () => {
  const linden = await waitingBrand(it, "Bachmanity Bank", { first: "Bachmanity", changed: "Bachmanity Bank" });
  const person = await it.staff();
  const { page } = person;
  await page.goto(`/brands/${linden.uuid}`);
  await person.at("brand");
  // The page opens on production, which waits, and production calls are refused until then.
  await page.getByText("This brand asked for production").waitFor();
  await page.getByText("Waits for approval").waitFor();
  await page.getByRole("heading", { name: "Approvals in production" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Answer" }).getAttribute("href"), "/approvals");
  await person.picture("brand-waiting");
  await page.goto("/audit");
  await person.at("audit");
  await page.getByRole("combobox", { name: "Customer" }).pressSequentially("Bachmanity");
  await page.locator('datalist option[value="Bachmanity Bank"]').waitFor({ state: "attached" });
  await page.getByRole("combobox", { name: "Customer" }).fill("Bachmanity Bank");
  await page.waitForURL(new RegExp(`customer=${linden.customerUuid}`));
  await page.getByText("Looks", { exact: true }).click();
  await page.waitForURL(/group=looks/);
  const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
  await rows.filter({ hasText: "Created a brand" }).first().waitFor({ state: "detached" });
  await rows.filter({ hasText: "Bachmanity Bank" }).filter({ hasText: "Looked at a brand" }).waitFor();
  await person.at("audit");
  await person.picture("audit-looks");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForURL((url) => !url.search.includes("customer="));
  assert.equal(await page.getByRole("combobox", { name: "Customer" }).inputValue(), "");
  await person.done();
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

test("an invitation's link signs in once; the used one says so", async () => {
  const { link } = await inviteOperator(it.accounts, { email: "n@operator.example", name: "New", role: "support" });
  const person = await it.visitor();
  await person.page.goto(link.slice(it.operatorUrl.length));
  await person.at("link");
  assert.ok(!person.page.url().includes("#"), "the page removes the token from the address");
  await person.picture("invited");
  await person.button("Accept the invitation").click();
  await person.at("status");
  // The demo skips the passkey, and the person adds it later.
  const cdp = await person.context.newCDPSession(person.page);
  await cdp.send("WebAuthn.enable");
  const keys = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true } as const;
  const options = { ...keys, isUserVerified: true, automaticPresenceSimulation: true };
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  await person.page.goto("/me");
  await person.at("me");
  await person.picture("me-invited");
  await person.button("Create a passkey").click();
  await person.button("Delete passkey").waitFor();
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
