/** Two members use two tabs of one browser: the tab that shows the first one does nothing as the second one. */
import assert from "node:assert/strict";
import test from "node:test";
import { linkFor } from "../../../../service/src/domain/member/sign-in.ts";
import { signedIn } from "../../../../service/src/test/harness/dashboard-member.ts";
import { demoKey } from "../../../../service/src/test/harness/sandbox.ts";
import { browserDashboard, dashboardControls } from "../harness/dashboard.ts";

const it = await browserDashboard();
const said = "Someone else is signed in here now. Nothing was changed.";

/** Anna's account security in one tab, with an authenticator. `signInBob` signs Bob in in a second one. */
async function twoPeople() {
  const anna = await it.member();
  const bob = await signedIn(it);
  const cdp = await anna.context.newCDPSession(anna.page);
  await cdp.send("WebAuthn.enable");
  const options = {
    ...{ protocol: "ctap2" as const, transport: "internal" as const, hasResidentKey: true, hasUserVerification: true },
    ...{ isUserVerified: true, automaticPresenceSimulation: true },
  };
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  await anna.page.goto("/me");
  await anna.at("mine");
  const signInBob = async () => {
    const second = await anna.context.newPage();
    const { button, at } = dashboardControls(second);
    await second.goto(await linkFor(it.accounts, bob.email));
    await button("Sign in now").click();
    await at("brands");
    await second.close();
  };
  const showsBob = async () => {
    await anna.page.getByRole("status").getByText(said).waitFor();
    await anna.at("brands");
    await anna.link("Account security").click();
    await anna.page.locator("strong.email", { hasText: bob.email }).waitFor();
    await anna.at("mine");
  };
  return { anna, bob, signInBob, showsBob };
}

async function passkeysOf({ uuid }: { uuid: string }): Promise<number> {
  return (await it.store.db.selectFrom("passkey").select("uuid").where("member_uuid", "=", uuid).execute()).length;
}

test("a passkey that Anna adds does not become Bob's, who then adds one of his own", async () => {
  const { anna, bob, signInBob, showsBob } = await twoPeople();
  await anna.box("Passkey name").fill("Anna's phone");
  await signInBob();
  await anna.button("Create a passkey").click();
  await showsBob();
  assert.equal(await passkeysOf(bob), 0);
  await anna.picture("someone-else");
  await anna.button("Close").click();
  await anna.page.getByText(said).waitFor({ state: "detached" });
  await anna.box("Passkey name").fill("Bob's phone");
  await anna.button("Create a passkey").click();
  await anna.button("Delete Bob's phone").waitFor();
  assert.deepEqual([await passkeysOf(anna.member), await passkeysOf(bob)], [0, 1]);
  await anna.page.reload();
  await anna.at("mine");
  assert.equal(await anna.page.getByText(said).count(), 0, "a reload does not repeat the message");
  await anna.done();
});

test("a passkey that Anna began before Bob signed in is saved for neither", async () => {
  const { anna, bob, signInBob, showsBob } = await twoPeople();
  await anna.page.route("**/api/me/passkeys/*", async (route) => {
    await signInBob();
    await route.continue();
  });
  await anna.box("Passkey name").fill("Anna's phone");
  await anna.button("Create a passkey").click();
  await showsBob();
  assert.deepEqual([await passkeysOf(anna.member), await passkeysOf(bob)], [0, 0]);
  await anna.done();
});

test("a page that Anna opens shows her nothing of Bob's, and her sign-out leaves Bob signed in", async () => {
  for (const press of ["Team", "Sign out"]) {
    const { anna, signInBob, showsBob } = await twoPeople();
    await signInBob();
    await (press === "Team" ? anna.link(press) : anna.button(press)).click();
    await showsBob();
    await anna.done();
  }
});

test("Bob, who signs in on the page that Anna has left, gets no message and nothing that her page kept", async () => {
  const { anna, bob } = await twoPeople();
  await anna.page.evaluate("window.keptByAnna = true");
  await anna.button("Sign out").click();
  await anna.box("Work email").fill(bob.email);
  await anna.button("Send a code").click();
  await anna.at("code");
  await it.runJobs();
  const [newest] = (await it.as(demoKey).listMessages({ query: { to: bob.email } })).body.data;
  await anna.page.keyboard.type(/\d{6}/.exec(newest?.body ?? "")?.[0] ?? "");
  await anna.page.locator("strong.email", { hasText: bob.email }).waitFor();
  assert.equal(await anna.page.evaluate("window.keptByAnna"), undefined);
  assert.equal(await anna.page.getByText(said).count(), 0);
  await anna.done();
});
