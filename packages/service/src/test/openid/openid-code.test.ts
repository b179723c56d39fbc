import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import { browserOf, exchange, openidBrand, signIn, userInfo } from "../harness/openid.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const brand = await openidBrand(it);
const issuer = `${it.deps.addresses.walletUrl}/openid`;

async function jwks() {
  const { body } = await browserOf(it).visit("/openid/jwks");
  return createLocalJWKSet(JSON.parse(body));
}

test("the code flow leads from discovery through the wallet to a signed ID token and UserInfo", async () => {
  const discovery = await browserOf(it).visit("/openid/.well-known/openid-configuration");
  assert.equal(JSON.parse(discovery.body).issuer, issuer);
  const { code, verifier, back } = await signIn(it, brand);
  assert.equal(back.searchParams.get("iss"), issuer);
  assert.equal(back.searchParams.get("state"), "state-1");
  const { status, body } = await exchange(it, brand, { code, verifier });
  assert.equal(status, 200, JSON.stringify(body));
  const expected = { issuer, audience: brand.clientId };
  const { payload } = await jwtVerify(String(body.id_token), await jwks(), expected);
  assert.equal(payload.nonce, "nonce-1");
  const info = await userInfo(it, body.access_token);
  assert.equal(info.status, 200, JSON.stringify(info.body));
  assert.equal(info.body.sub, payload.sub);
  assert.equal(payload.acr, "urn:countersign:acr:phone-otp");
  assert.deepEqual(payload.amr, ["otp", "sms"]);
  assert.equal(payload.name, undefined);
  const { given_name: givenName, birthdate, phone_number: phone, phone_number_verified: proven, address } = info.body;
  assert.deepEqual([givenName, birthdate, phone, proven], ["Richard", "1989-08-01", "+12125550010", true]);
  assert.deepEqual(address, {
    formatted: "5320 Newell Rd\nPalo Alto, CA 94303\nUS",
    street_address: "5320 Newell Rd",
    locality: "Palo Alto",
    region: "CA",
    postal_code: "94303",
    country: "US",
  });
  assert.equal(info.body.ssn, undefined);
});

test("the sign-in time is the machine's time, so a client that compares it with its own clock accepts it", async () => {
  const { body } = await exchange(it, brand, await signIn(it, brand));
  const { payload } = await jwtVerify(String(body.id_token), await jwks(), { issuer });
  const authTime = Number(payload.auth_time);
  // The clock of the tests stands still in January, and tokens use the clock of accounts.
  assert.equal(authTime, it.accountClock.now() / 1_000);
});

test("a person who declines returns with access_denied and no code", async () => {
  const { back } = await signIn(it, brand, {}, { share: false });
  assert.equal(back.searchParams.get("error"), "access_denied");
  assert.equal(back.searchParams.get("code"), null);
  assert.equal(back.searchParams.get("iss"), issuer);
});

test("a person whom the risk check blocks returns with access_denied", async () => {
  const { back } = await signIn(it, brand, {}, { phone: "4045551775" });
  assert.equal(back.searchParams.get("error"), "access_denied");
});

test("the person has the same subject at each sign-in with a brand, and another one at another brand", async () => {
  const other = await openidBrand(it);
  const subjects: unknown[] = [];
  for (const one of [brand, brand, other]) {
    const { body } = await exchange(it, one, await signIn(it, one));
    subjects.push((await userInfo(it, body.access_token)).body.sub);
  }
  assert.equal(subjects[0], subjects[1]);
  assert.notEqual(subjects[0], subjects[2]);
});

test("a brand with signed UserInfo gets a JWT that the published keys verify", async () => {
  const signed = await openidBrand(it, { signedUserInfo: true });
  const { body } = await exchange(it, signed, await signIn(it, signed));
  const info = await userInfo(it, body.access_token);
  const expected = { issuer, audience: signed.clientId };
  const { payload } = await jwtVerify(String(info.body.jwt), await jwks(), expected);
  assert.equal(payload.given_name, "Richard");
});
