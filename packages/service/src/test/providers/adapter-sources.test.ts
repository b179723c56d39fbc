import assert from "node:assert/strict";
import test from "node:test";
import type { Phone, RiskFacts } from "../../domain/ports.ts";
import { checkIdentitySource } from "../../providers/identity-http/conformance.ts";
import { httpIdentity } from "../../providers/identity-http/identity.ts";
import { httpRisk } from "../../providers/risk-http/risk.ts";
import { ruleRisk, weights } from "../../providers/risk-rules/risk.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { primaryPerson, sandboxRisk } from "../../providers/sandbox/people.ts";
import { identityConformance } from "../harness/conformance/identity.ts";
import { riskConformance, riskQuestion } from "../harness/conformance/risk.ts";
import { type FakeTime, fakeTime } from "../harness/fake-time.ts";
import {
  birthDate,
  credentials,
  fakeIdentitySource,
  fakeRiskSource,
  knownPhone,
  secret,
} from "../harness/vendors/fake-sources.ts";
import { faultTable } from "../harness/vendors/fault-table.ts";

const issuerUuid = "3f0b2a52-3c6b-4c8e-9a53-0f6f1f0a7c11";
const phone = knownPhone as Phone;
const ask = { phone, inputs: { birthDate }, compare: ["birthDate" as const], narrow: [], deadlineMs: 10_000 };

async function identity(time: FakeTime, twist?: (answer: object) => object) {
  const vendor = await fakeIdentitySource(time, twist);
  return { vendor, source: httpIdentity({ url: vendor.url, secret, issuerUuid }, time.tools) };
}

async function risk(time: FakeTime, twist?: (answer: object) => object) {
  const vendor = await fakeRiskSource(time, twist);
  return { vendor, scorer: httpRisk({ url: vendor.url, secret }, time.tools) };
}

const quiet: RiskFacts = {
  phone: {
    changedHandsAt: null,
    verifications: 1,
    failedVerifications: 0,
    brands: 1,
    mismatches: 0,
  },
  email: { phones: 0 },
  deviceIp: { phones: 0 },
};
const rules = (facts: RiskFacts, time = fakeTime()) =>
  ruleRisk({ history: { of: async () => facts }, tools: time.tools });
const nothing = async () => {};

identityConformance("the sandbox", async () => ({
  source: sandboxIdentity(),
  phone: "+12125550010" as Phone,
  birthDate: primaryPerson.birthDate,
  nobody: "+14045551300" as Phone,
  close: nothing,
}));
identityConformance("the identity source", async () => {
  const { source } = await identity(fakeTime());
  return { source, phone, birthDate, nobody: "+16502530009" as Phone, close: source.close };
});
riskConformance("the sandbox", async () => ({ scorer: sandboxRisk(), close: nothing }));
riskConformance("the risk source", async () => {
  const { scorer } = await risk(fakeTime());
  return { scorer, close: scorer.close };
});
riskConformance("the rules", async () => ({ scorer: rules(quiet), close: nothing }));

faultTable("the identity source", {
  requestsMax: 3,
  async make(time) {
    const { vendor, source } = await identity(time);
    return {
      vendor,
      ask: () => source.lookUp(ask),
      isOpen: ({ kind }: { kind: string }) => kind === "found",
      close: source.close,
    };
  },
});
faultTable("the risk source", {
  requestsMax: 3,
  async make(time) {
    const { vendor, scorer } = await risk(time);
    return {
      vendor,
      ask: () => scorer.score(riskQuestion),
      isOpen: ({ score }: { score: number }) => score <= 600,
      close: scorer.close,
    };
  },
});

const spoiled: [what: string, twist: (answer: object) => object, said: RegExp][] = [
  ["a response about another phone", (answer) => ({ ...answer, phone: "+16502530001" }), /another phone/],
  ["a response without a phone", (answer) => ({ ...answer, phone: undefined }), /does not match the schema/],
  [
    "a credential with another phone",
    (answer) => ({ ...answer, credentials: [{ type: "PhoneCredential", value: "+16502530001", issuanceDate: 1 }] }),
    /another phone/,
  ],
  ["a response that compared nothing", (answer) => ({ ...answer, compared: [] }), /not every input was compared/],
  [
    "a child of another type",
    (answer) => ({
      ...answer,
      credentials: [
        { type: "FullNameCredential", issuanceDate: 1, children: [{ type: "CityCredential", value: "x" }] },
      ],
    }),
    /another type/,
  ],
  [
    "a value in place of children",
    (answer) => ({ ...answer, credentials: [{ type: "FullNameCredential", issuanceDate: 1, value: "Ada King" }] }),
    /another type/,
  ],
  [
    "an unknown credential type",
    (answer) => ({ ...answer, credentials: [{ type: "ShoeSizeCredential", issuanceDate: 1, value: "42" }] }),
    /does not match the schema/,
  ],
  [
    "a mismatch of an input that was not to be compared",
    (answer) => ({ ...answer, kind: "mismatch", inputs: ["ssn4"] }),
    /not to be compared/,
  ],
];
for (const [what, twist, said] of spoiled) {
  test(`the identity source: ${what} is rejected`, async () => {
    const { source } = await identity(fakeTime(), twist);
    await assert.rejects(source.lookUp(ask), said);
    await source.close();
  });
}

