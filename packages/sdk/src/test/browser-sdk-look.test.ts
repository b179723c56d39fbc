// rest: a tour with pictures of the frame in every look
import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox, type Viewport } from "../../../web/src/test/harness/browser.ts";
import { brandSite, frameOf, type Visitor, visitor } from "../../../web/src/test/harness/sdk-frame.ts";
import { brandOf, type Look } from "../../../web/src/test/harness/wallet-tour.ts";

const it = await browserSandbox("browser");
const site = await brandSite(it);
const primary = "+12125550010";
const device = "::121:2555:0010";
const isPictured = process.env.SCREENS !== undefined;
const minute = 60_000;

type Tour = {
  person: Visitor;
  /** The API keys of brands that differ in what they ask for. */
  keys: Awaited<ReturnType<typeof brandsOf>>;
  /** Checks a step with axe, and takes its picture if wanted. */
  see(screen: string, step: string): Promise<void>;
};

async function brandsOf(look: Look) {
  const asking = (more: Record<string, unknown>) => brandOf(it, look, { integrationType: "sdk", ...more });
  const ssn = { type: "SsnCredential", mandatory: "yes", allowUserInput: false };
  const employer = { type: "EmployerNameCredential", mandatory: "yes" };
  return {
    insured: await asking({ health: { enabled: true } }),
    typed: await asking({ defaultCredentialRequests: [{ type: "FullNameCredential" }, employer] }),
    strict: await asking({ defaultCredentialRequests: [ssn] }),
    // Without a sourced name and birth date, the person types them to find their insurance.
    nameless: await asking({ health: { enabled: true }, defaultCredentialRequests: [{ type: "EmailCredential" }] }),
  };
}

/** Starts sessions one after the other on the same page. */
function sessionsOf({ page, begin }: Visitor) {
  return async (apiKey: string, body: object = {}) => {
    await page.evaluate("{ window.sdk?.destroy(); window.told.length = 0; }");
    await begin((await it.as(apiKey).createSession({ body })).body.sessionKey);
  };
}

/** Every step on the way to shared data. */
async function tourOfFlow({ person, keys: { insured, typed, nameless }, see }: Tour): Promise<void> {
  const begin = sessionsOf(person);
  await begin(insured, { deviceIp: device });
  await see("autofill", "phone");
  await begin(insured);
  await see("phone", "phone");
  await person.button("Continue").click();
  await see("phone-wrong", "phone");
  await person.phone("+12125550022");
  await see("code", "verificationCode");
  await person.code("000000");
  await person.inside.getByText("2 tries left").first().waitFor();
  await see("code-wrong", "verificationCode");
  await person.code();
  await see("birthday", "birthday");
  await begin(insured, { phone: primary });
  await see("consent", "consent");
  await person.button("Continue").click();
  await see("review", "review");
  await person.button("Edit").click();
  await see("edit", "review");
  await person.button("Cancel").click();
  await person.button("Share").click();
  await see("insurance", "health");
  await person.button("Find my insurance").click();
  await person.inside.getByRole("heading", { name: "Which insurance do you use?" }).waitFor();
  await see("plans", "health");
  await person.inside.getByText("A different plan").click();
  await person.inside.getByRole("combobox").fill("blue");
  await person.inside.getByRole("option").first().waitFor();
  await see("insurers", "health");
  await person.inside.getByText("UnitedHealthcare", { exact: true }).click();
  await person.button("Share").click();
  await see("shared", "done");
  assert.equal((await person.result()).type, "USER_SHARED_HEALTH_DATA");
  await begin(typed, { phone: primary });
  await person.consent();
  await see("missing-details", "review");
  await begin(nameless, { phone: primary });
  await person.consent();
  await person.at("review");
  await person.button("Share").click();
  await person.at("health");
  await person.button("Find my insurance").click();
  await see("insurance-missing", "health");
  await person.box("First name").fill("Richard");
  await person.box("Last name").fill("Hendricks");
  await person.box("Birthday").fill("08/02/1989");
  await person.button("Find my insurance").click();
  await person.inside.getByRole("heading", { name: "Which insurance do you use?" }).waitFor();
  await see("plans-typed", "health");
}

