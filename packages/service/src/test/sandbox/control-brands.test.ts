import assert from "node:assert/strict";
import { test } from "node:test";
import type { IntegrationType } from "@countersign/contract/brand";
import { callerOf, freshPhone } from "../harness/below-http.ts";
import { untilLockWaits } from "../harness/lock-waits.ts";
import { demoKey, otherKey, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const other = it.as(otherKey);
const demoBrand = "b0000000-0000-4000-8000-000000000001";
const patch = (uuid: string, body: Record<string, unknown>, api = it.api) =>
  api.patchSandboxBrand({ params: { uuid }, body });
const pathsOf = (data: Record<string, unknown>) => (data.errors as { path: string }[]).map(({ path }) => path);

test("a new brand has complete settings and a key that works at once", async () => {
  const { body } = await it.api.createSandboxBrand({ body: { name: "Piper", settings: { riskSignals: false } } });
  assert.deepEqual(Object.keys(body).sort(), ["apiKey", "settings", "uuid"]);
  assert.match(body.apiKey, /^sk_sandbox_[0-9A-Za-z]{28}$/);
  const { integrationType, externalName, riskSignals, channels } = body.settings;
  assert.deepEqual([integrationType, externalName, riskSignals, channels.sms], ["api", "Piper", false, true]);
  assert.deepEqual((await it.api.readSandboxBrand({ params: { uuid: body.uuid } })).body, {
    uuid: body.uuid,
    name: "Piper",
    settings: body.settings,
    hasPushAuthorization: false,
  });
  assert.equal((await it.as(body.apiKey).createOneClick({ body: { phone: freshPhone() } })).status, 201);
});

test("the database has only the hash and the last four characters of an API key", async () => {
  const { uuid, apiKey } = await it.brand();
  const rows = await it.store.db.selectFrom("api_key").selectAll().where("brand_uuid", "=", uuid).execute();
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.last_four, apiKey.slice(-4));
  assert.ok(!JSON.stringify(rows).includes(apiKey.slice(11, -4)));
});

test("reading or changing another customer's brand gets the same 404 as an unknown brand", async () => {
  const { uuid } = await it.brand();
  const unknown = { uuid: "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21" };
  for (const params of [{ uuid }, unknown]) {
    const calls = [() => other.readSandboxBrand({ params }), () => patch(params.uuid, { riskSignals: false }, other)];
    for (const call of calls) {
      const { status, message, data } = await refusal(call());
      assert.deepEqual([status, message, data], [404, "No such brand.", {}]);
    }
  }
  assert.equal((await it.api.readSandboxBrand({ params: { uuid } })).body.settings.riskSignals, true);
});

test("a patch changes only the properties that it contains, at any depth, and replaces lists completely", async () => {
  const { uuid, settings } = await it.brand({ challenges: [{ input: "ssn4", when: "always" }] });
  const changed = { channels: { silent: false }, challenges: [{ input: "birthDate", when: "ifNecessary" }] };
  const answer = (await patch(uuid, changed)).body;
  assert.deepEqual(answer, {
    ...settings,
    channels: { ...settings.channels, silent: false },
    challenges: changed.challenges,
  });
  assert.deepEqual((await patch(uuid, { challenges: [] })).body.challenges, []);
  assert.deepEqual((await patch(uuid, {})).body, { ...answer, challenges: [] });
});

test("all invalid settings are reported at once, and nothing is changed", async () => {
  const { uuid, settings } = await it.brand();
  const wrong = {
    integrationType: "carrierPigeon",
    riskSignal: true,
    channels: { sms: "yes", fax: true },
    styling: { primaryColor: "red" },
    credentialFormats: "object",
  };
  const paths = [
    "settings.riskSignal",
    "settings.channels.fax",
    "settings.integrationType",
    "settings.credentialFormats",
    "settings.channels.sms",
    "settings.styling.primaryColor",
  ];
  for (const call of [() => patch(uuid, wrong), () => it.api.createSandboxBrand({ body: { settings: wrong } })]) {
    const { errorCode, data } = await refusal(call());
    assert.deepEqual([errorCode, pathsOf(data).sort()], ["ERR001", paths.sort()]);
  }
  assert.deepEqual((await it.api.readSandboxBrand({ params: { uuid } })).body.settings, settings);
});

test("at most 50 invalid settings are reported", async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`setting${index}`, index]));
  assert.equal(pathsOf((await refusal(patch(demoBrand, many))).data).length, 50);
});

