/** A brand's analytics, used as people use them. */
import assert from "node:assert/strict";
import test from "node:test";
import { busyBrand } from "../harness/busy-brand.ts";
import { browserDashboard, type DashboardBrowser } from "../harness/dashboard.ts";

const it = await browserDashboard({}, "browser");
type At = Parameters<DashboardBrowser["member"]>[0];

test("analytics have charts and tables, in light and dark mode, on every screen", async () => {
  const { uuid } = await busyBrand(it);
  const all: [string, At][] = [
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["tablet", { on: "tablet", colorScheme: "dark" }],
    ["phone", { on: "phone" }],
  ];
  for (const [name, at] of all) {
    const person = await it.member({ ...at, role: "viewer" });
    const { page } = person;
    await page.goto(`/brands/${uuid}/sandbox/analytics`);
    await person.at("analytics");
    await page.getByRole("img", { name: "Errors by code: OCE011 3, OCE013 3" }).waitFor();
    await person.picture(`analytics-busy-${name}`);
    await page.getByText("Verification as a table").focus();
    await page.keyboard.press("Enter");
    const table = page.getByRole("figure", { name: "Verification" }).getByRole("table");
    await table.getByRole("columnheader", { name: "Verified" }).waitFor();
    assert.equal(await table.getByRole("row").count(), 4);
    await person.choice("Range").selectOption("month");
    await person.at("analytics");
    const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    assert.ok(Number(overflow) <= 0, `${overflow} px too wide (${name})`);
    await page.goto(`/brands/${uuid}/sandbox/usage`);
    await person.at("usage");
    await person.picture(`usage-busy-${name}`);
    await page.goto(`/brands/${uuid}/sandbox/log`);
    await person.at("log");
    await person.picture(`log-busy-${name}`);
    await person.done();
  }
});

test("a bar, a time in the table and a name link to their calls, and Back returns to the same range", async () => {
  const { uuid } = await busyBrand(it);
  const person = await it.member({ role: "viewer" });
  const { page } = person;
  const calls = page.locator("tbody tr:not(.group-row)");
  const rows = async (count: number) => {
    await person.at("log");
    await calls.nth(count - 1).waitFor();
    assert.equal(await calls.count(), count);
  };
  await page.goto(`/brands/${uuid}/sandbox/analytics?range=week`);
  await person.at("analytics");
  assert.equal(await person.choice("Range").inputValue(), "week");
  const chart = page.getByRole("figure", { name: "Requests by status" });
  await chart.getByRole("link", { name: "Refused (4xx)" }).click();
  await rows(6);
  await page.goBack();
  await person.at("analytics");
  assert.equal(await person.choice("Range").inputValue(), "week");
  await page.getByText("Requests by status as a table").press("Enter");
  await chart.getByRole("table").getByRole("link").first().press("Enter");
  await rows(8);
  await page.goBack();
  await person.choice("Range").selectOption("hour");
  await person.at("analytics");
  await page.goto(`/brands/${uuid}/sandbox/analytics?range=day`);
  await person.at("analytics");
  const area = await chart.locator(".u-over").boundingBox();
  assert.ok(area !== null);
  // The calls of the last full hour, near the bottom of its bar: those that succeeded.
  await chart.locator(".u-over").hover({ position: { x: area.width - (area.width / 25) * 1.5, y: area.height - 4 } });
  await chart.getByText("Succeeded 6").waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await rows(6);
  assert.equal(new URL(page.url()).searchParams.get("status"), "succeeded");
  await person.done();
});

test("a first tap on a bar shows its values, and a second opens its calls", async () => {
  const { uuid } = await busyBrand(it);
  const person = await it.member({ role: "viewer", on: "phone" });
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/analytics?range=day`);
  await person.at("analytics");
  const chart = page.getByRole("figure", { name: "Requests by status" });
  const area = await chart.locator(".u-over").boundingBox();
  assert.ok(area !== null);
  const bar = { position: { x: area.width - (area.width / 25) * 1.5, y: area.height - 4 } };
  await chart.locator(".u-over").tap(bar);
  await chart.getByText("Succeeded 6").waitFor();
  assert.match(page.url(), /analytics\?range=day$/);
  await person.picture("analytics-tapped");
  await chart.locator(".u-over").tap(bar);
  await person.at("log");
  await person.done();
});

test("a tile compares with the period before only if there were calls", async () => {
  const { uuid } = await busyBrand(it);
  const person = await it.member({ role: "viewer" });
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/analytics?range=week`);
  await person.at("analytics");
  await page.getByText("Open in the log").waitFor();
  await page.getByText("Green is succeeded").waitFor();
  await page.getByText("requests per hour").waitFor();
  assert.equal(await page.getByText("period of the same length before").count(), 0);
  const to = it.deps.clock.now();
  await page.goto(`/brands/${uuid}/sandbox/analytics?from=${to - 2 * 3_600_000}&to=${to}&bucket=hour`);
  await page.getByText("+100% up from 8").waitFor();
  await page.getByText("period of the same length before").waitFor();
  await person.at("analytics");
  await person.picture("analytics-compared");
  await person.done();
});

