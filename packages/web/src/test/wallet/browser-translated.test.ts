/** Screens that the browser translates: it takes each text out of the page, and puts `font` elements in its place. */
import assert from "node:assert/strict";
import test from "node:test";
import { eventually } from "../../../../service/src/test/harness/eventually.ts";
import { browserSandbox } from "../harness/browser.ts";
import { brandSite, frameOf, visitor } from "../harness/sdk-frame.ts";

const it = await browserSandbox();
const site = await brandSite(it);
const brand = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });

/**
 * Does what a translator does. `apart`: it first adds the translation and then removes the text, as some do. The
 * translation of a text is the text in guillemets.
 */
const translator = (apart: boolean) => `{
  const skip = "font,script,style,title,[translate=no]";
  const one = (text) => {
    const place = text.parentElement;
    if (place === null || text.data.trim() === "" || place.closest(skip)) return;
    const outer = document.createElement("font");
    outer.appendChild(document.createElement("font")).textContent = "«" + text.data.trim() + "»";
    if (${apart}) { place.insertBefore(outer, text); text.remove(); } else text.replaceWith(outer);
  };
  const all = (node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    found.forEach(one);
  };
  all(document.body);
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === "characterData") one(target);
      for (const node of addedNodes) node.nodeType === 3 ? one(node) : node.localName !== "font" && all(node);
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}`;

/** The frame at its screen for the code, with the texts of a translator. */
async function translated(apart: boolean) {
  const person = await visitor(it, site);
  await person.page.clock.install();
  await person.begin((await brand.api.createSession({})).body.sessionKey);
  await person.at("phone");
  await person.phone("2125550010");
  await person.at("verificationCode");
  const frame = frameOf(person.page);
  await frame.evaluate(translator(apart));
  return { ...person, text: (selector: string) => frame.locator(selector).first().innerText() };
}

for (const apart of [false, true])
  test(`a translated screen follows what changes, if the translator ${apart ? "adds and removes" : "replaces"}`, async () => {
    const { text, inside, page, done } = await translated(apart);
    assert.match(await text("h1"), /^«.+»$/);
    assert.match(await text(".help"), /«Resend code in»/);
    const resend = inside.locator("button", { hasText: "Resend" });
    await page.clock.runFor(32_000);
    await eventually(async () => ((await resend.innerText()).trim() === "«Resend code»" ? true : undefined));
    await inside.locator("button", { hasText: "Español" }).click();
    await eventually(async () => (/c[oó]digo/i.test(await text("h1")) ? true : undefined));
    assert.doesNotMatch(await text("body"), /Resend|Enter the code/);
    await done();
  });

test("a text that goes leaves no translation behind", async () => {
  const { text, inside, done } = await translated(false);
  await inside.locator("#code").fill("000000");
  await inside.locator("#code-error").waitFor();
  assert.match(await text("#code-error"), /^«.+»/);
  await inside.locator("#code").fill("1");
  await inside.locator("#code-error").waitFor({ state: "detached" });
  assert.doesNotMatch(await text("main"), /isn’t right|wrong/i);
  await done();
});

test("the record of a consent says that the browser showed a translation of it", async () => {
  const { inside, result, done } = await translated(false);
  await inside.locator("#code").fill("111111");
  await inside.locator("main[data-step=review]").waitFor();
  await inside.getByRole("button", { name: /^«Share/ }).click();
  await result();
  const { language, words } = await it.store.db
    .selectFrom("consent")
    .select(["language", "words"])
    .where("action", "=", "share")
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  assert.equal(language, "und-t-en");
  assert.match(String(words), /share/i);
  await done();
});
