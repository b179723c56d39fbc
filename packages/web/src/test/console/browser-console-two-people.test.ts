/** Two operators use two tabs of one browser: the tab that shows the first one does nothing as the second one. */
import assert from "node:assert/strict";
import test from "node:test";
import { inviteOperator } from "../../../../service/src/domain/operator/operators.ts";
import { browserConsole, waitingBrand } from "../harness/console.ts";
import { dashboardControls } from "../harness/dashboard.ts";

const it = await browserConsole();
const said = "Someone else is signed in here now. Nothing was changed.";
let people = 0;

/** The console of somebody in one tab. `signInBob` signs them out in a second one, and Bob in. */
async function twoPeople(role: "operator" | "support") {
  people += 1;
  const email = `bob-${people}@operator.example`;
  const { link } = await inviteOperator(it.accounts, { email, name: `Bob ${people}`, role });
  const anna = await it.staff();
  const signInBob = async () => {
    const second = await anna.context.newPage();
    const { button, at } = dashboardControls(second);
    await second.goto("/");
    await button("Sign out").click();
    await at("signIn");
    await second.goto(link);
    await button("Accept the invitation").click();
    await at("status");
    await second.close();
  };
  const showsBob = async () => {
    await anna.page.getByRole("status").getByText(said).waitFor();
    await anna.page.getByRole("link", { name: new RegExp(`^Bob ${people} · `) }).waitFor();
    await anna.at("status");
  };
  return { anna, signInBob, showsBob };
}

test("what Anna approves is not approved by Bob, who then sees his own console and its message once", async () => {
  const linden = await waitingBrand(it, "Linden Health Inc.", { first: "Linden", changed: "Linden Health" });
  const { anna, signInBob, showsBob } = await twoPeople("operator");
  const { page, box } = anna;
  await page.goto("/approvals");
  const card = page.getByRole("article", { name: "Linden", exact: true });
  await card.getByRole("button", { name: /^Grant production/ }).click();
  await box("Reason").fill("Checklist and contract are complete");
  await signInBob();
  await page.getByRole("dialog").getByRole("button", { name: "Grant production", exact: true }).click();
  await showsBob();
  await anna.picture("someone-else");
  const { granted } = (await linden.call("GET", `/api/brands/${linden.uuid}/production/approvals`)).body;
  assert.deepEqual(granted, []);
  // From here on, the page acts for the person whom it shows.
  await page.getByRole("link", { name: /^Approvals/ }).click();
  await card.getByRole("button", { name: /^Grant production/ }).click();
  await box("Reason").fill("Checklist and contract are complete");
  await page.getByRole("dialog").getByRole("button", { name: "Grant production", exact: true }).click();
  await card.waitFor({ state: "detached" });
  await anna.button("Close").click();
  await page.getByText(said).waitFor({ state: "detached" });
  await anna.done();
});

test("a page that Anna opens shows her nothing of Bob's, and her sign-out leaves Bob signed in", async () => {
  for (const press of ["Audit log", "Sign out"]) {
    const { anna, signInBob, showsBob } = await twoPeople("support");
    // The status asks again by itself.
    await anna.page.goto("/me");
    await anna.at("me");
    await signInBob();
    await (press === "Audit log" ? anna.link(press) : anna.button(press)).click();
    await showsBob();
    await anna.done();
  }
});
