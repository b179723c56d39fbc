// rest: builds the documentation site twice
/** The documentation site in a browser, as the service serves it. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import { builtSite } from "../../../../service/src/test/harness/built-site.ts";
import { assertAccessible, browserSandbox, type Person, type Viewport } from "../harness/browser.ts";

await builtSite();
const it = await browserSandbox();
const { apiUrl } = it.deps.addresses;
const screens = process.env.SCREENS;
if (screens !== undefined) mkdirSync(screens, { recursive: true });

const looks: { on: Viewport; colorScheme: "light" | "dark" }[] = [
  { on: "phone", colorScheme: "light" },
  { on: "phone", colorScheme: "dark" },
  { on: "desktop", colorScheme: "light" },
  { on: "desktop", colorScheme: "dark" },
];
const pages = [
  "",
  "how/flows",
  "guides/verify",
  "operate/install",
  "reference/errors",
  "reference/settings",
  "contribute/architecture",
];

async function open({ page }: Person, path: string): Promise<void> {
  await page.goto(`${apiUrl}/docs/${path}`, { waitUntil: "networkidle" });
}
const visitor = (options: Parameters<typeof it.person>[0] = {}) =>
  it.person({ ...options, alsoAsks: [new URL(apiUrl).host] });

/** Scalar's library for schemas asks whether it may use `eval`, and does without it. */
const faultsOf = ({ faults }: Person) => faults.filter((fault) => fault !== "policy: script-src eval");

for (const { on, colorScheme } of looks)
  test(`${on}, ${colorScheme}: pages are accessible, and load nothing from other hosts`, async () => {
    const person = await visitor({ on, colorScheme });
    for (const path of pages) {
      await open(person, path);
      await assertAccessible(person.page);
      const name = `${screens}/${path === "" ? "home" : path.replace("/", "-")}-${on}-${colorScheme}.png`;
      if (screens !== undefined) await person.page.screenshot({ path: name });
    }
    await person.done();
  });

for (const { on, colorScheme } of looks)
  test(`${on}, ${colorScheme}: the API reference is accessible, and loads nothing from other hosts`, async () => {
    const person = await visitor({ on, colorScheme });
    await open(person, "reference/api");
    await person.page.getByRole("heading", { name: "Countersign API v2" }).waitFor();
    if (screens !== undefined) await person.page.screenshot({ path: `${screens}/api-${on}-${colorScheme}.png` });
    await assertAccessible(person.page);
    assert.deepEqual(faultsOf(person), []);
  });

test("a reader finds a page by searching for an error code", async () => {
  const person = await visitor({ on: "desktop" });
  await open(person, "");
  await person.page.getByRole("button", { name: "Search" }).first().click();
  await person.page.locator("#localsearch-input").fill("OCE011");
  await person.page.locator('.results a.result[href$="#oce011"]').click();
  await person.page.waitForURL(/\/docs\/reference\/errors#oce011$/);
  await person.done();
});

test("a reader runs a block and sees its answer, and three questions lead to a guide", async () => {
  const person = await visitor({ on: "phone" });
  await open(person, "start/");
  await person.page.getByRole("button", { name: "Run this block in the sandbox" }).first().click();
  const answer = person.page.locator(".answer").first();
  await answer.getByText("201 Created").waitFor();
  await answer.getByText('"firstName": "Richard"').waitFor();
  await open(person, "");
  await person.page.getByText("On your own screens").click();
  await person.page.getByText("You do it already").click();
  await person.page.getByText("API, with your own codes").waitFor();
  await open(person, "no-such-page");
  await person.page.getByRole("heading", { name: "This page does not exist" }).waitFor();
  await person.done();
});

test("the reference has the id that the address names in its path", async () => {
  const person = await visitor({ on: "desktop" });
  const subject = "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21";
  await open(person, `reference/api?subject=${subject}#tag/1-click-verify/GET/v2/1-click/verifications/{uuid}`);
  const { page } = person;
  await page
    .getByRole("button", { name: /Test Request.*verifications\/\{uuid\}\)/ })
    .last()
    .click();
  const asked = page.waitForRequest((request) => request.url().includes("/docs/try/"));
  await page.getByRole("button", { name: /^Send/ }).first().click();
  assert.ok((await asked).url().endsWith(`/verifications/${subject}`));
});

test("a call that a reader tries in the API reference gets a real answer from the sandbox", async () => {
  const person = await visitor({ on: "desktop" });
  await open(person, "reference/api#tag/1-click-signup/POST/v2/1-click");
  const { page } = person;
  await page
    .getByRole("button", { name: /Test Request/ })
    .first()
    .click();
  if (screens !== undefined) await page.screenshot({ path: `${screens}/try.png` });
  const answered = page.waitForResponse((response) => response.url().includes("/docs/try/v2/1-click"));
  await page.getByRole("button", { name: /^Send/ }).first().click();
  const answer = await answered;
  assert.equal(answer.status(), 201);
  assert.match(await answer.text(), /"1989-08-01"/);
  if (screens !== undefined) await page.screenshot({ path: `${screens}/tried.png` });
  assert.deepEqual(faultsOf(person), []);
});
