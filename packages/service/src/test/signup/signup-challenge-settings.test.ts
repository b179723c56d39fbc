import assert from "node:assert/strict";
import test from "node:test";
import type { BrandSettings } from "@countersign/contract/brand";
import { challengeInputs } from "@countersign/contract/errors";
import type { OneClickRequest } from "@countersign/contract/v2";
import { challengeAttemptsAllBrandsMax, challengeAttemptsMax } from "../../domain/signup/challenges.ts";
import { freshPhone } from "../harness/below-http.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
type Challenge = BrandSettings["challenges"][number];
const brandThatAsks = async (...challenges: Challenge[]) => (await it.brand({ challenges })).api;
const outcome = async (body: OneClickRequest, api = it.api) =>
  await api.createOneClick({ body }).then(
    () => "ok",
    async (error: unknown) => {
      const { errorCode, data, message } = await refusal(Promise.reject(error));
      return errorCode === "OCE011" ? `OCE011 ${String(data.additionalInputs)}` : `${errorCode} ${message}`;
    },
  );

// biome-ignore format: a table
const given: Record<Challenge["input"], { right: OneClickRequest; wrong: OneClickRequest; mismatch: string }> = {
  "fullName.firstName": { right: { fullName: { firstName: "Richard" } }, wrong: { fullName: { firstName: "Bob" } }, mismatch: "OCE012 FirstName mismatch." },
  birthDate:            { right: { birthDate: "1989-08-01" },            wrong: { birthDate: "1979-01-01" },        mismatch: "OCE012 BirthDate mismatch." },
  ssn4:                 { right: { ssn4: "6789" },                       wrong: { ssn4: "0000" },                   mismatch: "OCE012 SSN4 mismatch." },
};
const inputs = ["fullName.firstName", "birthDate", "ssn4"] as const;

for (const input of inputs) {
  test(`a brand that always asks for ${input} gets OCE011 without it and the data with it`, async () => {
    const api = await brandThatAsks({ input, when: "always" });
    const phone = freshPhone();
    assert.equal(await outcome({ phone }, api), `OCE011 ${input}`);
    assert.equal(await outcome({ phone, ...given[input].right }, api), "ok");
    assert.equal(await outcome({ phone, ...given[input].wrong }, api), given[input].mismatch);
  });

  test(`a brand that asks for ${input} if necessary gets the data without it, but not with a wrong one`, async () => {
    const api = await brandThatAsks({ input, when: "ifNecessary" });
    const phone = freshPhone();
    assert.equal(await outcome({ phone }, api), "ok");
    assert.equal(await outcome({ phone, ...given[input].wrong }, api), given[input].mismatch);
  });
}

test("every input that a brand always asks for is required", async () => {
  const api = await brandThatAsks({ input: "birthDate", when: "always" }, { input: "ssn4", when: "always" });
  const phone = freshPhone();
  assert.equal(await outcome({ phone }, api), "OCE011 birthDate,ssn4");
  assert.equal(await outcome({ phone, ...given.birthDate.right }, api), "OCE011 ssn4");
  assert.equal(await outcome({ phone, ...given.birthDate.right, ...given.ssn4.right }, api), "ok");
});

test("an input sent before an OCE011 is kept, so that the missing input completes the 1-Click", async () => {
  const api = await brandThatAsks({ input: "birthDate", when: "always" }, { input: "ssn4", when: "always" });
  const { data } = await refusal(api.createOneClick({ body: { phone: freshPhone(), ...given.birthDate.right } }));
  const identityUuid = String(data.identityUuid);
  assert.equal(await outcome({ identityUuid, ...given.ssn4.wrong }, api), given.ssn4.mismatch);
  assert.equal(await outcome({ identityUuid, ...given.ssn4.right }, api), "ok");
});

test("OCE011 names the inputs required by the person and by the brand together, each once", async () => {
  const api = await brandThatAsks({ input: "ssn4", when: "always" }, { input: "birthDate", when: "always" });
  assert.equal(await outcome({ phone: "+12125550022" }, api), "OCE011 birthDate,ssn4");
});

test("a wrong value is reported before a missing one and uses an attempt", async () => {
  const api = await brandThatAsks({ input: "ssn4", when: "always" });
  const phone = freshPhone();
  for (const birthDate of ["1979-01-01", "1979-01-02", "1979-01-03"])
    assert.equal(await outcome({ phone, birthDate }, api), given.birthDate.mismatch);
  assert.match(await outcome({ phone, birthDate: "1989-08-01" }, api), /^OCE019/);
});

test("a metadata-only request and a risk block need no challenge", async () => {
  const api = await brandThatAsks({ input: "birthDate", when: "always" });
  assert.equal(await outcome({ phone: freshPhone(), credentialRequests: [] }, api), "ok");
  assert.equal(await outcome({ phone: "+14045551799" }, api), "OCE017 Risk Score Too High");
});

test("a blank first name counts as missing", async () => {
  for (const firstName of ["", "   "]) {
    const asked = "OCE011 fullName.firstName";
    assert.equal(await outcome({ phone: "+12125550023", fullName: { firstName } }), asked);
  }
});

test("one brand cannot use up the attempts of all brands within one window", () => {
  assert.ok(challengeAttemptsMax * challengeInputs.length < challengeAttemptsAllBrandsMax);
});
