import assert from "node:assert/strict";
import test from "node:test";
import { begin, browserSandbox, type Person, picture } from "./browser.ts";

const it = await browserSandbox();
const several = [
  { type: "FullNameCredential", children: [{ type: "FirstNameCredential" }, { type: "LastNameCredential" }] },
  {
    type: "AddressCredential",
    multi: true,
    description: "Where your card goes",
    children: [{ type: "Line1Credential" }, { type: "CityCredential" }, { type: "StateCredential" }],
  },
  { type: "BirthDateCredential" },
  { type: "SsnCredential", mandatory: "yes" },
  { type: "EmployerNameCredential" },
];
const looks = {
  demo: { externalName: "Demo Hosted" },
  // Yellow on night: the button's words and the links have to be corrected.
  night: {
    externalName: "Hooli",
    styling: {
      primaryColor: "#FFD400",
      errorColor: "#8B0000",
      mutedColor: "#222244",
      backgroundColor: "#0B1020",
      alignment: "left",
      fontFamily: "Lato",
      inputRadius: 0,
      buttonRadius: 0,
    },
  },
  // Everything pale, and a name that hardly fits.
  pale: {
    externalName: "Bachmanity Insurance & Pied Piper Credit Union of Northern California",
    styling: {
      primaryColor: "#FFB7DD",
      errorColor: "#FFC9C9",
      mutedColor: "#E5E5E5",
      backgroundColor: "#FFF8FC",
      alignment: "stretch",
      inputRadius: 20,
      buttonRadius: 40,
      successAnimation: "none",
    },
  },
} as const;
type Look = keyof typeof looks;
const brands = new Map<Look, string>();

async function brandOf(look: Look): Promise<string> {
  const known = brands.get(look);
  if (known !== undefined) return known;
  const settings = { integrationType: "hosted", redirectUrl: `${it.walletUrl}/demo/landing`, ...looks[look] };
  const { apiKey, uuid } = await it.brand(settings);
  brands.set(look, apiKey);
  if (look === "night") await uploadLogo(uuid, apiKey);
  return apiKey;
}

async function uploadLogo(uuid: string, authorization: string): Promise<void> {
  const { page, done } = await it.person();
  await page.setContent('<p id="p">H</p>');
  await page.addStyleTag({
    content:
      "#p{margin:0;width:96px;height:96px;background:#FFD400;color:#0B1020;font:700 72px/96px serif;text-align:center}",
  });
  const payload = await page.locator("#p").screenshot();
  await done();
  const headers = { authorization, "content-type": "image/png" };
  const { status } = await it.inject({ method: "PUT", url: `/sandbox/brands/${uuid}/logo`, headers, payload });
  assert.equal(status, 200);
}

/** Every screen of the review's way, held against axe and pictured. */
async function tour(person: Person, name: string, apiKey: string) {
  const see = async (screen: string, step: string) => {
    await person.at(step);
    await picture(person.page, `${name}-${screen}`);
  };
  const begun = await begin(it, "+12125550020", { apiKey, body: { credentialRequests: several } });
  await person.page.goto(begun.url);
  await see("01-code", "verificationCode");
  await person.enter("000000");
  await person.page.getByText("not right").first().waitFor();
  await see("02-code-wrong", "verificationCode");
  await person.enter(begun.code);
  await see("03-first-name", "firstName");
  await person.button("Use my birthday instead").click();
  await person.box("Birthday").fill("1/1/1970");
  await person.button("Continue").click();
  await person.page.getByText("does not match").first().waitFor();
  await see("04-birthday-mismatch", "birthday");
  await person.button("Use my SSN digits instead").click();
  await see("05-ssn4", "ssn4");
  await person.box("Last 4 digits of SSN").fill("6789");
  await person.button("Continue").click();
  await see("06-review", "review");
  await person.button("Edit").click();
  await person.box("First name").fill("Rick");
  await person.box("Birthday").fill("nonsense");
  await person.button("Continue").click();
  await see("07-edit", "review");
  await person.box("Birthday").fill("");
  await person.button("Continue").click();
  await person.page.getByText("typed by you").waitFor();
  await see("08-review-typed", "review");
  await person.button("Share").click();
  await see("09-shared", "done");
  await person.landed();
  await picture(person.page, `${name}-10-landing`);
}

