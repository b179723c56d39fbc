import assert from "node:assert/strict";
import test from "node:test";
import { textedCode } from "../../../../service/src/test/harness/account-page.ts";
import { holder } from "../../../../service/src/test/harness/holder.ts";
import { browserSandbox, type Person, picture } from "../harness/browser.ts";
import { createPerson, prove, signIn } from "../harness/own-page.ts";

const it = await browserSandbox();
const english = {
  takeOut: "Add to a wallet app",
  address: "Address",
  offer: "Add your address",
  open: "Open wallet app",
  code: "Show the code",
  enter: "Enter this code in your wallet app",
  done: "Done",
  withdraw: "Withdraw address",
  gone: "Address was withdrawn. It stops working within a minute.",
};

for (const [on, colorScheme] of [
  ["phone", "light"],
  ["desktop", "dark"],
] as const) {
  test(`on a ${on}, ${colorScheme}: puts a verified address into a wallet app, and withdraws it`, async () => {
    const { phone } = await createPerson(it);
    const person = await it.person({ on, colorScheme });
    const { page, button, at } = person;
    await signIn(it, person, phone);
    await button(english.takeOut).click();
    await prove(person);
    assert.equal(await at("takeOut"), english.takeOut);
    await page.getByText("Employer").waitFor();
    await picture(page, `takeout-choices-${on}`);
    await button(english.address).click();
    assert.equal(await at("offer"), english.offer);
    const offer = (await page.getByRole("link", { name: english.open }).getAttribute("href")) ?? "";
    assert.doesNotMatch(await page.content(), /Newell|Palo Alto/);
    // A phone cannot scan its own screen.
    const code = page.getByRole("img", { name: "QR code for your wallet app" });
    assert.equal(await code.isVisible(), on === "desktop");
    if (on === "phone") {
      await page.getByText("My wallet app is on another device").click();
      await code.waitFor();
    }
    await picture(page, `takeout-offer-${on}`);
    await button(english.code).click();
    assert.equal(await at("offerCode"), english.enter);
    assert.equal(await page.getByRole("img").count(), 0, "the QR code is gone before the digits appear");
    await picture(page, `takeout-code-${on}`);
    const digits = (await page.locator(".offer-code").innerText()).trim();
    const copies = await holder().accept(offer, digits, 3);
    assert.equal(copies.length, 3);
    await button(english.done).click();
    await at("takeOut");
    await page.getByText("Valid", { exact: true }).waitFor();
    await picture(page, `takeout-taken-${on}`);
    await button(english.withdraw).click();
    await page.getByText(english.gone).waitFor();
    await page.getByText("Withdrawn by you").waitFor();
    await picture(page, `takeout-withdrawn-${on}`);
    await button("Back").click();
    await at("home");
    await page.getByText("You withdrew a detail from a wallet app").waitFor();
    await person.done();
  });
}

/** A wallet app's site, which notes the addresses to which browsers return. */
async function walletSite({ page }: Person, redirectUri: string): Promise<string[]> {
  const returns: string[] = [];
  await page.route(`${redirectUri}?**`, async (route) => {
    returns.push(route.request().url());
    await route.fulfill({ contentType: "text/html", body: "<title>Wallet</title>" });
  });
  return returns;
}

