import assert from "node:assert/strict";
import { test } from "node:test";
import { trustFramework } from "@countersign/contract/openid-claims";
import { decodeJwt } from "jose";
import { exchange, openidBrand, signIn, userInfo } from "../harness/openid.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const brand = await openidBrand(it);

type How = Parameters<typeof signIn>[3];

/** What a client gets for a scope and a `claims` parameter. */
async function claimsFor(scope: string, claims?: unknown, how?: How) {
  const more = { scope, ...(claims === undefined ? {} : { claims: JSON.stringify(claims) }) };
  const { body } = await exchange(it, brand, await signIn(it, brand, more, how));
  const { sub: _sub, ...info } = (await userInfo(it, body.access_token)).body;
  return { info, idToken: decodeJwt(String(body.id_token)) };
}

for (const [scope, names] of Object.entries({
  openid: [],
  "openid profile": ["birthdate", "family_name", "given_name", "middle_name", "name"],
  "openid email": ["email", "email_verified"],
  "openid phone": ["phone_number", "phone_number_verified"],
  "openid address": ["address"],
  "openid birthdate": ["birthdate"],
}))
  test(`the scope "${scope}" releases ${names.length} claims`, async () => {
    assert.deepEqual(Object.keys((await claimsFor(scope)).info).sort(), names);
  });

test("the scope ssn of an approved brand releases the SSN, and the consent text named it", async () => {
  const { info } = await claimsFor("openid ssn", undefined, { ssn: true });
  assert.deepEqual(info, { ssn: "000456789" });
});

test("the claims parameter requests single claims, in UserInfo and in the ID token", async () => {
  const { info, idToken } = await claimsFor("openid", {
    userinfo: { given_name: { essential: true }, birthdate: null },
    id_token: { email: null },
  });
  assert.deepEqual(info, { given_name: "Richard", birthdate: "1989-08-01" });
  assert.equal(idToken.email, "richard@piedpiper.net");
  assert.equal(idToken.given_name, undefined);
});

test("the 1-Click requests only what the scopes and claims need", async () => {
  await claimsFor("openid birthdate");
  const { detail } = await it.store.db
    .selectFrom("audit")
    .select("detail")
    .where("action", "=", "oneClick.released")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  assert.match(JSON.stringify(detail), /"types":\["BirthDateCredential"\]/);
});

const verification = { trust_framework: null, time: null, evidence: null };

test("verified_claims name the trust framework, the time and the evidence of each source", async () => {
  const claims = { given_name: null, phone_number: null };
  const { info } = await claimsFor("openid", { userinfo: { verified_claims: { verification, claims } } });
  const verified = info.verified_claims;
  assert.ok(Array.isArray(verified) && verified.length === 2, JSON.stringify(info));
  const byRecord = new Map(verified.map((one) => [one.verification.evidence[0].record.type, one]));
  const records = [...byRecord.keys()].sort();
  assert.deepEqual(byRecord.get("phone_number")?.claims, { phone_number: "+12125550010" });
  const named = byRecord.get(records.find((one) => one !== "phone_number") ?? "");
  assert.deepEqual(named?.claims, { given_name: "Richard" });
  for (const { verification: made } of verified) {
    assert.equal(made.trust_framework, trustFramework);
    assert.match(made.time, /^\d{4}-\d\d-\d\dT/);
    assert.equal(made.evidence[0].type, "electronic_record");
  }
});

test("verified_claims contain only requested members, and nothing for another trust framework or an old proof", async () => {
  const claims = { given_name: null };
  const plain = { verified_claims: { verification: { trust_framework: null }, claims } };
  const { info } = await claimsFor("openid", { userinfo: plain });
  assert.deepEqual(info, {
    verified_claims: { verification: { trust_framework: trustFramework }, claims: { given_name: "Richard" } },
  });
  const other = { verification: { trust_framework: { value: "eidas" } }, claims };
  assert.deepEqual((await claimsFor("openid", { userinfo: { verified_claims: other } })).info, {});
  const recent = { verification: { trust_framework: null, time: { max_age: 4 } }, claims };
  const signedIn = await signIn(it, brand, {
    scope: "openid",
    claims: JSON.stringify({ userinfo: { verified_claims: recent } }),
  });
  await it.advance(5_000);
  const { body } = await exchange(it, brand, signedIn);
  assert.deepEqual(Object.keys((await userInfo(it, body.access_token)).body), ["sub"]);
});

test("a value that the person typed is a claim, and never a verified one", async () => {
  const claims = { email: null };
  const requested = { userinfo: { email: null, verified_claims: { verification, claims } } };
  const { info } = await claimsFor("openid", requested, { edits: { email: "typed@example.com" } });
  assert.deepEqual(info, { email: "typed@example.com" });
});

test("each UserInfo request is a read that the audit log has", async () => {
  const { body } = await exchange(it, brand, await signIn(it, brand, { scope: "openid birthdate" }));
  const reads = async () => {
    const rows = await it.store.db.selectFrom("audit").select("id").where("action", "=", "oneClick.read").execute();
    return rows.length;
  };
  const before = await reads();
  await userInfo(it, body.access_token);
  await userInfo(it, body.access_token);
  assert.equal(await reads(), before + 2);
});
