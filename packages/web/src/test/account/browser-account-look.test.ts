// rest: a tour with pictures of the own page in every look
import assert from "node:assert/strict";
import test from "node:test";
import { textedCode } from "../../../../service/src/test/harness/account-page.ts";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { hostedShare } from "../../../../service/src/test/harness/hosted-share.ts";
import { browserSandbox, type Person, picture } from "../harness/browser.ts";

const it = await browserSandbox();
const testPhone = "+12125550010";

/** Creates a person with cards, insurance, a decline, a long brand name and a long timeline. */
async function createPerson(phone = freshPhone()): Promise<string> {
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  for (let reads = 0; reads < 4; reads += 1) await it.api.readOneClick({ params: { uuid } });
  const name = "Bachmanity Insurance & Pied Piper Credit Union of Northern California";
  const long = await it.brand({ externalName: name });
  await long.api.createOneClick({ body: { phone } });
  const credentials = [
    { type: "EmployerNameCredential", data: { employer: "Pied Piper" } },
    { type: "EmployerNameCredential", data: { employer: "Hooli" }, expirationDate: Date.UTC(2025, 0, 1) },
  ];
  const email = `person${phone}@example.com`;
  const toEmail = [{ type: "TitleCredential" as const, data: { title: "Chief Executive Officer" } }];
  await it.api.issueCredentials({ body: { email, credentials: toEmail } });
  await it.api.issueCredentials({ body: { phone, email, credentials } });
  await it.api.createHealthLookup({ body: { identityUuid: uuid } });
  const asked = [{ type: "EmployerNameCredential" as const }, { type: "SsnCredential" as const }];
  await hostedShare(it, phone, { credentialRequests: asked, edits: { employerName: "Hooly" } });
  await hostedShare(it, phone, { share: false });
  await it.runJobs();
  return phone;
}

const english = {
  signOut: "Sign out",
  phone: "Phone number",
  code: "Verification code",
  proceed: "Continue",
  show: "Show details",
  birthday: "Birthday",
  ssn4: "Use the last 4 of my SSN instead",
  digits: "Last 4 digits of SSN",
  back: "Back",
  correct: "Edit employer",
  employer: "Employer",
  save: "Save",
  download: "View or download everything",
  devices: "Where you’re signed in",
  all: /^Show all/,
  newHolder: "I’m new to this number",
  fresh: "Start fresh",
  erase: "Delete everything",
  word: "DELETE",
  confirm: "Type DELETE to confirm",
};
const spanish: typeof english = {
  signOut: "Cerrar sesión",
  phone: "Número de teléfono",
  code: "Código de verificación",
  proceed: "Continuar",
  show: "Mostrar datos",
  birthday: "Fecha de nacimiento",
  ssn4: "Usar los últimos 4 dígitos de mi Seguro Social",
  digits: "Últimos 4 dígitos del Seguro Social",
  back: "Volver",
  correct: "Editar empleador",
  employer: "Empleador",
  save: "Guardar",
  download: "Ver o descargar todo",
  devices: "Dispositivos con sesión abierta",
  all: /^Mostrar todo/,
  newHolder: "Este número antes era de otra persona",
  fresh: "Empezar de cero",
  erase: "Borrar todo",
  word: "BORRAR",
  confirm: "Escriba BORRAR para confirmar",
};

async function assertTidy({ page }: Person, screen: string): Promise<void> {
  const width = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  assert.equal(width, 0, `${screen} is too wide`);
  // A Spanish time ends with its own period.
  assert.doesNotMatch(await page.locator("main").innerText(), /m\.\s?\./);
}

type See = (screen: string, step: string) => Promise<void>;

/** From the brand's screen to a value that the person entered, and back. */
async function tourOfEdit({ page, box, button, at }: Person, say: typeof english, see: See): Promise<void> {
  await button(say.correct).click();
  await see("08-edit", "edit");
  await box(say.employer).fill("Hooli");
  await page.context().setOffline(true);
  await button(say.save).click();
  await page.locator(".problem").waitFor();
  await see("08-edit-problem", "edit");
  await page.context().setOffline(false);
  await button(say.back).click();
  await at("brand");
}

/** From the hidden values to the shown ones: a wrong birthday, the SSN digits, and the birthday. */
async function tourOfProof({ page, box, button }: Person, say: typeof english, see: See): Promise<void> {
  await button(say.show).click();
  await see("04-birthday", "birthday");
  await box(say.birthday).fill("12/31/1990");
  await page.locator("#answer-error").waitFor();
  await button(say.ssn4).click();
  await box(say.digits).fill("0000");
  await page.locator("#answer-error").waitFor();
  await see("05-ssn4-wrong", "ssn4");
  await box(say.digits).fill("6789");
  await see("05-birthday-too", "birthday");
  await box(say.birthday).fill("08/01/1989");
  if (say !== english) await button(say.proceed).click();
  await see("06-home-shown", "home");
}

