/** Clients that we did not write, from discovery to claims in a real browser: the examples in `examples/openid-*`. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { browserSandbox, picture } from "../harness/browser.ts";
import { withWalletApp } from "../harness/phone-wallet.ts";

const it = await browserSandbox();

/** Starts an example, and installs its libraries the first time. */
async function startExample(name: string): Promise<string> {
  const folder = fileURLToPath(new URL(`../../../../../examples/${name}`, import.meta.url));
  if (!existsSync(`${folder}/node_modules`))
    await promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund", "--workspaces=false"], { cwd: folder });
  const given = ["--port", "0", "--issuer", `${it.walletUrl}/openid`, "--api", it.deps.addresses.apiUrl];
  const example = spawn(process.execPath, ["start.mjs", ...given], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  after(() => example.kill());
  const lines = createInterface({ input: example.stdout })[Symbol.asyncIterator]();
  return String((await lines.next()).value).replace("Example: ", "");
}

for (const [name, phoneClaim, press] of [
  ["openid-client", "phone_number", null],
  ["openid-authjs", "phone", "Sign in with Countersign"],
  ["openid-passport", "phone_number", null],
] as const)
  test(`${name} signs a person in and shows their claims`, async () => {
    const url = await startExample(name);
    const { page, box, button, at, done } = await it.person({ alsoAsks: [new URL(url).host, "authjs.dev"] });
    await page.goto(url);
    await page.getByRole("link", { name: "Sign in" }).click();
    if (press !== null) await button(press).click();
    await at("phone");
    await picture(page, `${name}-phone`);
    await box("Phone number").fill("(212) 555-0010");
    await button("Continue").click();
    await at("verificationCode");
    await box("Verification code").fill("111111");
    await at("review");
    await button("Share").click();
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    const claims = JSON.parse(await page.locator("pre").innerText());
    assert.equal(claims.name, "Richard Harrison Hendricks");
    assert.equal(claims[phoneClaim], "+12125550010");
    if (name === "openid-client") assert.deepEqual(claims.verified_claims.claims, { birthdate: "1989-08-01" });
    await done();
  });

test("a client gets no phone number that the person leaves out, and nothing at all if they decline", async () => {
  const url = await startExample("openid-client");
  const { page, box, button, at, done } = await it.person({ alsoAsks: [new URL(url).host] });
  const reviewed = async () => {
    await page.goto(`${url}/login`);
    await at("phone");
    await box("Phone number").fill("(212) 555-0010");
    await button("Continue").click();
    await at("verificationCode");
    await box("Verification code").fill("111111");
    await at("review");
  };
  await reviewed();
  await page.getByText(/^If you don’t share, .* gets none of your details\.$/).waitFor();
  await page.getByRole("switch", { name: "Share phone", exact: true }).click();
  await button("Share").click();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  const claims = JSON.parse(await page.locator("pre").innerText());
  assert.deepEqual([claims.name, claims.phone_number], ["Richard Harrison Hendricks", undefined]);
  await reviewed();
  await button("Don’t share").click();
  await page.getByText(/gets none of your details\.$/).waitFor();
  await page.getByText("access_denied").waitFor();
  await done();
});

test("a person whom no source knows signs in with their state ID", async () => {
  const url = await startExample("openid-client");
  const { page, box, button, at, done } = await it.person({ alsoAsks: [new URL(url).host] });
  await page.addInitScript(withWalletApp);
  await page.goto(`${url}/login`);
  await at("phone");
  await box("Phone number").fill("(404) 555-1300");
  await button("Continue").click();
  await at("verificationCode");
  await box("Verification code").fill("111111");
  assert.equal(await at("review"), "Use your state ID instead?");
  await picture(page, "openid-state-id-instead");
  await button("Use your state ID").click();
  await page.getByText("Your California ID").first().waitFor();
  await at("review");
  await picture(page, "openid-state-id-review");
  await button("Share").click();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  const claims = JSON.parse(await page.locator("pre").innerText());
  assert.deepEqual([claims.given_name, claims.family_name], ["Richard", "Hendricks"]);
  assert.deepEqual([claims.birthdate, claims.phone_number], ["1989-08-01", "+14045551300"]);
  assert.equal(claims.verified_claims, undefined);
  await done();
});

test("a wrong number is explained on the phone's page, and Continue without autofill returns to the client with access_denied", async () => {
  const url = await startExample("openid-client");
  const { page, box, button, at, done } = await it.person({ alsoAsks: [new URL(url).host] });
  await page.goto(`${url}/login`);
  await at("phone");
  await box("Phone number").fill("123");
  await button("Continue").click();
  await page.getByRole("alert").getByText("Enter a US phone number.").waitFor();
  await at("phone");
  await picture(page, "openid-phone-wrong");
  await page.getByRole("link", { name: "Continue without autofill" }).click();
  await page.getByText("access_denied").waitFor();
  await done();
});
