import assert from "node:assert/strict";
import test from "node:test";
import type { OneClickRequest } from "@countersign/contract/v2";
import { changeApproval } from "../../domain/brand/manage.ts";
import type { IdentitySource, RiskScorer } from "../../domain/ports.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { sandboxRisk } from "../../providers/sandbox/people.ts";
import { freshPhone } from "../harness/below-http.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const identity: IdentitySource = sandboxIdentity();
let lookUps = 0;
/** If set, the score of every person. */
let score: number | null = null;
const benign: RiskScorer = sandboxRisk();
const it = await sandbox({
  vendors: {
    identity: {
      ...identity,
      lookUp: async (question) => {
        lookUps += 1;
        return await identity.lookUp(question);
      },
    },
    risk: {
      score: async (question) => {
        const judgment = await benign.score(question);
        return score === null ? judgment : { ...judgment, score };
      },
    },
  },
});

const ask = async (body: OneClickRequest, api = it.api) => (await api.createOneClick({ body })).body.identity;
const refused = (body: OneClickRequest, api = it.api) => refusal(api.createOneClick({ body }));
const overall = { reasonCodes: ["OCR10021"] };
const benignSignals = {
  overall: { score: 0, level: "low", recommendation: "allow", ...overall },
  phone: {
    carrier: { id: 0, name: "Example Carrier" },
    reasonCodes: ["OCR20004", "OCR20005", "OCR20007", "OCR20101"],
  },
};

const needing: [string, string[]][] = [
  ["+12125550020", ["fullName.firstName", "birthDate", "ssn4"]],
  ["+12125550021", ["ssn4"]],
  ["+12125550022", ["birthDate"]],
  ["+12125550023", ["fullName.firstName"]],
];
const answers: Record<string, OneClickRequest> = {
  "fullName.firstName": { fullName: { firstName: "Richard" } },
  birthDate: { birthDate: "1989-08-01" },
  ssn4: { ssn4: "6789" },
};
for (const [phone, inputs] of needing) {
  test(`${phone} needs ${inputs.join(" or ")}, and any one of them is enough`, async () => {
    const { errorCode, status, message, data } = await refused({ phone });
    assert.deepEqual([errorCode, status], ["OCE011", 400]);
    assert.equal(message, `Additional information is required to source data for user: ${inputs.join(", ")}`);
    const { identityUuid, ...rest } = data;
    assert.match(String(identityUuid), /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      additionalInputs: inputs,
      identifiers: { phone },
      verificationMethod: { phone: "customer_otp" },
      riskSignals: benignSignals,
    });
    for (const input of inputs) assert.equal((await ask({ phone, ...answers[input] })).identifiers.phone, phone);
  });

  test(`${phone} is not identified by any other input`, async () => {
    for (const [input, body] of Object.entries(answers)) {
      if (inputs.includes(input)) continue;
      const { errorCode, data } = await refused({ phone, ...body });
      assert.deepEqual([errorCode, data.additionalInputs], ["OCE011", inputs]);
    }
  });
}

test("a first name matches regardless of case and surrounding blanks", async () => {
  for (const firstName of ["richard", "RICHARD", " Richard "])
    await ask({ phone: "+12125550020", fullName: { firstName } });
});

test("a first name that was not requested does not have to match", async () => {
  await ask({ phone: "+12125550010", fullName: { firstName: "Bob", lastName: "Nobody" } });
});

test("a person that no source knows gets OCE013, whatever the inputs are", async () => {
  const phone = "+14045551300";
  for (const body of [{ phone }, { phone, birthDate: "1989-08-01" }, { phone, birthDate: "1979-01-01" }]) {
    const { errorCode, status, message, data } = await refused(body);
    assert.deepEqual([errorCode, status, message], ["OCE013", 400, "No credentials found"]);
    const verificationMethod = { phone: "customer_otp" };
    assert.deepEqual(data, { identifiers: { phone }, verificationMethod, riskSignals: benignSignals });
  }
});

const blocked: [string, number, string, string][] = [
  ["+14045551775", 775, "medium-high", "OCR10031"],
  ["+14045551799", 999, "high", "OCR10032"],
];
for (const [phone, points, level, reason] of blocked) {
  test(`${phone} gets OCE017 with its risk score, and no source is asked`, async () => {
    const before = lookUps;
    for (const body of [{ phone }, { phone, credentialRequests: [] }, { phone, birthDate: "1979-01-01" }]) {
      const { errorCode, status, message, data } = await refused(body);
      assert.deepEqual([errorCode, status, message], ["OCE017", 400, "Risk Score Too High"]);
      assert.deepEqual(Object.keys(data).sort(), ["identifiers", "riskSignals", "verificationMethod"]);
      const { riskSignals } = data as { riskSignals: Record<string, unknown> };
      const expected = { score: points, level, recommendation: "block", reasonCodes: [reason] };
      assert.deepEqual(riskSignals.overall, expected);
    }
    assert.equal(lookUps, before);
  });

  test(`${phone} gets the primary person's data if the brand has no risk signals`, async () => {
    const { api } = await it.brand({ riskSignals: false });
    const found = await ask({ phone, email: "richard@piedpiper.net" }, api);
    assert.equal("riskSignals" in found.metadata.identifiers, false);
    const { address, birthDate } = found.credentials ?? {};
    assert.ok(Array.isArray(address) && address.length === 1);
    assert.equal(birthDate, "1989-08-01");
  });
}

