/** The bar with the decision stays at the bottom of a long review and never hides what the keyboard reaches. */
import assert from "node:assert/strict";
import test from "node:test";
import { begin, browserSandbox, type Person, picture } from "../harness/browser.ts";
import { several } from "../harness/wallet-tour.ts";

const it = await browserSandbox();
const long = "Bachmanity Insurance & Pied Piper Credit Union of Northern California";
const brand = await it.brand({
  integrationType: "hosted",
  externalName: long,
  redirectUrl: `${it.walletUrl}/demo/landing`,
});
const lastStop = "Español";

async function reviewed({ page, enter, at }: Person, more: object[] = []): Promise<void> {
  const credentialRequests = [...several(), ...more];
  const begun = await begin(it, "+12125550010", { apiKey: brand.apiKey, body: { credentialRequests } });
  await page.goto(begun.url);
  await enter(begun.code);
  await at("review");
}

type Box = { top: number; bottom: number; isInBar: boolean; name: string };
const focusScript = `(() => {
  const at = document.activeElement;
  const { top, bottom } = at.getBoundingClientRect();
  return { top, bottom, isInBar: at.closest(".stuck, .dock") !== null, name: at.textContent.trim() };
})()`;
const barTop = 'document.querySelector(".over").getBoundingClientRect().top';

for (const height of [600, 844])
  test(`in a window of 390 by ${height}, Share is on the screen, and the bar covers nothing in focus`, async () => {
    const person = await it.person({ viewport: { width: 390, height } });
    const { page } = person;
    await reviewed(person);
    const share = await page.locator(".button.main").boundingBox();
    assert.ok(share !== null && share.y + share.height <= height, "Share is below the screen");
    await picture(page, `pinned-${height}`);
    await person.button("Change (3 found) Address").click();
    await page.locator("input:focus").waitFor();
    for (const key of ["Tab", "Shift+Tab"]) {
      for (let name = ""; name !== (key === "Tab" ? lastStop : "Edit"); ) {
        await page.keyboard.press(key);
        const focus = (await page.evaluate(focusScript)) as Box;
        const edge = focus.isInBar ? height : Math.max(Number(await page.evaluate(barTop)), 0);
        const isBelow = focus.top >= edge;
        assert.ok(focus.top > -1 && (focus.bottom <= edge + 1 || isBelow), JSON.stringify({ key, focus, edge }));
        assert.ok(focus.bottom <= height, focus.name);
        name = focus.name;
      }
    }
    await person.done();
  });

for (const [width, height] of [
  [390, 844],
  [320, 568],
] as const)
  test(`in a window of ${width} by ${height}, Save and Cancel stay on the screen, and cover no field in focus`, async () => {
    const person = await it.person({ viewport: { width, height } });
    const { page } = person;
    await reviewed(person);
    await person.button("Edit").click();
    await page.getByRole("heading", { name: "Edit your details" }).waitFor();
    assert.ok(await page.evaluate("document.documentElement.scrollHeight > innerHeight"), "the form is short");
    const bar = async () => (await page.locator(".reachable").boundingBox()) ?? assert.fail("no bar");
    for (const name of ["Save", "Cancel"]) {
      const box = await person.button(name).boundingBox();
      assert.ok(box !== null && box.y + box.height <= height, `${name} is below the screen`);
    }
    for (const field of await page.locator("form :is(input, select)").all()) {
      await field.focus();
      const box = await field.boundingBox();
      assert.ok(box !== null && box.y + box.height <= (await bar()).y, "the bar covers a field");
    }
    await person.done();
  });

