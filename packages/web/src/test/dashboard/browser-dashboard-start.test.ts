/** A new developer follows the start page from the first link to a verified phone. */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { eventually } from "../../../../service/src/test/harness/eventually.ts";
import { paste } from "../../../../service/src/test/harness/run-shell.ts";
import { portOf } from "../harness/browser.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();
await it.app.listen({ host: "127.0.0.1", port: 0 });
it.deps.addresses.apiUrl = `http://localhost:${portOf(it.app)}`;

const block = (person: Visitor, title: string) =>
  person.page.getByRole("figure", { name: title, exact: true }).locator("pre").innerText();

/** Finds a step by its title and state. */
const stepsOf =
  ({ page }: Visitor) =>
  (title: string, state: string) =>
    page.locator(".step", { has: page.getByRole("heading", { name: title }) }).getByText(state, { exact: true });

/** The step of the key is folded while the brand has a key. */
const openKey = ({ page }: Visitor) => page.getByRole("heading", { name: "Get your API key" }).click();

test("the commands contain the new brand's key, and four pasted calls verify a test phone", async () => {
  const person = await it.member();
  const { page } = person;
  await page.goto("/brands/new");
  await person.at("newBrand");
  await person.box("Name").fill("Pied Piper");
  await page.getByRole("radio", { name: /^API/ }).check();
  await person.button("Create brand").click();
  await person.button("I’ve saved it").click();
  await person.at("start");
  await person.picture("start-new");
  await page.getByText(/^The commands below have your key, ….{4}\.$/).waitFor();
  await page.getByText("Waiting for your first call…").waitFor();
  const step = stepsOf(person);
  await step("Get your API key", "Done").waitFor();
  await step("Make your first call", "Next").waitFor();
  await step("Verify a phone", "Later").waitFor();
  // What is done is folded, and only the step that is next is open.
  assert.equal(await page.getByRole("figure").count(), 1);
  await page.getByRole("heading", { name: "Get your API key" }).click();
  assert.match(await block(person, "Key"), /^sk_sandbox_(?!demo)/);
  const identity = await paste(await block(person, "Paste this call in a terminal"));
  assert.deepEqual(identity.statuses, [201]);
  assert.match(identity.out, /Hendricks/);
  await page.getByText(/^Your call arrived: POST \/v2\/1-click, 201, \d+ ms\./).waitFor();
  await step("Make your first call", "Done").waitFor();
  await step("Verify a phone", "Next").waitFor();
  await person.at("start");
  await person.picture("start-arrived");
  const proof = await paste(await block(person, "One paste"));
  assert.match(proof.out, /"verified":true/);
  assert.match(proof.out, /Hendricks/);
  await step("Verify a phone", "Done").waitFor();
  await step("Add it to your code", "Next").waitFor();
  await step("Go live", "Later").waitFor();
  await page.reload();
  await person.at("start");
  await step("Verify a phone", "Done").waitFor();
  await page.getByRole("heading", { name: "Make your first call" }).click();
  await page.getByRole("figure", { name: "Paste this call in a terminal" }).waitFor();
  await page.getByRole("heading", { name: "Go live" }).click();
  await person.link("Prepare production settings").waitFor();
  assert.equal(
    await page
      .locator("main .button.main")
      .getByText(/production/i)
      .count(),
    0,
  );
  await person.picture("start-code");
  await person.done();
});

test("the page forgets the key on reload, rejects an invalid key, and accepts a pasted one", async () => {
  const person = await it.member();
  const made = await person.member.call("POST", "/api/brands", { name: "Hooli", integrationType: "sdk" });
  await person.page.goto(`/brands/${String(made.body.uuid)}/sandbox/start`);
  await person.at("start");
  // A command without a key is not copied. Its button leads to the field of the key, which it opens.
  await person.button("Add your key first Paste this in a terminal").click();
  assert.equal(await person.page.evaluate("document.activeElement?.id"), "api-key");
  await person.box("API key").fill("sk_production_'; rm -rf ~");
  await person.page.getByText("That is not a key of the sandbox").waitFor();
  await person.at("start");
  await person.box("API key").fill(String(made.body.apiKey));
  await person.page.getByText(String(made.body.apiKey)).first().waitFor();
  await person.page.getByRole("heading", { name: "Make your first call" }).click();
  const { statuses, out } = await paste(await block(person, "Paste this call in a terminal"));
  assert.deepEqual(statuses, [201]);
  assert.match(out, /sessionKey/);
  await person.page.reload();
  await person.at("start");
  assert.equal(await person.page.getByText(String(made.body.apiKey)).count(), 0);
  assert.deepEqual(await person.page.evaluate("[localStorage.length, sessionStorage.length]"), [0, 0]);
  await openKey(person);
  await person.button("Create a key").click();
  await person.page.getByRole("figure", { name: "Key", exact: true }).waitFor();
  await person.done();
});

