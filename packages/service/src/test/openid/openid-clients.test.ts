/** What clients of others do: they read discovery and use each feature that it announces, and they post requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  authorizePath,
  browserOf,
  decideOn,
  exchange,
  hiddenFields,
  openidBrand,
  ownSite,
  pkce,
  requestOf,
  returnTo,
  signIn,
  userInfo,
} from "../harness/openid.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const brand = await openidBrand(it);
const discovery = async () => (await it.wallet.inject("/openid/.well-known/openid-configuration")).json();

test("discovery announces only what the provider supports", async () => {
  const found = await discovery();
  assert.deepEqual(
    Object.keys(found).filter((name) => /dpop|request_object|registration|end_session|mtls/.test(name)),
    [],
  );
  assert.equal(found.request_uri_parameter_supported, false);
  assert.deepEqual(found.response_modes_supported, ["form_post", "fragment", "query"]);
  assert.deepEqual(found.grant_types_supported.sort(), ["authorization_code", "refresh_token"]);
  assert.deepEqual(found.ui_locales_supported, ["en", "es"]);
  for (const name of ["jwks_uri", "service_documentation"]) assert.ok(URL.canParse(found[name]), name);
});

test("a client that sends a DPoP proof gets a bearer token, which works", async () => {
  const signedIn = await signIn(it, brand);
  const { body } = await exchange(it, brand, signedIn);
  assert.equal(body.token_type, "Bearer");
  const answer = await it.wallet.inject({
    url: "/openid/me",
    headers: { authorization: `DPoP ${String(body.access_token)}`, dpop: "a.b.c" },
  });
  assert.equal(answer.statusCode, 400);
  assert.equal((await userInfo(it, body.access_token)).status, 200);
});

test("the response mode fragment returns the code in the fragment", async () => {
  const { back } = await signIn(it, brand, { response_mode: "fragment" });
  const given = new URLSearchParams(back.hash.slice(1));
  assert.deepEqual([back.search, [...given.keys()].sort()], ["", ["code", "iss", "state"]]);
});

test("a posted authorization request leads to claims, like one in a URL", async () => {
  const browser = browserOf(it);
  const { verifier, challenge } = pkce();
  const parameters = requestOf(brand, challenge);
  const posted = await browser.visit("/openid/auth", { form: parameters });
  assert.equal(posted.status, 303, posted.body);
  const back = await returnTo(browser, await decideOn(it, browser, String(posted.location)));
  const code = back.searchParams.get("code") ?? "";
  const { status, body } = await exchange(it, brand, { code, verifier });
  assert.equal(status, 200, JSON.stringify(body));
});

test("a posted request is checked and counted like one in a URL", async () => {
  const parameters = requestOf(brand, pkce().challenge);
  const browser = browserOf(it);
  const long = await browser.visit("/openid/auth", { form: { ...parameters, state: "s".repeat(2_001) } });
  assert.equal(long.status, 400);
  const unknown = await browser.visit("/openid/auth", { form: { ...parameters, prompt: "none" } });
  assert.equal(new URL(String(unknown.location)).searchParams.get("error"), "login_required");
  assert.equal((await browser.visit("/openid/auth", { form: { ...parameters, x: "y".repeat(20_000) } })).status, 413);
});

test("ui_locales selects the language of the pages, and the person's choice stays on the next page", async () => {
  const browser = browserOf(it);
  for (const [wanted, language] of [
    ["es-MX en", "es"],
    ["fr en", "en"],
    ["ES", "es"],
  ] as const) {
    const { location } = await browser.visit(authorizePath(requestOf(brand, pkce().challenge, { ui_locales: wanted })));
    assert.match(String(location), new RegExp(`\\?lang=${language}$`));
    assert.match((await browser.visit(String(location))).body, new RegExp(`<html lang="${language}"`));
  }
  const { location } = await browser.visit(authorizePath(requestOf(brand, pkce().challenge, { ui_locales: "fr" })));
  assert.doesNotMatch(String(location), /lang=/);
});

test("a phone is read however the person writes it", async () => {
  for (const phone of ["\u202d+1 (212) 555-0010\u202c", "tel:+12125550010", "\uff12\uff11\uff12-555-0010"]) {
    const browser = browserOf(it);
    const { location } = await browser.visit(authorizePath(requestOf(brand, pkce().challenge)));
    const page = String(location);
    const sent = await browser.visit(page, {
      form: { ...(await hiddenFields(browser, page)), phone },
      headers: ownSite,
    });
    assert.equal(sent.status, 303, `${phone}: ${sent.body}`);
  }
});

test("pages of a sign-in keep the opener of a brand's popup, and the person's own page does not", async () => {
  const browser = browserOf(it);
  const { location } = await browser.visit(authorizePath(requestOf(brand, pkce().challenge)));
  const policy = async (url: string) => (await browser.visit(url)).headers["cross-origin-opener-policy"];
  assert.equal(await policy(String(location)), "unsafe-none");
  assert.equal(await policy("/request"), "unsafe-none");
  assert.equal(await policy("/"), "same-origin");
});
