/** Cards that a deletion keeps, because they were issued to an email address alone. */
import assert from "node:assert/strict";
import test from "node:test";
import { consentWords } from "@countersign/contract/consent";
import { birthDate, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const consent = agreed("delete");

test("a deletion keeps a card that was issued to an email address alone, as the text before it says", async () => {
  const phone = freshPhone();
  const email = "kept@example.com";
  const title = [{ type: "TitleCredential", data: { title: "CEO" } }];
  const [kept] = (await it.api.issueCredentials({ body: { email, credentials: title } })).body.credentials;
  await it.api.issueCredentials({ body: { phone, email, credentials: title } });
  const page = await signIn(it, phone);
  const { cards } = (await page.readAccount()).body;
  assert.deepEqual(cards.map(({ toEmail }) => toEmail).sort(), [false, true]);
  await page.proveAccount({ body: { birthDate } });
  await page.deleteAccount({ body: { consent } });
  const left = await it.store.db.selectFrom("issued_credential").select("uuid").execute();
  assert.deepEqual(left, [{ uuid: kept?.id }]);
  const saysSo = { en: /issued to your number.*only to your email/, es: /a su número.*solo a su correo/ };
  for (const language of ["en", "es"] as const)
    assert.match(consentWords("delete", { ...consent, language }) ?? "", saysSo[language]);
});