test("a call that failed, or that another page made, is not shown as this page's call", async () => {
  const person = await it.member();
  const { call } = person.member;
  const { uuid, apiKey } = (await call("POST", "/api/brands", { name: "Aviato", integrationType: "api" })).body;
  const headers = { authorization: String(apiKey) };
  const ask = (url: string, payload: object) => it.inject({ method: "POST", url, headers, payload });
  assert.equal((await ask("/v2/1-click", { phone: "nobody's" })).status, 400);
  assert.equal((await ask("/v2/1-click/verifications", { channel: "sms", phone: "+12125550010" })).status, 201);
  const log = () => call("POST", `/api/brands/${uuid}/sandbox/log`, { filter: {} });
  await eventually(async () => (Object(await log()).body.data.length === 2 ? true : undefined));
  const looked = person.page.waitForResponse(/\/log$/);
  await person.page.goto(`/brands/${uuid}/sandbox/start`);
  await looked;
  await person.page.getByText("Waiting for your first call…").waitFor();
  assert.equal((await ask("/v2/1-click", { phone: "nobody's" })).status, 400);
  await person.page.getByText(/^Your call was refused: POST \/v2\/1-click, 400, OCE002, \d+ ms\./).waitFor();
  assert.equal((await ask("/v2/1-click", { phone: "+12125550010" })).status, 201);
  await person.page.getByText(/^Your call arrived: POST \/v2\/1-click, 201, \d+ ms\./).waitFor();
  await person.done();
});

test("a step with a page is done when a person has shared", async () => {
  const person = await it.member({ on: "tablet" });
  const made = (await person.member.call("POST", "/api/brands", { name: "Nip Alert", integrationType: "hosted" })).body;
  const { page } = person;
  const step = stepsOf(person);
  await page.goto(`/brands/${made.uuid}/sandbox/start`);
  await step("Make your first call", "Next").waitFor();
  const settings = { redirectUrl: "http://localhost/back" };
  const base = `/api/brands/${made.uuid}/sandbox`;
  assert.equal((await person.member.call("PATCH", `${base}/settings`, { version: 1, patch: settings })).status, 200);
  await it.as(String(made.apiKey)).beginOneClick({ body: { phone: "+12125550010" } });
  await page.getByText("Waiting for a person to share…").waitFor();
  // The brand has a key, which the page does not know: the step is folded, and its field is not shown.
  await page.getByText("This brand has a key. Open this step to put it into the commands below.").waitFor();
  assert.equal(await person.box("API key").isVisible(), false);
  await person.at("start");
  await person.picture("start-hosted");
  await it.store.db
    .updateTable("one_click")
    .set({ state: "released", answered_at: it.deps.clock.now() })
    .where("brand_uuid", "=", String(made.uuid))
    .execute();
  await step("Share a test person’s data", "Done").waitFor();
  await page.getByText("A person shared their data in the sandbox.").waitFor();
  await step("Add it to your code", "Next").waitFor();
  await person.done();
});

test("a new brand of the SDK starts with its own page, open and ready to copy", async () => {
  const person = await it.member({ on: "phone" });
  const made = (await person.member.call("POST", "/api/brands", { name: "Bream-Hall", integrationType: "sdk" })).body;
  await person.page.goto(`/brands/${made.uuid}/sandbox/start`);
  await person.at("start");
  const step = stepsOf(person);
  await openKey(person);
  await person.box("API key").fill(String(made.apiKey));
  await step("Try it on your own page", "Next").waitFor();
  await step("Make your first call", "Later").waitFor();
  const title = "Paste this in a terminal";
  assert.match(await block(person, title), /own-page\.mjs/);
  const lines = person.page.getByRole("figure", { name: title }).locator("pre");
  const height = async () => Number((await lines.boundingBox())?.height);
  const cut = await height();
  // Whole lines, so that none is cut in half: the text has no room below it, and is as high as a number of lines.
  const part = await lines.evaluate((pre) => {
    const { lineHeight, paddingTop } = getComputedStyle(pre);
    return (pre.clientHeight - Number.parseFloat(paddingTop)) / Number.parseFloat(lineHeight);
  });
  assert.ok(Math.abs(part - Math.round(part)) < 0.05, String(part));
  await person.button(/^Show all \d+ lines /).click();
  assert.ok((await height()) > cut);
  await person.button(/^Show fewer lines /).click();
  await person.at("start");
  await person.picture("start-sdk-phone");
  await person.done();
});

test("copies the key by keyboard, and does not show another account's brand", async () => {
  const person = await it.member();
  const [first, second] = demoBrands;
  assert.ok(first && second);
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.page.goto(`/brands/${first.uuid}/sandbox/start`);
  await person.at("start");
  await openKey(person);
  await person.button("Copy Key").focus();
  await person.page.keyboard.press("Enter");
  await person.button("Copied. Key").waitFor();
  assert.equal(await person.page.evaluate("navigator.clipboard.readText()"), first.apiKey);
  await person.page.goto(`/brands/${second.uuid}/sandbox/start`);
  await person.at("missing");
  await person.done();
});

test("on a phone, a finger hits each copy button, and a whole block opens its brand", async () => {
  const person = await it.member({ on: "phone" });
  const { page } = person;
  await page.goto("/brands");
  await person.at("brands");
  const block = page.locator(".brand-cards > li", { hasText: "Demo SDK" });
  const { height } = (await block.boundingBox()) ?? { height: 0 };
  await block.click({ position: { x: 300, y: height - 4 } });
  await person.at("overview");
  await page.goto(page.url().replace(/overview$/, "start"));
  await person.at("start");
  const buttons = await page.locator(".path .copy-value .button").all();
  const boxes = await Promise.all(buttons.map((button) => button.boundingBox()));
  assert.equal(boxes.length, 2);
  for (const box of boxes) assert.ok(box !== null && box.width >= 44 && box.height >= 44, JSON.stringify(box));
  await person.done();
});
