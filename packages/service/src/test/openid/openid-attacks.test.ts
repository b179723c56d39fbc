/** Attacks on the OpenID Provider. Each one is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { provingText } from "@countersign/contract/consent";
import { acrValues } from "@countersign/contract/openid-claims";
import { productionCaps } from "../../providers/caps.ts";
import { agreed } from "../harness/consent-shown.ts";
import {
  authorizePath,
  beginAt,
  browserOf,
  call,
  decideOn,
  exchange,
  hiddenFields,
  openidBrand,
  ownSite,
  pkce,
  redirectUri,
  requestOf,
  returnTo,
  signIn,
  userInfo,
} from "../harness/openid.ts";
import { refusal, sandbox, takeApproval } from "../harness/sandbox.ts";

const { version } = agreed(provingText({ known: false, asksFor: { data: true, ssn: true, health: false } }));

const it = await sandbox();
const brand = await openidBrand(it);
const other = await openidBrand(it);
const issuer = `${it.deps.addresses.walletUrl}/openid`;

/** Asks for authorization. Returns the error that the client's redirect URI gets, or null if there is no redirect. */
async function refusedAs(more: Record<string, string>, without: string[] = []): Promise<string | null> {
  const all = Object.entries(requestOf(brand, pkce().challenge, more)).filter(([name]) => !without.includes(name));
  const { status, location } = await browserOf(it).visit(authorizePath(Object.fromEntries(all)));
  if (location === null) return status === 400 ? null : assert.fail(`status ${status}`);
  const url = new URL(location, issuer);
  assert.equal(`${url.origin}${url.pathname}`, redirectUri);
  assert.equal(url.searchParams.get("iss"), issuer);
  return url.searchParams.get("error");
}

test("planted cookies: the provider signs its cookies with SHA-256, and ignores one with another signature", async () => {
  const browser = browserOf(it);
  const page = await beginAt(browser, authorizePath(requestOf(brand, pkce().challenge)));
  const signatures = [...browser.cookies].filter(([name]) => name.endsWith(".sig"));
  assert.ok(signatures.length > 0);
  assert.equal((await browser.visit(page)).status, 200);
  for (const [name, { value }] of signatures) assert.equal(Buffer.from(value, "base64url").length, 32, name);
  for (const [name, { value, path }] of signatures)
    browser.cookies.set(name, { value: `${value.startsWith("A") ? "B" : "A"}${value.slice(1)}`, path });
  assert.equal((await browser.visit(page)).status, 404);
});

test("mix-up: codes and errors name the issuer, and discovery says so", async () => {
  const { back } = await signIn(it, brand);
  assert.equal(back.searchParams.get("iss"), issuer);
  assert.equal(await refusedAs({ prompt: "none" }), "login_required");
  const { body } = await browserOf(it).visit("/openid/.well-known/openid-configuration");
  assert.equal(JSON.parse(body).authorization_response_iss_parameter_supported, true);
});

test("mix-up: the Host header does not change the addresses in discovery", async () => {
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
  // In demo mode, requests to hosts other than this machine are refused.
  const closed = await sandbox({}, { DEMO: "off" });
  const { body } = await browserOf(closed).visit("/openid/.well-known/openid-configuration", { headers });
  assert.equal(JSON.parse(body).issuer, issuer);
  assert.ok(!body.includes("evil.example"), body);
});

test("code injection: a code does not work with the verifier of another request", async () => {
  const { code } = await signIn(it, brand);
  const { body } = await exchange(it, brand, { code, verifier: pkce().verifier });
  assert.equal(body.error, "invalid_grant");
});

test("code replay: the second use is refused, and revokes the tokens of the first", async () => {
  const signedIn = await signIn(it, brand);
  const { body } = await exchange(it, brand, signedIn);
  assert.equal((await exchange(it, brand, signedIn)).body.error, "invalid_grant");
  assert.equal((await userInfo(it, body.access_token)).status, 401);
});

