// rest: a tour with pictures of the wallet in every look
import assert from "node:assert/strict";
import test from "node:test";
import { begin, browserSandbox, type Person, picture, type Viewport } from "../harness/browser.ts";
import { brandOf, type Look, tourOfEnds, tourOfFlow } from "../harness/wallet-tour.ts";

const it = await browserSandbox();
const looks = ["demo", "night", "pale"] as const;
const brands = new Map<Look, string>();
test.before(async () => {
  for (const look of looks) brands.set(look, await brandOf(it, look));
});
const keyOf = (look: Look) => brands.get(look) ?? assert.fail(look);

const isPictured = process.env.SCREENS !== undefined;

/**
 * Colors do not depend on the width, so each look runs on one viewport per color scheme. Runs with screenshots use
 * both.
 */
const viewportsOf = (look: Look, colorScheme: "light" | "dark"): Viewport[] => {
  if (isPictured) return ["phone", "desktop"];
  return [(look === "night") === (colorScheme === "dark") ? "phone" : "desktop"];
};

for (const look of looks)
  for (const colorScheme of ["light", "dark"] as const)
    for (const on of viewportsOf(look, colorScheme))
      test(`every screen is accessible in the look "${look}", ${colorScheme}, on a ${on}`, async () => {
        const person = await it.person({ on, colorScheme, reducedMotion: "reduce" });
        let seen = 0;
        const see = (name: string) => {
          seen += 1;
          const place = String(seen).padStart(2, "0");
          return picture(person.page, `${look}-${colorScheme}-${on}-${place}-${name.replace(/\W+/g, "-")}`);
        };
        const tour = { it, person, apiKey: keyOf(look), see };
        await tourOfFlow(tour);
        await see("landing");
        // The end screens use the same parts, so one look in both color schemes covers the others.
        if (isPictured || look === "night") await tourOfEnds(tour);
        await person.done();
        await it.advance(31 * 60_000);
      });

/** Where the note and the screen's parts are, with the note and without it. */
const noteOnScreen = `(() => {
  const box = (one) => { const { top, bottom, height } = one.getBoundingClientRect(); return [top, bottom, height].map(Math.round); };
  const note = document.querySelector(".test-note");
  const { position, visibility, opacity, backgroundColor, color } = getComputedStyle(note);
  const look = { position, visibility, opacity, backgroundColor, color };
  const parts = () => [...document.querySelectorAll("header, h1, h2, p, button, .button, input")]
    .filter((one) => one.checkVisibility() && !note.contains(one)).map(box);
  const shown = { look, text: note.innerText, note: box(note), parts: parts(), page: document.documentElement.scrollHeight };
  note.remove();
  const without = { parts: parts(), page: document.documentElement.scrollHeight };
  document.body.prepend(note);
  return { ...shown, without };
})()`;
type NoteOnScreen = {
  look: Record<string, string>;
  text: string;
  note: number[];
  parts: number[][];
  page: number;
  without: { parts: number[][]; page: number };
};

for (const look of looks)
  test(`every screen in the look "${look}" says that it is a test, moves nothing, and covers nothing on a small phone`, async () => {
    const size = { viewport: { width: 320, height: 568 }, isMobile: false };
    const person = await it.person({ ...size, reducedMotion: "reduce" });
    let seen = 0;
    const see = async (name: string) => {
      seen += 1;
      await picture(person.page, `test-note-${look}-${String(seen).padStart(2, "0")}-${name.replace(/\W+/g, "-")}`);
      await person.page.evaluate("window.scrollTo(0, 0)");
      const found = (await person.page.evaluate(noteOnScreen)) as NoteOnScreen;
      const { position, visibility, opacity, backgroundColor, color } = found.look;
      assert.deepEqual(
        [found.text, position, visibility, opacity, backgroundColor, color],
        ["Test environment: don’t enter real data", "fixed", "visible", "1", "rgb(255, 214, 10)", "rgb(26, 26, 26)"],
      );
      const [top, bottom = 0, height = 0] = found.note;
      assert.ok(top === 0 && height >= 16, `${name}: ${found.note}`);
      assert.deepEqual({ parts: found.parts, page: found.page }, found.without, name);
      for (const [partTop = 0, , partHeight = 0] of found.parts)
        assert.ok(partHeight === 0 || partTop >= bottom, `${name}: a part at ${partTop} is below the note`);
      // A review must have been seen to its end before it can be shared.
      await person.page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    };
    await tourOfFlow({ it, person, apiKey: keyOf(look), see });
    assert.ok(seen > 3);
    await person.done();
    await it.advance(31 * 60_000);
  });

