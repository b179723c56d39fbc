/** The pages of a brand's deliveries. */
import assert from "node:assert/strict";
import test from "node:test";
import { maskedAddress } from "@countersign/contract/masked-address";
import { healthBrand, richard } from "../../../../service/src/test/harness/health-lookup.ts";
import { browserDashboard } from "../harness/dashboard.ts";

const it = await browserDashboard();
const { judge } = it.deps.vendors.outbound;
let status = 204;
const post = async () => ({ kind: "answered", status, durationMs: 12 }) as const;
it.deps.vendors.outbound = { judge, post };

test("the first and the last page have only the button to the other page", async () => {
  const person = await it.member();
  const { page } = person;
  const { uuid, api } = await healthBrand(it);
  const webhook = { url: "https://brand.example/hook", authentication: { type: "none" } };
  const made = await person.member.call("POST", `/api/brands/${uuid}/sandbox/webhooks`, webhook);
  assert.equal(made.status, 201);
  for (let lookup = 0; lookup < 26; lookup += 1) await api.createHealthLookup({ body: richard });
  await it.runJobs();
  await page.goto(`/brands/${uuid}/sandbox/webhooks/deliveries`);
  await person.at("deliveries");
  const buttons = page.getByRole("navigation", { name: "Pages" }).getByRole("button");
  for (const [label, count] of [
    ["Older", 25],
    ["Newer", 1],
    ["Older", 25],
  ] as const) {
    await buttons.getByText(label).waitFor();
    assert.deepEqual([await buttons.allInnerTexts(), await page.locator("tbody tr").count()], [[label], count]);
    await buttons.click();
  }
  await person.done();
});

test("every delivery has its webhook and its button in view, on a desktop and on a tablet", async () => {
  const { uuid } = await it.brand();
  const person = await it.member();
  const path = `/brands/${uuid}/sandbox/webhooks`;
  status = 500;
  const urls = ["https://one.example/hook", `https://two.example/${"a/rather/long/address/".repeat(4)}`];
  for (const url of urls) {
    const made = await person.member.call("POST", `/api${path}`, { url, authentication: { type: "none" } });
    await person.member.call("POST", `/api${path}/${made.body.uuid}/test`);
  }
  await it.runJobs();
  status = 204;
  await person.page.goto(`${path}/deliveries`);
  await person.at("deliveries");
  for (const url of urls) await person.page.locator("tbody").getByText(maskedAddress(url), { exact: true }).waitFor();
  assert.equal(await person.button(/^Send again/).count(), urls.length);
  const hidden = () => person.page.locator(".deliveries").evaluate((box) => box.scrollWidth - box.clientWidth);
  for (const width of [1280, 1024, 820]) {
    await person.page.setViewportSize({ width, height: 1000 });
    assert.equal(await hidden(), 0, `${width} pixels`);
    await person.picture(`deliveries-${width}`);
  }
  await person.done();
});

test("an event that is sent again shows its result without a reload, in the list and on its page", async () => {
  const { uuid } = await it.brand();
  const person = await it.member();
  const { page } = person;
  const path = `/brands/${uuid}/sandbox/webhooks`;
  const webhook = { url: "https://brand.example/hook", authentication: { type: "none" } };
  const made = await person.member.call("POST", `/api${path}`, webhook);
  const openFailing = async () => {
    status = 500;
    await person.member.call("POST", `/api${path}/${made.body.uuid}/test`);
    await it.runJobs();
    await page.goto(`${path}/deliveries`);
    await page.getByText("Retrying").waitFor();
    status = 204;
  };
  const sendAgain = async () => {
    await person
      .button(/^Send again/)
      .first()
      .click();
    await page.getByText("The event is being sent again.").waitFor();
    await it.runJobs();
    await page.getByText("Retrying").waitFor({ state: "detached" });
  };
  await openFailing();
  await sendAgain();
  await openFailing();
  await page.locator("tbody a").first().click();
  await person.at("delivery");
  await sendAgain();
  await page.getByText("Delivered", { exact: true }).waitFor();
  await person.done();
});
