// rest: visits every page in six looks; other files test each page once
/**
 * Visits every page in light and dark, on desktop, phone and tablet. Checks each with axe, and takes screenshots if
 * wanted.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { sampleRules } from "../../../../service/src/test/harness/sample-network-rules.ts";
import { browserDashboard, type DashboardBrowser } from "../harness/dashboard.ts";

const it = await browserDashboard();
const demo = demoBrands.find(({ integrationType }) => integrationType === "sdk")?.uuid ?? "";
const sections = ["general", "redirects", "formats", "challenges", "risk", "verification", "health", "v1", "consent"];
const pages: [string, string, string][] = [
  ["brands", "/brands", "brands"],
  ["overview", `/brands/${demo}/sandbox/overview`, "overview"],
  ["start", `/brands/${demo}/sandbox/start`, "start"],
  ["new-brand", "/brands/new", "newBrand"],
  ["team", "/team", "team"],
  ["audit", "/audit", "audit"],
  ["mine", "/me", "mine"],
  ...sections.map((id): [string, string, string] => [
    `settings-${id}`,
    `/brands/${demo}/sandbox/settings/${id}`,
    "settings",
  ]),
  ["requests", `/brands/${demo}/sandbox/requests`, "requests"],
  ["styling", `/brands/${demo}/sandbox/styling`, "styling"],
  ["keys", `/brands/${demo}/sandbox/keys`, "keys"],
  ["webhooks", `/brands/${demo}/sandbox/webhooks`, "webhooks"],
  ["deliveries", `/brands/${demo}/sandbox/webhooks/deliveries`, "deliveries"],
  ["network-rules", `/brands/${demo}/sandbox/network-rules`, "network-rules"],
  ["approvals", `/brands/${demo}/sandbox/approvals`, "approvals"],
  ["approvals-production", `/brands/${demo}/production/approvals`, "approvals"],
  ["compare", `/brands/${demo}/sandbox/compare`, "compare"],
  ["log", `/brands/${demo}/sandbox/log`, "log"],
  ["analytics", `/brands/${demo}/sandbox/analytics`, "analytics"],
  ["usage", `/brands/${demo}/sandbox/usage`, "usage"],
  ["outbox", "/sandbox/outbox", "outbox"],
  ["clock", "/sandbox/clock", "clock"],
  ["missing", "/nothing/here", "missing"],
  ["missing-in-brand", `/brands/${demo}/sandbox/nothing`, "missing"],
];

/** Creates sample data: webhooks, deliveries and network rules. */
test.before(async () => {
  const { call } = (await it.member()).member;
  const base = `/api/brands/${demo}/sandbox`;
  const read = await call("GET", `${base}/settings`);
  const changed = await call("PATCH", `${base}/settings`, {
    version: read.body.version,
    patch: { networkRules: sampleRules },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  for (const url of ["http://127.0.0.1:2/hook", "http://localhost:2/a/rather/long/address/of/a/receiver?token=abc"]) {
    const made = await call("POST", `${base}/webhooks`, { url, authentication: { type: "none" } });
    await call("POST", `${base}/webhooks/${made.body.uuid}/test`);
    await it.runJobs();
    await call("POST", `${base}/webhooks/${made.body.uuid}/rotate`);
  }
  const { body } = await call("GET", `${base}/deliveries`);
  const uuid = Array.isArray(body.data) ? body.data[0]?.uuid : "";
  pages.push(["delivery", `/brands/${demo}/sandbox/webhooks/deliveries/${uuid}`, "delivery"]);
});

/**
 * `loaded` opens each page by its URL. `within` navigates inside the loaded application when the step changes, as
 * links and the Back button do.
 */
async function tour(at: Parameters<DashboardBrowser["member"]>[0], name: string, how: "loaded" | "within" = "within") {
  const person = await it.member(at);
  let last = "";
  for (const [title, path, step] of pages) {
    if (how === "loaded" || last === "" || last === step) await person.page.goto(path);
    else
      await person.page.evaluate(
        `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
      );
    last = step;
    await person.at(step);
    const overflow = await person.page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    assert.ok(Number(overflow) <= 0, `${title} is ${overflow} px too wide (${name})`);
    await person.picture(`${name}-${title}`);
  }
  await person.done();
}

test("shows that production is not set up, and sets it up without copying the consent declaration", async () => {
  const person = await it.member();
  await person.page.goto(`/brands/${demo}/production/settings/general`);
  await person.at("noProduction");
  await person.picture("no-production");
  await person.page.getByText("no production environment is configured here").waitFor();
  assert.equal(await person.page.locator("main .button.main").innerText(), "Prepare production settings");
  await person.button("Prepare production settings").click();
  await person.button("Set up production").click();
  // The checklist is next.
  await person.at("approvals");
  await person.page.goto(`/brands/${demo}/production/settings/consent`);
  await person.at("settings");
  assert.equal(await person.page.getByRole("checkbox", { name: /required sentence/ }).isChecked(), false);
  await person.done();
});

test("every page is accessible and fits on a desktop in light mode", () => tour({}, "light", "loaded"));
test("every page is accessible and fits on a desktop in dark mode", () => tour({ colorScheme: "dark" }, "dark"));
test("every page is accessible and fits on a phone", () => tour({ on: "phone" }, "phone"));
test("every page is accessible and fits on a phone in dark mode", () =>
  tour({ on: "phone", colorScheme: "dark" }, "phone-dark"));
test("every page is accessible and fits on a tablet in dark mode", () =>
  tour({ on: "tablet", colorScheme: "dark" }, "tablet-dark"));
test("every page is accessible and fits on a tablet for a viewer, who cannot change settings", async () => {
  await tour({ on: "tablet", role: "viewer" }, "tablet");
  const person = await it.member({ role: "viewer" });
  await person.page.goto(`/brands/${demo}/sandbox/settings/general`);
  await person.at("settings");
  assert.equal(await person.button("Save changes").count(), 0);
  assert.ok(await person.box("External name").isDisabled());
  await person.page.locator(".view-only").getByText("A developer or an owner can change it.").waitFor();
  assert.ok(await person.button("Copy Brand ID").isEnabled());
  await person.page.goto("/brands");
  await person.at("brands");
  assert.equal(await person.link("Create a brand").count(), 0);
  await person.done();
});
