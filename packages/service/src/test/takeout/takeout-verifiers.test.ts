import assert from "node:assert/strict";
import { test } from "node:test";
import { TypeMetadataFormatSchema } from "@sd-jwt/sd-jwt-vc";
import { copyLifeMs } from "../../domain/takeout/keys.ts";
import { holder, holderKey, offerTo, present, verifier, walletOverHttp } from "../harness/holder.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
await walletOverHttp(it);
const issuer = `${it.deps.addresses.walletUrl}/credentials`;
const audience = "https://verifier.example";
const now = () => it.deps.clock.now();
const verify = verifier({ issuer, vct: `${issuer}/types/address`, audience, now });
const frame = { address: { locality: true, region: true } };
const needs = ["address.locality", "address.region"];

async function held(own: "address" | "phone" = "address", count = 1) {
  const { offer, transactionCode, page } = await offerTo(it, own);
  const copies = await holder().accept(offer, transactionCode, count);
  const [first = assert.fail("no copy")] = copies;
  return { page, copies, first };
}

test("a verifier refuses another nonce, another audience, and a presentation without the holder's key", async () => {
  const { first } = await held();
  const binding = { nonce: "nonce-1", audience, at: now() };
  const presented = await present(first, frame, binding);
  await verify(presented, { nonce: "nonce-1", needs });
  await assert.rejects(verify(presented, { nonce: "nonce-2", needs }), /nonce/i, "it was shown before");
  const elsewhere = await present(first, frame, { ...binding, audience: "https://other.example" });
  await assert.rejects(verify(elsewhere, { nonce: "nonce-1", needs }), /another verifier/);
  const thief = { copy: first.copy, key: await holderKey() };
  const stolen = await present(thief, frame, binding);
  await assert.rejects(verify(stolen, { nonce: "nonce-1", needs }), /signature|verif/i);
  const unbound = presented.slice(0, presented.lastIndexOf("~") + 1);
  await assert.rejects(verify(unbound, { nonce: "nonce-1", needs }), /key binding/i);
});

test("a verifier refuses a missing disclosure, another type, an expired copy, and a changed value", async () => {
  const { first } = await held();
  const binding = { nonce: "nonce-1", audience, at: now() };
  const little = await present(first, { address: { region: true } }, binding);
  await assert.rejects(verify(little, { nonce: "nonce-1", needs }), /missing|required/i);
  const phone = await present((await held("phone")).first, { phone_number: true }, binding);
  await assert.rejects(verify(phone, { nonce: "nonce-1", needs: ["phone_number"] }), /type is another/);
  const presented = await present(first, frame, binding);
  const late = verifier({ issuer, vct: `${issuer}/types/address`, audience, now: () => now() + copyLifeMs });
  await assert.rejects(late(presented, { nonce: "nonce-1", needs }), /exp/i);
  const parts = presented.split("~").map((part) => {
    const text = Buffer.from(part, "base64url").toString();
    return text.includes('"region"') && text.endsWith('"CA"]')
      ? Buffer.from(text.replace('"CA"]', '"NV"]')).toString("base64url")
      : part;
  });
  const forged = parts.join("~");
  assert.notEqual(forged, presented);
  await assert.rejects(verify(forged, { nonce: "nonce-1", needs }), /missing|required/i);
});

test("copies of a batch have no value in common that links them", async () => {
  const { copies } = await held("address", 10);
  const bodies = copies.map(({ copy }) => JSON.parse(Buffer.from(copy.split(".")[1] ?? "", "base64url").toString()));
  const distinct = (of: (body: (typeof bodies)[number]) => unknown) => new Set(bodies.map(of)).size;
  assert.equal(
    distinct(({ cnf }) => cnf.jwk.x),
    10,
  );
  assert.equal(
    distinct(({ status }) => status.status_list.idx),
    10,
  );
  assert.equal(
    distinct(({ _sd }) => JSON.stringify(_sd)),
    10,
  );
  const disclosures = copies.flatMap(({ copy }) =>
    copy
      .split("~")
      .slice(1)
      .filter((one) => one !== ""),
  );
  assert.equal(new Set(disclosures).size, disclosures.length, "each has salts of its own");
  assert.deepEqual([distinct(({ iat }) => iat), distinct(({ exp }) => exp)], [1, 1]);
  assert.ok(
    bodies.every(({ iat }) => iat % 86_400 === 0),
    "times are whole days, as in everyone's copies",
  );
  const order = bodies.map(({ status }) => Number(status.status_list.idx));
  assert.notDeepEqual(
    order,
    [...order].sort((a, b) => a - b),
    "indexes show no order",
  );
  for (const body of bodies)
    assert.deepEqual(Object.keys(body).sort(), ["_sd", "_sd_alg", "cnf", "exp", "iat", "iss", "status", "vct"]);
});

test("the issuer's documents list what it issues, and the types describe every claim", async () => {
  const { origin, pathname } = new URL(issuer);
  const json = async (url: string) => (await fetch(url)).json();
  const metadata = await json(`${origin}/.well-known/openid-credential-issuer${pathname}`);
  assert.equal(metadata.credential_issuer, issuer);
  for (const name of ["phone", "name", "birthdate", "address", "issued-EmployerCredential"]) {
    const { vct, format } = metadata.credential_configurations_supported[name];
    assert.equal(format, "dc+sd-jwt");
    const type = TypeMetadataFormatSchema.parse(await json(vct));
    assert.equal(type.vct, vct);
    assert.ok(type.claims?.every(({ sd }) => sd === "always"));
  }
  assert.equal((await fetch(`${issuer}/types/nothing`)).status, 404);
  assert.equal((await fetch(`${issuer}/status/${crypto.randomUUID()}`)).status, 404);
  const { jwks } = await json(`${origin}/.well-known/jwt-vc-issuer${pathname}`);
  for (const key of jwks.keys) assert.deepEqual(Object.keys(key).sort(), ["alg", "crv", "kid", "kty", "use", "x", "y"]);
});
