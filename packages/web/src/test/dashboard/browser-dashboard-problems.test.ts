/** What a member sees after saving invalid values: sentences, next to their fields, all at once. */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();
const demo = `/brands/${demoBrands[0]?.uuid}/sandbox`;
const focused = ({ page }: Visitor) => page.evaluate("document.activeElement?.id");
const described = ({ page }: Visitor, id: string) =>
  page.locator(`[id="${id}"]`).evaluate((field) =>
    (field.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((one) => document.getElementById(one)?.textContent)
      .join(" "),
  );

test("the error for a brand without a name is at the field, which takes the focus", async () => {
  const person = await it.member();
  await person.page.goto("/brands/new");
  await person.at("newBrand");
  await person.button("Create brand").click();
  await person.page.getByText("Fix the field that is marked.").waitFor();
  assert.match(await described(person, "name"), /^Enter a name\./);
  assert.equal(await focused(person), "name");
  assert.equal(await person.page.getByRole("alert").getByText("Enter a name").count(), 0);
  await person.at("newBrand");
  await person.picture("problem-name");
  await person.done();
});

test("a key with two problems shows both, each at its field, and the first field takes the focus", async () => {
  const person = await it.member({ on: "phone" });
  await person.page.goto(`${demo}/keys`);
  await person.at("keys");
  await person.button("Create a key").click();
  await person.page.getByLabel("Allowed IP addresses").fill("10.0.0.1\nhome\n10.0.0.0/99");
  await person.button("Create key").click();
  await person.page.getByText(/^Fix (\d fields|the field)/).waitFor();
  assert.match(await described(person, "key-name"), /^Enter a name\./);
  assert.equal(await focused(person), "key-name");
  await person.box("Name").fill("CI");
  await person.button("Create key").click();
  await person.page.locator('[id="key-name"]:not([aria-invalid])').waitFor();
  assert.match(await described(person, "key-ranges"), /^Use an IP address.* \(line 2, line 3\)/);
  assert.equal(await focused(person), "key-ranges");
  await person.at("keys");
  await person.picture("problem-key");
  await person.done();
});

test("settings show every problem at its field", async () => {
  const person = await it.member();
  await person.page.goto(`${demo}/settings/redirects`);
  await person.at("settings");
  await person
    .box("Allowed origins (one per line)")
    .fill("https://shop.example/\nhttps://ok.example\nhttps://a.example/path");
  await person.button("Save changes").click();
  await person.page.getByText("Fix the field that is marked.").waitFor();
  assert.match(await described(person, "allowedOrigins"), /^Use an origin.* \(line 1, line 3\)/);
  assert.equal(await focused(person), "allowedOrigins");
  await person.at("settings");
  await person.picture("problem-settings");
  await person.done();
});

test("a page that did not load is loaded again by its button, and one that is missing has none", async () => {
  const person = await it.member();
  const { page } = person;
  await page.route(/\/overview$/, (route) =>
    route.request().resourceType() === "fetch" ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  );
  await page.goto(`${demo}/overview`);
  await page.getByText("The service is temporarily unavailable.").waitFor();
  await page.unroute(/\/overview$/);
  await person.button("Try again").click();
  await page.locator(".overview").waitFor();
  await page.goto(`${demo}/journeys/5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21`);
  await page.getByText("There is nothing here.").waitFor();
  assert.equal(await person.button("Try again").count(), 0);
  await person.done();
});