test("a fade above the bar shows that there are more details, and its button scrolls to them", async () => {
  const person = await it.person({ viewport: { width: 390, height: 880 } });
  const { page } = person;
  await reviewed(person, [{ type: "PhoneCredential" }, { type: "EmailCredential" }]);
  const below = page.locator(".below");
  const last = page.locator(".list > .row").last();
  const endOfLast = async () => {
    const box = await last.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  assert.ok((await endOfLast()) > Number(await page.evaluate(barTop)), "no detail is hidden");
  const place = await below.boundingBox();
  // It is in the middle, where it covers no control.
  assert.deepEqual([place?.x, place?.width, place?.height], [173, 44, 44]);
  assert.equal(await below.textContent(), "");
  await picture(page, "pinned-below");
  await below.click();
  await below.waitFor({ state: "detached" });
  assert.ok((await endOfLast()) <= Number(await page.evaluate(barTop)) + 8);
  await person.done();
});

test("in a window of 600 pixels only the buttons are pinned, and the text that they agree to is above them", async () => {
  const person = await it.person({ viewport: { width: 390, height: 600 }, reducedMotion: "reduce" });
  const { page } = person;
  await reviewed(person);
  const dock = await page.locator(".dock").boundingBox();
  assert.ok(dock !== null && dock.height <= 80 && Math.round(dock.y + dock.height) === 600, JSON.stringify(dock));
  const order = await page.evaluate(
    '[...document.querySelectorAll("#consent, .dock .button, #declining")].map((one) => one.id || one.textContent)',
  );
  assert.deepEqual(order, ["consent", "Keep reading", "Don’t share", "declining"]);
  const below = page.locator(".below");
  await below.waitFor();
  const rows = '[...document.querySelectorAll(".list > .row")]';
  await page.evaluate(`scrollBy(0, ${rows}.at(-1).getBoundingClientRect().bottom - ${barTop})`);
  await below.waitFor();
  await picture(page, "pinned-600-terms");
  await below.click();
  await below.waitFor({ state: "detached" });
  const [terms, share] = await Promise.all([
    page.locator("#consent").boundingBox(),
    person.button("Share").boundingBox(),
  ]);
  assert.ok((terms?.y ?? 0) + (terms?.height ?? 0) <= (share?.y ?? 0));
  await picture(page, "pinned-600-end");
  await person.done();
});

test("in a window of 600 pixels the button says that it shows the text that Share agrees to, and only then shares", async () => {
  const person = await it.person({ viewport: { width: 390, height: 600 }, reducedMotion: "reduce" });
  const { page, button } = person;
  await reviewed(person);
  const isTextVisible = `document.querySelector("#consent").getBoundingClientRect().bottom <= ${barTop}`;
  assert.equal(await page.evaluate(isTextVisible), false);
  await button("Keep reading").click();
  await page.locator(".below").waitFor({ state: "detached" });
  // Screen readers read the text.
  assert.equal(await page.evaluate("document.activeElement.id"), "consent");
  assert.equal(await page.evaluate(isTextVisible), true);
  await person.at("review");
  await button("Share").click();
  await person.at("done");
  await person.done();
});

test("a short window shows the decision below the details instead of over them", async () => {
  const person = await it.person({ viewport: { width: 640, height: 360 } });
  await reviewed(person);
  const bar = 'getComputedStyle(document.querySelector(".pinned")).position';
  assert.equal(await person.page.evaluate(bar), "relative");
  await person.done();
});

test("a problem with the decision appears above the bar and does not move the page", async () => {
  const person = await it.person();
  await reviewed(person);
  const before = await person.button("Share").boundingBox();
  await person.context.setOffline(true);
  await person.button("Share").click();
  const problem = await person.page.getByText("No connection.").boundingBox();
  assert.deepEqual(await person.button("Share").boundingBox(), before);
  assert.ok(problem !== null && before !== null && problem.y > 0 && problem.y < before.y);
  const below = await person.page.locator(".below").boundingBox();
  assert.ok(below !== null && below.y + below.height <= problem.y + 1, "the fade is not above the problem");
  await person.done();
});

for (const [width, above] of [
  [390, ".list"],
  // Only the buttons are pinned, so the text that they agree to is above the problem.
  [320, "#consent"],
] as const)
  test(`at the end of a page of ${width} pixels, a long problem covers nothing, and Share does not move`, async () => {
    const person = await it.person({ viewport: { width, height: 844 }, isMobile: false, locale: "es" });
    const { page, button } = person;
    const begun = await begin(it, "+12125550010");
    await page.goto(begun.url);
    await person.box("Código de verificación").fill(begun.code);
    await person.at("review");
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const before = await button("Compartir").boundingBox();
    await page.route("**/api/page/decision", (route) => route.fulfill({ status: 500, body: "{}" }));
    await button("Compartir").click();
    await page.locator(".problem").waitFor();
    await picture(page, `pinned-${width}-long-problem`);
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    const [last, problem] = await Promise.all([
      page.locator(above).boundingBox(),
      page.locator(".problem").boundingBox(),
    ]);
    const gap = (problem?.y ?? 0) - (last?.y ?? 0) - (last?.height ?? 0);
    assert.ok(gap >= 12 && gap <= 40, `the gap is ${gap}`);
    assert.deepEqual(await button("Compartir").boundingBox(), before);
    await person.done();
  });

test("at 320 pixels in Spanish, a problem leaves more than half of the window to the details", async () => {
  const height = 568;
  const person = await it.person({
    viewport: { width: 320, height },
    isMobile: false,
    locale: "es",
    reducedMotion: "reduce",
  });
  const { page, box, button } = person;
  const begun = await begin(it, "+12125550010");
  await page.goto(begun.url);
  await box("Código de verificación").fill(begun.code);
  await person.at("review");
  await person.context.setOffline(true);
  await button("Seguir leyendo").click();
  await button("Compartir").click();
  const problem = await page.getByText("Sin conexión. Sus datos no se compartieron. Intente de nuevo.").boundingBox();
  assert.ok(problem !== null && problem.y > height / 2, JSON.stringify(problem));
  await picture(page, "pinned-320-offline");
  await person.done();
});
