import assert from "node:assert/strict";
import test from "node:test";
import { begin, browserSandbox, picture, type Viewport } from "./browser.ts";
import { brandOf, type Look, several, tourOfEnds, tourOfWay } from "./browser-tour.ts";

const it = await browserSandbox();
const looks = ["demo", "night", "pale"] as const;
const brands = new Map<Look, string>();
test.before(async () => {
  for (const look of looks) brands.set(look, await brandOf(it, look));
});
const keyOf = (look: Look) => brands.get(look) ?? assert.fail(look);

/** Colours do not depend on the width: each look is held against axe on both, and pictured on each in light and dark. */
const viewportsOf = (look: Look, colorScheme: "light" | "dark"): Viewport[] => {
  if (process.env.SCREENS !== undefined) return ["phone", "desktop"];
  return [(look === "night") === (colorScheme === "dark") ? "phone" : "desktop"];
};

for (const look of looks)
  for (const colorScheme of ["light", "dark"] as const)
    for (const on of viewportsOf(look, colorScheme))
      test(`every screen can be read and reached in the look "${look}", ${colorScheme}, on a ${on}`, async () => {
        const person = await it.person({ on, colorScheme, reducedMotion: "reduce" });
        let seen = 0;
        const see = (name: string) => {
          seen += 1;
          const place = String(seen).padStart(2, "0");
          return picture(person.page, `${look}-${colorScheme}-${on}-${place}-${name.replace(/\W+/g, "-")}`);
        };
        const tour = { it, person, apiKey: keyOf(look), see };
        await tourOfWay(tour);
        await see("landing");
        await tourOfEnds(tour);
        await person.done();
        await it.advance(31 * 60_000);
      });

test("at 320 pixels, which is 1280 at 400 %, nothing runs off the side, in the longest language", async () => {
  const person = await it.person({ viewport: { width: 320, height: 256 }, isMobile: false, locale: "es" });
  const begun = await begin(it, "+12125550010", {
    apiKey: keyOf("pale"),
    body: { credentialRequests: several },
  });
  const fits = async () => {
    const width = await person.page.evaluate("document.documentElement.scrollWidth");
    assert.ok(Number(width) <= 320, `${String(width)} pixels wide at ${person.page.url()}`);
  };
  await person.page.goto(begun.url);
  await person.at("verificationCode");
  await fits();
  await picture(person.page, "narrow-01-code");
  await person.box("Código de verificación").fill(begun.code);
  await person.at("review");
  await fits();
  await picture(person.page, "narrow-02-review");
  await person.button("Editar").click();
  await person.at("review");
  await fits();
  await picture(person.page, "narrow-03-edit");
  await person.done();
});

test("the language follows the browser, can be switched on the page, and stays switched", async () => {
  const begun = await begin(it, "+12125550022");
  const person = await it.person({ locale: "es-MX" });
  await person.page.goto(begun.url);
  assert.equal(await person.at("verificationCode"), "Escriba su código");
  assert.equal(await person.page.locator("html").getAttribute("lang"), "es");
  const other = person.button("English");
  assert.equal(await other.getAttribute("lang"), "en");
  await other.click();
  assert.equal(await person.at("verificationCode"), "Enter your code");
  assert.equal(await person.page.locator("html").getAttribute("lang"), "en");
  await person.enter(begun.code);
  assert.equal(await person.at("birthday"), "When were you born?");
  await person.button("Español").click();
  await person.page.getByRole("textbox", { name: "Fecha de nacimiento" }).fill("1 de agosto de 1989");
  await person.page.getByText("Leemos: 1 de agosto de 1989").waitFor();
  await person.done();
});

test("forced colours keep every edge", async () => {
  const person = await it.person({ forcedColors: "active" });
  const begun = await begin(it, "+12125550010");
  await person.page.goto(begun.url);
  await person.at("verificationCode");
  await picture(person.page, "forced-01-code");
  const border = await person.button("Continue").evaluate((node) => `${node.tagName}`);
  assert.equal(border, "BUTTON");
  await person.enter(begun.code);
  await person.at("review");
  await picture(person.page, "forced-02-review");
  await person.done();
});