async function ends(person: Person, name: string, apiKey: string) {
  const missing = {
    credentialRequests: [{ type: "SsnCredential", mandatory: "yes", description: "For your credit check" }],
  };
  for (const [screen, phone, step, body] of [
    ["11-no-data", "+14045551300", "error", {}],
    ["12-risk", "+14045551799", "error", {}],
    ["13-missing", "+13135550033", "review", missing],
  ] as const) {
    const begun = await begin(it, phone, { apiKey, body });
    await person.page.goto(begun.url);
    await person.enter(begun.code);
    await person.at(step);
    await picture(person.page, `${name}-${screen}`);
  }
  const begun = await begin(it, "+12125550010", { apiKey });
  await person.page.goto(begun.url);
  await person.box("Verification code").fill("12");
  for (const guess of ["000000", "000001", "000002"]) {
    await person.enter(guess);
    await person.page.locator(`main[data-step="error"], #code-error`).waitFor();
    await person.page.getByText("Checking the code").waitFor({ state: "detached" });
  }
  await person.at("error");
  await picture(person.page, `${name}-14-attempts`);
  await person.page.goto(`${it.walletUrl}/request/nothing`);
  await person.at("error");
  await picture(person.page, `${name}-15-over`);
}

for (const look of ["demo", "night", "pale"] satisfies Look[])
  for (const colorScheme of ["light", "dark"] as const)
    test(`every screen can be read and reached in the look "${look}", ${colorScheme}`, async () => {
      const on = look === "pale" ? "desktop" : "phone";
      const person = await it.person({ on, colorScheme, reducedMotion: "reduce" });
      const apiKey = await brandOf(look);
      await tour(person, `${look}-${colorScheme}`, apiKey);
      await ends(person, `${look}-${colorScheme}`, apiKey);
      await person.done();
    });

test("at 320 pixels, which is 1280 at 400 %, nothing runs off the side, in the longest language", async () => {
  const person = await it.person({ viewport: { width: 320, height: 256 }, isMobile: false, locale: "es" });
  const begun = await begin(it, "+12125550010", {
    apiKey: await brandOf("pale"),
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

test("what stands on the screens for those who listen", async () => {
  const begun = await begin(it, "+12125550010", { body: { credentialRequests: several.slice(0, 3) } });
  const person = await it.person();
  await person.page.goto(begun.url);
  await person.at("verificationCode");
  assert.equal(
    (await person.page.locator("form").ariaSnapshot()).replaceAll(" [active]", ""),
    `- text: Verification code
- textbox "Verification code"
- paragraph: It is sent by itself when the sixth digit is in.
- paragraph: The code works for 5:00
- status
- status
- button "Continue"
- button "Continue without autofill"
- paragraph:
  - text: By continuing you verify this phone for Demo Hosted and agree to the
  - link "Terms of use (opens in a new tab)":
    - /url: /terms?lang=en
  - text: and the
  - link "Privacy policy (opens in a new tab)":
    - /url: /privacy?lang=en
  - text: . No text? Demo Hosted sends it; go back there to ask for a new one.`,
  );
  await person.enter(begun.code);
  await person.at("review");
  const heard = (await person.page.locator("main").ariaSnapshot()).replaceAll(" [active]", "");
  for (const expected of [
    '- heading "Is this right?" [level=1]',
    'group "Address: choose one"',
    "- term: Birthday",
    '- radio "5320 Newell Rd Palo Alto, CA" [checked]',
    "08/01, year hidden",
  ])
    assert.ok(heard.includes(expected), heard);
  await person.done();
});
