/** Issued values are released only on a proof that no brand can forge, in both environments. */
import assert from "node:assert/strict";
import test from "node:test";
import { changeApproval, createBrand } from "../../domain/brand/manage.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";
import { sdkBarePhone, type Target, type Walk, walks } from "../harness/client-journeys.ts";
import { refusal, takeApproval } from "../harness/sandbox.ts";

// A source that finds every phone but returns no credentials.
const identity = {
  issuerUuid: "0b1f7c80-5d0a-4a55-9d7c-1f0f6f6d2a11",
  impossible: () => [],
  lookUp: async () => ({ kind: "found" as const, credentials: [] }),
};
const it = await both({}, { vendors: { identity } });
const { real } = it;
const issued = "ada@example.com";
const settings = {
  redirectUrl: "https://brand.example/back",
  consent: { declared: true },
  defaultCredentialRequests: [{ type: "EmailCredential" }],
  riskSignals: false,
};

let phones = 0;
/** Returns a real phone number that no other test uses. */
const freshPhone = () => `+1650253${String(1000 + phones++ * 7).padStart(4, "0")}`;
const customerUuid = await customerOf(it, (await it.brand()).uuid);

async function realBrand(approvals: readonly ("production" | "issuance" | "trusted")[], more: object = {}) {
  const made = { customerUuid, name: "Piper", settings: { ...settings, ...more }, approvals };
  const brand = await createBrand(real.admin, made);
  return { ...brand, api: real.as(brand.apiKey) };
}
const realIssuer = await realBrand(["production", "issuance"]);
const issuer = await it.brand(settings);
const issueTo = async (phone: string, by: { api: typeof issuer.api } = issuer) => {
  await by.api.issueCredentials({
    body: { phone, credentials: [{ type: "EmailCredential", data: { email: issued } }] },
  });
};

const production: Target = {
  inject: real.inject,
  wallet: real.wallet,
  async codeTo(phone) {
    await real.worker.runDue();
    const text = it.texts.findLast(({ to }) => to === phone)?.body ?? "";
    return /\b\d{3}-?\d{3}\b/.exec(text)?.[0] ?? assert.fail(`no code was texted to ${phone}`);
  },
};
const sandbox: Target = {
  inject: it.inject,
  wallet: it.wallet,
  async codeTo(phone) {
    await it.runJobs();
    const [text] = (await it.api.listMessages({ query: { to: phone } })).body.data;
    return /\b\d{3}-?\d{3}\b/.exec(text?.body ?? "")?.[0] ?? assert.fail(`no code was texted to ${phone}`);
  },
};

const answer = () => ({ birthDate: "1989-08-01" });
/** Returns the email address that a walk delivers to the brand, or how the walk ends. */
async function emailBy(go: Walk["go"], walker: { target: Target; apiKey: string; phone: string }) {
  const end = await go({ ...walker, answer });
  return end.kind === "data" ? end.entity.credentials?.email : end;
}

for (const [name, { integrationType, serviceProves, settings: own = {}, go }] of Object.entries(walks)) {
  {
    // In production, a v1 brand texts the code itself, so the service proves nothing.
    const provesThere = serviceProves && integrationType !== "v1";
    const releases = provesThere ? "releases" : "does not release";
    test(`production: ${name} ${releases} another brand's credentials without barePhone, and releases them with it`, async () => {
      const brand = await realBrand(["production", "trusted"], { integrationType, ...own });
      const phone = freshPhone();
      await issueTo(phone, realIssuer);
      const walker = { target: production, apiKey: brand.apiKey, phone };
      assert.equal(await emailBy(go, walker), provesThere ? issued : undefined);
      await changeApproval(real.admin, { brandUuid: brand.uuid, approval: "barePhone", granted: true });
      assert.equal(await emailBy(go, walker), issued);
    });
  }
  const releases = serviceProves ? "releases" : "does not release";
  test(`sandbox: ${name} releases another brand's credentials, and ${releases} them once barePhone is revoked`, async () => {
    const brand = await it.brand({ ...settings, integrationType, ...own });
    const phone = freshPhone();
    await issueTo(phone);
    const walker = { target: sandbox, apiKey: brand.apiKey, phone };
    assert.equal(await emailBy(go, walker), issued);
    await takeApproval(it, brand.uuid, "barePhone");
    assert.equal(await emailBy(go, walker), serviceProves ? issued : "richard@piedpiper.net");
  });
}

test("an SDK session for a bare phone releases issued credentials with barePhone, and is rejected without it", async () => {
  const phone = freshPhone();
  await issueTo(phone);
  const brand = await it.brand({ ...settings, integrationType: "sdk" });
  const walker = { target: sandbox, apiKey: brand.apiKey, phone };
  assert.equal(await emailBy(sdkBarePhone, walker), issued);
  await takeApproval(it, brand.uuid, "barePhone");
  assert.deepEqual(await emailBy(sdkBarePhone, walker), { kind: "refused", errorCode: undefined });
});

test("a review of a bare phone is over if barePhone is revoked before the decision", async () => {
  const phone = freshPhone();
  await issueTo(phone);
  const brand = await it.brand({ ...settings, integrationType: "sdk" });
  const beforeDecision = () => takeApproval(it, brand.uuid, "barePhone");
  const walker = { target: sandbox, apiKey: brand.apiKey, phone, answer, beforeDecision };
  assert.deepEqual(await emailBy(sdkBarePhone, walker), { kind: "refused", errorCode: "OCE015" });
});

test("for a person whom no source knows, a brand without barePhone that only passes the phone gets OCE013", async () => {
  const unknown = "+14045551300";
  await issueTo(unknown);
  const brand = await it.brand(settings);
  assert.equal((await brand.api.createOneClick({ body: { phone: unknown } })).body.identity.credentials?.email, issued);
  await takeApproval(it, brand.uuid, "barePhone");
  assert.equal((await refusal(brand.api.createOneClick({ body: { phone: unknown } }))).errorCode, "OCE013");
});

test("a code that the brand itself received never proves the phone, even after its integration type changes", async () => {
  const brand = await it.brand({ ...settings, integrationType: "semiHosted" });
  await takeApproval(it, brand.uuid, "barePhone");
  const phone = freshPhone();
  await issueTo(phone);
  const { uuid, code = "" } = (await brand.api.beginOneClick({ body: { phone } })).body;
  await brand.api.readOneClick({ params: { uuid }, query: { code } });
  await brand.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { integrationType: "api" } });
  const { verification_uuid: verificationUuid } = await it.store.db
    .selectFrom("one_click")
    .select("verification_uuid")
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  for (const proof of [{ identityUuid: uuid }, { verificationUuid: verificationUuid ?? "" }]) {
    const { identity: entity } = (await brand.api.createOneClick({ body: proof })).body;
    assert.equal(entity.credentials?.email, "richard@piedpiper.net");
  }
});
