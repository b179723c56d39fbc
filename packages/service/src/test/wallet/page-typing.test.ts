import assert from "node:assert/strict";
import test from "node:test";
import { agreed, onView } from "../harness/consent-shown.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const hosted = it.as("sk_sandbox_demo_hosted");
const consent = agreed("share");
type Json = Record<string, unknown>;
const address = {
  type: "AddressCredential",
  children: ["Line1Credential", "CityCredential", "StateCredential", "ZipCodeCredential", "CountryCredential"].map(
    (type) => ({ type }),
  ),
};

/** Opens a page, proves its phone, and returns the calls of its session. */
async function proven(phone: string, credentialRequests?: object[]) {
  const begun = (await hosted.beginOneClick({ body: { phone, credentialRequests } as never })).body;
  const page = new URL(begun.url ?? "").pathname.slice("/request/".length);
  const call = async (method: "GET" | "POST", url: string, payload?: Json, session?: string) => {
    const authorization = session === undefined ? {} : { authorization: `Bearer ${session}` };
    const response = await it.wallet.inject({ method, url, headers: authorization, ...(payload ? { payload } : {}) });
    return { status: response.statusCode, body: response.json() as Json };
  };
  const session = String((await call("POST", `/api/page/${page}/code`, { code: "111111" })).body.sessionToken);
  return {
    view: async () => (await call("GET", "/api/page", undefined, session)).body,
    amend: (body: Json) => call("POST", "/api/page/inputs", body, session),
    share: async (edits: Json) => {
      const { body: view } = await call("GET", "/api/page", undefined, session);
      return await call("POST", "/api/page/decision", onView({ share: true, edits, consent }, view), session);
    },
    read: async () => (await hosted.readOneClick({ params: { uuid: begun.uuid } })).body,
  };
}
const problems = ({ body }: { body: Json }) =>
  ((body.data as { errors?: { path: string }[] }).errors ?? []).map((one) => one.path).sort();

test("typed values are self-attested even if they equal the found ones, other parts keep their method, and emptied parts are removed", async () => {
  const page = await proven("+12125550010", [address, { type: "EmployerNameCredential" }]);
  await page.view();
  const edits = {
    address: { line1: "1 New St", city: "Palo Alto", zipCode: "94303-1234", country: "" },
    employerName: " Pied Piper ",
  };
  assert.equal((await page.share(edits)).status, 200);
  const { credentials, metadata } = await page.read();
  assert.deepEqual(credentials, {
    address: { line1: "1 New St", city: "Palo Alto", state: "CA", zipCode: "94303-1234" },
    employerName: "Pied Piper",
  });
  assert.deepEqual(metadata.credentials?.verificationMethod, {
    address: { line1: "self_attested", city: "self_attested", state: "credit_bureau", zipCode: "self_attested" },
    employerName: "self_attested",
  });
});

test("rejects edits that are invalid, not requested, or not allowed, lists their paths, and shares nothing", async () => {
  const requests = [
    address,
    { type: "SsnCredential" },
    { type: "BirthDateCredential" },
    { type: "PhoneCredential" },
    { type: "EmailCredential", allowUserInput: false },
  ];
  const page = await proven("+12125550010", requests);
  await page.view();
  const refused = await page.share({
    address: { zipCode: "9430", country: "US", planet: "Earth" },
    ssn: "123",
    birthDate: "2199-01-01",
    phone: "+12125550020",
    email: "a@b.example",
    fullName: { firstName: "X" },
  });
  assert.equal(refused.status, 400);
  const paths = ["address.planet", "address.zipCode", "birthDate", "email", "fullName", "phone", "ssn"];
  assert.deepEqual(
    problems(refused),
    paths.map((path) => `body.edits.${path}`),
  );
  assert.doesNotMatch(JSON.stringify(refused.body), /9430|a@b/);
  assert.deepEqual(problems(await page.share({ birthDate: "1989-02-30" })), ["body.edits.birthDate"]);
  assert.equal((await page.view()).step, "review");
});