const served: [string, number, string, string][] = [
  ["+16565550000", 0, "low", "allow"],
  ["+16565550301", 301, "medium-low", "allow"],
  ["+16565550500", 500, "medium", "flag"],
];
for (const [phone, points, level, recommendation] of served) {
  test(`${phone} is not blocked and gets its risk score`, async () => {
    const { riskSignals } = (await ask({ phone })).metadata.identifiers;
    const { reasonCodes: _, ...shown } = riskSignals?.overall ?? {};
    assert.deepEqual(shown, { score: points, level, recommendation });
  });
}

// biome-ignore format: a table
const bands: [number, string, string][] = [
  [0, "low", "allow"], [200, "low", "allow"], [201, "medium-low", "allow"], [400, "medium-low", "allow"],
  [401, "medium", "flag"], [600, "medium", "flag"], [601, "medium-high", "block"], [800, "medium-high", "block"],
  [801, "high", "block"], [1000, "high", "block"],
];
for (const [points, level, recommendation] of bands) {
  test(`a risk score of ${points} has the level ${level} and ${points > 600 ? "blocks" : "does not block"} the request`, async () => {
    score = points;
    const body = { phone: freshPhone() };
    const signals =
      points > 600
        ? ((await refused(body)).data.riskSignals as Record<string, unknown>)
        : (await ask(body)).metadata.identifiers.riskSignals;
    score = null;
    assert.deepEqual(signals?.overall, { score: points, level, recommendation, ...overall });
  });
}

test("a brand without risk signals gets none in errors either", async () => {
  const { api } = await it.brand({ riskSignals: false });
  const bodies: OneClickRequest[] = [
    { phone: "+12125550020" },
    { phone: "+12125550010", birthDate: "1979-01-01" },
    { phone: "+14045551300" },
  ];
  for (const body of bodies) assert.equal("riskSignals" in (await refused(body, api)).data, false);
});

test("risk signal add-ons are hidden from a brand that does not have them", async () => {
  const riskSignalAddOns = { reasonCodes: false, carrier: false, email: false, deviceIp: false };
  const { api } = await it.brand({ riskSignalAddOns });
  const given = { phone: "+16565550301", email: "richard@piedpiper.net", deviceIp: "2001:db8::1" };
  const { riskSignals } = (await ask(given, api)).metadata.identifiers;
  assert.deepEqual(riskSignals, { overall: { score: 301, level: "medium-low", recommendation: "allow" } });
});

test("a brand without the operator's approval addOns gets only the overall risk", async () => {
  const { api, uuid: brandUuid } = await it.brand();
  const given = { phone: "+16565550301", email: "richard@piedpiper.net", deviceIp: "2001:db8::1" };
  assert.notEqual((await ask(given, api)).metadata.identifiers.riskSignals?.phone, undefined);
  await changeApproval(it.admin, { brandUuid, approval: "addOns", granted: false });
  const { riskSignals } = (await ask(given, api)).metadata.identifiers;
  assert.deepEqual(riskSignals, { overall: { score: 301, level: "medium-low", recommendation: "allow" } });
});

const homes: [string, Record<string, string>][] = [
  ["+13135550001", { line1: "811 Sycamore St", city: "Burlington", state: "IA", zipCode: "52601", country: "US" }],
  ["+13135550010", { line1: "3167 Av Roosevelt", city: "Ponce", state: "PR", zipCode: "00717", country: "US" }],
  ["+13135550032", { state: "CA", zipCode: "94303", country: "US" }],
];
for (const [phone, home] of homes) {
  test(`${phone} has an address in ${home.city ?? "California without a city"}`, async () => {
    assert.deepEqual((await ask({ phone })).credentials?.address, [home]);
  });
}

const lacking: [string, string][] = [
  ["+13135550030", "fullName"],
  ["+13135550031", "address"],
  ["+13135550033", "ssn"],
  ["+13135550034", "birthDate"],
];
for (const [phone, missing] of lacking) {
  test(`${phone} has everything but ${missing}, and that key is absent everywhere`, async () => {
    const { credentials, metadata } = await ask({ phone });
    const all = ["fullName", "phone", "address", "birthDate", "ssn"].filter((key) => key !== missing);
    assert.deepEqual(Object.keys(credentials ?? {}), all);
    for (const map of Object.values(metadata.credentials ?? {})) assert.deepEqual(Object.keys(map), all);
  });
}

test("+13135550100 is a minor, and only the minor's birth date matches", async () => {
  const phone = "+13135550100";
  assert.equal((await ask({ phone, birthDate: "2017-01-01" })).credentials?.birthDate, "2017-01-01");
  assert.equal((await refused({ phone, birthDate: "1989-08-01" })).errorCode, "OCE012");
});

test("any other phone gets the primary person's data with its own number", async () => {
  const phone = freshPhone();
  const { identifiers, credentials } = await ask({ phone });
  assert.deepEqual([identifiers.phone, credentials?.phone, credentials?.ssn], [phone, phone, "000456789"]);
});
