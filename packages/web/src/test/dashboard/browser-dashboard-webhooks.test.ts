import assert from "node:assert/strict";
import test from "node:test";
import { maskedAddress } from "@countersign/contract/masked-address";
import type { OutboundAnswer } from "../../../../service/src/domain/ports.ts";
import { healthBrand, richard } from "../../../../service/src/test/harness/health-lookup.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const bodies: string[] = [];
let status = 204;
const it = await browserDashboard();
const { judge } = it.deps.vendors.outbound;
const outbound = {
  judge,
  async post({ body }: { body: string }): Promise<OutboundAnswer> {
    bodies.push(body);
    return { kind: "answered", status, durationMs: 12 };
  },
};
it.deps.vendors.outbound = outbound;
const url = "https://brand.example/hook";
/** How the screens name it. */
const shown = maskedAddress(url);

async function start(at: Parameters<typeof it.member>[0] = {}) {
  const person = await it.member(at);
  const brand = await healthBrand(it);
  const path = `/brands/${brand.uuid}/sandbox/webhooks`;
  await person.page.goto(path);
  await person.at("webhooks");
  return { person, brand, path };
}

async function define(person: Visitor): Promise<void> {
  await person.button("Add a webhook").click();
  await person.box("URL").fill(url);
  await person.button("Add webhook").click();
  await person.button("I’ve saved it").click();
  await person.page.getByRole("button", { name: `Send test ${shown}` }).waitFor();
}

