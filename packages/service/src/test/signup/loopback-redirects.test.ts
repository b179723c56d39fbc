/** Redirects to this machine: every API version accepts them in the sandbox, and none does in production. */
import assert from "node:assert/strict";
import test from "node:test";
import type { IntegrationType } from "@countersign/contract/brand";
import { changeSettings, createBrand } from "../../domain/brand/manage.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";
import { agreed, onView } from "../harness/consent-shown.ts";
import { pressLink } from "../harness/link-form.ts";
import type { Inject } from "../harness/sandbox.ts";

const it = await both();
const { real } = it;
const consent = agreed("share");
const targets = ["http://localhost:3000/back", "https://127.0.0.1:8443/back", "http://[::1]:5173/back"];
const phone = "+12125550010";
const codeOf = () => "111111";

type Json = Record<string, unknown>;
const asJson = (value: unknown) => value as Json;

/** Returns calls as a brand and as its person on the wallet. */
async function sandboxBrand(integrationType: IntegrationType) {
  const { apiKey } = await it.brand({ integrationType });
  const post = caller(it.inject, apiKey);
  const person = async (method: "GET" | "POST", url: string, payload?: Json, session?: string) => {
    const authorization = session === undefined ? {} : { authorization: `Bearer ${session}` };
    const answer = await it.wallet.inject({
      method,
      url,
      headers: authorization,
      ...(payload === undefined ? {} : { payload }),
    });
    return { location: answer.headers.location, body: answer.json<Json>() };
  };
  return { post, person };
}

function caller(inject: Inject, apiKey: string) {
  return async (url: string, payload: Json) => {
    const { status, body } = await inject({ method: "POST", url, headers: { authorization: apiKey }, payload });
    return { status, body: asJson(body) };
  };
}

/** Proves, reviews and shares on the wallet's page, and returns its redirect URL. */
async function share(
  { person }: Awaited<ReturnType<typeof sandboxBrand>>,
  url: unknown,
  proof: Json = {},
): Promise<unknown> {
  const page = new URL(String(url)).pathname.slice("/request/".length);
  const { sessionToken } = (await person("POST", `/api/page/${page}/code`, { code: codeOf(), ...proof })).body;
  const { body: view } = await person("GET", "/api/page", undefined, String(sessionToken));
  const decision = onView({ share: true, consent }, view);
  return (await person("POST", "/api/page/decision", decision, String(sessionToken))).body.redirectUrl;
}

for (const target of targets) {
  test(`sandbox: v1 redirects to ${target}, given in the request or in the page's URL`, async () => {
    const brand = await sandboxBrand("v1");
    const named = await brand.post("/1-click", { phone, redirectUrl: target });
    assert.equal(await share(brand, named.body.url), `${target}?1ClickUuid=${String(named.body.uuid)}`);
    const bare = await brand.post("/1-click", { phone });
    const redirected = await share(brand, bare.body.url, { redirectUrl: target });
    assert.equal(redirected, `${target}?1ClickUuid=${String(bare.body.uuid)}`);
  });

  test(`sandbox: v2.0 Hosted redirects to ${target}`, async () => {
    const brand = await sandboxBrand("hosted");
    const { body } = await brand.post("/v2/1-click", { phone, redirectUrl: target });
    assert.equal(await share(brand, body.url), `${target}?identityUuid=${String(body.uuid)}`);
  });

  test(`sandbox: a texted link of v2.1 redirects to ${target}`, async () => {
    const { api } = await it.brand({ integrationType: "api" });
    const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
    await api.deliverVerification({ params: { uuid }, body: { format: "link", redirectUrl: target } });
    await it.runJobs();
    const [text] = (await api.listMessages({ query: { to: phone } })).body.data;
    const { pathname } = new URL(/http\S+\/v\/\w+/.exec(text?.body ?? "")?.[0] ?? "");
    const redirected = await pressLink(it, pathname);
    assert.equal(redirected.headers.location, `${target}?verificationUuid=${uuid}`);
  });
}

test("production: every API version refuses a redirect to this machine, and no setting can allow one", async () => {
  const customerUuid = await customerOf(it, (await it.brand()).uuid);
  const realBrand = async (integrationType: IntegrationType) => {
    const settings = { integrationType, consent: { declared: true } };
    const brand = await createBrand(real.admin, { customerUuid, name: "Piper", settings, approvals: ["production"] });
    return { ...brand, post: caller(real.inject, brand.apiKey) };
  };
  const [v1, hosted, api] = [await realBrand("v1"), await realBrand("hosted"), await realBrand("api")];
  const { uuid } = (await api.post("/v2/1-click/verifications", { channel: "sms", phone: "+16502530000" })).body;
  for (const redirectUrl of targets) {
    const answers = [
      await v1.post("/1-click", { phone: "+16502530000", redirectUrl }),
      await hosted.post("/v2/1-click", { phone: "+16502530000", redirectUrl }),
      await api.post(`/v2/1-click/verifications/${String(uuid)}/deliver`, { format: "link", redirectUrl }),
    ];
    for (const { status, body } of answers) {
      const { errors } = asJson(body.data) as { errors: { path: string }[] };
      assert.deepEqual([status, errors[0]?.path], [400, "body.redirectUrl"]);
    }
    for (const named of [{ redirectUrl }, { allowedRedirectUrls: [redirectUrl] }])
      await assert.rejects(changeSettings(real.admin, hosted.uuid, named), /Validation failed/);
  }
});
