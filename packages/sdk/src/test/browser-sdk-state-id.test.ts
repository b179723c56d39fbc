import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox } from "../../../web/src/test/harness/browser.ts";
import { brandSite, visitor } from "../../../web/src/test/harness/sdk-frame.ts";

const it = await browserSandbox();
const site = await brandSite(it);
const requests = [
  { type: "FullNameCredential", children: [{ type: "FirstNameCredential" }, { type: "LastNameCredential" }] },
  { type: "BirthDateCredential", mandatory: "yes" },
];

for (const protocol of ["openid4vp", "org-iso-mdoc"])
  test(`in the frame, three presses lead from a missing detail to shared, by ${protocol}`, async () => {
    const brand = await it.brand({
      integrationType: "sdk",
      externalName: "Pied Piper",
      defaultCredentialRequests: requests,
      governmentId: { reported: true },
    });
    const person = await visitor(it, site);
    await person.context.addInitScript(`{
      window.DigitalCredential = class {};
      navigator.credentials.get = async ({ digital }) => {
        if (!document.featurePolicy.allowsFeature("digital-credentials-get")) throw new Error("not allowed here");
        const request = digital.requests.find((one) => one.protocol.startsWith("${protocol}"));
        const response = await fetch("/demo/state-id/answer", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ id: "california", request }),
        });
        return await response.json();
      };
    }`);
    const { sessionKey } = (await brand.api.createSession()).body;
    await person.begin(sessionKey);
    await person.phone("+13135550034");
    await person.at("verificationCode");
    await person.code();
    assert.equal(await person.at("review"), "Add your birthday");
    await person.picture(`state-id-missing-${protocol}`);
    await person.button("Use your state ID").click();
    await person.inside.getByText("Your California ID").waitFor();
    await person.at("review");
    await person.picture(`state-id-review-${protocol}`);
    await person.button("Share").click();
    const { identityUuid } = await person.result();
    const { body } = await brand.api.readOneClick({ params: { uuid: String(identityUuid) } });
    assert.equal(body.credentials?.birthDate, "1989-08-01");
    assert.equal(body.metadata.credentials?.verificationMethod.birthDate, "government_id");
    await person.done();
  });
