import assert from "node:assert/strict";
import test from "node:test";
import { type ChallengeInput, challengeInputs } from "@countersign/contract/errors";
import type { AmendRequest } from "@countersign/contract/v2";
import { assertEnvelope, refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const hosted = it.as("sk_sandbox_demo_hosted");
const semi = it.as("sk_sandbox_demo_semi_hosted");
const non = it.as("sk_sandbox_demo_non_hosted");
const minute = 60_000;
const primary = "+12125550010";
const needsBoth = "+10019999999";

type Begun = { uuid: string; url?: string; code?: string };
const begin = async (
  api: typeof semi,
  body: NonNullable<Parameters<typeof semi.beginOneClick>[0]>["body"],
): Promise<Begun> => (await api.beginOneClick({ body })).body;
const read = (uuid: string, code?: string) =>
  semi.readOneClick({ params: { uuid }, ...(code === undefined ? {} : { query: { code } }) });
const amend = (uuid: string, body: AmendRequest) => semi.amendOneClick({ params: { uuid }, body });
const wrongCode = (code = "111111") => (code === "000000" ? "000001" : "000000");

test("Hosted returns exactly uuid, url and code, and the url contains no uuid, code or phone", async () => {
  const begun = await begin(hosted, { phone: primary });
  assert.deepEqual(Object.keys(begun).sort(), ["code", "url", "uuid"]);
  assert.match(begun.url ?? "", /^http:\/\/localhost:4001\/request\/[0-9A-Za-z]{20,}$/);
  assert.equal(begun.code, "111111");
  for (const said of [begun.uuid, "111111", "2125550010"]) assert.ok(!begun.url?.includes(said));
});

test("Semi-Hosted returns exactly uuid and code; Non-Hosted returns exactly uuid and identity", async () => {
  assert.deepEqual(Object.keys(await begin(semi, { phone: primary })).sort(), ["code", "uuid"]);
  assert.deepEqual(Object.keys(await begin(non, { phone: primary })).sort(), ["identity", "uuid"]);
  const other = await begin(semi, { phone: "+12025550123" });
  assert.match(other.code ?? "", /^\d{6}$/);
});

test("an API key works with and without Bearer, and a request without a key gets 401 and no uuid", async () => {
  const payload = { phone: primary };
  for (const authorization of ["sk_sandbox_demo_semi_hosted", "Bearer sk_sandbox_demo_semi_hosted"]) {
    assert.equal(
      (await it.inject({ method: "POST", url: "/v2/1-click", headers: { authorization }, payload })).status,
      201,
    );
  }
  const { status, body } = await it.inject({ method: "POST", url: "/v2/1-click", payload });
  assertEnvelope(status, body);
  assert.equal(status, 401);
  assert.ok(!("uuid" in (body as object)));
});

test("a US phone is required, but in the sandbox it does not have to exist", async () => {
  assert.equal((await refusal(begin(hosted, {}))).errorCode, "OCE003");
  for (const phone of ["2125550010", "+442079460000"])
    assert.equal((await refusal(begin(semi, { phone }))).errorCode, "OCE002");
  for (const api of [hosted, semi, non]) assert.ok(await begin(api, { phone: "+10123456789" }));
});

test("v2.0 rejects the plain type names of v1", async () => {
  const { status, body } = await it.inject({
    method: "POST",
    url: "/v2/1-click",
    headers: { authorization: "sk_sandbox_demo_semi_hosted" },
    payload: { phone: primary, credentialRequests: ["FullNameCredential"] },
  });
  assertEnvelope(400, body);
  assert.equal(status, 400);
});

test("a read without the code gets OCE009 and uses no attempt", async () => {
  const { uuid } = await begin(semi, { phone: primary });
  for (let i = 0; i < 5; i += 1) assert.equal((await refusal(read(uuid))).errorCode, "OCE009");
  assert.equal((await read(uuid, "111111")).body.identifiers.phone, primary);
});

test("errors before the phone is verified contain the identifiers but no verification method", async () => {
  const { uuid } = await begin(semi, { phone: primary, email: "richard@piedpiper.net" });
  const identifiers = { phone: primary, email: "richard@piedpiper.net" };
  const unproven = async (call: Promise<unknown>) => {
    const { errorCode, data } = await refusal(call);
    return [errorCode, data];
  };
  assert.deepEqual(await unproven(read(uuid)), ["OCE009", { identifiers }]);
  assert.deepEqual(await unproven(amend(uuid, { ssn4: "6789" })), ["OCE009", { identifiers }]);
  for (let i = 0; i < 3; i += 1) assert.deepEqual(await unproven(read(uuid, wrongCode())), ["OCE008", { identifiers }]);
  assert.deepEqual(await unproven(read(uuid, "111111")), ["OCE018", { identifiers }]);
});

test("after three wrong codes, even the right code gets OCE018", async () => {
  const { uuid } = await begin(semi, { phone: primary });
  for (let i = 0; i < 3; i += 1) assert.equal((await refusal(read(uuid, wrongCode()))).errorCode, "OCE008");
  assert.equal((await refusal(read(uuid, "111111"))).errorCode, "OCE018");
  assert.equal((await refusal(read(uuid, "111111"))).errorCode, "OCE018");
});

test("the right code returns the identity every time, even after the code's five minutes", async () => {
  const { uuid } = await begin(semi, { phone: primary });
  const first = (await read(uuid, "111111")).body;
  assert.deepEqual(first.credentials?.fullName, {
    firstName: "Richard",
    middleName: "Harrison",
    lastName: "Hendricks",
  });
  assert.equal(first.metadata.identifiers.verificationMethod.phone, "otp");
  await it.advance(10 * minute);
  assert.deepEqual((await read(uuid, "111111")).body, first);
  assert.equal((await refusal(read(uuid, wrongCode()))).errorCode, "OCE008");
  assert.deepEqual((await read(uuid, "111-111")).body, first);
});

test("an unused code expires after 5 minutes, and a 1-Click expires after 60", async () => {
  const unused = await begin(semi, { phone: primary });
  const used = await begin(semi, { phone: primary });
  await read(used.uuid, "111111");
  await it.advance(5 * minute);
  assert.equal((await refusal(read(unused.uuid, "111111"))).errorCode, "OCE008");
  await it.advance(55 * minute);
  assert.equal((await refusal(read(used.uuid, "111111"))).errorCode, "OCE015");
});

test("another brand's uuid gets OCE015", async () => {
  const { uuid } = await begin(semi, { phone: primary });
  assert.equal(
    (await refusal(hosted.readOneClick({ params: { uuid }, query: { code: "111111" } }))).errorCode,
    "OCE015",
  );
});

test("after the code, OCE011 asks for more input, and one right input completes the 1-Click", async () => {
  for (const given of [{ birthDate: "1989-08-01" }, { ssn4: "6789" }]) {
    const { uuid } = await begin(semi, { phone: needsBoth });
    const asked = await refusal(read(uuid, "111111"));
    assert.equal(asked.errorCode, "OCE011");
    assert.deepEqual(asked.data.additionalInputs, ["birthDate", "ssn4"]);
    assert.match(asked.message, /: birthDate, ssn4$/);
    const { identifiers } = (await amend(uuid, given)).body;
    assert.equal(identifiers.phone, needsBoth);
    assert.equal((await read(uuid, "111111")).body.identifiers.phone, needsBoth);
  }
});

test("after three wrong values, the right value and later reads get OCE019", async () => {
  const brand = await it.brand({ integrationType: "semiHosted" });
  const { uuid } = await begin(brand.api, { phone: needsBoth });
  await refusal(brand.api.readOneClick({ params: { uuid }, query: { code: "111111" } }));
  const tryOn = (birthDate: string) => refusal(brand.api.amendOneClick({ params: { uuid }, body: { birthDate } }));
  for (const day of ["01", "02", "03"]) assert.equal((await tryOn(`1979-01-${day}`)).errorCode, "OCE012");
  const ended = await tryOn("1989-08-01");
  assert.deepEqual([ended.errorCode, ended.data.inputAttemptsExceeded], ["OCE019", ["birthDate"]]);
  const again = await refusal(brand.api.readOneClick({ params: { uuid }, query: { code: "111111" } }));
  assert.deepEqual([again.errorCode, again.data.inputAttemptsExceeded], ["OCE019", ["birthDate"]]);
});

const rightInput: Record<ChallengeInput, AmendRequest> = {
  "fullName.firstName": { fullName: { firstName: "Richard" } },
  birthDate: { birthDate: "1989-08-01" },
  ssn4: { ssn4: "6789" },
};
const wrongInput: Record<ChallengeInput, AmendRequest> = {
  "fullName.firstName": { fullName: { firstName: "Monica" } },
  birthDate: { birthDate: "1979-01-01" },
  ssn4: { ssn4: "0000" },
};
for (const input of challengeInputs)
  test(`a PATCH accepts ${input} when OCE011 asks for it, and compares it`, async () => {
    const brand = await it.brand({ integrationType: "semiHosted", challenges: [{ input, when: "always" }] });
    const { uuid } = await begin(brand.api, { phone: primary });
    const asked = await refusal(brand.api.readOneClick({ params: { uuid }, query: { code: "111111" } }));
    assert.deepEqual([asked.errorCode, asked.data.additionalInputs], ["OCE011", [input]]);
    const wrong = brand.api.amendOneClick({ params: { uuid }, body: wrongInput[input] });
    assert.equal((await refusal(wrong)).errorCode, "OCE012");
    const { body } = await brand.api.amendOneClick({ params: { uuid }, body: rightInput[input] });
    assert.equal(body.credentials?.ssn, "000456789");
  });

test("a PATCH with two inputs compares both", async () => {
  const { uuid } = await begin(semi, { phone: needsBoth });
  await refusal(read(uuid, "111111"));
  const both = await refusal(amend(uuid, { ...rightInput.birthDate, ...wrongInput.ssn4 }));
  assert.deepEqual([both.errorCode, both.message], ["OCE012", "SSN4 mismatch."]);
});

test("a PATCH before the code is accepted gets OCE009", async () => {
  const { uuid } = await begin(semi, { phone: needsBoth });
  assert.equal((await refusal(amend(uuid, { birthDate: "1989-08-01" }))).errorCode, "OCE009");
});

test("a PATCH needs a well-formed input within 30 minutes", async () => {
  const { uuid } = await begin(semi, { phone: needsBoth });
  await refusal(read(uuid, "111111"));
  assert.equal((await refusal(amend(uuid, {}))).errorCode, "ERR001");
  assert.equal((await refusal(amend(uuid, { birthDate: "08/01/1989" }))).errorCode, "ERR001");
  await it.advance(30 * minute);
  assert.equal((await refusal(amend(uuid, { birthDate: "1989-08-01" }))).errorCode, "OCE014");
});

test("after success, repeated right values change nothing and wrong values still get OCE012", async () => {
  const { uuid } = await begin(semi, { phone: needsBoth });
  await refusal(read(uuid, "111111"));
  const first = (await amend(uuid, { birthDate: "1989-08-01" })).body;
  assert.deepEqual((await amend(uuid, { birthDate: "1989-08-01" })).body, first);
  assert.equal((await refusal(amend(uuid, { ssn4: "0000" }))).errorCode, "OCE012");
  assert.deepEqual((await read(uuid, "111111")).body, first);
});

test("a PATCH by a Non-Hosted brand gets an error that names its type", async () => {
  const { uuid } = await begin(non, { phone: primary });
  const refused = await refusal(non.amendOneClick({ params: { uuid }, body: { ssn4: "6789" } }));
  assert.deepEqual([refused.errorCode, /nonHosted/.test(refused.message)], ["ERR001", true]);
});

test("inputs of the first request are compared when the code is accepted", async () => {
  const right = await begin(semi, { phone: needsBoth, birthDate: "1989-08-01" });
  assert.equal((await read(right.uuid, "111111")).body.identifiers.phone, needsBoth);
  const wrong = await begin(semi, { phone: needsBoth, birthDate: "1979-01-01" });
  assert.equal((await refusal(read(wrong.uuid, "111111"))).errorCode, "OCE012");
});

test("a 1-Click starts for any phone, and its outcome is shown only after the code", async () => {
  for (const [phone, code] of [
    ["+14045551300", "OCE013"],
    ["+15555550002", "OCE017"],
    ["+10019999998", "OCE011"],
  ] as const) {
    const { uuid } = await begin(semi, { phone });
    assert.equal((await refusal(read(uuid, "111111"))).errorCode, code);
    if (code !== "OCE011") assert.equal((await refusal(read(uuid, "111111"))).errorCode, code);
  }
});

test("concurrent reads with the right code release the data once", async () => {
  const { uuid } = await begin(semi, { phone: primary });
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => read(uuid, "111111")));
  assert.ok(all.some((one) => one.status === "fulfilled"));
  await read(uuid, "111111");
  const rows = await it.store.db
    .selectFrom("audit")
    .select("id")
    .where("one_click_uuid", "=", uuid)
    .where("action", "=", "oneClick.released")
    .execute();
  assert.equal(rows.length, 1);
});

