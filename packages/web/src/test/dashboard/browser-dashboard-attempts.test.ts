/** The strip of a webhook's last attempts, and the catalog of events. */
import assert from "node:assert/strict";
import test from "node:test";
import type { OutboundAnswer } from "../../../../service/src/domain/ports.ts";
import { browserDashboard } from "../harness/dashboard.ts";

let status = 204;
const it = await browserDashboard();
const { judge } = it.deps.vendors.outbound;
it.deps.vendors.outbound = {
  judge,
  async post(): Promise<OutboundAnswer> {
    return { kind: "answered", status, durationMs: 12 };
  },
};

test("the strip shows the last attempts, and its bars open their deliveries by keyboard and by touch", async () => {
  const brand = await it.brand();
  const path = `/brands/${brand.uuid}/sandbox/webhooks`;
  const person = await it.member();
  const { page } = person;
  const hook = { url: "https://brand.example/hook", authentication: { type: "none" } };
  await person.member.call("POST", `/api${path}`, hook);
  const [line] = (await person.member.call("GET", `/api${path}`)).body.data as { uuid: string }[];
  for (const answer of [204, 204, 500, 204, 503]) {
    status = answer;
    await person.member.call("POST", `/api${path}/${line?.uuid}/test`);
    await it.runJobs();
    await it.advance(1_000);
  }
  await page.goto(path);
  await person.at("webhooks");
  await page.getByText("Last attempts: 3 delivered, 2 failed, 2 waiting").waitFor();
  assert.equal(await page.getByRole("toolbar", { name: "Last attempts" }).getByRole("link").count(), 7);
  await page.locator(".strip-bar[tabindex='0']").focus();
  await page.getByText(/^Waiting · /).waitFor();
  await page.keyboard.press("Home");
  await page.getByText(/^Delivered · /).waitFor();
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await page.getByText(/^Failed 500 · /).waitFor();
  await person.at("webhooks");
  await person.picture("webhook-strip");
  const target = await page.locator(".strip-bar:focus").getAttribute("href");
  await page.keyboard.press("Enter");
  await person.at("delivery");
  assert.equal(new URL(page.url()).pathname, target);
  await person.done();
  for (const colorScheme of ["light", "dark"] as const) {
    const other = await it.member({ on: "phone", role: "viewer", colorScheme });
    await other.page.goto(path);
    await other.at("webhooks");
    await other.page.locator(".strip-bar").nth(2).tap();
    await other.page.getByText(/^Failed 500 · /).waitFor();
    await other.page.locator("summary").getByText("1-click.signup.ended").click();
    await other.page.getByText('"reason": "withdrawn"').waitFor();
    await other.at("webhooks");
    await other.picture(`webhook-strip-${colorScheme}`);
    await other.page.locator(".attempt-strip").getByRole("link", { name: "1-click.health.lookup", exact: true }).tap();
    await other.at("delivery");
    await other.done();
  }
});
