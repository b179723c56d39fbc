/**
 * The modules of the OpenID Foundation's plan `oidcc-basic-certification-test-plan`, by their names. The suite itself is a
 * Java program that cannot run here, so each test does what its module does.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import {
  authorizePath,
  beginAt,
  browserOf,
  call,
  decideOn,
  exchange,
  openidBrand,
  pkce,
  redirectUri,
  requestOf,
  returnTo,
  signIn,
  userInfo,
} from "../harness/openid.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const brand = await openidBrand(it);
const second = await openidBrand(it);
const issuer = `${it.deps.addresses.walletUrl}/openid`;

async function tokens(more: Record<string, string> = {}) {
  const signedIn = await signIn(it, brand, more);
  const { status, body } = await exchange(it, brand, signedIn);
  assert.equal(status, 200, JSON.stringify(body));
  return { ...signedIn, body, idToken: decodeJwt(String(body.id_token)) };
}
async function claims(scope: string, more: Record<string, string> = {}) {
  return (await userInfo(it, (await tokens({ scope, ...more })).body.access_token)).body;
}
async function refusal(more: Record<string, string>, without: string[] = []) {
  const all = Object.entries(requestOf(brand, pkce().challenge, more)).filter(([name]) => !without.includes(name));
  const { status, location } = await browserOf(it).visit(authorizePath(Object.fromEntries(all)));
  return location === null ? status : new URL(location, issuer).searchParams.get("error");
}
const succeeds = async (more: Record<string, string>) => void (await tokens(more));

const modules: Record<string, () => Promise<void>> = {
  "oidcc-server": async () => {
    const { idToken, body } = await tokens();
    assert.deepEqual([idToken.iss, idToken.aud, idToken.nonce], [issuer, brand.clientId, "nonce-1"]);
    assert.deepEqual([body.token_type, typeof body.expires_in], ["Bearer", "number"]);
  },
  "oidcc-response-type-missing": async () => {
    assert.equal(await refusal({}, ["response_type"]), "invalid_request");
  },
  "oidcc-userinfo-get": async () => {
    assert.equal(typeof (await claims("openid")).sub, "string");
  },
  "oidcc-userinfo-post-header": async () => {
    const { body } = await tokens();
    const headers = { accept: "application/json", authorization: `Bearer ${String(body.access_token)}` };
    const answer = await browserOf(it).visit("/openid/me", { form: {}, headers });
    assert.equal(answer.status, 200, answer.body);
  },
  "oidcc-userinfo-post-body": async () => {
    const { body } = await tokens();
    assert.equal((await call(it, "/openid/me", { access_token: String(body.access_token) })).status, 200);
  },
  "oidcc-ensure-request-without-nonce-succeeds-for-code-flow": async () => {
    const { verifier, challenge } = pkce();
    const { nonce: _nonce, ...bare } = requestOf(brand, challenge);
    const browser = browserOf(it);
    const page = await beginAt(browser, authorizePath(bare));
    const back = await returnTo(browser, await decideOn(it, browser, page));
    const { status, body } = await exchange(it, brand, { code: back.searchParams.get("code") ?? "", verifier });
    assert.deepEqual([status, decodeJwt(String(body.id_token)).nonce], [200, undefined]);
  },
  "oidcc-scope-profile": async () => assert.equal((await claims("openid profile")).family_name, "Hendricks"),
  "oidcc-scope-email": async () => assert.equal((await claims("openid email")).email, "richard@piedpiper.net"),
  "oidcc-scope-address": async () => assert.equal(typeof (await claims("openid address")).address, "object"),
  "oidcc-scope-phone": async () => assert.equal((await claims("openid phone")).phone_number, "+12125550010"),
  "oidcc-scope-all": async () => {
    const all = await claims("openid profile email address phone");
    for (const name of ["name", "email", "address", "phone_number"]) assert.ok(name in all, name);
  },
  "oidcc-ensure-other-scope-order-succeeds": () => succeeds({ scope: "phone openid" }),
  "oidcc-display-page": () => succeeds({ display: "page" }),
  "oidcc-display-popup": () => succeeds({ display: "popup" }),
  "oidcc-prompt-login": async () => {
    const first = await tokens();
    it.accountClock.setOffset(it.accountClock.offsetMs() + 5_000);
    const again = await tokens({ prompt: "login" });
    assert.equal(Number(again.idToken.auth_time) - Number(first.idToken.auth_time), 5);
  },
  "oidcc-prompt-none-not-logged-in": async () => assert.equal(await refusal({ prompt: "none" }), "login_required"),
  "oidcc-max-age-1": async () => assert.equal(typeof (await tokens({ max_age: "1" })).idToken.auth_time, "number"),
  "oidcc-max-age-10000": async () => {
    assert.equal(typeof (await tokens({ max_age: "10000" })).idToken.auth_time, "number");
  },
  "oidcc-ensure-request-with-unknown-parameter-succeeds": () => succeeds({ extra: "foobar" }),
  "oidcc-login-hint": () => succeeds({ login_hint: "person@example.com" }),
  "oidcc-ui-locales": () => succeeds({ ui_locales: "se" }),
  "oidcc-claims-locales": () => succeeds({ claims_locales: "se" }),
  "oidcc-ensure-request-with-acr-values-succeeds": async () => {
    assert.equal(typeof (await tokens({ acr_values: "1 2" })).idToken.acr, "string");
  },
  "oidcc-codereuse": async () => {
    const { code, verifier } = await tokens();
    assert.equal((await exchange(it, brand, { code, verifier })).body.error, "invalid_grant");
  },
  "oidcc-codereuse-30seconds": async () => {
    const { code, verifier, body } = await tokens();
    await it.advance(30_000);
    assert.equal((await exchange(it, brand, { code, verifier })).body.error, "invalid_grant");
    assert.equal((await userInfo(it, body.access_token)).status, 401);
  },
  "oidcc-ensure-registered-redirect-uri": async () => {
    assert.equal(await refusal({ redirect_uri: "https://client.example/other" }), 400);
  },
  "oidcc-server-client-secret-post": async () => {
    const { code, verifier } = await signIn(it, brand);
    const secret = { client_id: brand.clientId, client_secret: brand.secret };
    const form = {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      ...secret,
    };
    assert.equal((await call(it, "/openid/token", form)).status, 200);
  },
  "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": async () => {
    assert.equal(await refusal({ request: "eyJhbGciOiJub25lIn0.e30." }), "request_not_supported");
  },
  "oidcc-claims-essential": async () => {
    const more = { claims: JSON.stringify({ userinfo: { name: { essential: true } } }) };
    assert.equal((await claims("openid", more)).name, "Richard Harrison Hendricks");
  },
  "oidcc-ensure-request-object-with-redirect-uri": async () => {
    assert.equal(await refusal({ request: "eyJhbGciOiJub25lIn0.e30." }), "request_not_supported");
  },
  "oidcc-refresh-token": async () => {
    const { body } = await tokens({ scope: "openid offline_access", prompt: "consent" });
    const form = { grant_type: "refresh_token", refresh_token: String(body.refresh_token) };
    const refreshed = await call(it, "/openid/token", form, brand);
    assert.equal(decodeJwt(String(refreshed.body.id_token)).sub, decodeJwt(String(body.id_token)).sub);
    assert.equal((await call(it, "/openid/token", form, second)).body.error, "invalid_grant");
  },
  "oidcc-ensure-request-with-valid-pkce-succeeds": () => succeeds({}),
};

/** Modules of the plan that do not apply, and why. */
const notApplicable: Record<string, string> = {
  "oidcc-idtoken-unsigned": "ID tokens are always signed, which the module accepts",
  "oidcc-idtoken-signature": "checked by the test of the code flow, with the published keys",
  "oidcc-prompt-none-logged-in": "there are no sign-in sessions: each request proves the phone and asks for consent",
  "oidcc-id-token-hint": "uses prompt=none with a session",
};

for (const [name, run] of Object.entries(modules)) test(name, run);

test("every module of the plan that does not apply has a reason, and discovery has what the plan reads", async () => {
  for (const reason of Object.values(notApplicable)) assert.ok(reason.length > 20);
  const { body } = await browserOf(it).visit("/openid/.well-known/openid-configuration");
  const metadata = JSON.parse(body);
  assert.deepEqual(metadata.response_types_supported, ["code"]);
  assert.deepEqual(metadata.subject_types_supported, ["pairwise"]);
  assert.deepEqual(metadata.id_token_signing_alg_values_supported, ["RS256"]);
  assert.deepEqual(metadata.code_challenge_methods_supported, ["S256"]);
  assert.ok(metadata.jwks_uri.startsWith(issuer));
  const keys = JSON.parse((await browserOf(it).visit(metadata.jwks_uri)).body);
  const { protectedHeader } = await jwtVerify(String((await tokens()).body.id_token), createLocalJWKSet(keys));
  assert.equal(protectedHeader.alg, "RS256");
});
