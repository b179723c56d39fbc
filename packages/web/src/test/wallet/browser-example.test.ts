import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browserSandbox } from "../harness/browser.ts";

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
  await button("Continue on the wallet's pages (Hosted)").click();
  await at("verificationCode");
  await box("Verification code").fill(/: (\d{6}) /.exec(await nextLine())?.[1] ?? "");
  await at("birthday");
  await box("Birthday").fill("08/01/1989");
  await button("Continue").click();
  await at("review");
  await button("Share").click();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  const shown = await page.locator("main").innerText();
  assert.match(shown, /Richard Harrison Hendricks[\s\S]*•••••6789/);
  const forged = page.url().replace(/identityUuid=[^&]+/, "identityUuid=5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21");
  await page.goto(forged);
  await page.getByText("We do not know this visit.").waitFor();
  await context.close();
});

test("the example's SDK flow shares data in a frame, and the brand's server reads the data", async () => {
  const { page, context } = await it.person();
  await page.goto(brandUrl);
  await page.getByRole("link", { name: "Continue in a frame on this page (SDK)" }).click();
  const frame = page.frameLocator("#signup iframe");
  await frame.getByRole("textbox", { name: "Phone number" }).fill("2125550010");
  await frame.getByRole("button", { name: "Continue", exact: true }).click();
  await frame.getByRole("textbox", { name: "Verification code" }).fill("111111");
  await frame.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByText("Richard Harrison Hendricks").waitFor();
  await context.close();
});

test("the example's API flow asks for the code and the birthday itself and lets the person correct both", async () => {
  const { page, box, button, context } = await it.person();
  await page.goto(brandUrl);
  await box("Phone number").fill("+12125550022");
  await button("Continue on our own pages (API)").click();
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