test("a wallet app on the same device asks, and the person adds the phone without a code", async () => {
  const { phone } = await createPerson(it);
  const person = await it.person({ on: "phone", alsoAsks: ["wallet.example"] });
  const { page, button, at } = person;
  const redirectUri = "https://wallet.example/back";
  const returns = await walletSite(person, redirectUri);
  const wallet = holder();
  await signIn(it, person, phone);
  await button(english.takeOut).click();
  await prove(person);
  await at("takeOut");
  await button("Phone").click();
  await at("offer");
  const offer = (await page.getByRole("link", { name: english.open }).getAttribute("href")) ?? "";
  const refused = await wallet.ask(offer, redirectUri);
  await page.goto(refused.url);
  assert.equal(await at("walletRequest"), "Add your phone to a wallet app?");
  await page.getByText("wallet.example", { exact: true }).waitFor();
  await picture(page, "takeout-wallet-asks");
  await button("Don’t add").click();
  await page.waitForURL(`${redirectUri}?**`);
  assert.throws(() => wallet.codeIn(refused, returns[0] ?? ""), /access_denied/);
  const request = await wallet.ask(offer, redirectUri);
  await page.goto(request.url);
  await at("walletRequest");
  await button("Add").click();
  await page.waitForURL(`${redirectUri}?**`);
  const copies = await wallet.copiesOf(await wallet.exchange(request, wallet.codeIn(request, returns[1] ?? "")), 2);
  assert.equal(copies.length, 2);
  await page.goto(request.url);
  await at("walletRequest");
  await page.getByText("This request has expired").waitFor();
  await picture(page, "takeout-wallet-over");
  await button("Go to your data").click();
  await at("home");
  assert.equal(new URL(page.url()).hash, "");
  await person.done();
});

test("someone who is not signed in signs in and confirms the birthday before a wallet app's question", async () => {
  const { phone } = await createPerson(it);
  const owner = await it.person({ on: "phone" });
  await signIn(it, owner, phone);
  await owner.button(english.takeOut).click();
  await prove(owner);
  await owner.at("takeOut");
  await owner.button(english.address).click();
  await owner.at("offer");
  const offer = (await owner.page.getByRole("link", { name: english.open }).getAttribute("href")) ?? "";
  const wallet = holder();
  const request = await wallet.ask(offer, "com.example.wallet://back");
  const other = await it.person({ locale: "es-US", viewport: { width: 320, height: 640 }, isMobile: false });
  const { page, box, button, at } = other;
  await page.goto(request.url);
  await at("phone");
  await box("Número de teléfono").fill(phone.slice(2));
  await button("Continuar").click();
  await at("verificationCode");
  await it.runJobs();
  await box("Código de verificación").fill((await textedCode(it, phone)) ?? "");
  await at("birthday");
  await box("Fecha de nacimiento").fill("08/01/1989");
  // In Spanish, a date that may begin with the day waits for the button.
  await button("Continuar").click();
  await at("walletRequest");
  assert.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0);
  await page.getByText("com.example.wallet", { exact: true }).waitFor();
  await picture(page, "takeout-wallet-asks-es");
  await page.getByRole("button", { name: "Guardar", exact: true }).click();
  const link = page.getByRole("link", { name: "Abrir la billetera" });
  const answer = (await link.getAttribute("href")) ?? "";
  assert.equal((await wallet.copiesOf(await wallet.exchange(request, wallet.codeIn(request, answer)))).length, 1);
  await picture(page, "takeout-wallet-return-es");
  await owner.done();
  await other.done();
});

test("the screens in Spanish fit at 320 pixels", async () => {
  const { phone } = await createPerson(it);
  const person = await it.person({ locale: "es-US", viewport: { width: 320, height: 640 }, isMobile: false });
  const see = async (name: string) => {
    assert.equal(await person.page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, name);
    await picture(person.page, name);
  };
  const { page, button, at, box } = person;
  await page.goto(`${it.walletUrl}/`);
  await at("phone");
  await box("Número de teléfono").fill(phone.slice(2));
  await button("Continuar").click();
  await at("verificationCode");
  await it.runJobs();
  const { data } = (await it.api.listMessages({ query: { to: phone } })).body;
  await box("Código de verificación").fill(/^\d{6}/.exec(data[0]?.body ?? "")?.[0] ?? "");
  await at("home");
  await button("Guardar en una billetera digital").click();
  await at("birthday");
  await box("Fecha de nacimiento").fill("08/01/1989");
  // In Spanish, a date that may begin with the day waits for the button.
  await button("Continuar").click();
  await at("takeOut");
  await see("takeout-choices-es");
  await button("Teléfono").click();
  await at("offer");
  await see("takeout-offer-es");
  await button("Mostrar el código").click();
  await at("offerCode");
  await see("takeout-code-es");
  await person.done();
});
