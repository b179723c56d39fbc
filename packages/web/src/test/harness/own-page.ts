/** The person's own page in a browser: a person with data, their sign-in, and their proof. */
import assert from "node:assert/strict";
import { textedCode } from "../../../../service/src/test/harness/account-page.ts";
import { freshPhone } from "../../../../service/src/test/harness/below-http.ts";
import { hostedShare } from "../../../../service/src/test/harness/hosted-share.ts";
import type { BrowserSandbox, Person } from "./browser.ts";

const typed = { credentialRequests: [{ type: "EmployerNameCredential" as const }], edits: { employerName: "Hooly" } };

/** Creates a person with a card, two shares and some reads. */
export async function createPerson(it: BrowserSandbox, phone = freshPhone()) {
  const { uuid } = (await it.api.createOneClick({ body: { phone } })).body;
  for (let reads = 0; reads < 3; reads += 1) await it.api.readOneClick({ params: { uuid } });
  const credentials = [{ type: "EmployerNameCredential", data: { employer: "Pied Piper" } }];
  await it.api.issueCredentials({ body: { phone, credentials } });
  const hosted = await hostedShare(it, phone, typed);
  return { phone, hosted, read: () => it.api.readOneClick({ params: { uuid } }) };
}

export async function signIn(it: BrowserSandbox, { page, box, button, at }: Person, phone: string): Promise<void> {
  await page.goto(`${it.walletUrl}/`);
  assert.equal(await at("phone"), "Manage what you share");
  await box("Phone number").fill(phone.slice(2));
  await button("Continue").click();
  await at("verificationCode");
  await it.runJobs();
  await box("Verification code").fill((await textedCode(it, phone)) ?? "111111");
  assert.equal(await at("home"), "Your data");
}

/** Answers the birthday, which sends itself. */
export async function prove({ box, at }: Person): Promise<void> {
  await at("birthday");
  await box("Birthday").fill("08/01/1989");
}
