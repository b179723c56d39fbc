/** The wallet's preview beside the styling and the credential requests: real screens, masks, words and colors. */
import assert from "node:assert/strict";
import test from "node:test";
import { demoBrands } from "../../../../service/src/providers/sandbox/demo.ts";
import { browserDashboard, type Visitor } from "../harness/dashboard.ts";

const it = await browserDashboard();
const demo = demoBrands.find(({ integrationType }) => integrationType === "hosted")?.uuid ?? "";
const open = async (path: string, at: Parameters<typeof it.member>[0] = {}) => {
  const person = await it.member(at);
  await person.page.goto(`/brands/${demo}/sandbox/${path}`);
  await person.at(path);
  return { ...person, inside: person.page.frameLocator(".preview iframe") };
};
const look = (person: Visitor, name: string) =>
  person.page.locator(".preview").getByText(name, { exact: true }).click();
test("the styling's preview shows the wallet's screens with the edited word and color, in light and dark", async () => {
  const person = await open("styling");
  const { inside } = person;
  const screen = (step: string) => inside.locator(`main[data-step="${step}"]`).waitFor();
  await screen("review");
  await look(person, "Code");
  await screen("verificationCode");
  await inside.getByText("1-Click Signup").waitFor();
  await person.choice("1-Click word").selectOption("Apply");
  await inside.getByText("1-Click Apply").filter({ visible: true }).waitFor();
  await person.box("Primary color").fill("#7A1FA2");
  await inside.locator('link[href*="7A1FA2"]').waitFor({ state: "attached" });
  await person.picture("preview-code");
  await look(person, "Review");
  await screen("review");
  await inside.getByText("08/01/••••").waitFor();
  await inside.getByText("1-Click Apply").filter({ visible: true }).waitFor();
  await look(person, "Dark");
  await inside.locator('link[href*="dark"]').waitFor({ state: "attached" });
  await person.picture("preview-review-dark");
  await look(person, "End");
  await screen("done");
  await person.picture("preview-end");
  assert.equal(await person.page.evaluate("document.activeElement?.tagName"), "INPUT");
  await person.done();
});

test("the buttons of the previewed screen are in view without scrolling", async () => {
  for (const path of ["styling", "requests"]) {
    const person = await open(path);
    const box = await person.inside.locator(".button.main").boundingBox();
    assert.ok(box !== null && box.y + box.height <= 800, JSON.stringify(box));
    await person.done();
  }
});

test("the requests' preview follows each change, without a save, and shows what is missing", async () => {
  const person = await open("requests", { on: "phone", colorScheme: "dark" });
  await person.button("Preview").click();
  await person.inside.getByText("Richard").first().waitFor();
  await person.inside.getByText("•••-••-6789").first().waitFor();
  assert.equal(await person.page.locator(".preview").getByText("Missing", { exact: true }).count(), 0);
  await person.button("Close").click();
  await person.page.getByRole("group", { name: "Requirement of Full name" }).getByText("Required").click();
  await person.button("Preview").click();
  await look(person, "Missing");
  await person.inside.locator("main form, main .field").first().waitFor();
  await person.picture("preview-missing");
  await person.done();
});

test("a skeleton of the same size is shown until the preview is drawn", async () => {
  const person = await it.member({ on: "phone" });
  const { page } = person;
  const held = Promise.withResolvers<void>();
  await page.route("**/look/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`/brands/${demo}/sandbox/requests`);
  await person.button("Preview").click();
  await page.locator(".device.loading .skeleton").waitFor();
  const before = await page.locator(".device").boundingBox();
  await person.picture("preview-skeleton");
  held.resolve();
  await page.locator(".device:not(.loading)").waitFor();
  const after = await page.locator(".device").boundingBox();
  assert.deepEqual([after?.width, after?.height], [before?.width, before?.height]);
  assert.ok((after?.width ?? 0) <= 390);
  await person.picture("preview-drawn");
  await person.done();
});

test("a preview looks up only the test person, and another account's brand has none", async () => {
  const { member } = await it.member({ role: "viewer" });
  const requests = [{ type: "BirthDateCredential" }];
  const ask = (brand: string, body: object) => member.call("POST", `/api/brands/${brand}/sandbox/preview`, body);
  const { status, body } = await ask(demo, { requests });
  assert.deepEqual([status, Object(body).fields[0].choices[0].text], [200, "08/01/••••"]);
  const strange = demoBrands[1]?.uuid ?? "";
  assert.equal((await ask(strange, { requests })).status, 404);
  const wrong = await ask(demo, { requests: [...requests, ...requests] });
  assert.equal(wrong.status, 400);
  assert.doesNotMatch(JSON.stringify(body), /1989/);
});

test("only the dashboard may frame the preview, which is empty outside the dashboard", async () => {
  const { headers, statusCode } = await it.wallet.inject(`/look/${demo}`);
  assert.equal(statusCode, 200);
  assert.match(String(headers["content-security-policy"]), new RegExp(`frame-ancestors ${it.dashboardUrl};`));
  const unknown = await it.wallet.inject("/look/5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21");
  assert.equal(unknown.statusCode, 404);
});
