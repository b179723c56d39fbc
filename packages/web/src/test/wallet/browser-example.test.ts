import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertAccessible, browserSandbox, buttonNamed, picture } from "../harness/browser.ts";

const it = await browserSandbox();
const script = fileURLToPath(new URL("../../../../../examples/brand/start.mjs", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "countersign-example-"));
after(() => rm(folder, { recursive: true, force: true }));
const keys = join(folder, "keys.json");
const { brandUrl, nextLine } = await start();

/** Starts the example. `brandUrl`: the address that it prints first. */
async function start() {
  const addresses = ["--api", it.deps.addresses.apiUrl, "--wallet", it.walletUrl, "--port", "0", "--keys", keys];
  const brand = spawn(process.execPath, [script, ...addresses], { stdio: ["ignore", "pipe", "inherit"] });
  after(() => brand.kill());
  const lines = createInterface({ input: brand.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  return { brandUrl: (await nextLine()).replace("Example brand: ", ""), nextLine };
}

/** Chooses in the panel how the shop integrates, and presses the shop's button. */
async function signUp({ page, button }: Awaited<ReturnType<typeof it.person>>, way: "SDK" | "Hosted" | "API") {
  await page.goto(brandUrl);
  await button(way).click();
  await button("Sign up with your phone").click();
}

/** The calls that the panel lists. */
async function calls(page: { locator(selector: string): { allInnerTexts(): Promise<string[]> } }): Promise<string[]> {
  const texts = await page.locator("aside li").allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, " ").replace(/[0-9a-f-]{36}/g, "…"));
}

test("the example's Hosted flow fills in the account, and a forged identityUuid shows nothing", async () => {
  const person = await it.person();
  const { page, box, button, at, context } = person;
  await signUp(person, "Hosted");
  await box("Phone number").fill("+12125550022");
  await button("Continue").click();
  await at("verificationCode");
  await box("Verification code").fill(/: (\d{6}) /.exec(await nextLine())?.[1] ?? "");
  await at("birthday");
  await box("Birthday").fill("08/01/1989");
  await at("review");
  await button("Share").click();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  const shown = await page.locator("main").innerText();
  assert.match(shown, /Richard Harrison Hendricks[\s\S]*08\/01\/••••[\s\S]*•••-••-6789[\s\S]*\(212\) 555-0022/);
  assert.deepEqual(await calls(page), [
    "POST /v2/1-click 201 begins a 1-Click",
    "TEXT +12125550022 111111 is your code for Juniper Goods.",
    "GET /v2/1-click/… 200 reads what the person shared",
  ]);
  const forged = page.url().replace(/identityUuid=[^&]+/, "identityUuid=5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21");
  await page.goto(forged);
  await page.getByText("We do not know this visit.").waitFor();
  await context.close();
});

/** Opens the frame of the SDK flow. */
async function framed(options: Parameters<typeof it.person>[0] = {}) {
  const person = await it.person(options);
  await signUp(person, "SDK");
  const frame = person.page.frameLocator("#signup iframe");
  return {
    ...person,
    press: (name: string) => frame.getByRole("button", buttonNamed(name)).click(),
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
  assert.deepEqual(await calls(page), [
    "POST /v2/client/1-click 201 creates a session key for the frame",
    "GET /v2/1-click/… 200 reads what the person shared",
  ]);
  await page.reload();
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await page.goto(`${brandUrl}/embedded`);
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await context.close();
});

for (const [what, text, phone, button] of [
  ["declined", "You chose not to share your details.", "2125550010", "Don’t share"],
  ["opted out", "You chose to type it yourself.", undefined, "Continue without autofill"],
  ["no data", "We found no details for this phone number.", "4045551300", "Continue without it"],
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
  // A route does not always see a request with `keepalive`.
  await page.evaluate(() => {
    const send = window.fetch;
    let lost = 2;
    window.fetch = (to, init) => {
      const isLost = to === "/embedded/result" && lost > 0;
      if (isLost) lost -= 1;
      return isLost ? Promise.reject(new TypeError("Failed to fetch")) : send(to, init);
    };
  });
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
  const person = await it.person();
  const { page, box, button, at, context } = person;
  await signUp(person, "Hosted");
  assert.equal(await box("Phone number").inputValue(), "(212) 555-0010");
  await button("Continue").click();
  await at("verificationCode");
  assert.match(await nextLine(), /^Text to \+12125550010: /);
  for (const typed of ["+1 212-555-0010", "1 (212) 555 0010", "2125550010"]) {
    await signUp(person, "API");
    await box("Phone number").fill(typed);
    await button("Continue").click();
    await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  }
  for (const typed of ["555-0010", "+44 20 7183 8750"]) {
    await signUp(person, "API");
    await box("Phone number").fill(typed);
    await button("Continue").click();
    await page.getByText("Enter a US phone number with ten digits.").waitFor();
    assert.equal(await box("Phone number").inputValue(), typed);
  }
  await context.close();
});

test("in the example's API flow, a second click on the same form and a reload show the same result", async () => {
  const person = await it.person();
  const { page, box, button, context } = person;
  await signUp(person, "API");
  await button("Continue").click();
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
    const person = await it.person({ on, colorScheme });
    const { page, box, button, context } = person;
    const see = async (name: string, heading: string) => {
      await page.getByRole("heading", { name: heading }).waitFor();
      await assertAccessible(page);
      await picture(page, `example-${on}-${name}`);
    };
    const failed: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) failed.push(response.url());
    });
    await page.goto(brandUrl);
    await see("home", "Things that last");
    await signUp(person, "API");
    await see("phone", "Sign up with your phone");
    await box("Phone number").fill("555");
    await button("Continue").click();
    await page.getByRole("alert").waitFor();
    await see("phone-wrong", "Sign up with your phone");
    await box("Phone number").fill("(212) 555-0022");
    await button("Continue").click();
    await see("code", "Enter your code");
    await box("Verification code").fill("111111");
    await button("Continue").click();
    await see("birthday", "When were you born?");
    await page.getByLabel("Birthday").fill("1989-08-01");
    await button("Continue").click();
    await see("welcome", "Welcome");
    await page.getByRole("link", { name: "Back to the shop" }).click();
    await signUp(person, "SDK");
    const frame = page.frameLocator("#signup iframe");
    await frame.getByRole("heading", { name: "Continue with your phone" }).waitFor();
    await see("embedded", "Sign up with your phone");
    await frame.getByRole("button", { name: "Continue without autofill" }).click();
    await see("manual", "Tell us about you");
    assert.deepEqual(failed, []);
    await context.close();
  });

test("the example's API flow asks for the code and the birthday itself and lets the person correct both", async () => {
  const person = await it.person();
  const { page, box, button, context } = person;
  await signUp(person, "API");
  await box("Phone number").fill("+12125550022");
  await button("Continue").click();
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

test("a second run of the example uses the brands of the first one, which have their own names", async () => {
  const read = async () => JSON.parse(await readFile(keys, "utf8"))[it.deps.addresses.apiUrl];
  const before: Record<string, { uuid: string }> = await read();
  const again = await start();
  assert.deepEqual(await read(), before);
  const names = Object.values(before).map(async ({ uuid }) => {
    const { name, settings } = (await it.api.readSandboxBrand({ params: { uuid } })).body;
    assert.equal(settings.redirectUrl, `${again.brandUrl}/welcome`);
    return name;
  });
  assert.deepEqual(await Promise.all(names), ["Example shop, SDK", "Example shop, Hosted", "Example shop, API"]);
});
