/** A new developer follows the start page from the first link to a verified phone. */
import assert from "node:assert/strict";
import test from "node:test";
import type { IntegrationType } from "@countersign/contract/brand";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { paste } from "../../../../service/src/test/harness/run-shell.ts";
import { portOf } from "../harness/browser.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();
await it.app.listen({ host: "127.0.0.1", port: 0 });
it.deps.addresses.apiUrl = `http://localhost:${portOf(it.app)}`;

const block = (person: Visitor, title: string) =>
  person.page.getByRole("figure", { name: title, exact: true }).locator("pre").innerText();

test("the commands contain the new brand's key, and four pasted calls verify a test phone", async () => {
  const person = await it.member();
  const { page } = person;
  await page.goto("/brands/new");
  await person.at("newBrand");
  await person.box("Name").fill("Pied Piper");
  await page.getByRole("radio", { name: /^API/ }).check();
  await person.button("Create brand").click();
  await person.button("I've saved it").click();
  await person.at("start");
  await person.picture("start-new");
  assert.match(await block(person, "Key"), /^sk_sandbox_(?!demo)/);
  await page.getByText("Waiting for your first call…").waitFor();
  const identity = await paste(await block(person, "Paste this into a terminal"));
  assert.deepEqual(identity.statuses, [201]);
  assert.match(identity.out, /Hendricks/);
  await page.getByText(/^Your call arrived: POST \/v2\/1-click, 201, \d+ ms\./).waitFor();
  await person.at("start");
  await person.picture("start-arrived");
  const proof = await paste(await block(person, "Four calls, one paste"));
  assert.match(proof.out, /"verified":true/);
  assert.match(proof.out, /Hendricks/);
  await person.done();
});

test("the page forgets the key on reload, rejects an invalid key, and accepts a pasted one", async () => {
  const person = await it.member();
  const made = await person.member.call("POST", "/api/brands", { name: "Hooli", integrationType: "sdk" });
  await person.page.goto(`/brands/${String(made.body.uuid)}/sandbox/start`);
  await person.at("start");
  await person.box("API key").fill("sk_production_'; rm -rf ~");
  await person.page.getByText("That is not a key of the sandbox").waitFor();
  await person.at("start");
  await person.box("API key").fill(String(made.body.apiKey));
  await person.page.getByText(String(made.body.apiKey)).first().waitFor();
  const { statuses, out } = await paste(await block(person, "Paste this into a terminal"));
  assert.deepEqual(statuses, [201]);
  assert.match(out, /sessionKey/);
  await person.page.reload();
  await person.at("start");
  assert.equal(await person.page.getByText(String(made.body.apiKey)).count(), 0);
  assert.deepEqual(await person.page.evaluate("[localStorage.length, sessionStorage.length]"), [0, 0]);
  await person.button("Create a key").click();
  await person.page.getByRole("figure", { name: "Key", exact: true }).waitFor();
  await person.done();
});

test("the first call of each integration type works as pasted", async () => {
  const person = await it.member();
  const types: IntegrationType[] = ["api", "sdk", "hosted", "semiHosted", "nonHosted", "v1"];
  for (const type of types) {
    const demo = demoBrands.find(({ integrationType }) => integrationType === type);
    assert.ok(demo);
    await person.page.goto(`/brands/${demo.uuid}/sandbox/start`);
    await person.at("start");
    await person.page.getByText("This is a demo brand").waitFor();
    const { statuses, out } = await paste(await block(person, "Paste this into a terminal"));
    assert.deepEqual(statuses, [201], `${type}: ${out}`);
    assert.equal(await person.page.locator("details.guide[open] .tag").count(), 1, type);
  }
  await person.done();
});

test("copies the key by keyboard, and does not show another account's brand", async () => {
  const person = await it.member();
  const [first, second] = demoBrands;
  assert.ok(first && second);
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await person.page.goto(`/brands/${first.uuid}/sandbox/start`);
  await person.at("start");
  await person.button("Copy Key").focus();
  await person.page.keyboard.press("Enter");
  await person.button("Copied. Key").waitFor();
  assert.equal(await person.page.evaluate("navigator.clipboard.readText()"), first.apiKey);
  await person.page.goto(`/brands/${second.uuid}/sandbox/start`);
  await person.at("missing");
  await person.done();
});
