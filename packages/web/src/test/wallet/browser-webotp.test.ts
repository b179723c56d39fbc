/** Codes that the browser reads from texts (WebOTP). Chromium on Android has it; here, the page's API is a stub. */
import assert from "node:assert/strict";
import test from "node:test";
import { eventually } from "../../../../service/src/test/harness/eventually.ts";
import { browserSandbox } from "../harness/browser.ts";
import { brandSite, frameOf, visitor } from "../harness/sdk-frame.ts";

const it = await browserSandbox();
const site = await brandSite(it);
const brand = await it.brand({ integrationType: "sdk", externalName: "Pied Piper" });

/** The browser's API. `texts.shift()` answers each request; with none left, the request waits for \`offer(code)\`. */
const stub = (...texts: string[]) => `
  window.OTPCredential = class {};
  window.asked = 0;
  window.refuse = false;
  const texts = ${JSON.stringify(texts)};
  navigator.credentials.get = ({ signal }) => new Promise((resolve, reject) => {
    window.asked += 1;
    window.offer = (code) => resolve({ code });
    window.dismiss = () => reject(new DOMException("", "AbortError"));
    signal.addEventListener("abort", () => reject(signal.reason));
    if (texts.length > 0) resolve({ code: texts.shift() });
  });
`;

/** The frame at its screen for the code. `asked` waits until the browser was asked so many times. */
async function opened(...texts: string[]) {
  const person = await visitor(it, site);
  await person.context.addInitScript(stub(...texts));
  const sentCodes: string[] = [];
  person.page.on("request", (request) => {
    if (request.url().endsWith("/code")) sentCodes.push(request.postDataJSON().code);
  });
  await person.page.clock.install();
  await person.page.reload();
  await person.begin((await brand.api.createSession({})).body.sessionKey);
  await person.at("phone");
  await person.phone("2125550010");
  await person.inside.locator("main[data-step=verificationCode]").waitFor();
  const frame = frameOf(person.page);
  const asked = (count: number) =>
    eventually(async () => (Number(await frame.evaluate("window.asked")) >= count ? true : undefined));
  return { ...person, sentCodes, frame, asked, problem: person.inside.locator("#code-error") };
}

test("after the code of an older text, the browser is asked for the next text", async () => {
  const { frame, asked, problem, at, done } = await opened("000000");
  await asked(2);
  await problem.waitFor();
  await frame.evaluate("window.offer('111111')");
  await at("review");
  await done();
});

test("a person who dismissed the browser's question is asked again after a resend, and after a wrong code", async () => {
  const { frame, asked, problem, page, inside, at, done } = await opened();
  await asked(1);
  await frame.evaluate("window.dismiss()");
  await page.clock.runFor(31_000);
  await inside.locator("button", { hasText: "Resend" }).click();
  await asked(2);
  await frame.evaluate("window.dismiss()");
  await inside.locator("#code").fill("000000");
  await problem.waitFor();
  await asked(3);
  await frame.evaluate("window.offer('111111')");
  await at("review");
  await done();
});

test("a text that the browser offers again uses no second attempt", async () => {
  const { sentCodes, asked, problem, inside, at, done } = await opened("000000", "000000");
  await problem.waitFor();
  await asked(3);
  await inside.locator("#code").fill("111111");
  await at("review");
  assert.deepEqual(sentCodes, ["000000", "111111"]);
  await done();
});