test("code replay: only one of twenty parallel calls with one code gets tokens", async () => {
  const signedIn = await signIn(it, brand);
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(it, brand, signedIn)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test("code theft: another client cannot use a code", async () => {
  assert.equal((await exchange(it, other, await signIn(it, brand))).body.error, "invalid_grant");
});

for (const [name, uri] of Object.entries({
  "another host": "https://evil.example/callback",
  "a subdomain": "https://a.client.example/callback",
  "a longer path": `${redirectUri}/more`,
  "a path with dots": `${redirectUri}/../callback`,
  "a query": `${redirectUri}?next=https://evil.example`,
  "a fragment": `${redirectUri}#x`,
  "a user name": "https://client.example@evil.example/callback",
  "another scheme": "http://client.example/callback",
  "a port": "https://client.example:444/callback",
  "upper case": "https://client.example/CALLBACK",
  "an encoded letter": "https://client.example/%63allback",
  "a script": "javascript:alert(1)",
  "a backslash": "https://client.example\\@evil.example/callback",
}))
  test(`redirect: ${name} is refused without a redirect`, async () => {
    assert.equal(await refusedAs({ redirect_uri: uri }), null);
  });

test("redirect: settings refuse a redirect URI with a fragment", async () => {
  const openid = { redirectUris: [redirectUri, `${redirectUri}#x`] };
  const { data } = await refusal(it.api.patchSandboxBrand({ params: { uuid: brand.uuid }, body: { openid } }));
  assert.deepEqual(data.errors, [{ path: "settings.openid.redirectUris.1", message: "Leave out the fragment (#…)." }]);
});

test("redirect: the token endpoint refuses another redirect URI than the one of the request", async () => {
  const { code, verifier } = await signIn(it, brand);
  const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: `${redirectUri}2` };
  assert.equal((await call(it, "/openid/token", form, brand)).body.error, "invalid_grant");
});

test("downgrade: a request without PKCE, or with the plain method, is refused", async () => {
  assert.equal(await refusedAs({}, ["code_challenge", "code_challenge_method"]), "invalid_request");
  assert.equal(await refusedAs({ code_challenge_method: "plain" }), "invalid_request");
  assert.equal(await refusedAs({}, ["code_challenge_method"]), "invalid_request");
});

test("downgrade: a token request without the verifier is refused", async () => {
  const { code } = await signIn(it, brand);
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  assert.equal((await call(it, "/openid/token", form, brand)).body.error, "invalid_grant");
});

test("client authentication: a wrong secret, another brand's key and a missing secret are refused", async () => {
  const signedIn = await signIn(it, brand);
  for (const secret of ["wrong", other.secret, `${brand.secret} `]) {
    const { status, body } = await exchange(it, { ...brand, secret }, signedIn);
    assert.deepEqual([status, body.error], [401, "invalid_client"]);
  }
  const form = { grant_type: "authorization_code", code: signedIn.code, client_id: brand.clientId };
  assert.equal((await call(it, "/openid/token", form)).body.error, "invalid_client");
});

test("client authentication: the secret works in the body too, and never from a browser's page", async () => {
  const { code, verifier } = await signIn(it, brand);
  const sent = { client_id: brand.clientId, client_secret: brand.secret };
  const form = { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri, ...sent };
  const headers = { accept: "application/json", "sec-fetch-site": "cross-site" };
  const leaked = await browserOf(it).visit("/openid/token", { form, headers });
  assert.equal(leaked.status, 401);
  assert.equal((await call(it, "/openid/token", form)).status, 200);
});

test("interaction: another browser cannot open or finish it", async () => {
  const mine = browserOf(it);
  const theirs = browserOf(it);
  const [myPage, theirPage] = [
    await beginAt(mine, authorizePath(requestOf(brand, pkce().challenge))),
    await beginAt(theirs, authorizePath(requestOf(brand, pkce().challenge))),
  ];
  for (const visitor of [browserOf(it), theirs]) {
    assert.equal((await visitor.visit(myPage)).status, 404);
    assert.equal((await visitor.visit(`${myPage}/finish`)).status, 404);
  }
  // A cookie that was made for one interaction does not open another one.
  for (const [name, cookie] of theirs.cookies) mine.cookies.set(name, cookie);
  assert.equal((await mine.visit(theirPage.replace(/[^/]+$/, myPage.split("/").at(-1) ?? ""))).status, 404);
});

test("interaction: an attacker who sends a person to the attacker's page gets none of the person's data", async () => {
  const attacker = browserOf(it);
  const phonePage = await beginAt(attacker, authorizePath(requestOf(brand, pkce().challenge)));
  // The person decides in their own browser, which alone gets the ticket.
  const finish = new URL(await decideOn(it, attacker, phonePage));
  const ticket = finish.searchParams.get("ticket") ?? "";
  assert.ok(ticket !== "");
  finish.searchParams.set("ticket", "A".repeat(ticket.length));
  const back = await returnTo(attacker, finish.toString());
  assert.equal(back.searchParams.get("error"), "access_denied");
});

test("interaction: the 1-Click of another brand, or of another request, cannot finish it", async () => {
  const theirs = browserOf(it);
  const finish = new URL(
    await decideOn(it, theirs, await beginAt(theirs, authorizePath(requestOf(other, pkce().challenge)))),
  );
  for (const client of [brand, other]) {
    const mine = browserOf(it);
    const page = await beginAt(mine, authorizePath(requestOf(client, pkce().challenge)));
    const back = await returnTo(mine, `${page}/finish${finish.search}`);
    assert.equal(back.searchParams.get("error"), "access_denied");
  }
});

test("interaction: a page of another site cannot send a phone", async () => {
  const browser = browserOf(it);
  const page = await beginAt(browser, authorizePath(requestOf(brand, pkce().challenge)));
  const headers = { "sec-fetch-site": "cross-site" };
  const form = { phone: "2125550010", version };
  assert.equal((await browser.visit(page, { form, headers })).status, 403);
});

test("interaction: at most five phones can be tried", async () => {
  const browser = browserOf(it);
  const page = await beginAt(browser, authorizePath(requestOf(brand, pkce().challenge)));
  const statuses: number[] = [];
  const hidden = await hiddenFields(browser, page);
  for (let at = 0; at < 6; at += 1) {
    const form = { ...hidden, phone: `212555001${at}` };
    statuses.push((await browser.visit(page, { form, headers: ownSite })).status);
  }
  assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429]);
});

