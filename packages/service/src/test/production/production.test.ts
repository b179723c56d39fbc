/**
 * Production as a brand sees it, next to the sandbox in one process: a complete journey, and no data shared between the
 * two.
 */
import assert from "node:assert/strict";
import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import test from "node:test";
import { changeApproval, changeSettings, createBrand } from "../../domain/brand/manage.ts";
import { Failure, problemsOf } from "../../domain/failure.ts";
import { addAuthorities, removeAuthority } from "../../domain/state-id/authority-rows.ts";
import { readTrustFile } from "../../domain/state-id/trust-list.ts";
import { keyFrom, makeRoot } from "../../providers/sandbox/state-id/authority.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";
import { demoKey, frameOfKey, refusal } from "../harness/sandbox.ts";
import { birthDate, knownPhone } from "../harness/vendors/fake-sources.ts";

const it = await both();
const { real } = it;
const { body: made } = await it.api.createSandboxBrand({ body: { name: "Piper" } });
const customerUuid = await customerOf(it, made.uuid);

/** Creates a production brand, with or without the operator's approval. */
async function realBrand(approved = true, settings: Record<string, unknown> = {}) {
  const brand = await createBrand(real.admin, {
    customerUuid,
    name: "Piper",
    settings: { consent: { declared: true }, ...settings },
    approvals: approved ? ["production"] : [],
  });
  return { ...brand, api: real.as(brand.apiKey) };
}
const brand = await realBrand();
const otherPhone = "+16502530010";

test("a key works only while the brand has the operator's production approval", async () => {
  const fresh = await realBrand(false);
  const call = () => refusal(fresh.api.readChannels({ query: {} }));
  assert.deepEqual(
    [(await call()).status, (await call()).message],
    [403, "The operator has not approved this brand for production."],
  );
  await changeApproval(real.admin, { brandUuid: fresh.uuid, approval: "production", granted: true });
  assert.equal((await fresh.api.readChannels({ query: {} })).status, 200);
  await changeApproval(real.admin, { brandUuid: fresh.uuid, approval: "production", granted: false });
  assert.equal((await call()).status, 403);
});

test("a brand verifies a phone by text and gets the person's data from the identity source", async () => {
  const verificationUuid = await it.prove(brand.api, knownPhone);
  const answer = await brand.api.createOneClick({ body: { verificationUuid, birthDate } });
  const { credentials } = answer.body.identity;
  assert.equal(credentials?.birthDate, birthDate);
  const wrong = await refusal(brand.api.createOneClick({ body: { verificationUuid, birthDate: "1990-01-02" } }));
  assert.equal(wrong.errorCode, "OCE012");
});

test("a v1 brand texts the person itself, whatever its settings say", async () => {
  const { apiKey } = await realBrand(true, { integrationType: "v1", v1: { sendsSmsItself: false } });
  const texted = it.texts.length;
  const { status, body } = await real.inject({
    method: "POST",
    url: "/1-click",
    headers: { authorization: apiKey, "content-type": "application/json" },
    payload: { phone: knownPhone },
  });
  assert.equal(status, 201);
  assert.match(String((body as { smsBody?: string }).smsBody), /\d{3}-\d{3}/);
  await real.worker.runDue();
  assert.equal(it.texts.length, texted);
});

test("the sandbox code 111111 is wrong in production, and texts are not stored", async () => {
  const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone: otherPhone } })).body;
  await brand.api.deliverVerification({ params: { uuid }, body: {} });
  await real.worker.runDue();
  if (it.codeTo(otherPhone) !== "111111") {
    const guess = await refusal(brand.api.submitVerificationCode({ params: { uuid }, body: { code: "111111" } }));
    assert.equal(guess.errorCode, "OCV001");
  }
  const kept = await it.store.db
    .selectFrom("message")
    .select("sealed")
    .where("environment", "=", "production")
    .execute();
  assert.ok(kept.length > 0 && kept.every(({ sealed }) => sealed === null));
});

test("production rejects sandbox, premium, toll-free and foreign phone numbers", async () => {
  for (const phone of ["+12125550010", "+19005551234", "+18005551234", "+18765551234"]) {
    const begin = brand.api.createVerification({ body: { channel: "sms", phone } });
    assert.deepEqual([phone, (await refusal(begin)).status], [phone, 400]);
  }
});