test("the fields of a custom range are aligned, and the chart has room for its last label", async () => {
  const { uuid } = await busyBrand(it);
  const to = it.deps.clock.now();
  for (const [bucket, label] of [
    ["minute", "12:58 PM"],
    ["hour", "12 PM"],
    ["day", "Dec 30"],
  ]) {
    const person = await it.member({ role: "viewer" });
    const { page } = person;
    await page.goto(`/brands/${uuid}/sandbox/analytics?from=${to - 4 * 3_600_000}&to=${to}&bucket=${bucket}`);
    await person.at("analytics");
    const ends = await page
      .locator(".range :is(.input, .button)")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)));
    assert.deepEqual([ends.length, new Set(ends).size], [5, 1], ends.join());
    const { room, half } = await page
      .locator(".drawing")
      .first()
      .evaluate((drawing, text) => {
        const context = document.createElement("canvas").getContext("2d");
        if (context !== null) context.font = "12px system-ui, sans-serif";
        const right = (selector: string) => drawing.querySelector(selector)?.getBoundingClientRect().right ?? 0;
        return { room: right("canvas") - right(".u-over"), half: (context?.measureText(text ?? "").width ?? 999) / 2 };
      }, label);
    assert.ok(room >= half, `${bucket}: ${room} of ${half}`);
    await person.picture(`analytics-own-${bucket}`);
    await person.done();
  }
});

test("an empty range says which range it is, and links to the longest range and to the first call", async () => {
  const { uuid } = await it.brand();
  const person = await it.member({ role: "viewer", on: "phone" });
  const { page } = person;
  await page.goto(`/brands/${uuid}/sandbox/analytics?range=hour`);
  await page.getByText("Charts appear here after this brand’s first call.").waitFor();
  await person.link("Get started").waitFor();
  assert.equal(await person.button("Show the last 90 days").count(), 0);
  assert.equal(await person.choice("Range").count(), 0);
  const used = { last_used_at: it.deps.clock.now() };
  await it.store.db.updateTable("api_key").set(used).where("brand_uuid", "=", uuid).execute();
  await page.reload();
  await page.getByRole("heading", { name: "No calls in the last hour" }).waitFor();
  assert.equal(await person.choice("Range").inputValue(), "hour");
  await page.getByText(/^This brand made no calls from .+ to .+ \(UTC\)\.$/).waitFor();
  await person.at("analytics");
  await person.picture("analytics-empty");
  await person.link("Get started").waitFor();
  await person.button("Show the last 90 days").press("Enter");
  await person.button("Show the last 90 days").waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).searchParams.get("range"), "quarter");
  await person.at("analytics");
  await person.done();
});

test("shows alarms about unanswered texts above the charts", async () => {
  const { uuid } = await it.brand();
  const now = it.deps.clock.now();
  const row = { environment: "sandbox" as const, brand_uuid: uuid, window_start: now, raised_at: now - 60_000 };
  await it.store.db
    .insertInto("conversion_alarm")
    .values([
      { ...row, kind: "brand", key: Buffer.from(uuid), sent: 120, verified: 3 },
      { ...row, kind: "block", key: Buffer.alloc(32), sent: 24, verified: 1 },
    ])
    .execute();
  const person = await it.member({ role: "viewer" });
  await person.page.goto(`/brands/${uuid}/sandbox/analytics`);
  await person.page.getByText("3 of this brand’s 120 texts were answered").waitFor();
  await person.page.getByText("1 of 24 texts to one block of numbers were answered").waitFor();
  await person.at("analytics");
  await person.picture("analytics-alarms");
  await person.done();
});