test("a Non-Hosted POST returns OCE011, OCE012, OCE013, OCE017 or an identity that can be read again", async () => {
  assert.equal((await refusal(begin(non, { phone: "+10019999997" }))).errorCode, "OCE011");
  assert.ok(await begin(non, { phone: "+10019999997", birthDate: "1989-08-01" }));
  assert.equal((await refusal(begin(non, { phone: primary, birthDate: "1979-01-01" }))).errorCode, "OCE012");
  assert.equal((await refusal(begin(non, { phone: "+10019999998", birthDate: "1989-08-01" }))).errorCode, "OCE013");
  const blocked = await refusal(begin(non, { phone: "+15555550002" }));
  assert.equal(blocked.errorCode, "OCE017");
  assert.equal(blocked.message, "Risk Score Too High");
  const created = await non.createOneClick({ body: { phone: primary } });
  const again = (await non.readOneClick({ params: { uuid: created.body.uuid } })).body;
  assert.deepEqual(again, created.body.identity);
  assert.equal(again.metadata.identifiers.verificationMethod.phone, "customer_otp");
});

test("a request for cities and states has the same fields in every metadata map", async () => {
  const credentialRequests = [
    {
      type: "AddressCredential" as const,
      multi: true,
      children: [{ type: "CityCredential" as const }, { type: "StateCredential" as const }],
    },
  ];
  const { identity } = (await non.createOneClick({ body: { phone: primary, credentialRequests } })).body;
  const addresses = identity.credentials?.address as Record<string, string>[];
  assert.ok(addresses.length >= 1 && addresses.length <= 3);
  for (const map of Object.values(identity.metadata.credentials ?? {})) {
    assert.deepEqual(
      (map.address as object[]).map((one) => Object.keys(one)),
      addresses.map((one) => Object.keys(one)),
    );
  }
});

test("the birth date has the brand's format", async () => {
  const brand = await it.brand({ integrationType: "nonHosted", credentialFormats: { birthDate: "unixTimestamp" } });
  assert.equal(
    (await brand.api.createOneClick({ body: { phone: primary } })).body.identity.credentials?.birthDate,
    "617976000000",
  );
});

test("a mandatory value that no source has gets OCE007", async () => {
  const credentialRequests = [{ type: "SsnCredential" as const, mandatory: "yes" as const }];
  assert.equal((await refusal(begin(non, { phone: "+13135550033", credentialRequests }))).errorCode, "OCE007");
});