/** Visits every screen of the account page, checks each with axe, and takes screenshots if wanted. */
async function tour(person: Person, name: string, say: typeof english): Promise<void> {
  const { page, box, button } = person;
  const see: See = async (screen, step) => {
    await person.at(step);
    await assertTidy(person, screen);
    // Sign-out is missing on the page for printing and on screens for people who are not signed in.
    const hasSignOut = !["everything", "phone", "verificationCode", "done"].includes(step);
    assert.equal(await button(say.signOut).count(), hasSignOut ? 1 : 0, `${screen}: ${say.signOut}`);
    await picture(page, `own-${name}-${screen}`);
  };
  const phone = await createPerson();
  await page.goto(`${it.walletUrl}/`);
  await see("01-phone", "phone");
  await box(say.phone).fill(phone.slice(2));
  await button(say.proceed).click();
  await person.at("verificationCode");
  await it.runJobs();
  const code = (await textedCode(it, phone)) ?? "";
  await box(say.code).fill(code === "000000" ? "000001" : "000000");
  await page.locator("#code-error").waitFor();
  await see("02-code-wrong", "verificationCode");
  await box(say.code).fill(code);
  await person.at("home");
  await page.locator(".timeline").waitFor();
  await see("03-home-hidden", "home");
  await tourOfProof(person, say, see);
  await page.getByRole("button", { name: say.all }).click();
  for (const details of await page.locator(".timeline details").all()) await details.locator("summary").click();
  await see("06-home-all", "home");
  await page.getByRole("button", { name: /^Demo Hosted/ }).click();
  await see("07-brand", "brand");
  await tourOfEdit(person, say, see);
  await page.locator("button.grave").click();
  await see("09-brand-ask", "brand");
  await page.locator("button.grave").click();
  await page.locator(".said:not(:empty)").waitFor();
  await see("09-brand-stopped", "brand");
  await button(say.back).click();
  await person.at("home");
  for (const [screen, opened, step] of [
    ["10-download", say.download, "download"],
    ["11-devices", say.devices, "devices"],
    ["12-new-holder", say.newHolder, "newHolder"],
  ] as const) {
    await button(opened).click();
    if (step === "devices") await page.locator(".row").first().waitFor();
    await see(screen, step);
    if (step === "newHolder") {
      await button(say.fresh).click();
      await see(`${screen}-ask`, step);
    }
    await button(say.back).click();
    await person.at("home");
  }
  await page.goto(`${it.walletUrl}/everything`);
  await see("13-everything", "everything");
  await page.goto(`${it.walletUrl}/`);
  await person.at("home");
  await button(say.erase).click();
  await see("14-delete", "delete");
  await box(say.confirm).fill(say.word);
  await button(say.erase).click();
  await see("15-deleted", "done");
}

// Runs with screenshots use both windows.
for (const [name, say, first, colorScheme] of [
  ["en-light", english, "phone", "light"],
  ["en-dark", english, "desktop", "dark"],
  ["es-light", spanish, "desktop", "light"],
  ["es-dark", spanish, "phone", "dark"],
] as const)
  for (const on of process.env.SCREENS === undefined ? [first] : (["phone", "desktop"] as const))
    test(`every screen of the account page is accessible and fits: ${name} on a ${on}`, async () => {
      const locale = say === spanish ? "es-US" : "en-US";
      const person = await it.person({ on, colorScheme, locale, reducedMotion: "reduce" });
      await tour(person, `${name}-${on}`, say);
      await person.done();
    });

test("every screen of the account page fits at 320 pixels (1280 at 400% zoom) in Spanish", async () => {
  const person = await it.person({ viewport: { width: 320, height: 256 }, isMobile: false, locale: "es" });
  await tour(person, "narrow", spanish);
  await person.done();
});

test("the account page works in forced colors and offers a reset for a test person", async () => {
  const person = await it.person({ forcedColors: "active" });
  await it.api.createOneClick({ body: { phone: testPhone } });
  await person.page.goto(`${it.walletUrl}/`);
  await person.box("Phone number").fill(testPhone.slice(2));
  await person.button("Continue").click();
  await person.at("verificationCode");
  await person.box("Verification code").fill("111111");
  await person.at("home");
  await person.page.locator(".timeline").waitFor();
  await picture(person.page, "own-forced-01-home");
  await person.button("Reset this test person").waitFor();
  assert.equal(await person.button("I’m new to this number").count(), 0);
  await person.done();
});
