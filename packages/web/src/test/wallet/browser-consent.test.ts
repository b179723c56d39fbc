/** The service records the same text that the screen shows when a person agrees. */
import assert from "node:assert/strict";
import test from "node:test";
import { consentTexts } from "@countersign/contract/consent";
import { textedCode } from "../../../../service/src/test/harness/account-page.ts";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { eventually } from "../../../../service/src/test/harness/eventually.ts";
import { holder } from "../../../../service/src/test/harness/holder.ts";
import { accountEn } from "../../wallet/account/account-words-en.ts";
import { accountEs } from "../../wallet/account/account-words-es.ts";
import { begin, browserSandbox, type Person } from "../harness/browser.ts";
import { brandSite, frameOf, visitor } from "../harness/sdk-frame.ts";
import { brandOf, languages } from "../harness/wallet-tour.ts";

const it = await browserSandbox();
const site = await brandSite(it);
// Markup and placeholders in a name must stay plain text.
const hosted = await brandOf(it, "demo", { externalName: "Pied <b>Piper</b> [x](terms) {brand}" });
const insured = await it.brand({ integrationType: "sdk", externalName: "Bachmanity", health: { enabled: true } });
const primary = "+12125550010";

type Screen = { evaluate(script: string): Promise<unknown> };
const ownPages = { en: accountEn, es: accountEs };

/** Returns the visible text of elements, without the text that only screen readers announce. */
const shownScript = (elements: string) => `[...document.querySelectorAll(${JSON.stringify(elements)})].map((one) => {
  const copy = one.cloneNode(true);
  for (const unseen of copy.querySelectorAll(".hidden")) unseen.remove();
  return copy.textContent.replace(/\\s+/g, " ").trim();
}).join(" ")`;

const recorded = async () =>
  await it.store.db.selectFrom("consent").select(["uuid", "action", "words", "language", "source"]).execute();

/**
 * Where the text is, from the main button, and how far in pixels. Null without either. A text about the number that the
 * person types may also be directly below the button; every other text is above the button that it is about.
 */
const placeScript = `(() => {
  const [text, button] = [".fine[data-consent]", ".button.main"].map((one) => document.querySelector(one)?.getBoundingClientRect());
  if (text === undefined || button === undefined) return null;
  const isAbove = text.bottom <= button.top;
  return { isAbove, distance: isAbove ? button.top - text.bottom : text.top - button.bottom, isShown: text.height > 0 };
})()`;
const belowMax = 16;
type Place = { isAbove: boolean; distance: number; isShown: boolean } | null;

/** Agrees on a screen, and compares the text of `elements` with the recorded consent. */
async function agrees(
  screen: Screen,
  { action, language, elements = "[data-consent]" }: { action: string; language: string; elements?: string },
  press: () => Promise<unknown>,
): Promise<void> {
  // Until the text is in the window, the main button only shows it.
  await screen.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  const shown = await screen.evaluate(shownScript(elements));
  const place = (await screen.evaluate(placeScript)) as Place;
  const isDirectlyBelow = action === "prove" && place !== null && place.distance >= 0 && place.distance <= belowMax;
  assert.ok(place === null || (place.isShown && (place.isAbove || isDirectlyBelow)), JSON.stringify(place));
  const known = new Set((await recorded()).map(({ uuid }) => uuid));
  await press();
  const found = await eventually(async () => {
    const fresh = (await recorded()).filter(({ uuid, source }) => source === "wallet" && !known.has(uuid));
    return fresh.length > 0 ? fresh : undefined;
  });
  const rows = found.map(({ uuid: _uuid, ...row }) => row);
  assert.deepEqual(rows, [{ action, language, words: shown, source: "wallet" }]);
}