test("interaction: texts that strangers request do not use up a brand's texts, and raise no alarm about the brand", async () => {
  const capped = await sandbox({ policy: { caps: productionCaps } });
  const client = await openidBrand(capped);
  const asked = async (phone: string) => {
    const browser = browserOf(capped);
    const page = await beginAt(browser, authorizePath(requestOf(client, pkce().challenge)));
    return (await browser.visit(page, { form: { ...(await hiddenFields(browser, page)), phone }, headers: ownSite }))
      .status;
  };
  const statuses: number[] = [];
  for (let at = 0; at < 20; at += 1) statuses.push(await asked(`415555080${at % 4}`));
  assert.deepEqual(new Set(statuses), new Set([303]));
  const { api } = await capped.brand();
  for (const phone of ["+14155550800", "+14155550899"]) {
    const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
    assert.equal((await api.deliverVerification({ params: { uuid }, body: {} })).status, 200);
  }
});

for (const [name, claims] of [
  ["another subject", { id_token: { sub: { value: "nobody" } } }],
  [
    "an essential acr that this proof does not have",
    { id_token: { acr: { essential: true, value: acrValues.phone_carrier } } },
  ],
] as const)
  test(`substitution: a request for ${name} ends with an error after the person is asked once`, async () => {
    const { back } = await signIn(it, brand, { claims: JSON.stringify(claims) });
    assert.equal(back.origin + back.pathname, redirectUri);
    assert.equal(back.searchParams.get("error"), "unmet_authentication_requirements");
    assert.equal(back.searchParams.get("code"), null);
  });

for (const acr of [{ value: "urn:gold" }, { values: ["urn:gold", "urn:silver"] }])
  test(`downgrade: the essential acr ${Object.values(acr)[0]}, which the service does not offer, is refused before the person is asked`, async () => {
    const claims = JSON.stringify({ id_token: { acr: { essential: true, ...acr } } });
    assert.equal(await refusedAs({ claims }), "unmet_authentication_requirements");
  });

test("SSN: without the approval the scope is refused, and the claims parameter does not replace the scope", async () => {
  const claims = JSON.stringify({ userinfo: { ssn: null, given_name: null } });
  const { body } = await exchange(it, brand, await signIn(it, brand, { scope: "openid", claims }));
  assert.deepEqual(Object.keys((await userInfo(it, body.access_token)).body).sort(), ["given_name", "sub"]);
  await takeApproval(it, brand.uuid, "openidSsn");
  assert.equal(await refusedAs({ scope: "openid ssn" }), "invalid_scope");
});

test("SSN: a brand that loses the approval gets no SSN with a token from before", async () => {
  const signedIn = await signIn(it, other, { scope: "openid ssn" }, { ssn: true });
  const { body } = await exchange(it, other, signedIn);
  assert.equal((await userInfo(it, body.access_token)).body.ssn, "000456789");
  await takeApproval(it, other.uuid, "openidSsn");
  assert.equal((await userInfo(it, body.access_token)).body.ssn, undefined);
});
