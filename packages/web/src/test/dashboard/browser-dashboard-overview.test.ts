/** A brand's first page, as its members see it. */
import assert from "node:assert/strict";
import test from "node:test";
import { secondDemoCustomer } from "../../../../service/src/providers/sandbox/demo.ts";
import { logged } from "../harness/busy-brand.ts";
import { browserDashboard, type DashboardBrowser } from "../harness/dashboard.ts";
import { signedUp } from "../harness/signed-up.ts";

const it = await browserDashboard();
type At = Parameters<DashboardBrowser["member"]>[0];
const looks: [string, At][] = [
  ["light", {}],
  ["dark", { colorScheme: "dark" }],
  ["phone", { on: "phone" }],
  ["phone-dark", { on: "phone", colorScheme: "dark" }],
  ["tablet", { on: "tablet" }],
];

const busy = [
  { state: "released", count: 212, isFound: true },
  { state: "released", count: 60, isFound: true, daysAgo: 1 },
  { state: "released", count: 90, isFound: true, daysAgo: 2 },
  { state: "released", count: 40, isFound: true, daysAgo: 5 },
  { state: "released", count: 250, isFound: true, daysAgo: 8 },
  { state: "released", count: 70, isFound: true, daysAgo: 10 },
  { state: "declined", count: 18, isFound: true },
  { state: "awaitingDecision", count: 25, isFound: true },
  { state: "awaitingProof", count: 64 },
  { state: "refused", refusal: "OCE018", count: 7 },
  { state: "refused", refusal: "OCE013", count: 21 },
  { state: "refused", refusal: "OCE017", count: 3 },
  { state: "refused", refusal: "OCE012", count: 2 },
  { state: "refused", refusal: "OCE007", count: 2 },
  { state: "awaitingInputs", count: 11 },
] as const;

test("shows the funnel, the week beside the last one and what needs attention, on every screen", async () => {
  const { uuid, api } = await signedUp(it, busy);
  await api.createVerification({ body: { channel: "sms", phone: "+12125550010" } });
  await logged(it, uuid, 2);
  const { call } = (await it.member()).member;
  const base = `/api/brands/${uuid}/sandbox`;
  const long = it.deps.clock.now() - 100 * 86_400_000;
  const key = await call("POST", `${base}/keys`, { name: "old batch", ipRanges: [] });
  await it.store.db
    .updateTable("api_key")
    .set({ created_at: long })
    .where("uuid", "=", String(key.body.uuid))
    .execute();
  const hook = { url: "https://hooks.linden.example/countersign", authentication: { type: "none" } };
  const made = await call("POST", `${base}/webhooks`, hook);
  const failing = { failing_since: it.deps.clock.now() - 3 * 3_600_000 };
  await it.store.db.updateTable("webhook_endpoint").set(failing).where("uuid", "=", String(made.body.uuid)).execute();
  for (const [name, at] of looks) {
    const person = await it.member({ ...at, role: "viewer" });
    const { page } = person;
    await page.goto(`/brands/${uuid}/sandbox/overview`);
    await person.at("overview");
    await page.getByRole("heading", { name: "From request to share" }).waitFor();
    await page.getByText("Code not entered").waitFor();
    await person.picture(`overview-${name}`);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    assert.ok(Number(overflow) <= 0, `${overflow} px too wide (${name})`);
    await person.done();
  }
  const person = await it.member({ role: "viewer" });
  await person.page.goto(`/brands/${uuid}/sandbox/overview`);
  await person.at("overview");
  await person.link("OCE013").press("Enter");
  await person.at("log");
  assert.equal(new URL(person.page.url()).searchParams.get("q"), "OCE013");
  await person.page.goBack();
  await person.at("overview");
  await person.link("Review keys").press("Enter");
  await person.at("keys");
  await person.page.goBack();
  await person.at("overview");
  await person.link("See them").press("Enter");
  await person.at("log");
  await person.button("Remove the filter Failed (4xx, 5xx)").waitFor();
  await person.page.goBack();
  await person.at("overview");
  await person.link("Declined").press("Enter");
  await person.at("journeys");
  await person.page.locator(".journey-lines").getByText("Declined").first().waitFor();
  assert.equal(await person.page.locator(".journey-lines").getByText("Shared").count(), 0);
  await person.page.locator(".journey-lines a").first().click();
  await person.at("journey");
  await person.page.getByText("The person chose not to share.").waitFor();
  await person.done();
});

test("a brand without calls shows what to do first, and no empty charts", async () => {
  const { uuid } = await it.brand();
  for (const [name, at] of looks) {
    const person = await it.member({ ...at });
    await person.page.goto(`/brands/${uuid}/sandbox/overview`);
    await person.at("overview");
    await person.page.getByRole("heading", { name: "Make your first call" }).waitFor();
    assert.equal(await person.page.locator(".steps-funnel, .tiles, .day-bars").count(), 0);
    await person.picture(`overview-new-${name}`);
    if (name === "light") {
      await person.page.locator("main").getByRole("link", { name: "Get started" }).press("Enter");
      await person.at("start");
    }
    await person.done();
  }
});

test("a brand with one call shows it, and one whose calls are old links to the longest range", async () => {
  const { uuid, api } = await it.brand();
  await api.createOneClick({ body: { phone: "+12125550010" } });
  await logged(it, uuid, 1);
  const person = await it.member({ role: "viewer" });
  await person.page.goto(`/brands/${uuid}/sandbox/overview`);
  await person.at("overview");
  await person.page.locator(".journey-lines").getByText("Shared", { exact: true }).waitFor();
  await person.picture("overview-one-call");
  await it.advance(20 * 86_400_000);
  await person.page.reload();
  await person.page.getByRole("heading", { name: "Nothing happened in the last 14 days" }).waitFor();
  await person.at("overview");
  await person.picture("overview-quiet");
  await person.done();
});

test("production that is not approved yet shows the steps to it, and a failed call is counted with its link", async () => {
  const { uuid, api } = await it.brand();
  const person = await it.member({ role: "developer" });
  const { page } = person;
  await api.createOneClick({ body: { phone: "+14045551300" } }).catch(() => {});
  await logged(it, uuid, 1);
  const { version } = (await person.member.call("GET", `/api/brands/${uuid}/sandbox/settings`)).body;
  await person.member.call("POST", `/api/brands/${uuid}/production`, { sourceVersion: version });
  await page.goto(`/brands/${uuid}/production/overview`);
  await page.getByRole("list", { name: "Steps to production" }).waitFor();
  await person.at("overview");
  assert.equal(await page.getByText("Nothing happened in the last 14 days").count(), 0);
  await person.picture("overview-to-production");
  await person.link("Complete the checklist").press("Enter");
  await person.at("approvals");
  await page.goto("/brands");
  await page.locator(`.failed-calls[href*="${uuid}"]`).click();
  await page.getByRole("button", { name: "Remove the filter Failed (4xx, 5xx)" }).waitFor();
  await page.getByRole("button", { name: "Remove the filter Last 7 days" }).waitFor();
  await person.at("log");
  await person.done();
});

test("the first page is the overview of the only brand, or the list of brands", async () => {
  const many = await it.member({});
  await many.page.goto("/");
  await many.at("brands");
  await many.done();
  const one = await it.member({ customerUuid: secondDemoCustomer.uuid, role: "viewer" });
  const { data } = (await one.member.call("GET", "/api/brands")).body as { data: { uuid: string }[] };
  await one.page.goto("/");
  await one.at(data.length === 1 ? "overview" : "brands");
  await one.done();
});
