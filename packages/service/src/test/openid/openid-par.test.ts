/** Pushed authorization requests (RFC 9126), and attacks on them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  authorizePath,
  beginAt,
  browserOf,
  call,
  decideOn,
  exchange,
  openidBrand,
  pkce,
  requestOf,
  returnTo,
  userInfo,
} from "../harness/openid.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const brand = await openidBrand(it);
const other = await openidBrand(it);

async function push(more: Record<string, string> = {}) {
  const { verifier, challenge } = pkce();
  const { status, body } = await call(it, "/openid/request", requestOf(brand, challenge, more), brand);
  return { status, body, verifier, requestUri: String(body.request_uri) };
}

const pathOf = (requestUri: string, more: Record<string, string> = {}) =>
  authorizePath({ client_id: brand.clientId, request_uri: requestUri, ...more });

/** Visits a URL that must not begin a sign-in. Returns the error, if the client's redirect URI gets one. */
async function refusalAt(path: string): Promise<string | null> {
  const { status, location } = await browserOf(it).visit(path);
  if (location === null) return status === 400 ? null : assert.fail(`status ${status}`);
  const url = new URL(location);
  assert.equal(url.host, "client.example");
  return url.searchParams.get("error");
}

test("a pushed request leads to claims, and the browser's URL has none of its parameters", async () => {
  const { status, verifier, requestUri } = await push({ scope: "openid birthdate", login_hint: "+12125550010" });
  assert.equal(status, 201);
  const browser = browserOf(it);
  const page = await beginAt(browser, pathOf(requestUri));
  assert.match((await browser.visit(page)).body, /value="\+12125550010"/);
  const back = await returnTo(browser, await decideOn(it, browser, page));
  const code = back.searchParams.get("code") ?? "";
  const { body } = await exchange(it, brand, { code, verifier });
  assert.equal((await userInfo(it, body.access_token)).body.birthdate, "1989-08-01");
});

test("tampering: parameters of the browser's URL do not change a pushed request", async () => {
  const { verifier, requestUri } = await push({ scope: "openid birthdate" });
  const browser = browserOf(it);
  const tampered = { scope: "openid profile address", redirect_uri: "https://evil.example/", state: "other" };
  const page = await beginAt(browser, pathOf(requestUri, tampered));
  const back = await returnTo(browser, await decideOn(it, browser, page));
  assert.equal(back.host, "client.example");
  assert.equal(back.searchParams.get("state"), "state-1");
  const { body } = await exchange(it, brand, { code: back.searchParams.get("code") ?? "", verifier });
  assert.deepEqual(Object.keys((await userInfo(it, body.access_token)).body).sort(), ["birthdate", "sub"]);
});

test("reuse: a request that led to a code cannot be used again", async () => {
  const { requestUri } = await push();
  const browser = browserOf(it);
  const page = await beginAt(browser, pathOf(requestUri));
  await returnTo(browser, await decideOn(it, browser, page));
  assert.equal(await refusalAt(pathOf(requestUri)), "invalid_request_uri");
});

test("another client cannot use the request, and an unknown one is refused", async () => {
  const { requestUri } = await push();
  const theirs = authorizePath({ client_id: other.clientId, request_uri: requestUri });
  assert.equal(await refusalAt(theirs), "invalid_request_object");
  assert.equal(await refusalAt(pathOf("urn:ietf:params:oauth:request_uri:unknown")), "invalid_request_uri");
  assert.equal(await refusalAt(pathOf("https://evil.example/request")), "request_uri_not_supported");
});

test("an expired request is refused", async () => {
  const { requestUri } = await push();
  await it.advance(61_000);
  assert.equal(await refusalAt(pathOf(requestUri)), "invalid_request_uri");
});

test("pushing needs the client's secret, PKCE and its redirect URI", async () => {
  const request = requestOf(brand, pkce().challenge);
  assert.equal((await call(it, "/openid/request", request)).status, 401);
  assert.equal((await call(it, "/openid/request", request, { ...brand, secret: other.secret })).status, 401);
  assert.equal((await push({ redirect_uri: "https://evil.example/" })).status, 400);
  const { code_challenge: _challenge, code_challenge_method: _method, ...bare } = request;
  assert.equal((await call(it, "/openid/request", bare, brand)).status, 400);
});
