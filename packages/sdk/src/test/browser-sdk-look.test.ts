import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox, type Viewport } from "../../../web/src/test/harness/browser.ts";
import { brandSite, frameOf, type Visitor, visitor } from "../../../web/src/test/harness/sdk-frame.ts";
import { brandOf } from "../../../web/src/test/harness/wallet-tour.ts";

const it = await browserSandbox();
const site = await brandSite(it);
const primary = "+12125550010";
const device = "::121:2555:0010";

/** Visits every screen that only the frame has, checks each with axe, and takes screenshots if wanted. */
async function tour(person: Visitor, keys: { api: string; typing: string }, name: string): Promise<void> {
  const begin = async (body: object, key = keys.api) =>
    person.begin((await it.as(key).createSession({ body })).body.sessionKey);
  const again = () => person.page.evaluate("{ window.sdk.destroy(); window.told.length = 0; }");
  const see = async (screen: string, step: string) => {
    await person.at(step);
    await person.picture(`${name}-${screen}`);
  };
  await begin({ deviceIp: device });
  await see("01-autofill", "phone");
  await again();
  await begin({});
  await person.button("Continue").click();
  await see("02-phone-wrong", "phone");
  await person.phone(primary);
  await see("03-code", "verificationCode");
  await again();
  await begin({ phone: primary });
  await see("04-consent", "consent");
  await person.button("Continue").click();
  await person.at("review");
  await person.button("Share").click();
  await see("05-insurance", "health");
  await person.button("Find my insurance").click();
  await person.inside.getByRole("heading", { name: "Which insurance do you use?" }).waitFor();
  await see("07-plans", "health");
  await person.inside.getByText("A different plan").click();
  await person.inside.getByRole("combobox").fill("blue");
  await person.inside.getByRole("option").first().waitFor();
  await see("08-insurers", "health");
  await person.inside.getByText("UnitedHealthcare", { exact: true }).click();
  await person.button("Share").click();
  await see("09-done", "done");
  assert.equal((await person.result()).type, "USER_SHARED_HEALTH_DATA");
  await again();
  await begin({});
  await person.button("Continue without autofill").click();
  await see("10-without", "done");
  await again();
  await begin({ phone: primary }, keys.typing);
  await person.button("Continue").click();
  await person.at("review");
  await person.button("Share").click();
  await person.at("health");
  await person.button("Find my insurance").click();
  await see("06-insurance-missing", "health");
  await person.box("First name").fill("Richard");
  await person.box("Last name").fill("Hendricks");
  await person.box("Birthday").fill("08/02/1989");
  await person.button("Find my insurance").click();
  await person.inside.getByRole("heading", { name: "Which insurance do you use?" }).waitFor();
  await see("07-plans-typed", "health");
}

for (const look of ["demo", "night", "pale"] as const)
  for (const colorScheme of ["light", "dark"] as const)
    test(`every screen of the frame is accessible in the look "${look}", ${colorScheme}`, async () => {
      const on: Viewport = (look === "night") === (colorScheme === "dark") ? "phone" : "desktop";
      const person = await visitor(it, site, { on, colorScheme, reducedMotion: "reduce" });
      const settings = { integrationType: "sdk", health: { enabled: true } };
      const api = await brandOf(it, look, settings);
      // This brand requests no name and no birth date, so the person types them for the insurance.
      const defaultCredentialRequests = [{ type: "EmailCredential" }];
      const typing = await brandOf(it, look, { ...settings, defaultCredentialRequests });
      await tour(person, { api, typing }, `${look}-${colorScheme}`);
      await person.done();
    });

test("the locale option beats the browser's language, and the person's choice beats it", async () => {
  const { api } = await it.brand({ integrationType: "sdk" });
  const person = await visitor(it, site);
  const begin = async (locale: string) => {
    const { sessionKey } = (await api.createSession({ body: {} })).body;
    await person.page.evaluate(`window.begin(${JSON.stringify(sessionKey)}, undefined, ${JSON.stringify(locale)})`);
  };
  const again = () => person.page.evaluate("window.sdk.destroy()");
  await begin("es-US");
  assert.equal(await person.at("phone"), "Continúe con su teléfono");
  assert.equal(await person.inside.locator("html").getAttribute("lang"), "es");
  await again();
  await begin("fr");
  assert.equal(await person.at("phone"), "Continue with your phone");
  await again();
  await begin("es");
  await person.button("English").click();
  assert.equal(await person.at("phone"), "Continue with your phone");
  await person.phone(primary);
  assert.equal(await person.at("verificationCode"), "Enter your code");
  await person.done();
});

test("the frame is a rounded card, with more room inside where it is wide", async () => {
  const { api } = await it.brand({ integrationType: "sdk" });
  for (const [on, padding] of [
    ["phone", "16px"],
    ["desktop", "24px"],
  ] as const) {
    const person = await visitor(it, site, { on });
    await person.begin((await api.createSession({})).body.sessionKey);
    await person.at("phone");
    const inside = 'getComputedStyle(document.querySelector(".card")).paddingLeft';
    assert.equal(await frameOf(person.page).evaluate(inside), padding);
    const corner = 'getComputedStyle(document.querySelector("#place iframe")).borderRadius';
    assert.equal(await person.page.evaluate(corner), "14px");
    await person.done();
  }
});

test("the frame fits at 320 pixels in Spanish", async () => {
  const person = await visitor(it, site, { viewport: { width: 320, height: 568 }, isMobile: false, locale: "es" });
  const apiKey = await brandOf(it, "pale", { integrationType: "sdk", health: { enabled: true } });
  const fits = async () => {
    const frame = person.page.frames().find((one) => one.url().includes("/sdk?"));
    const width = await frame?.evaluate<number>("document.documentElement.scrollWidth");
    assert.ok(Number(width) <= 304, `${String(width)} pixels wide`);
  };
  await person.begin((await it.as(apiKey).createSession({ body: { phone: primary } })).body.sessionKey);
  await person.at("consent");
  await fits();
  await person.picture("narrow-consent");
  await person.button("Continuar").click();
  await person.at("review");
  await person.button("Compartir").click();
  await person.at("health");
  await fits();
  await person.picture("narrow-health");
  await person.button("Buscar mi seguro").click();
  await person.inside.getByRole("heading", { name: "¿Qué seguro usa usted?" }).waitFor();
  await fits();
  await person.picture("narrow-plans");
  await person.done();
});