test("the language follows the browser, can be switched on the page, and stays switched", async () => {
  const begun = await begin(it, "+12125550022");
  const person = await it.person({ locale: "es-MX" });
  await person.page.goto(begun.url);
  assert.equal(await person.at("verificationCode"), "Ingrese su código");
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
  await person.page.getByText("1 de agosto de 1989", { exact: true }).waitFor();
  await person.done();
});

/** Returns a computed style of the first element that a selector matches. */
const styleOf = (person: Person, selector: string, name: string) =>
  person.page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${name}`);

test("forced colors keep every border and the focus ring", async () => {
  const person = await it.person({ forcedColors: "active" });
  const begun = await begin(it, "+12125550010");
  await person.page.goto(begun.url);
  await person.at("verificationCode");
  await picture(person.page, "forced-01-code");
  assert.match(String(await styleOf(person, ".cell", "borderTop")), /^[12]px solid/);
  assert.equal(await person.page.locator(".between").textContent(), "-");
  assert.match(String(await styleOf(person, ".next", "outline")), /2px/);
  await person.enter(begun.code);
  await person.at("review");
  await picture(person.page, "forced-02-review");
  for (const edge of [".list", ".button.main"])
    assert.match(String(await styleOf(person, edge, "border")), /^[12]px solid/, edge);
  await person.done();
});

for (const reducedMotion of ["reduce", "no-preference"] as const)
  test(`with motion "${reducedMotion}" the success mark ${reducedMotion === "reduce" ? "is static" : "is animated"}`, async () => {
    const person = await it.person({ reducedMotion });
    const begun = await begin(it, "+12125550010");
    await person.page.goto(begun.url);
    await person.enter(begun.code);
    await person.at("review");
    await person.button("Share").click();
    await person.at("done");
    const animationOf = (selector: string) => styleOf(person, selector, "animationName");
    const isStill = reducedMotion === "reduce";
    assert.equal(await animationOf(".mark .sign"), isStill ? "none" : "draw");
    assert.equal(await animationOf("main"), isStill ? "none" : "come");
    await person.done();
  });

test("links below buttons are left-aligned if the brand's texts are", async () => {
  const person = await it.person();
  const { page, button } = person;
  const begun = await begin(it, "+12125550010", { apiKey: keyOf("night") });
  const assertLeft = async () => {
    const [heading, link] = await Promise.all([page.locator("h1").boundingBox(), page.locator(".link").boundingBox()]);
    assert.equal(link?.x, heading?.x);
  };
  await page.goto(begun.url);
  await person.at("verificationCode");
  await assertLeft();
  await person.enter(begun.code);
  await button("Don’t share").click();
  await person.at("done");
  await assertLeft();
  await person.done();
});

test("a brand's long name is not in buttons, or in the title of a decision or an end", async () => {
  const person = await it.person();
  const { page, button } = person;
  const apiKey = keyOf("pale");
  const buttons = async () => (await page.locator(".button").allInnerTexts()).map((text) => text.trim());
  const begun = await begin(it, "+12125550010", { apiKey });
  await page.goto(begun.url);
  await person.enter(begun.code);
  assert.equal(await person.at("review"), "Share these details?");
  await button("Don’t share").click();
  assert.equal(await person.at("done"), "Your details weren’t shared");
  assert.deepEqual(await buttons(), ["Continue"]);
  const failed = await begin(it, "+14045551300", { apiKey });
  await page.goto(failed.url);
  await person.enter(failed.code);
  await button("Continue without it").click();
  assert.equal(await person.at("error"), "We couldn’t find your details");
  assert.deepEqual(await buttons(), ["Continue"]);
  await person.done();
});
