/** Strangers begin authorization requests, and each one is stored. Its size and its number are limited. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sandboxCaps } from "../../providers/caps.ts";
import { authorizePath, browserOf, openidBrand, pkce, requestOf } from "../harness/openid.ts";
import { sandbox } from "../harness/sandbox.ts";

const hour = 60 * 60_000;
const perAddress = 12;
const caps = { ...sandboxCaps, authorizations: { ...sandboxCaps.authorizations } };
caps.authorizations.fromAddress = { windowMs: hour, max: perAddress };
const it = await sandbox({ policy: { caps } });
const brand = await openidBrand(it);

const stored = async () => (await it.store.db.selectFrom("openid_artifact").select("expires_at").execute()).length;
const ask = (more: Record<string, string> = {}) =>
  browserOf(it).visit(authorizePath(requestOf(brand, pkce().challenge, more)));

test("an authorization request with a parameter that is too long is refused, and nothing is stored", async () => {
  const before = await stored();
  for (const [name, max] of [
    ["state", 2_000],
    ["nonce", 2_000],
    ["login_hint", 2_000],
    ["ui_locales", 2_000],
    ["claims", 4_000],
  ] as const) {
    const { status, location } = await ask({ [name]: "x".repeat(max + 1) });
    assert.deepEqual([name, status, location], [name, 400, null]);
  }
  // A repeated parameter, of which one is too long.
  const path = `${authorizePath(requestOf(brand, pkce().challenge))}&state=${"x".repeat(2_001)}`;
  assert.equal((await browserOf(it).visit(path)).status, 400);
  const more = Array.from({ length: 100 }, (_, at) => `&p${at}=`).join("");
  const many = `${authorizePath(requestOf(brand, pkce().challenge))}${more}`;
  assert.equal((await browserOf(it).visit(many)).status, 400);
  assert.equal(await stored(), before);
  assert.equal((await ask({ state: "x".repeat(2_000) })).status, 303);
  assert.equal(await stored(), before + 1);
});

test("no spelling of the request gets past the limit of a parameter", async () => {
  const before = await stored();
  const [, query = ""] = authorizePath(requestOf(brand, pkce().challenge, { state: "" })).split("?");
  const long = query.replace("state=", `state=${"x".repeat(2_001)}`);
  for (const path of ["auth/", "AUTH", "auth//", "/auth", "%61uth", "./auth", "x/../auth", "auth#"])
    assert.notEqual((await browserOf(it).visit(`/openid/${path}?${long}`)).status, 303, path);
  assert.equal((await browserOf(it).visit(`/openid/auth?x=?&${long}`)).status, 400);
  assert.equal(await stored(), before);
});

test("authorization requests of one address are limited per hour", async () => {
  await it.advance(hour);
  for (let begun = 0; begun < perAddress; begun += 1) assert.equal((await ask()).status, 303);
  const before = await stored();
  const { status, headers } = await ask();
  assert.equal(status, 429);
  assert.ok(Number(headers["retry-after"]) > 0);
  assert.equal(await stored(), before);
  await it.advance(hour);
  assert.equal((await ask()).status, 303);
});
