/** A journey's page and the ways to it, used as people use them. */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { eventually } from "../../../../service/src/test/harness/eventually.ts";
import { hostedShare } from "../../../../service/src/test/harness/hosted-share.ts";
import { busyBrand } from "../harness/busy-brand.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
const { uuid: hosted } = demoBrands.find(({ apiKey }) => apiKey === "sk_sandbox_demo_hosted") ?? assert.fail();

/** A shared signup that the brand has read, with its calls in the log. */
async function sharedSignup() {
  const { uuid, read } = await hostedShare(it, "+12125550010");
  await it.advance(5 * 60_000);
  await read();
  await eventually(async () => {
    const lines = it.store.db.selectFrom("request_log").select("id").where("subject_uuid", "=", uuid);
    return (await lines.execute()).length >= 2 ? true : undefined;
  });
  return uuid;
}

const pathOf = (uuid: string, brand = hosted) => `/brands/${brand}/sandbox/journeys/${uuid}`;

for (const on of ["desktop", "phone"] as const)
  for (const colorScheme of ["light", "dark"] as const)
    test(`a signup has its steps as bars, on a ${on} in ${colorScheme} colors`, async () => {
      const uuid = await sharedSignup();
      const person = await it.member({ role: "viewer", on, colorScheme });
      const { page } = person;
      await page.goto(pathOf(uuid));
      await page.getByRole("heading", { name: "Signup", exact: true }).waitFor();
      await person.at("journey");
      const steps = page.locator(".waterfall li");
      for (const name of ["Sources asked", "Review", "Shared", "Phone verified"])
        await steps.filter({ hasText: name }).first().waitFor();
      // A bar stays within the row of its step.
      const inRows = await steps.evaluateAll((rows) =>
        rows.every((row) => {
          const bar = row.querySelector(".step-bar");
          return bar === null || bar.getBoundingClientRect().bottom <= row.getBoundingClientRect().bottom + 1;
        }),
      );
      assert.ok(inRows);
      // The read came minutes later, so it is in a part of its own.
      await page.getByText(/^\d+ min( \d+ s)? later$/).waitFor();
      const width = Number(
        await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
      );
      assert.equal(width, 0);
      await person.picture(`journey-${on}-${colorScheme}`);
      await page.getByRole("link", { name: /^Read: GET/ }).press("Enter");
      await page.getByRole("heading", { name: "Call details" }).waitFor();
      await page.getByRole("link", { name: "Open its journey" }).press("Enter");
      await page.getByRole("heading", { name: "Signup", exact: true }).waitFor();
      await page.getByRole("link", { name: "Verification", exact: true }).press("Enter");
      await page.getByRole("heading", { name: "Verification", exact: true }).waitFor();
      await person.at("journey");
      await person.done();
    });

test("Find opens a journey by its UUID, and the outbox the one of a text", async () => {
  const { uuid, api } = await it.brand();
  const proof = (await api.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body.uuid;
  await api.deliverVerification({ params: { uuid: proof } });
  await it.runJobs();
  const person = await it.member({ role: "developer" });
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/log`);
  await person.at("log");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Find a page/ }).fill(proof.toUpperCase());
  await page.getByRole("option", { name: /^Journey of/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Verification", exact: true }).waitFor();
  assert.equal(new URL(page.url()).pathname, pathOf(proof, uuid));
  await person.at("journey");
  // Every text of the day is listed, newest first.
  await page.goto("/sandbox/outbox");
  await page.getByRole("link", { name: "Open its journey" }).first().click();
  await page.getByRole("heading", { name: "Verification", exact: true }).waitFor();
  assert.equal(new URL(page.url()).pathname, pathOf(proof, uuid));
  await person.done();
});

test("another brand's journey and a text that is no id look like a missing page's part", async () => {
  const uuid = await sharedSignup();
  const { uuid: other } = await it.brand();
  const person = await it.member({ role: "viewer" });
  const { page } = person;
  for (const path of [pathOf(uuid, other), pathOf("x", other)]) {
    await page.goto(path);
    await page.getByRole("alert").waitFor();
    await person.at("journey");
    assert.equal(await page.locator(".waterfall").count(), 0);
  }
  await person.picture("journey-missing");
  await person.done();
});

test("a journey with a thousand reads says what it leaves out", async () => {
  const { uuid, api } = await it.brand();
  const subject = (await api.createOneClick({ body: { phone: "+12125550010" } })).body.uuid;
  const line = {
    ...{ environment: "sandbox", at: it.deps.clock.now(), request_id: "r", brand_uuid: uuid, subject_uuid: subject },
    ...{ method: "GET", route: "/v2/1-click/:uuid", status: 200, latency_ms: 5 },
  };
  await it.store.db
    .insertInto("request_log")
    .values(Array.from({ length: 1_000 }, () => line))
    .execute();
  const person = await it.member({ role: "viewer" });
  await person.page.goto(pathOf(subject, uuid));
  await person.page.getByText("This page shows the first 100 calls only.").waitFor();
  await person.at("journey");
  await person.done();
});

test("from the log's first look, a failed request is understood in one more click", async () => {
  const { uuid } = await busyBrand(it);
  const person = await it.member({ role: "viewer" });
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/log`);
  await page.getByText("OCE011").first().waitFor();
  await page.getByRole("row").filter({ hasText: "OCE011" }).first().getByRole("button").click();
  const panel = page.getByRole("region", { name: "Call details" });
  await panel.getByText("Cause:").waitFor();
  await panel.getByText("Fix:").waitFor();
  const again = panel.getByRole("link", { name: "Try it again in the reference" });
  assert.match(
    (await again.getAttribute("href")) ?? "",
    /\/docs\/reference\/api#tag\/1-click-signup\/POST\/v2\/1-click$/,
  );
  await person.at("log");
  await person.done();
});

test("the bars above the log select a time by a drag and by the keyboard, and a chip removes it", async () => {
  const { uuid } = await busyBrand(it);
  const person = await it.member({ role: "viewer" });
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/log`);
  const lines = page.locator("tbody tr:not(.group-row)");
  await lines.nth(23).waitFor();
  const bars = page.getByRole("slider", { name: "Calls over time" });
  await bars.waitFor();
  assert.match((await bars.getAttribute("aria-valuetext")) ?? "", /24 calls, \d+ refused$/);
  await person.picture("log-histogram");
  await bars.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  const chip = page.getByRole("button", { name: /^Remove the filter / });
  await chip.waitFor();
  await lines.nth(8).waitFor({ state: "detached" });
  await lines.nth(7).waitFor();
  assert.equal(await lines.count(), 8);
  await person.at("log");
  await person.picture("log-chip");
  await chip.press("Enter");
  await lines.nth(23).waitFor();
  await chip.waitFor({ state: "detached" });
  const box = (await bars.boundingBox()) ?? assert.fail();
  await page.mouse.move(box.x + 2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.up();
  await chip.waitFor();
  await lines.nth(23).waitFor({ state: "detached" });
  await page.goBack();
  await lines.nth(23).waitFor();
  await person.done();
});