test("adds a webhook by keyboard alone, sends a test, and shows the result", async () => {
  status = 204;
  const { person } = await start();
  const { page } = person;
  await person.picture("webhooks-none");
  await person.button("Add a webhook").focus();
  await page.keyboard.press("Enter");
  await page.locator("#webhook-url:focus").waitFor();
  await page.keyboard.type("http://169.254.169.254/");
  await page.keyboard.press("Enter");
  await page.locator("#webhook-url-error").getByText("The URL must start with https://.").waitFor();
  await person.at("webhooks");
  await person.picture("webhook-refused");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(url);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.type("X-Api-Key");
  await page.keyboard.press("Tab");
  await page.keyboard.type("CANARY-key");
  await page.keyboard.press("Enter");
  await page.locator(".secret code").waitFor();
  await person.at("webhooks");
  await person.picture("webhook-secret");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Send test ${shown}` }).focus();
  await page.keyboard.press("Enter");
  await person.link("Open the delivery").waitFor();
  await it.runJobs();
  await page.getByText("The receiver answered 204 in 12 ms.").waitFor();
  const attempts = page.getByRole("listitem").getByRole("table");
  await attempts.getByRole("cell", { name: "204" }).waitFor();
  await page.getByRole("figure", { name: "JSON" }).getByText('"test": true').waitFor();
  await person.at("webhooks");
  await person.picture("webhook-tested");
  await person.link("Open the delivery").focus();
  await page.keyboard.press("Enter");
  await person.at("delivery");
  await page.getByRole("cell", { name: "204" }).waitFor();
  await page.getByText("no real personal data").waitFor();
  assert.ok(!(await page.content()).includes("CANARY-key"));
  await person.done();
});

test("rotates a secret and shows until when both secrets sign", async () => {
  const { person } = await start({ on: "tablet" });
  await define(person);
  await person.button(`More actions for ${shown}`).click();
  await person.button(`Rotate secret ${shown}`).click();
  await person.at("webhooks");
  await person.button("Rotate secret").click();
  await person.button("I’ve saved it").click();
  await person.page.getByText("The previous one also signs until").waitFor();
  await person.page.getByText("Old secret also works until").waitFor();
  await person.at("webhooks");
  await person.picture("webhook-rotated");
  await person.done();
});

test("asks for the authentication again when the host changes, and never shows it", async () => {
  const { person } = await start();
  await person.button("Add a webhook").click();
  await person.box("URL").fill(url);
  await person.choice("Authentication").selectOption("basic");
  await person.box("User name").fill("brand");
  await person.page.getByLabel("Password").fill("CANARY-password");
  await person.button("Add webhook").click();
  await person.button("I’ve saved it").click();
  await person.button(`Edit ${shown}`).click();
  assert.ok(!(await person.page.content()).includes("CANARY-password"));
  await person.box("URL").fill("https://other.example/hook");
  await person.button("Save webhook").click();
  await person.page.getByText("Enter it again, because the host has changed.").waitFor();
  await person.at("webhooks");
  await person.picture("webhook-again");
  await person.choice("Authentication").selectOption("none");
  await person.button("Save webhook").click();
  await person.page.getByText(maskedAddress("https://other.example/hook")).first().waitFor();
  await person.done();
});

test("finds a dead letter by its status and sends it again", async () => {
  status = 500;
  const { person, brand, path } = await start();
  await define(person);
  await brand.api.createHealthLookup({ body: richard });
  await it.runJobs();
  await it.advance(21 * 3_600_000);
  await person.page.goto(`${path}/deliveries`);
  await person.at("deliveries");
  await person.choice("Status").selectOption("deadLettered");
  await person.page.getByText("Failed", { exact: true }).last().waitFor();
  await person.at("deliveries");
  await person.picture("deliveries-dead");
  status = 204;
  await person.page.getByRole("button", { name: /^Send again/ }).click();
  await person.page.getByText("The event is being sent again.").waitFor();
  await it.runJobs();
  await person.choice("Status").selectOption("delivered");
  await person.page.getByRole("cell", { name: "delivered" }).waitFor();
  await person.done();
});

test("sends an event again while it waits for its next attempt", async () => {
  status = 500;
  const { person, path } = await start({ on: "phone" });
  await define(person);
  await person.button(`Send test ${shown}`).click();
  await it.runJobs();
  await person.page.getByText("The test event was not acknowledged. The receiver answered 500").waitFor();
  await person.page.getByText("Failing", { exact: true }).waitFor();
  await person.at("webhooks");
  await person.picture("webhook-test-failed");
  await person.page.goto(`${path}/deliveries?status=pending`);
  await person.at("deliveries");
  await person.button("Filters (1)").press("Enter");
  assert.equal(await person.choice("Status").inputValue(), "pending");
  status = 204;
  await person.page.getByRole("button", { name: /^Send again/ }).click();
  await person.page.getByText("The event is being sent again.").waitFor();
  await it.runJobs();
  await person.button("Reload").click();
  await person.page.getByText("No deliveries match").waitFor();
  await person.done();
});

test("masks a body until it is revealed, and records the reveal in the audit log", async () => {
  status = 204;
  const { person, brand, path } = await start({ colorScheme: "dark" });
  await define(person);
  await brand.api.createHealthLookup({ body: richard });
  await it.runJobs();
  await person.page.goto(`${path}/deliveries`);
  await person.page.locator("tbody th").getByRole("link").click();
  await person.at("delivery");
  const body = person.page.getByRole("figure", { name: "JSON" });
  await body.waitFor();
  assert.doesNotMatch((await body.textContent()) ?? "", /hendricks/i);
  await person.picture("delivery-masked");
  await person.button("Reveal the body").click();
  await body.getByText("Hendricks").first().waitFor();
  await person.at("delivery");
  await person.picture("delivery-revealed");
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.button("Copy JSON").click();
  await person.button("Copied. JSON").waitFor();
  assert.match(String(await person.page.evaluate("navigator.clipboard.readText()")), /hendricks/i);
  await person.button("Mask it again").click();
  await body.getByText("Hendricks").first().waitFor({ state: "detached" });
  await it.advance(2 * 3_600_000);
  await person.page.reload();
  await person.page.getByText("The body is erased").waitFor();
  await person.at("delivery");
  await person.page.goto(`${path}/deliveries`);
  await person.page.getByText("Body erased").waitFor();
  await person.at("deliveries");
  await person.picture("delivery-erased");
  await person.page.goto("/audit");
  await person.at("audit");
  await person.page.locator("strong").getByText("Revealed the body of an event").first().waitFor();
  await person.done();
});

test("switches a webhook off and on and deletes it; a viewer cannot", async () => {
  const { person, path } = await start();
  await define(person);
  const viewer = await it.member({ role: "viewer" });
  await viewer.page.goto(path);
  await viewer.at("webhooks");
  assert.equal(
    await viewer.page
      .locator("main")
      .getByRole("button", { name: /Add|Edit|Delete|Send|Rotate|Switch/ })
      .count(),
    0,
  );
  await viewer.done();
  await person.button(`More actions for ${shown}`).click();
  await person.button(`Switch off ${shown}`).click();
  await person.at("webhooks");
  await person.button("Switch off").click();
  await person.button(`Switch on ${shown}`).click();
  await person.button(`More actions for ${shown}`).click();
  await person.picture("webhook-menu");
  await person.button(`Delete ${shown}`).click();
  await person.at("webhooks");
  await person.picture("webhook-delete");
  await person.button("Delete webhook").click();
  await person.page.getByText("No webhooks yet").waitFor();
  await person.done();
});

test("shows a warning for a webhook that has failed for five days", async () => {
  status = 500;
  const { person } = await start();
  await define(person);
  await person.button(`Send test ${shown}`).click();
  await person.link("Open the delivery").waitFor();
  await it.runJobs();
  await it.advance(5 * 24 * 3_600_000);
  await person.page.reload();
  await person.page.getByText("has acknowledged nothing for five days").waitFor();
  await person.page.getByText(/^Since Jan\s\d+,\s2026, /).waitFor();
  await person.link("Last error: 500").waitFor();
  await person.at("webhooks");
  await person.picture("webhook-attention");
  await person.done();
});

test("the path and query of a URL are hidden, except while the URL is edited", async () => {
  const { person } = await start({ on: "phone" });
  const { page } = person;
  await person.button("Add a webhook").click();
  await person.box("URL").fill(`${url}?token=CANARY-token`);
  await person.button("Add webhook").click();
  await person.button("I’ve saved it").click();
  await person.button(`Edit ${maskedAddress(`${url}?token=CANARY-token`)}`).waitFor();
  assert.ok(!(await page.content()).includes("CANARY-token"));
  await page.goto(`${page.url()}/deliveries`);
  await person.at("deliveries");
  await person.button("Filters").press("Enter");
  await person.choice("Webhook").selectOption(maskedAddress(`${url}?token=CANARY-token`));
  assert.ok(!(await page.content()).includes("CANARY-token"));
  await page.goBack();
  await person.button(`Edit ${maskedAddress(`${url}?token=CANARY-token`)}`).click();
  assert.equal(await person.box("URL").inputValue(), `${url}?token=CANARY-token`);
  await person.done();
});

test("deliveries are found by their event", async () => {
  status = 204;
  const { person, brand, path } = await start({ colorScheme: "dark" });
  await define(person);
  await person.button(`Send test ${shown}`).click();
  await person.link("Open the delivery").waitFor();
  await brand.api.createHealthLookup({ body: richard });
  await it.runJobs();
  await person.page.goto(`${path}/deliveries`);
  await person.at("deliveries");
  const rows = person.page.locator("tbody tr");
  assert.equal(await rows.count(), 2);
  // One page needs no buttons to others.
  assert.equal(await person.page.getByRole("navigation", { name: "Pages" }).count(), 0);
  await person.picture("deliveries-events");
  const chosen = async (event: string, isTest: boolean) => {
    await person.choice("Event").selectOption(event);
    await rows.nth(1).waitFor({ state: "detached" });
    await rows
      .first()
      .getByRole("cell", { name: `1-click.health.lookup ${isTest ? "Test " : ""}${shown}`, exact: true })
      .waitFor();
    assert.equal(new URL(person.page.url()).searchParams.get("event"), event);
  };
  await chosen("test", true);
  await chosen("1-click.health.lookup", false);
  await person.choice("Event").selectOption("user.credentials.push");
  await person.page.getByText("No deliveries match").waitFor();
  await person.done();
});