/** Every other end. */
async function tourOfEnds({ person, keys: { insured, typed, strict }, see }: Tour): Promise<void> {
  const { page, phone, code, consent, button, at } = person;
  const begin = sessionsOf(person);
  const texted = async (apiKey: string, number: string) => {
    await begin(apiKey);
    await phone(number);
    await at("verificationCode");
  };
  await begin(typed, { phone: primary });
  await consent();
  await button("Don’t share").click();
  await see("declined", "done");
  await begin(insured);
  await button("Continue without autofill").click();
  await see("opted-out", "done");
  for (const [screen, number, apiKey] of [
    ["no-data", "+14045551300", insured],
    ["risk", "+14045551775", insured],
    ["missing", "+13135550033", strict],
  ] as const) {
    await texted(apiKey, number);
    await code();
    if (screen === "no-data") await button("Continue without it").click();
    await see(screen, "error");
  }
  await texted(insured, primary);
  for (const left of ["2 tries left", "1 try left"]) {
    await code("000000");
    await person.inside.getByText(left).first().waitFor();
  }
  await code("000000");
  await see("too-many-codes", "error");
  await texted(insured, primary);
  await page.route("**/api/page", (route) => route.abort(), { times: 1 });
  await code();
  await see("lost", "error");
  await page.route("**/api/page", (route) => route.fulfill({ status: 500, json: { message: "Broken.", data: {} } }));
  await button("Try again").click();
  await person.inside.getByRole("heading", { name: "Something went wrong" }).waitFor();
  await see("broken", "error");
  await page.unroute("**/api/page");
  await page.clock.install();
  await texted(insured, primary);
  await page.clock.fastForward(5 * minute);
  await see("code-expired", "error");
  await begin(insured, { phone: primary });
  await consent();
  await at("review");
  await page.clock.fastForward(60 * minute);
  await see("expired", "error");
}

/** Colors do not depend on the width, so one window per scheme is enough without screenshots. */
const windowsOf = (look: Look, colorScheme: "light" | "dark"): Viewport[] =>
  isPictured ? ["phone", "desktop"] : [(look === "night") === (colorScheme === "dark") ? "phone" : "desktop"];

for (const look of ["demo", "night", "pale"] as const)
  for (const colorScheme of ["light", "dark"] as const)
    for (const on of windowsOf(look, colorScheme))
      test(`every screen of the frame is accessible in the look "${look}", ${colorScheme}, on a ${on}`, async () => {
        const person = await visitor(it, site, { on, colorScheme, reducedMotion: "reduce" });
        let seen = 0;
        const see = async (screen: string, step: string) => {
          seen += 1;
          await person.at(step);
          await person.picture(`${look}-${colorScheme}-${on}-${String(seen).padStart(2, "0")}-${screen}`);
        };
        const tour = { person, keys: await brandsOf(look), see };
        await tourOfFlow(tour);
        // The ends use the same parts, so one look in both color schemes covers the others.
        if (isPictured || look === "night") await tourOfEnds(tour);
        await person.done();
      });

for (const language of ["en", "es"] as const)
  test(`${language}: a frame of 400 by 640 shows the button, one heading, and the brand once`, async () => {
    const person = await visitor(it, site, {
      viewport: { width: 416, height: 800 },
      isMobile: false,
      locale: language,
    });
    const begin = sessionsOf(person);
    for (const externalName of ["Pied Piper", "Bachmanity Insurance & Pied Piper Credit Union of Northern California"])
      for (const body of [{}, { phone: primary }]) {
        const { apiKey } = await it.brand({ integrationType: "sdk", externalName, health: { enabled: true } });
        await begin(apiKey, body);
        await person.at("phone" in body ? "consent" : "phone");
        const button = await person.inside.locator(".button.main").boundingBox();
        const iframe = await person.page.locator("#place iframe").boundingBox();
        assert.equal(iframe?.width, 400);
        assert.ok((button?.y ?? 0) + (button?.height ?? 0) - (iframe?.y ?? 0) <= 640, JSON.stringify(button));
        const text = await person.inside.locator("body").innerText();
        assert.equal(text.split(externalName).length - 1, 1, text);
        assert.equal(await person.inside.locator("h1, .eyebrow").count(), 1);
        await person.picture(`low-${language}-${externalName.length}-${"phone" in body ? "consent" : "phone"}`);
      }
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
  const begin = sessionsOf(person);
  const { insured, typed, strict } = await brandsOf("pale");
  const see = async (screen: string, step: string) => {
    await person.at(step);
    const width = await frameOf(person.page).evaluate("document.documentElement.scrollWidth");
    assert.ok(Number(width) <= 304, `${screen} is ${String(width)} pixels wide`);
    await person.picture(`narrow-${screen}`);
  };
  const answer = (name: string, text: string) => person.box(name).fill(text);
  await begin(insured, { deviceIp: device });
  await see("phone", "phone");
  await begin(insured);
  await answer("Número de teléfono", primary);
  await see("code", "verificationCode");
  await begin(insured, { phone: primary });
  await see("consent", "consent");
  await person.button("Continuar").click();
  await see("review", "review");
  await person.button("Editar").click();
  await see("edit", "review");
  await person.button("Cancelar").click();
  await person.button("Compartir").click();
  await see("health", "health");
  await person.button("Buscar mi seguro").click();
  await person.inside.getByRole("heading", { name: "¿Qué seguro usa usted?" }).waitFor();
  await see("plans", "health");
  await person.button("Continuar sin seguro").click();
  await see("shared", "done");
  await begin(typed, { phone: primary });
  await person.button("Continuar").click();
  await see("missing-details", "review");
  await person.button("No compartir").click();
  await see("declined", "done");
  await begin(strict);
  await answer("Número de teléfono", "+13135550033");
  await answer("Código de verificación", "111111");
  await see("missing", "error");
  await person.done();
});