/** Uses everything that one environment issues in the other one, where it must be unknown. */
const journeysOf = {
  async key() {
    assert.equal((await refusal(it.as(brand.apiKey).readChannels({ query: {} }))).status, 401);
    assert.equal((await refusal(real.as(demoKey).readChannels({ query: {} }))).status, 401);
    assert.equal((await refusal(real.as(made.apiKey).readChannels({ query: {} }))).status, 401);
  },
  async verification() {
    const ours = (await it.api.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body.uuid;
    const theirs = (await brand.api.createVerification({ body: { channel: "sms", phone: otherPhone } })).body.uuid;
    const read = (api: typeof it.api, uuid: string) => refusal(api.readVerification({ params: { uuid } }));
    assert.equal((await read(brand.api, ours)).errorCode, "OCV005");
    assert.equal((await read(it.api, theirs)).errorCode, "OCV005");
    const use = (api: typeof it.api, verificationUuid: string) =>
      refusal(api.beginOneClick({ body: { verificationUuid } }));
    assert.equal(
      (await use(brand.api, ours)).status,
      (await use(brand.api, "5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c91")).status,
    );
    assert.equal(
      (await use(it.api, theirs)).status,
      (await use(it.api, "5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c91")).status,
    );
  },
  async "1-Click"() {
    const ours = (await it.api.createOneClick({ body: { phone: "+12125550010" } })).body.uuid;
    const verificationUuid = await it.prove(brand.api, knownPhone);
    const theirs = (await brand.api.createOneClick({ body: { verificationUuid, birthDate } })).body.uuid;
    const read = (api: typeof it.api, uuid: string) => refusal(api.readOneClick({ params: { uuid } }));
    assert.equal((await read(brand.api, ours)).errorCode, "OCE015");
    assert.equal((await read(it.api, theirs)).errorCode, "OCE015");
  },
  async "credential's id, when both issue it with a large value"() {
    const issuer = await realBrand(true);
    await changeApproval(real.admin, { brandUuid: issuer.uuid, approval: "issuance", granted: true });
    const id = "0f4f2f6e-3f0e-4a53-9a4e-6a2b1b0f6d11";
    const issued = (phone: string, letter: string) => {
      const image = `data:image/png;base64,${letter.repeat(400_000)}`;
      return { phone, credentials: [{ id, type: "FacialImageCredential" as const, data: { image } }] };
    };
    await issuer.api.issueCredentials({ body: issued(otherPhone, "R") });
    await it.api.issueCredentials({ body: issued("+12125550010", "S") });
    const credentialRequests = [{ type: "FacialImageCredential" as const }];
    const verificationUuid = await it.prove(brand.api, otherPhone);
    const theirs = (await brand.api.createOneClick({ body: { verificationUuid, credentialRequests } })).body;
    const ours = (await it.api.createOneClick({ body: { phone: "+12125550010", credentialRequests } })).body;
    const letters = [theirs, ours].map(({ identity }) => String(identity?.credentials?.facialImage).slice(-2));
    assert.deepEqual(letters, ["RR", "SS"]);
    assert.equal((await it.api.readCredential({ params: { id } })).status, 200);
  },
  async "session key"() {
    const sdk = await realBrand(true, { integrationType: "sdk" });
    const ours = (await it.as("sk_sandbox_demo_sdk").createSession({ body: {} })).body.sessionKey;
    const theirs = (await sdk.api.createSession({ body: {} })).body.sessionKey;
    const open = async (app: typeof it.wallet, sessionKey: string) => {
      const answer = await app.inject({
        method: "POST",
        url: "/api/session",
        payload: { sessionKey, frame: frameOfKey(sessionKey) },
      });
      return `${answer.statusCode} ${answer.json().message}`;
    };
    assert.equal(await open(real.wallet, ours), "401 INVALID_SESSION_KEY");
    assert.equal(await open(it.wallet, theirs), "401 INVALID_SESSION_KEY");
    assert.match(await open(real.wallet, theirs), /^201/);
  },
  async link() {
    const { uuid } = (await brand.api.createVerification({ body: { channel: "sms", phone: otherPhone } })).body;
    await brand.api.deliverVerification({ params: { uuid }, body: { format: "link" } });
    await real.worker.runDue();
    const [, path = ""] = /https:\/\/wallet\.example\.com(\/v\/\w+)/.exec(it.texts.at(-1)?.body ?? "") ?? [];
    assert.match(path, /^\/v\//);
    assert.equal((await real.wallet.inject({ url: path })).statusCode, 200);
    assert.equal((await it.wallet.inject({ url: path })).statusCode, 404);
    assert.equal((await real.as(brand.apiKey).readVerification({ params: { uuid } })).status, 200);
  },
  async "sandbox control route"() {
    for (const [method, url] of [
      ["GET", "/sandbox/messages"],
      ["POST", "/sandbox/clock"],
      ["POST", "/sandbox/reset"],
      ["GET", "/sandbox/brands/x"],
      ["GET", "/sandbox/carrier/x"],
    ] as const)
      for (const authorization of [brand.apiKey, demoKey]) {
        const answer = await real.inject({ method, url, headers: { authorization } });
        assert.deepEqual([url, answer.status], [url, 404]);
      }
    for (const url of ["/demo", "/demo/landing", "/demo/calls"])
      assert.equal((await real.wallet.inject({ url })).statusCode, 404);
  },
  async push() {
    const body = Buffer.from("{}");
    const signature = Buffer.from(it.deps.vault.signPush("sandbox", body), "base64");
    const isVerifiedBy = async ({ inject }: Pick<typeof real, "inject">) => {
      const { keys } = (await inject({ method: "GET", url: "/.well-known/jwks.json" })).body as { keys: JsonWebKey[] };
      return keys.some((key) => verify("sha256", body, createPublicKey({ key, format: "jwk" }), signature));
    };
    assert.deepEqual([await isVerifiedBy(it), await isVerifiedBy(real)], [true, false]);
  },
  async clock() {
    const before = real.deps.clock.now();
    await it.advance(60 * 60_000);
    assert.equal(real.deps.clock.now(), before);
  },
};
for (const [what, tried] of Object.entries(journeysOf))
  test(`a ${what} of one environment has no effect in the other`, () => tried());

test("missing vendors are listed at start, and the features that need them are unavailable", async () => {
  assert.deepEqual(
    real.missing.map((one) => one.split(" (")[0]),
    ["no carrier", "no clearinghouse", "no risk source"],
  );
  const { channels } = (await brand.api.readChannels({ query: { deviceIp: "2600:1::1" } })).body;
  assert.deepEqual(
    [channels.sms.available, channels.silent.available, channels.autofill.available],
    [true, false, false],
  );
  await assert.rejects(changeSettings(real.admin, brand.uuid, { health: { enabled: true } }), /Validation failed/);
});

test("a brand can require a state ID only while an authority is trusted, and later the operator is told", async () => {
  const require = (required: boolean) => changeSettings(real.admin, brand.uuid, { governmentId: { required } });
  const blocked = async () => /^state_id_blocked_brands (\d+)$/m.exec(await it.metrics.registry.metrics())?.[1];
  await assert.rejects(require(true), (error) => {
    const [problem] = error instanceof Failure ? problemsOf(error) : [];
    assert.equal(problem?.path, "settings.governmentId.required");
    assert.match(problem.message, /`countersign issuers add`/);
    return true;
  });
  const now = real.deps.clock.now();
  const bytes = await makeRoot("CA", "California", keyFrom(Buffer.alloc(32, 1)));
  const [root = assert.fail()] = readTrustFile({ bytes, at: now });
  const { home } = real.admin;
  await addAuthorities(home, [root], { source: "root.der", replaces: false, now });
  await require(true);
  assert.equal(await blocked(), "0");
  await removeAuthority(home, root.fingerprint);
  assert.equal(await blocked(), "1");
  await changeSettings(real.admin, brand.uuid, { governmentId: { reported: true } });
  await require(false);
  assert.equal(await blocked(), "0");
});

test("metrics show each vendor's circuit breaker from the start", async () => {
  const text = await it.metrics.registry.metrics();
  for (const vendor of ["sms_gateway", "identity_source"])
    assert.ok(text.includes(`vendor_breaker_state{vendor="${vendor}",state="closed"} 1`), vendor);
});
