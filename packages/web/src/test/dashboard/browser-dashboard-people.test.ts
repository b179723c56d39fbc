/**
 * Permissions: members are invited, changed and removed; keys are created, rolled and revoked; production is requested.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { demoKey } from "../../../../service/src/test/harness/sandbox.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
const api = demoBrands.find(({ apiKey }) => apiKey === demoKey)?.uuid ?? "";
const works = (apiKey: string) =>
  it
    .as(apiKey)
    .createOneClick({ body: { phone: "+12125550010" } })
    .then(
      () => true,
      () => false,
    );

test("a member is invited, accepts by email link, becomes a viewer, and is signed out when removed", async () => {
  const owner = await it.member();
  await owner.page.goto("/team");
  await owner.at("team");
  await owner.button("Invite a member").click();
  await owner.at("team");
  await owner.picture("team-invite");
  await owner.box("Email").fill("not an address");
  await owner.button("Send invitation").click();
  await owner.page.getByRole("alert").waitFor();
  await owner.box("Email").fill("jared@piedpiper.example");
  await owner.page.getByRole("textbox", { name: /^Name/ }).fill("Jared");
  await owner.button("Send invitation").click();
  await owner.page.getByRole("row", { name: /Jared.*Invited/ }).waitFor();
  await owner.at("team");
  await owner.picture("team-invited");
  const { data } = (await it.as(demoKey).listMessages({ query: { to: "jared@piedpiper.example" } })).body;
  const [mail] = data;
  const link = /https?:\/\/\S+/.exec(mail?.body ?? "")?.[0] ?? "";
  const guest = await it.visitor();
  await guest.page.goto(link);
  await guest.at("link");
  await guest.picture("team-invitation");
  await guest.button("Accept the invitation").click();
  await guest.at("brands");
  await owner.page.goto("/team");
  const changed = owner.page.waitForResponse((response) => response.request().method() === "PATCH");
  await owner.choice("Role of Jared").selectOption("viewer");
  await changed;
  await guest.page.reload();
  await guest.at("brands");
  assert.equal(await guest.link("Create a brand").count(), 0);
  await owner.button("Remove Jared").click();
  await owner.at("team");
  await owner.picture("team-remove");
  await owner.button("Remove member").click();
  await owner.page.getByText("Jared").first().waitFor({ state: "detached" });
  await guest.page.reload();
  await guest.at("signIn");
  await owner.page.goto("/audit");
  await owner.page.locator("strong").getByText("Removed a member").first().waitFor();
  await owner.done();
  await guest.done();
});

test("a key is created for an IP range, edited, rolled with overlap, revoked, and then rejected", async () => {
  const person = await it.member();
  const { page } = person;
  await page.goto(`/brands/${api}/sandbox/keys`);
  await person.at("keys");
  await person.button("Create a key").click();
  await person.at("keys");
  await person.picture("keys-create");
  await person.box("Name").fill("Backend");
  await person.box("Allowed IP addresses (one per line)").fill("not an address");
  await person.button("Create key").click();
  await page.getByRole("alert").waitFor();
  await person.at("keys");
  await person.box("Allowed IP addresses (one per line)").fill("127.0.0.0/8");
  await person.button("Create key").click();
  const secret = page.locator(".secret code");
  const first = (await secret.textContent()) ?? "";
  await person.button("I’ve saved it").click();
  assert.equal(await works(first), true);
  await person.button("Edit Backend").click();
  await person.box("Name").fill("Server");
  await person.button("Save key").click();
  await person.button("Rotate Server").click();
  await person.at("keys");
  await person.picture("keys-roll");
  await person.choice("The old key keeps working for").selectOption("24");
  await person.button("Rotate key").click();
  const second = (await secret.textContent()) ?? "";
  await person.button("I’ve saved it").click();
  await person.at("keys");
  await person.picture("keys-rolled");
  assert.deepEqual([await works(first), await works(second)], [true, true]);
  await page
    .getByRole("row")
    .filter({ hasText: `…${first.slice(-4)}` })
    .getByText("expiring")
    .waitFor();
  const keys = page.getByRole("row").filter({ hasText: "Server" });
  await keys
    .filter({ hasText: `…${first.slice(-4)}` })
    .getByText(/by Member \d+/)
    .waitFor();
  await keys.filter({ hasText: "active" }).getByRole("button", { name: "Revoke Server" }).click();
  await person.at("keys");
  await person.button("Revoke key").click();
  await keys.filter({ hasText: "revoked" }).waitFor();
  // A key that no longer works is below those that do.
  assert.match((await page.getByRole("row").last().textContent()) ?? "", /Revoked/);
  assert.deepEqual([await works(first), await works(second)], [true, false]);
  await person.done();
});

test("on a phone, a key's buttons are in view, and leaving unsaved edits asks first", async () => {
  const person = await it.member({ on: "phone", role: "developer" });
  const { page } = person;
  await person.member.call("POST", `/api/brands/${api}/sandbox/keys`, { name: "Phone", ipRanges: ["127.0.0.0/8"] });
  await page.goto(`/brands/${api}/sandbox/keys`);
  await person.at("keys");
  await person.picture("keys-phone");
  for (const name of ["Rotate Phone", "Revoke Phone"]) {
    const box = await person.button(name).boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, `${name}: ${JSON.stringify(box)}`);
  }
  await page.goto(`/brands/${api}/sandbox/settings/general`);
  await person.at("settings");
  await person.box("External name").fill("Another name");
  await person.link("Redirects and origins").click();
  await page.getByRole("dialog", { name: "Leave this page?" }).waitFor();
  await person.at("settings");
  await person.picture("unsaved");
  await person.button("Cancel").click();
  assert.equal(await person.box("External name").inputValue(), "Another name");
  await person.link("Redirects and origins").click();
  await person.button("Leave without saving").click();
  await page.waitForURL("**/settings/redirects");
  await page.goBack();
  await page.waitForURL("**/settings/general");
  await person.at("settings");
  assert.notEqual(await person.box("External name").inputValue(), "Another name");
  await person.done();
});