test("redirect URLs must be plain https URLs or localhost URLs", async () => {
  const { uuid } = await it.brand();
  const bad = [
    "http://shop.example/",
    "javascript:alert(1)",
    "https://u:p@shop.example/",
    "https://shop.example\\@x.example",
  ];
  const { data } = await refusal(
    patch(uuid, { redirectUrl: "ftp://x.example/", allowedRedirectUrls: ["https://ok.example/"] }),
  );
  assert.deepEqual(pathsOf(data), ["settings.redirectUrl"]);
  for (const url of bad) assert.equal((await refusal(patch(uuid, { redirectUrl: url }))).errorCode, "ERR001", url);
  for (const url of ["https://shop.example/back", "http://localhost:5173/back", null])
    assert.equal((await patch(uuid, { redirectUrl: url })).body.redirectUrl, url);
});

test("a site that may frame the SDK is one host: no wildcard, path, user name or policy directive", async () => {
  const { uuid } = await it.brand();
  for (const origin of [
    "https://*",
    "https://*.com",
    "https://*a.com",
    "https://a.example/x",
    "https://u@a.example",
    "https://a;script-src",
    "https://a.example,b.example",
    "https://'self'",
    "http://shop.example",
  ])
    assert.deepEqual(pathsOf((await refusal(patch(uuid, { allowedOrigins: [origin] }))).data), [
      "settings.allowedOrigins.0",
    ]);
  assert.equal((await refusal(patch(uuid, { redirectUrl: "https://*.example/" }))).errorCode, "ERR001");
});

test("a changed setting applies to the next call", async () => {
  const brand = await it.brand();
  const signals = async () =>
    (await brand.api.createOneClick({ body: { phone: freshPhone() } })).body.identity.metadata.identifiers.riskSignals;
  for (const riskSignals of [false, true, false, true]) {
    await patch(brand.uuid, { riskSignals });
    assert.equal((await signals()) !== undefined, riskSignals);
  }
});

test("each change is stored as a new version, even if changes are concurrent", async () => {
  const { uuid } = await it.brand();
  await Promise.all([
    patch(uuid, { riskSignals: false }),
    patch(uuid, { manualSignup: "hide" }),
    patch(uuid, { allowedOrigins: ["https://a.example"], otpOrigin: "a.example" }),
  ]);
  const rows = await it.store.db
    .selectFrom("brand_settings")
    .select(["version", "settings"])
    .where("brand_uuid", "=", uuid)
    .orderBy("version")
    .execute();
  assert.deepEqual(
    rows.map(({ version }) => version),
    [1, 2, 3, 4],
  );
  const { riskSignals, manualSignup, otpOrigin } = rows.at(-1)?.settings ?? assert.fail("no settings");
  assert.deepEqual([riskSignals, manualSignup, otpOrigin], [false, "hide", "a.example"]);
});

const types = ["hosted", "semiHosted", "nonHosted", "sdk", "api", "v1"] as const;
const paths: Record<IntegrationType, readonly IntegrationType[]> = {
  v1: ["hosted", "semiHosted", "nonHosted"],
  hosted: ["sdk"],
  semiHosted: ["api"],
  nonHosted: ["api"],
  sdk: [],
  api: [],
};
for (const from of types) {
  test(`a ${from} brand can change to any type without traffic, and with traffic only to ${["itself", ...paths[from]].join(", ")}`, async () => {
    for (const to of types) {
      const fresh = await it.brand({ integrationType: from });
      assert.equal((await patch(fresh.uuid, { integrationType: to })).body.integrationType, to);
      const used = await it.brand({ integrationType: from });
      await used.api.createVerification({ body: { channel: "sms", phone: freshPhone() } });
      const change = patch(used.uuid, { integrationType: to });
      if (to === from || paths[from].includes(to)) assert.equal((await change).body.integrationType, to);
      else assert.deepEqual(pathsOf((await refusal(change)).data), ["settings.integrationType"]);
    }
  });
}

test("a session key counts as traffic, and so does an issued credential", async () => {
  const sdk = await it.brand({ integrationType: "sdk" });
  await sdk.api.createSession();
  assert.equal((await refusal(patch(sdk.uuid, { integrationType: "api" }))).errorCode, "ERR001");
  const issuer = await it.brand();
  const credential = { type: "FirstNameCredential", data: { firstName: "Ada" } };
  await issuer.api.issueCredentials({ body: { phone: freshPhone(), credentials: [credential] } });
  assert.equal((await refusal(patch(issuer.uuid, { integrationType: "sdk" }))).errorCode, "ERR001");
});

/** The tables of which a reset leaves no row of the customer's brands. */
const erasedByReset = [
  "verification",
  "message",
  "one_click",
  "session",
  "challenge_attempt",
  "issued_credential",
  "webhook_delivery",
];

async function countsOf(customer: "demo" | "other"): Promise<Record<string, number>> {
  const { customerUuid } = (await callerOf(it, customer === "demo" ? demoKey : otherKey)).brand;
  const found: Record<string, number> = {};
  for (const table of [...erasedByReset, "audit", "brand_settings", "api_key"]) {
    const { rows } = await it.store.pool.query(
      `select count(*) from ${table} join brand on brand.uuid = brand_uuid where customer_uuid = $1`,
      [customerUuid],
    );
    found[table] = Number(rows[0].count);
  }
  return found;
}