for (const code of ["en", "es"] as const) {
  const say = languages[code];
  const own = ownPages[code];
  const language = code;

  test(`${code}: on a hosted page, sharing, declining, and leaving are recorded with the text on the screen`, async () => {
    const person = await it.person({ locale: code });
    const { page, box, button, at } = person;
    const open = async (phone: string, step: string) => {
      const begun = await begin(it, phone, { apiKey: hosted });
      await page.goto(begun.url);
      await box(say.codeLabel).fill(begun.code);
      await at(step);
    };
    await open(primary, "review");
    await agrees(page, { action: "share", language }, () => button(say.share).click());
    await open(primary, "review");
    const declining = page.locator(".actions button:last-of-type");
    const elements = ".actions button:last-of-type";
    await agrees(page, { action: "decline", language, elements }, () => declining.click());
    await open("+12125550022", "birthday");
    const leaving = page.locator(".actions button.link:last-of-type");
    const left = ".actions button.link:last-of-type";
    await agrees(page, { action: "decline", language, elements: left }, () => leaving.click());
    await person.done();
  });

  test(`${code}: in a frame, consent to the phone, data, and insurance is recorded with the text on the screen`, async () => {
    for (const body of [undefined, { phone: primary }]) {
      const person = await visitor(it, site, { locale: code });
      const { inside, at, box, button, page } = person;
      const { sessionKey } = (await insured.api.createSession(body === undefined ? {} : { body })).body;
      await person.begin(sessionKey);
      await at(body === undefined ? "phone" : "consent");
      await agrees(frameOf(page), { action: "prove", language }, () =>
        body === undefined ? box(say.phoneLabel).fill(primary) : button(say.proceed).click(),
      );
      if (body === undefined) await box(say.codeLabel).fill("111111");
      await at("review");
      await agrees(frameOf(page), { action: "share", language }, () => button(say.share).click());
      await at("health");
      await button(say.healthFind).click();
      await it.runJobs();
      await inside.getByRole("heading", { name: say.plansTitle }).waitFor();
      await inside.getByRole("radio").first().check();
      await agrees(frameOf(page), { action: "share", language }, () => button(say.share).click());
      await person.done();
    }
  });

  const prove = async ({ box, button, at }: Person) => {
    await at("birthday");
    await box(say.birthday).fill("08/01/1989");
    // In Spanish, a date that may begin with the day waits for the button.
    if (language === "es") await button(say.proceed).click();
  };

  test(`${code}: on the account page, each decision is recorded with the text on the screen`, async () => {
    const signIn = async ({ page, box, button, at }: Person, phone: string) => {
      await page.goto(`${it.walletUrl}/`);
      await at("phone");
      await box(say.phoneLabel).fill(phone.slice(2));
      await agrees(page, { action: "prove", language }, () => button(say.proceed).click());
      await at("verificationCode");
      await it.runJobs();
      await box(say.codeLabel).fill((await textedCode(it, phone)) ?? "111111");
      await at("home");
    };
    for (const phone of [freshPhone(), primary]) {
      const isFixed = phone === primary;
      await it.api.createOneClick({ body: { phone } });
      const person = await it.person({ locale: code });
      const { page, box, button, at } = person;
      const press = () => page.locator("main button[data-consent]").click();
      await signIn(person, phone);
      await page.getByRole("button", { name: /^Demo API/ }).click();
      await at("brand");
      await button(own.stop).click();
      await agrees(page, { action: "withdraw", language }, press);
      await button(own.back).click();
      await at("home");
      if (!isFixed) {
        await button(consentTexts.handOver[language].title).click();
        await at("newHolder");
        await button(consentTexts.handOver[language].button).click();
        await agrees(page, { action: "handOver", language, elements: "h1, [data-consent]" }, press);
        await at("home");
      }
      await button(isFixed ? own.resetTitle : own.deleteTitle).click();
      await prove(person);
      await at("delete");
      if (!isFixed) await box(own.deleteLabel).fill(own.deleteWord);
      await agrees(page, { action: "delete", language }, press);
      await at("done");
      await person.done();
    }
  });

  test(`${code}: the consent to a wallet app's request is recorded with the text on the screen`, async () => {
    const phone = freshPhone();
    await it.api.createOneClick({ body: { phone } });
    const person = await it.person({ locale: code });
    const { page, box, button, at } = person;
    await page.goto(`${it.walletUrl}/`);
    await at("phone");
    await box(say.phoneLabel).fill(phone.slice(2));
    await button(say.proceed).click();
    await at("verificationCode");
    await it.runJobs();
    await box(say.codeLabel).fill((await textedCode(it, phone)) ?? "");
    await at("home");
    await button(own.takeOutTitle).click();
    await prove(person);
    await at("takeOut");
    await button(own.kinds.phone).click();
    await at("offer");
    const offer = (await page.getByRole("link", { name: own.offerOpen }).getAttribute("href")) ?? "";
    const { url } = await holder().ask(offer, "com.example.wallet://back");
    await page.goto(url);
    await at("walletRequest");
    await agrees(page, { action: "addToWallet", language }, () => page.locator("main button[data-consent]").click());
    await person.done();
  });
}
