/**
 * Data that production stores itself: the newest payer list, the history of a phone, and health from a clearinghouse.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { changeSettings, createBrand } from "../../domain/brand/manage.ts";
import { readPayers, replacePayers } from "../../domain/health/payer-rows.ts";
import type { RiskQuestion } from "../../domain/ports.ts";
import { riskHistory } from "../../domain/signup/risk-history.ts";
import { defineEndpoint } from "../../domain/webhook/endpoint.ts";
import { outbound } from "../../providers/outbound.ts";
import { composePlan271 } from "../../providers/sandbox/clearinghouse.ts";
import { checkPlans } from "../../providers/sandbox/insured.ts";
import { customerOf } from "../harness/below-http.ts";
import { both } from "../harness/both-environments.ts";
import { agreed, onView, sharedWords } from "../harness/consent-shown.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { person } from "../harness/health-lookup.ts";
import { refusal } from "../harness/sandbox.ts";
import { birthDate, knownPhone } from "../harness/vendors/fake-sources.ts";
import { fakeVendor } from "../harness/vendors/fake-vendor.ts";

const [plan] = checkPlans;
assert.ok(plan);
const aetna = { id: "60054", name: "Aetna" };
const ada = { firstName: "Ada", lastName: "King", birthDate: "1990-01-01" };
const stedi = await fakeVendor(fakeTime(), (request) => {
  const trace = /~TRN\*1\*(\w+)/.exec(JSON.parse(request.body).x12)?.[1] ?? "";
  const asked = { trace, at: it.time.clock.now(), payer: aetna, npi: "1999999984", person: ada };
  return { body: { controlNumber: "1", x12: composePlan271(asked, "W123456789", plan) } };
});
const told: string[] = [];
const strict = outbound({ loopback: false });
const it = await both(
  { STEDI_API_KEY: "key", STEDI_API_URL: stedi.url },
  {
    vendors: {
      outbound: {
        judge: strict.judge,
        async post({ body }) {
          told.push(body);
          return { kind: "answered", status: 204, durationMs: 1 };
        },
      },
    },
  },
);
const { real } = it;
const { body: made } = await it.api.createSandboxBrand({ body: {} });
const customerUuid = await customerOf(it, made.uuid);
const newBrand = async () => {
  const settings = { consent: { declared: true } };
  const brand = await createBrand(real.admin, {
    customerUuid,
    name: "Piper",
    settings,
    approvals: ["production", "issuance"],
  });
  return { ...brand, api: real.as(brand.apiKey) };
};
const brand = await newBrand();

test("with a clearinghouse, a brand can enable health; one check makes one call and sends a webhook event", async () => {
  const authentication = { type: "none" as const };
  const local = defineEndpoint(real.deps, brand.uuid, { url: "http://127.0.0.1:1/hook", authentication });
  await assert.rejects(local, /Validation failed/);
  await defineEndpoint(real.deps, brand.uuid, { url: "https://piper.example.com/hook", authentication });
  await changeSettings(real.admin, brand.uuid, { health: { enabled: true } });
  const ask = {
    ...person("Ada", "King", "1990-01-01"),
    payer: { id: aetna.id },
    memberId: "W123456789",
    provider: { npi: "1999999984" },
  };
  const { healthDataUuid } = (await brand.api.createHealthLookup({ body: ask })).body;
  await real.worker.runDue();
  const read = (await brand.api.readHealthLookup({ params: { healthDataUuid } })).body;
  assert.equal(read.status, "SUCCEEDED", JSON.stringify(read.errors));
  assert.equal(stedi.requests.length, 1);
  assert.equal(stedi.requests[0]?.headers.authorization, "key");
  assert.deepEqual(told.map((body) => JSON.parse(body).healthDataUuid).includes(healthDataUuid), true);
});

test("a person whom no source knows gets another brand's credentials by proof of the phone", async () => {
  const issuer = await newBrand();
  const phone = "+16502530020";
  await issuer.api.issueCredentials({
    body: {
      phone,
      consent: { version: "2026-01", obtainedAt: real.clock.now(), source: "https://piper.example" },
      credentials: [{ type: "EmailCredential", data: { email: "ada@example.com" } }],
    },
  });
  const verificationUuid = await it.prove(brand.api, phone);
  const { identity } = (
    await brand.api.createOneClick({ body: { verificationUuid, credentialRequests: [{ type: "EmailCredential" }] } })
  ).body;
  assert.equal(identity.credentials?.email, "ada@example.com");
});

test("without an identity source, people share what they enter, and a birth date to compare returns OCE013", async () => {
  const alone = await both({ IDENTITY_SOURCE_URL: "", IDENTITY_SOURCE_SECRET: "", IDENTITY_SOURCE_ISSUER: "" });
  const { uuid } = (await alone.api.createSandboxBrand({ body: {} })).body;
  const own = await alone.store.db.selectFrom("brand").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow();
  const brandOf = async (settings: Record<string, unknown>) => {
    const newBrand = { customerUuid: own.customer_uuid, name: "Piper", approvals: ["production"] as const };
    const { apiKey } = await createBrand({ ...alone.real.admin, namesWait: false }, { ...newBrand, settings });
    return alone.real.as(apiKey);
  };
  const hosted = await brandOf({
    integrationType: "hosted",
    redirectUrl: "https://piper.example/welcome",
    consent: { declared: true },
  });
  const credentialRequests = [{ type: "EmailCredential" as const, mandatory: "yes" as const }];
  const begun = (await hosted.beginOneClick({ body: { phone: "+16502530021", credentialRequests } })).body;
  const page = new URL(begun.url ?? "").pathname.slice("/request/".length);
  const ask = async (path: string, session: string | null, payload?: object) => {
    const headers = session === null ? {} : { authorization: `Bearer ${session}` };
    const method = payload === undefined ? ("GET" as const) : ("POST" as const);
    const response = await alone.real.wallet.inject({ method, url: path, headers, payload });
    assert.ok(response.statusCode < 300, response.body);
    return response.json();
  };
  const { sessionToken } = await ask(`/api/page/${page}/code`, null, { code: begun.code });
  const view = await ask("/api/page", sessionToken);
  assert.equal(view.step, "review");
  const consent = { ...agreed("share"), words: "I sell my data to anybody." };
  const decision = onView({ share: true, edits: { email: "ada@example.com" }, consent }, view);
  await ask("/api/page/decision", sessionToken, decision);
  const recorded = alone.store.db.selectFrom("consent").select("words").where("one_click_uuid", "=", begun.uuid);
  assert.deepEqual(await recorded.execute(), [{ words: sharedWords("Piper", "en", "your email") }]);
  const { credentials } = (await hosted.readOneClick({ params: { uuid: begun.uuid } })).body;
  assert.equal(credentials?.email, "ada@example.com");
  const api = await brandOf({ consent: { declared: true } });
  const verificationUuid = await alone.prove(api, "+16502530022");
  const born = await refusal(api.createOneClick({ body: { verificationUuid, birthDate } }));
  assert.equal(born.errorCode, "OCE013");
});

test("an updated payer list is used without a restart; until then the bundled list is used", async () => {
  const before = real.deps.vendors.payers;
  assert.equal(await readPayers(it.store.home), null);
  const [some] = before.payers;
  assert.ok(some);
  const changed = new Promise<void>((resolve) => it.signals.onChange(resolve));
  await replacePayers(it.store.home, real.clock, [{ ...some, name: "Payer of the day" }]);
  await changed;
  // Production's own listener was registered first and also reads the list. Read here until its list has changed.
  while (real.deps.vendors.payers === before) await readPayers(it.store.home);
  assert.deepEqual(
    real.deps.vendors.payers.payers.map(({ name }) => name),
    ["Payer of the day"],
  );
  assert.equal(await readPayers(it.store.home, real.deps.vendors.payers), null, "the same list is not read twice");
  assert.notEqual(it.deps.vendors.payers.payers.length, 1, "the sandbox keeps its own list");
});

test("a phone's risk history counts verifications, failures, brands, and shared emails and IPs within a day", async () => {
  const { of } = riskHistory(real.deps);
  const history = { of: (used: Omit<RiskQuestion, "brandUuid">) => of({ brandUuid: brand.uuid, ...used }) };
  const phone = real.deps.phones.judge("+16502530030");
  const second = real.deps.phones.judge("+16502530040");
  assert.ok(phone.kind === "supported" && second.kind === "supported");
  const unseen = await history.of({ phone: phone.phone });
  assert.deepEqual(unseen.phone, {
    changedHandsAt: null,
    verifications: 0,
    failedVerifications: 0,
    brands: 0,
    mismatches: 0,
  });
  const other = await newBrand();
  await it.prove(brand.api, phone.phone);
  const { uuid } = (await other.api.createVerification({ body: { channel: "sms", phone: phone.phone } })).body;
  for (const code of ["000000", "000001", "000002"])
    await other.api.submitVerificationCode({ params: { uuid }, body: { code } }).catch(() => {});
  const seen = (await history.of({ phone: phone.phone })).phone;
  assert.deepEqual([seen.verifications, seen.failedVerifications, seen.brands], [2, 1, 2]);
  const email = "Ada@Example.com";
  const deviceIp = "2600:1:2:3::1";
  assert.deepEqual((await history.of({ phone: phone.phone, email, deviceIp })).email, { phones: 0 });
  const both = await history.of({ phone: second.phone, email: "ada@example.com", deviceIp: "2600:1:2:3::9" });
  assert.deepEqual([both.email, both.deviceIp], [{ phones: 1 }, { phones: 1 }]);
  it.pass(25 * 60 * 60_000);
  const later = await history.of({ phone: second.phone, email, deviceIp });
  assert.deepEqual([later.email, later.deviceIp], [{ phones: 0 }, { phones: 0 }]);
  assert.equal((await history.of({ phone: phone.phone })).phone.verifications, 0);
});

test("one brand cannot block a phone at another brand by its risk, and no score tells whether the phone was known", async () => {
  const [known, unknown, hostile] = ["+16502530050", "+16502530051", await newBrand()];
  const honest = await newBrand();
  await changeSettings(real.admin, honest.uuid, { riskSignals: true });
  const scoreOf = async (phone: string) => {
    const { identity } = (await honest.api.createOneClick({ body: { phone, credentialRequests: [] } })).body;
    return identity.metadata.identifiers.riskSignals?.overall.score;
  };
  const begin = async () =>
    (await hostile.api.createVerification({ body: { channel: "sms", phone: known } })).body.uuid;
  await begin();
  it.pass(25 * 60 * 60_000);
  assert.deepEqual([await scoreOf(known), await scoreOf(unknown)], [0, 0]);
  for (let hour = 0; hour < 2; hour += 1) {
    for (let index = 0; index < 16; index += 1) {
      const uuid = await begin();
      for (const code of index < 5 ? ["000000", "000001", "000002"] : [])
        await hostile.api.submitVerificationCode({ params: { uuid }, body: { code } }).catch(() => {});
    }
    it.pass(60 * 60_000);
  }
  assert.equal(await scoreOf(known), 0);
  const { uuid } = (await honest.api.createVerification({ body: { channel: "sms", phone: known } })).body;
  assert.equal(await scoreOf(known), 100, `six verifications, with ${uuid}`);
  const wrongBirthDates = async (api: typeof honest.api) => {
    const verificationUuid = await it.prove(api, knownPhone);
    for (const wrong of ["1991-02-01", "1991-03-01", "1991-04-01"])
      await api.createOneClick({ body: { verificationUuid, birthDate: wrong } }).catch(() => {});
  };
  const before = await scoreOf(knownPhone);
  await wrongBirthDates(hostile.api);
  assert.equal(await scoreOf(knownPhone), (before ?? 0) + 100, "one of three wrong values");
});

test("phones that another brand used with an email count in part, and the asking brand's own count whole", async () => {
  const { of } = riskHistory(real.deps);
  const [hostile, honest, third] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const seenBy = async (brandUuid: string, at: number) => {
    const phone = real.deps.phones.judge(`+1650253${6_000 + at}`);
    assert.ok(phone.kind === "supported");
    return (await of({ brandUuid, phone: phone.phone, email: "victim@example.com" })).email?.phones;
  };
  for (let at = 0; at < 12; at += 1) assert.equal(await seenBy(hostile, at), at);
  assert.equal(await seenBy(honest, 100), 1);
  assert.equal(await seenBy(honest, 101), 2);
  assert.equal(await seenBy(third, 200), 2, "one of each brand");
  assert.equal(await seenBy(third, 0), 3, "its own, and one of each other brand");
});

test("wrong birth dates raise the phone's risk score", async () => {
  const risky = await newBrand();
  await changeSettings(real.admin, risky.uuid, { riskSignals: true });
  const verificationUuid = await it.prove(risky.api, knownPhone);
  const first = (await risky.api.createOneClick({ body: { verificationUuid, birthDate } })).body.identity;
  assert.equal(first.metadata.identifiers.riskSignals?.overall.recommendation, "allow");
  const refused: (string | undefined)[] = [];
  for (const wrong of ["1990-02-01", "1990-03-01", "1990-04-01", "1990-05-01"])
    refused.push((await refusal(risky.api.createOneClick({ body: { verificationUuid, birthDate: wrong } }))).errorCode);
  assert.deepEqual(refused, ["OCE012", "OCE012", "OCE012", "OCE019"]);
  const phone = real.deps.phones.judge(knownPhone);
  assert.ok(phone.kind === "supported");
  const before = { brandUuid: risky.uuid, phone: phone.phone, deadlineMs: 10_000 };
  const { score, phone: phoneRisk } = await real.deps.vendors.risk.score(before);
  assert.ok(phoneRisk.reasonCodes.includes("OCR29005"), phoneRisk.reasonCodes.join());
  assert.ok(score > (first.metadata.identifiers.riskSignals?.overall.score ?? 0));
});