test("the identity source: a wrong birth date is a mismatch even if the source reports a match", async () => {
  const { source } = await identity(fakeTime(), () => ({ phone, kind: "found", compared: ["birthDate"], credentials }));
  const answer = await source.lookUp({ ...ask, inputs: { birthDate: "1950-05-05" } });
  assert.deepEqual(answer, { kind: "mismatch", inputs: ["birthDate"] });
  await source.close();
});

test("the identity source does not get the device IP, and children inherit the parent's verificationMethod", async () => {
  const { source, vendor } = await identity(fakeTime());
  const answer = await source.lookUp({ ...ask, inputs: { birthDate, deviceIp: "2600::1" } });
  const asked = vendor.requests[0]?.body ?? "";
  assert.match(asked, new RegExp(birthDate));
  assert.doesNotMatch(asked, /2600|deviceIp/);
  const name = answer.kind === "found" ? answer.credentials[0] : undefined;
  assert.ok(name !== undefined && "children" in name);
  assert.deepEqual(
    name.children.map((one) => one.verificationMethod),
    ["credit_bureau", "credit_bureau"],
  );
  await source.close();
});

test("the risk source: a score that is for another phone, out of range or not a number is rejected", async () => {
  for (const twist of [{ phone: "+16502530001" }, { score: -1 }, { score: 1_001 }, { score: "0" }, { score: null }]) {
    const { scorer } = await risk(fakeTime(), (answer) => ({ ...answer, ...twist }));
    await assert.rejects(scorer.score(riskQuestion), /risk source/);
    await scorer.close();
  }
});

test("a retry has the same idempotency key and succeeds", async () => {
  const { source, vendor } = await identity(fakeTime());
  vendor.break("half an answer", { times: 1 });
  assert.equal((await source.lookUp(ask)).kind, "found");
  const keys = vendor.requests.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(new Set(keys).size, 1);
  assert.equal(keys.length, 2);
  await source.close();
});

test("the rules: each finding raises the score, but only ten mismatches exceed 600 alone", async () => {
  const at = (change: Partial<RiskFacts["phone"]>) => ({ ...quiet, phone: { ...quiet.phone, ...change } });
  const now = fakeTime().clock.now();
  const scoreOf = async (facts: RiskFacts, whose = phone) =>
    (await rules(facts).score({ ...riskQuestion, phone: whose })).score;
  assert.equal(await scoreOf(quiet), 0);
  assert.equal(await scoreOf(at({ mismatches: 10 })), 650);
  const findings = [
    at({ verifications: 99 }),
    at({ failedVerifications: 99 }),
    at({ brands: 99 }),
    at({ changedHandsAt: now - 1 }),
    { ...quiet, email: { phones: 99 } },
    { ...quiet, deviceIp: { phones: 99 } },
  ];
  for (const score of await Promise.all(findings.map((facts) => scoreOf(facts))))
    assert.ok(score > 0 && score <= 600, String(score));
  assert.equal(await scoreOf(quiet, "+18002345678" as Phone), 500);
  assert.equal(await scoreOf(at({ mismatches: 99, verifications: 99, brands: 99, failedVerifications: 99 })), 1_000);
  assert.equal(new Set(weights.map(({ code }) => code)).size, weights.length);
});

test("the rules: scoring fails when the history is late or unavailable", async () => {
  const time = fakeTime();
  const scorer = ruleRisk({ history: { of: () => new Promise(() => {}) }, tools: time.tools });
  const scored = scorer.score(riskQuestion);
  time.lapse();
  await assert.rejects(scored, /timeout/);
  const broken = ruleRisk({
    history: { of: () => Promise.reject(new Error("the store is gone")) },
    tools: time.tools,
  });
  await assert.rejects(broken.score(riskQuestion), /gone/);
});

test("the conformance test passes a valid source, and lists the rules that an invalid source breaks", async () => {
  const check = async (twist?: (answer: object) => object) => {
    const time = fakeTime();
    const { url } = await fakeIdentitySource(time, twist);
    const tested = { url, secret, known: { phone: knownPhone, birthDate }, unknownPhone: "+16502530009" };
    return (await checkIdentitySource(tested, time.tools)).filter(({ kept }) => !kept).map(({ promise }) => promise);
  };
  assert.deepEqual(await check(), []);
  const poor = await check((answer) => ({
    ...answer,
    kind: "found",
    compared: [],
    credentials,
    phone: "+16502530001",
  }));
  assert.deepEqual(poor, [
    "the answer contains the requested phone",
    "the answer lists what was compared",
    "a wrong birth date gets `mismatch`",
  ]);
});
