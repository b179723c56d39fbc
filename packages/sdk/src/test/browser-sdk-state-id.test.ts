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

/** Replaces the API for the frame, which the browser must permit, with the sandbox's test wallet. */
const withWalletApp = (protocol: string) => `{
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
}`;

for (const protocol of ["openid4vp", "org-iso-mdoc"])
  test(`in the frame, three presses lead from a missing detail to shared, by ${protocol}`, async () => {
    const brand = await it.brand({
      integrationType: "sdk",
      externalName: "Pied Piper",
      defaultCredentialRequests: requests,
      governmentId: { reported: true },
    });
    const person = await visitor(it, site);
    await person.context.addInitScript(withWalletApp(protocol));
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

test("a person whom no source knows: the result waits until they use a state ID or continue without it", async () => {
  const brand = await it.brand({
    integrationType: "sdk",
    externalName: "Pied Piper",
    defaultCredentialRequests: requests,
  });
  const results = async (person: Awaited<ReturnType<typeof visitor>>) =>
    (await person.told()).filter(({ who }) => who === "onResult").length;
  for (const end of ["USER_SHARED_CREDENTIALS", "NO_CREDENTIALS_FOUND"]) {
    const person = await visitor(it, site);
    await person.context.addInitScript(withWalletApp("openid4vp"));
    await person.begin((await brand.api.createSession()).body.sessionKey);
    await person.phone("+14045551300");
    await person.at("verificationCode");
    await person.code();
    await person.inside.getByRole("heading", { name: "Use your state ID instead?" }).waitFor();
    assert.equal(await results(person), 0);
    if (end === "USER_SHARED_CREDENTIALS") {
      await person.picture("state-id-instead");
      await person.button("Use your state ID").click();
      await person.inside.getByText("Your California ID").first().waitFor();
      await person.button("Share").click();
    } else await person.button("Continue without it").click();
    assert.equal((await person.result()).type, end);
    assert.equal(await results(person), 1);
    await person.done();
  }
});
