/** Passkeys in a browser with an authenticator, and the policy that requires them. */
import assert from "node:assert/strict";
import test from "node:test";
import { freshMs } from "../../../../service/src/domain/member/session.ts";
import { demoKey } from "../../../../service/src/test/harness/sandbox.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();

/** Gives the browser an authenticator that always agrees. */
async function addAuthenticator({ page, context }: Visitor): Promise<void> {
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function createPasskey(person: Visitor, name: string): Promise<void> {
  await person.box("Passkey name").fill(name);
  await person.button("Create a passkey").click();
  // The page's own words can contain the name, so wait for the button of the stored passkey.
  await person.button(`Delete ${name}`).waitFor();
}

/** Requests a code by email on the sign-in page, and types it. */
async function enterCode({ page, box, button, at }: Visitor, email: string): Promise<void> {
  await page.goto("/sign-in");
  await box("Work email").fill(email);
  await button("Send a code").click();
  await at("code");
  await it.runJobs();
  const [newest] = (await it.as(demoKey).listMessages({ query: { to: email } })).body.data;
  const code = /^\d{6}/.exec(newest?.channel === "email" ? newest.body : "")?.[0];
  assert.ok(code, "no code was mailed");
  await page.keyboard.type(code);
}

test("a member creates a passkey and signs in with it; a deleted passkey does not work", async () => {
  const person = await it.member();
  const { page } = person;
  await addAuthenticator(person);
  await page.goto("/me");
  await person.at("mine");
  await createPasskey(person, "Work laptop");
  await person.at("mine");
  await person.picture("mine");
  const { data } = (await it.as(demoKey).listMessages({ query: { to: person.member.email } })).body;
  const mails = data.map((one) => (one.channel === "email" ? one.subject : ""));
  assert.ok(mails.includes("A passkey was added to your Countersign account"), mails.join());
  await person.button("Sign out").click();
  await person.button("Use a passkey").click();
  await person.at("mine");
  await person.button("Delete Work laptop").click();
  await person.button("Delete passkey").click();
  await page.getByText("You have no passkey yet.").waitFor();
  await person.button("Sign out").click();
  await person.button("Use a passkey").click();
  await page.getByText("No passkey was used").waitFor();
  await person.done();
});

test("a session that is not fresh offers no change of passkeys, and says what to do", async () => {
  const person = await it.member();
  await addAuthenticator(person);
  await person.page.goto("/me");
  await createPasskey(person, "Phone");
  await it.store.pool.query("update member_session set created_at = created_at - $2 where member_uuid = $1", [
    person.member.uuid,
    freshMs + 1,
  ]);
  await person.page.goto("/me");
  await person.page.getByText("To change passkeys, sign in again.").waitFor();
  assert.equal(await person.button("Delete Phone").count(), 0);
  assert.equal(await person.button("Create a passkey").count(), 0);
  await person.button("Sign out and sign in again").click();
  await person.at("signIn");
  await person.done();
});

test("passkeys that were begun below the limit cannot exceed it", async () => {
  const person = await it.member();
  await addAuthenticator(person);
  const store = (count: number) =>
    it.store.pool.query(
      `insert into passkey (uuid, member_uuid, credential_id, public_key, counter, transports, name, is_synced, created_at)
       select gen_random_uuid(), $1, gen_random_uuid(), '', 0, '{}', 'Old', false, 0 from generate_series(1, $2)`,
      [person.member.uuid, count],
    );
  await store(19);
  await person.page.route("**/api/me/passkeys/*", async (route) => {
    await store(1);
    await route.continue();
  });
  await person.page.goto("/me");
  await person.box("Passkey name").fill("One too many");
  await person.button("Create a passkey").click();
  await person.page.getByText("A member can have at most 20 passkeys.").waitFor();
  await person.done();
});

test("an owner requires passkeys: their codes no longer work, and a colleague without one can only add one", async () => {
  const owner = await it.member();
  const colleague = await it.member({ role: "developer", on: "phone", colorScheme: "dark" });
  const before = await it.visitor();
  await enterCode(before, owner.member.email);
  await before.at("brands");
  const policy = owner.page.getByRole("checkbox", { name: "Require a passkey from every member" });
  await addAuthenticator(owner);
  await owner.page.goto("/team");
  await policy.click();
  await owner.page.getByText("Add a passkey of your own first, under Account security.").waitFor();
  assert.equal(await policy.isChecked(), false);
  await owner.page.goto("/me");
  await createPasskey(owner, "Phone");
  await owner.page.goto("/team");
  await policy.click();
  await owner.page.locator("#requires-passkey:checked").waitFor();
  await owner.at("team");
  await owner.picture("passkey-policy");
  await owner.button("Sign out").click();
  await enterCode(owner, owner.member.email);
  await owner.page.getByText("Your account requires a passkey. Use yours to sign in.").waitFor();
  await owner.picture("passkey-needed");
  await owner.button("Use a passkey").click();
  await owner.button("Sign out").waitFor();
  await owner.page.goto("/team");
  await owner.at("team");
  assert.equal(await policy.isChecked(), true);
  const rowOf = (email: string) => owner.page.getByRole("row", { name: email });
  await rowOf(owner.member.email).getByText("has a passkey").waitFor();
  await rowOf(colleague.member.email).getByText("No passkey", { exact: true }).waitFor();

  const phone = await it.visitor({ on: "phone", colorScheme: "dark" });
  await addAuthenticator(phone);
  await enterCode(phone, owner.member.email);
  await phone.at("passkey");
  await phone.picture("passkey-needed-phone");
  await phone.button("Use a passkey").click();
  await phone.page.getByRole("alert").getByText("No passkey was used. Try again.").waitFor();
  await phone.at("passkey");
  await phone.picture("passkey-failed-phone");

  await before.page.goto("/team");
  await before.page.getByText("Sign out, then sign in with it.").waitFor();
  await before.at("mine");
  await before.picture("passkey-sign-in-first");
  assert.equal(await before.button("Create a passkey").count(), 0);
  assert.equal(await before.button("Delete Phone").count(), 0);
  await before.button("Sign out to use your passkey").click();
  await before.at("signIn");

  await colleague.page.goto("/brands");
  await colleague.page.getByText("Create one below to continue.").waitFor();
  await colleague.at("mine");
  await colleague.picture("passkey-add");
  await addAuthenticator(colleague);
  await createPasskey(colleague, "Laptop");
  await colleague.page.goto("/brands");
  await colleague.at("brands");
  for (const person of [owner, before, colleague, phone]) await person.done();
});