test("an owner requests production after confirming the list, and a developer sees that only an owner can", async () => {
  const owner = await it.member();
  const made = await owner.member.call("POST", "/api/brands", { name: "Raviga", integrationType: "api" });
  const brand = String(made.body.uuid);
  await owner.member.call("POST", `/api/brands/${brand}/production`, { sourceVersion: 1 });
  const version = async (environment: string) =>
    Number((await owner.member.call("GET", `/api/brands/${brand}/${environment}/settings`)).body.version);
  await owner.page.goto(`/brands/${brand}/production/approvals`);
  await owner.at("approvals");
  await owner.page.getByText("8 items above are still to do.").waitFor();
  assert.ok(await owner.button("Request approval").isDisabled());
  const stages = owner.page.getByRole("list", { name: "Steps to production" });
  await stages.getByText("Complete the checklist").waitFor();
  await stages.getByText("Checklist: 0 of 8 done.").waitFor();
  // Nothing is confirmed, and an item without anything to check is not done.
  await owner.page.getByText("Not needed", { exact: true }).waitFor();
  await owner.page.getByText("The production settings have no URLs yet.").waitFor();
  await owner.picture("approvals-open");
  await owner.member.call("PATCH", `/api/brands/${brand}/production/settings`, {
    version: await version("production"),
    patch: { consent: { declared: true } },
  });
  await it.as(String(made.body.apiKey)).createOneClick({ body: { phone: "+12125550010" } });
  await it.store.db.updateTable("member").set({ role: "developer" }).where("uuid", "!=", owner.member.uuid).execute();
  await it.store.db
    .insertInto("passkey")
    .values({
      uuid: it.deps.random.uuid(),
      member_uuid: owner.member.uuid,
      credential_id: "a-credential",
      public_key: Buffer.alloc(1),
      counter: 0,
      transports: [],
      name: "Laptop",
      is_synced: false,
      created_at: 0,
    })
    .execute();
  await owner.page.reload();
  await owner.at("approvals");
  await stages.getByText("Checklist: 3 of 8 done.").waitFor();
  const [first, ...others] = await owner.page.getByRole("checkbox").all();
  for (const box of others) await box.check();
  await owner.page.getByText("Still to do: confirm where keys are used.").waitFor();
  await first?.check();
  await stages.getByText("Do this next: an owner sends the request below.").waitFor();
  await owner.box("How can we reach you, and what is the brand for?").fill("https://raviga.example");
  await owner.button("Request approval").click();
  await stages.getByText("Waiting for review. You don’t need to do anything.").waitFor();
  await stages.getByText("Requested by Member").waitFor();
  assert.equal(await owner.page.getByRole("checkbox").count(), 0);
  await owner.at("approvals");
  await owner.picture("approvals-requested");
  const developer = await it.member({ role: "developer" });
  await developer.page.goto(`/brands/${brand}/production/approvals`);
  await developer.page
    .locator(".page-head")
    .getByText("An owner completes the checklist and sends the request.")
    .waitFor();
  assert.equal(await developer.button("Request approval").count(), 0);
  assert.equal(await developer.page.getByText("Check each one that is true.").count(), 0);
  await owner.done();
  await developer.done();
});

test("a member’s own name can be saved after it was changed", async () => {
  const person = await it.member();
  await person.page.goto("/me");
  await person.at("mine");
  const save = person.button("Save changes");
  assert.ok(await save.isDisabled());
  await person.box("Your name").fill("Jian-Yang");
  await save.click();
  await person.page.getByText("Saved.").waitFor();
  await person.done();
});
