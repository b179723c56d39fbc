import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertAccessible, browserSandbox, picture } from "../harness/browser.ts";

const it = await browserSandbox();
const script = fileURLToPath(new URL("../../../../../examples/brand/start.mjs", import.meta.url));
const addresses = ["--api", it.deps.addresses.apiUrl, "--wallet", it.walletUrl, "--port", "0"];
const brand = spawn(process.execPath, [script, ...addresses], { stdio: ["ignore", "pipe", "inherit"] });
after(() => brand.kill());
const lines = createInterface({ input: brand.stdout })[Symbol.asyncIterator]();
const nextLine = async () => String((await lines.next()).value);
const brandUrl = (await nextLine()).replace("Example brand: ", "");

test("the example's Hosted flow fills in the account, and a forged identityUuid shows nothing", async () => {
  const { page, box, button, at, context } = await it.person();
  await page.goto(brandUrl);
  await box("Phone number").fill("+12125550022");
  await button("Continue in the wallet (Hosted)").click();
  await at("verificationCode");
  await box("Verification code").fill(/: (\d{6}) /.exec(await nextLine())?.[1] ?? "");
  await at("birthday");
  await box("Birthday").fill("08/01/1989");
  await at("review");
  await button("Share").click();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  const shown = await page.locator("main").innerText();
  assert.match(shown, /Richard Harrison Hendricks[\s\S]*08\/01\/••••[\s\S]*•••-••-6789[\s\S]*\(212\) 555-0022/);
  const forged = page.url().replace(/identityUuid=[^&]+/, "identityUuid=5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21");
  await page.goto(forged);
  await page.getByText("We do not know this visit.").waitFor();
  await context.close();
});

/** Opens the frame of the SDK flow. */
async function framed(options: Parameters<typeof it.person>[0] = {}) {
  const person = await it.person(options);
  await person.page.goto(brandUrl);
  await person.button("Continue in a frame (SDK)").click();
  const frame = person.page.frameLocator("#signup iframe");
  return {
    ...person,
    press: (name: string) => frame.getByRole("button", { name, exact: true }).click(),
    prove: async (phone: string) => {
      await frame.getByRole("textbox", { name: "Phone number" }).fill(phone);
      await frame.getByRole("textbox", { name: "Verification code" }).fill("111111");
    },
  };
}

test("the example's SDK flow shares data in a frame, and the brand's server reads the data", async () => {
  const { page, context, prove, press } = await framed();
  await prove("2125550010");
  await press("Share");
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await page.reload();
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await page.goto(`${brandUrl}/embedded`);
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await context.close();
});

for (const [what, text, phone, button] of [
  ["declined", "You chose not to share your details.", "2125550010", "Don’t share"],
  ["opted out", "You chose to type it yourself.", undefined, "Continue without autofill"],
  ["no data", "We found no details for this phone number.", "4045551300", undefined],
  ["too risky", "We cannot fill in your details for this phone number.", "4045551775", undefined],
] as const)
  test(`the example's SDK flow says why it has no data: ${what}`, async () => {
    const { page, context, prove, press } = await framed();
    if (phone !== undefined) await prove(phone);
    if (button !== undefined) await press(button);
    await page.getByText(text).waitFor();
    assert.equal(page.url(), `${brandUrl}/now`);
    await context.close();
  });

test("the example's SDK flow keeps the result if its server cannot be reached, and sends it again", async () => {
  const { page, context, prove, press, button } = await framed();
  await page.route("**/embedded/result", (route) => route.abort(), { times: 2 });
  await prove("2125550010");
  await press("Share");
  await page.getByText("Your answer is kept.").waitFor();
  await assertAccessible(page);
  await button("Try again").click();
  await page.getByText("Your answer is kept.").waitFor();
  await page.reload();
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await context.close();
});

test("the example accepts a phone as people type it, and keeps what was typed if it is refused", async () => {
  const { page, box, button, at, context } = await it.person();
  await page.goto(brandUrl);
  assert.equal(await box("Phone number").inputValue(), "(212) 555-0010");
  await button("Continue in the wallet (Hosted)").click();
  await at("verificationCode");
  assert.match(await nextLine(), /^Text to \+12125550010: /);
  for (const typed of ["+1 212-555-0010", "1 (212) 555 0010", "2125550010"]) {
    await page.goto(brandUrl);
    await box("Phone number").fill(typed);
    await button("Continue here (API)").click();
    await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  }
  for (const typed of ["555-0010", "+44 20 7183 8750"]) {
    await page.goto(brandUrl);
    await box("Phone number").fill(typed);
    await button("Continue here (API)").click();
    await page.getByText("Enter a US phone number with ten digits.").waitFor();
    assert.equal(await box("Phone number").inputValue(), typed);
  }
  await context.close();
});

test("in the example's API flow, a second click on the same form and a reload show the same result", async () => {
  const { page, box, button, context } = await it.person();
  await page.goto(brandUrl);
  await button("Continue here (API)").click();
  await box("Verification code").waitFor();
  const twice = `Promise.all([1, 2].map(async () => (await fetch("/api/code", { method: "POST",
    body: new URLSearchParams({ code: "111111" }) })).text()))`;
  const shown: unknown = await page.evaluate(twice);
  assert.ok(Array.isArray(shown) && shown.length === 2);
  for (const text of shown) assert.match(String(text), /Richard Harrison Hendricks/);
  await page.goto(`${brandUrl}/now`);
  await page.reload();
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await context.close();
});

for (const [on, colorScheme] of [
  ["phone", "light"],
  ["desktop", "dark"],
] as const)
  test(`the example's pages are accessible on a ${on}, ${colorScheme}`, async () => {
    const { page, box, button, context } = await it.person({ on, colorScheme });
    const see = async (name: string, heading: string) => {
      await page.getByRole("heading", { name: heading }).waitFor();
      await assertAccessible(page);
      await picture(page, `example-${on}-${name}`);
    };
    await page.goto(brandUrl);
    await see("home", "Open an account");
    await box("Phone number").fill("555");
    await button("Continue here (API)").click();
    await page.getByRole("alert").waitFor();
    await see("home-wrong", "Open an account");
    await box("Phone number").fill("(212) 555-0022");
    await button("Continue here (API)").click();
    await see("code", "Enter your code");
    await box("Verification code").fill("111111");
    await button("Continue").click();
    await see("birthday", "When were you born?");
    await page.getByLabel("Birthday").fill("1989-08-01");
    await button("Continue").click();
    await see("welcome", "Welcome");
    await page.getByRole("link", { name: "Start over" }).click();
    await button("Continue in a frame (SDK)").click();
    const frame = page.frameLocator("#signup iframe");
    await frame.getByRole("heading", { name: "Continue with your phone" }).waitFor();
    await see("embedded", "Open an account");
    await frame.getByRole("button", { name: "Continue without autofill" }).click();
    await see("manual", "Tell us about you");
    await context.close();
  });

test("the example's API flow asks for the code and the birthday itself and lets the person correct both", async () => {
  const { page, box, button, context } = await it.person();
  await page.goto(brandUrl);
  await box("Phone number").fill("+12125550022");
  await button("Continue here (API)").click();
  await box("Verification code").fill("000000");
  await button("Continue").click();
  await page.getByText("Tries left: 2").waitFor();
  await box("Verification code").fill("111111");
  await button("Continue").click();
  await page.getByLabel("Birthday").fill("1979-01-01");
  await button("Continue").click();
  await page.getByText("does not match").waitFor();
  await page.getByLabel("Birthday").fill("1989-08-01");
  await button("Continue").click();
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await context.close();
});