test("a typed state and ZIP code must fit the country that was found, unless the person changes the country", async () => {
  const page = await proven("+12125550010", [address]);
  await page.view();
  const abroad = { state: "ON", zipCode: "M5V 3L9" };
  for (const [key, text] of Object.entries(abroad))
    assert.deepEqual(problems(await page.share({ address: { [key]: text } })), [`body.edits.address.${key}`]);
  assert.equal((await page.share({ address: { ...abroad, country: "CA" } })).status, 200);
  const stored = { line1: "5320 Newell Rd", city: "Palo Alto", ...abroad, country: "CA" };
  assert.deepEqual((await page.read()).credentials?.address, stored);
});

test("the person must enter a mandatory value that no source has", async () => {
  const page = await proven("+13135550033", [{ type: "SsnCredential", mandatory: "yes" }]);
  const { fields } = (await page.view()) as { fields: { choices: unknown[]; inputs: { kind: string }[] }[] };
  assert.deepEqual([fields[0]?.choices, fields[0]?.inputs[0]?.kind], [[], "ssn"]);
  assert.deepEqual(problems(await page.share({})), ["body.edits.ssn"]);
  assert.equal((await page.share({ ssn: "000-12-3456" })).status, 200);
  assert.equal((await page.read()).credentials?.ssn, "000123456");
});

test("a mandatory value with parts is shared only if it has every required part", async () => {
  const composites = ["FullNameCredential", "AddressCredential", "AnnualIncomeCredential"];
  const page = await proven(
    "+13135550032",
    composites.map((type) => ({ type, mandatory: "yes" })),
  );
  await page.view();
  const paths = (...keys: string[]) => keys.map((key) => `body.edits.${key}`);
  const half = {
    fullName: { middleName: "", lastName: "" },
    address: { city: "Palo Alto", line2: "Apt 2" },
    annualIncome: { currency: "USD" },
  };
  const refused = await page.share(half);
  assert.deepEqual([refused.status, (refused.body.data as Json).errorCode], [400, "ERR001"]);
  assert.deepEqual(problems(refused), paths("address.line1", "annualIncome.amount", "fullName.lastName"));
  const blank = { ...half, annualIncome: { currency: "", amount: "85000" } };
  assert.ok(problems(await page.share(blank)).includes("body.edits.annualIncome.currency"));
  const whole = {
    address: { line1: "5320 Newell Rd", city: "Palo Alto" },
    annualIncome: { currency: "USD", amount: "85000" },
  };
  assert.equal((await page.share(whole)).status, 200);
  assert.equal((await page.read()).credentials?.annualIncome, "USD 85000");
});

test("the person completes a mandatory address if a source has only parts of it", async () => {
  const page = await proven("+13135550032", [{ ...address, mandatory: "yes" }]);
  await page.view();
  assert.deepEqual(problems(await page.share({})), ["body.edits.address.city", "body.edits.address.line1"]);
  assert.equal((await page.share({ address: { line1: "1 New St", city: "Palo Alto" } })).status, 200);
});

test("the person cannot enter a mandatory value that must come from a named issuer", async () => {
  const issuers = ["5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21"];
  const page = await proven("+12125550010", [{ type: "SsnCredential", mandatory: "yes", issuers }]);
  const missing = [{ key: "ssn", title: "Social Security Number" }];
  for (const view of [await page.view(), await page.view()])
    assert.deepEqual([view.step, view.errorCode, view.missing], ["error", "OCE007", missing]);
});

test("a birth date mismatch does not reveal the phone's owner or risk score to the browser", async () => {
  const page = await proven("+12125550022");
  await page.view();
  const { status, body } = await page.amend({ birthDate: "1979-01-01" });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.data as Json).sort(), ["errorCode", "requestId"]);
});

test("a person can type a military address, by its code or its name", async () => {
  for (const [typed, state] of [
    ["AP", "AP"],
    ["armed forces europe", "AE"],
    ["Armed Forces Americas", "AA"],
  ] as const) {
    const page = await proven("+12125550010", [address]);
    await page.view();
    const edits = { address: { line1: "PSC 2 Box 200", city: "APO", state: typed, zipCode: "96517" } };
    assert.equal((await page.share(edits)).status, 200, typed);
    const { credentials } = await page.read();
    assert.deepEqual((credentials as { address?: Json }).address?.state, state);
  }
});