/** Uses each flow of a brand, to create data. */
async function useEveryFlow(api: typeof it.api): Promise<void> {
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: freshPhone() } })).body;
  await api.deliverVerification({ params: { uuid } });
  await it.runJobs();
  await api.createOneClick({ body: { phone: freshPhone() } });
  for (const day of ["1", "2", "3"])
    assert.equal(
      (await refusal(api.createOneClick({ body: { phone: "+12125550022", birthDate: `1979-01-0${day}` } }))).errorCode,
      "OCE012",
    );
  await api.issueCredentials({
    body: { phone: freshPhone(), credentials: [{ type: "FirstNameCredential", data: { firstName: "Ada" } }] },
  });
}

test("a reset removes the data of the customer's brands and keeps the data of other customers", async () => {
  await useEveryFlow(it.api);
  await useEveryFlow(other);
  await it.as("sk_sandbox_demo_sdk").createSession();
  for (const [url, payload] of [
    ["/sandbox/listeners", { forward: "http://localhost:9/hook" }],
    ["/sandbox/events", { event: "1-click.health.lookup" }],
  ] as const)
    await it.app.inject({ method: "POST", url, headers: { authorization: demoKey }, payload });
  const born = { phone: "+12125550022", birthDate: "1989-08-01" };
  assert.equal((await refusal(it.api.createOneClick({ body: born }))).errorCode, "OCE019");
  const [before, theirs] = [await countsOf("demo"), await countsOf("other")];
  assert.ok(Object.values(theirs).filter((count) => count > 0).length >= 8);

  const { removed } = (await it.api.resetSandbox()).body;
  const after = await countsOf("demo");
  for (const table of erasedByReset) assert.equal(after[table], 0, table);
  for (const table of ["audit", "api_key"]) assert.equal(after[table], before[table], table);
  assert.ok((before.webhook_delivery ?? 0) > 0);
  assert.ok(removed >= erasedByReset.length - 2);
  assert.deepEqual(await countsOf("other"), theirs);
  assert.equal((await it.api.createOneClick({ body: born })).status, 201);
  assert.equal((await refusal(other.createOneClick({ body: born }))).errorCode, "OCE019");
});

test("a reset also removes a credential that is issued while it runs", async () => {
  const issue = () =>
    it.api.issueCredentials({
      body: { phone: freshPhone(), credentials: [{ type: "FirstNameCredential", data: { firstName: "Ada" } }] },
    });
  await issue();
  const client = await it.store.pool.connect();
  await client.query("begin");
  await client.query("select from issued_credential where brand_uuid = $1 for update", [demoBrand]);
  const resetting = it.api.resetSandbox();
  await untilLockWaits(it, { words: "issued_credential" });
  // The waiting statement does not see this credential, but the next one sees the issuance that it refers to.
  await issue();
  await client.query("commit");
  client.release();
  await resetting;
  assert.equal((await countsOf("demo")).issued_credential, 0);
});

test("a reset restores the demo brands' initial settings and keeps the settings of other brands", async () => {
  const first = (await it.api.readSandboxBrand({ params: { uuid: demoBrand } })).body;
  const own = await it.brand({ manualSignup: "hide" });
  await patch(demoBrand, { riskSignals: false, health: { enabled: false, providers: [] } });
  const otherFirst = (await patch("b0000000-0000-4000-8000-000000000002", { riskSignals: false }, other)).body;
  await it.api.resetSandbox();
  assert.deepEqual((await it.api.readSandboxBrand({ params: { uuid: demoBrand } })).body, first);
  assert.deepEqual((await own.api.readSandboxBrand({ params: { uuid: own.uuid } })).body.settings, own.settings);
  const theirs = (await other.readSandboxBrand({ params: { uuid: "b0000000-0000-4000-8000-000000000002" } })).body;
  assert.deepEqual(theirs.settings, otherFirst);
});

test("the demo brands' URLs follow the base URL unless a customer changed them", async () => {
  const hosted = "b0000000-0000-4000-8000-000000000004";
  const redirectOf = async () =>
    (await it.api.readSandboxBrand({ params: { uuid: hosted } })).body.settings.redirectUrl;
  await it.seedDemo("http://localhost:5001");
  assert.equal(await redirectOf(), "http://localhost:5001/demo/landing");
  await it.api.patchSandboxBrand({ params: { uuid: hosted }, body: { redirectUrl: "http://localhost:3000/mine" } });
  await it.seedDemo("http://localhost:6001");
  assert.equal(await redirectOf(), "http://localhost:3000/mine");
});
