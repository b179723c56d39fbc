/** What the person may leave out of the review, and who then knows of it. */
import assert from "node:assert/strict";
import test from "node:test";
import type { CredentialRequest } from "@countersign/contract/credential";
import { signIn, wholeTimeline } from "../harness/account-page.ts";
import { assertNotStored, freshPhone } from "../harness/below-http.ts";
import { agreed, sharedWords } from "../harness/consent-shown.ts";
import { hostedPage, wallet } from "../harness/hosted-share.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const consent = agreed("share");
const richard = "+12125550010";
const name: CredentialRequest = { type: "FullNameCredential" };
const address: CredentialRequest = {
  type: "AddressCredential",
  children: ["Line1Credential", "CityCredential", "StateCredential", "ZipCodeCredential", "CountryCredential"].map(
    (type) => ({ type }) as CredentialRequest,
  ),
};
const all: CredentialRequest[] = [name, { type: "PhoneCredential" }, address, { type: "BirthDateCredential" }];

const open = (requests: CredentialRequest[], phone = richard) => hostedPage(it, phone, requests);
type Opened = Awaited<ReturnType<typeof open>>;
type Decision = { leftOut?: string[]; edits?: Record<string, string | Record<string, string>> };
const share = ({ session }: Opened, decision: Decision) =>
  session.decidePage({ body: { share: true, consent, ...decision } });
const problemsOf = async (page: Opened, decision: Decision) =>
  ((await refusal(share(page, decision))).data.errors as { path: string; message: string }[]).map(
    ({ path, message }) => `${path}: ${message}`,
  );
const sharingIn = ({ view }: Opened) => Object.fromEntries((view.fields ?? []).map((one) => [one.key, one.sharing]));

test("what the person leaves out is not shared, not stored and not readable; the consent, the receipt and the own page name the rest", async () => {
  const phone = freshPhone();
  const page = await open(all, phone);
  assert.deepEqual(sharingIn(page), {
    fullName: "optional",
    phone: "always",
    address: "optional",
    birthDate: "optional",
  });
  const done = (await share(page, { leftOut: ["address", "birthDate"] })).body;
  assert.deepEqual(
    done.shared?.details.map(({ key }) => key),
    ["fullName", "phone"],
  );
  const { credentials, metadata } = (await page.read()).body;
  assert.deepEqual(Object.keys(credentials ?? {}), ["fullName", "phone"]);
  for (const map of Object.values(metadata.credentials ?? {}))
    assert.deepEqual(Object.keys(map), ["fullName", "phone"]);

  const account = await signIn(it, phone);
  const [entry] = (await wholeTimeline(account)).filter(({ action }) => action === "oneClick.released");
  const types = ["FullNameCredential", "PhoneCredential"];
  assert.deepEqual(
    [entry?.types, entry?.consent?.words],
    [types, sharedWords("Demo Hosted", "en", "your full name and phone")],
  );
  const { receipt } = (await account.readReceipt({ params: { uuid: entry?.consent?.uuid ?? "" } })).body;
  assert.deepEqual(JSON.parse(Buffer.from(receipt.split(".")[1] ?? "", "base64url").toString()).types, types);
  const [shared] = (await account.readAccount()).body.shares;
  assert.deepEqual(
    shared?.fields.map(({ key }) => key),
    ["fullName", "phone"],
  );
  await assertNotStored(it, ["5320 Newell Rd"]);
});

test("if_available is required if a source has the value: it can be corrected, but neither left out nor emptied", async () => {
  const email: CredentialRequest = { type: "EmailCredential", mandatory: "if_available" };
  const page = await open([email, { ...address, mandatory: "if_available" }, name]);
  assert.deepEqual(sharingIn(page), { email: "required", address: "required", fullName: "optional" });
  const kept = "The person cannot leave this out.";
  assert.deepEqual(await problemsOf(page, { leftOut: ["email", "fullName", "address"] }), [
    `body.leftOut.0: ${kept}`,
    `body.leftOut.2: ${kept}`,
  ]);
  const emptied = { line1: "", city: "", state: "", zipCode: "", country: "" };
  assert.deepEqual(await problemsOf(page, { edits: { email: " ", address: emptied } }), [
    "body.edits.email: This is required.",
    "body.edits.address: This is required.",
    ...["line1", "city", "state", "zipCode"].map((part) => `body.edits.address.${part}: This is required.`),
  ]);
  await share(page, { edits: { email: "rick@example.com" }, leftOut: ["fullName"] });
  const { credentials, metadata } = (await page.read()).body;
  assert.deepEqual(
    [credentials?.email, metadata.credentials?.verificationMethod.email],
    ["rick@example.com", "self_attested"],
  );
  assert.deepEqual(Object.keys(credentials ?? {}), ["email", "address"]);
});

test("if_available is optional if no source has the value, also for a part", async () => {
  const employer: CredentialRequest = { type: "EmployerNameCredential", mandatory: "if_available" };
  const parts: CredentialRequest = {
    type: "FullNameCredential",
    children: [
      { type: "FirstNameCredential" },
      { type: "MiddleNameCredential", mandatory: "if_available" },
      { type: "LastNameCredential" },
    ],
  };
  const page = await open([employer, parts]);
  assert.deepEqual(sharingIn(page), { employerName: "optional", fullName: "required" });
  assert.deepEqual(await problemsOf(page, { edits: { fullName: { middleName: "" } } }), [
    "body.edits.fullName.middleName: This is required.",
  ]);
  await share(page, { leftOut: ["employerName"] });
  assert.deepEqual(Object.keys((await page.read()).body.credentials ?? {}), ["fullName"]);
});

test("a required detail or part cannot be left out, and neither can what nobody asked for", async () => {
  const child: CredentialRequest = {
    type: "FullNameCredential",
    children: [{ type: "FirstNameCredential", mandatory: "yes" }, { type: "LastNameCredential" }],
  };
  const page = await open([{ type: "EmailCredential", mandatory: "yes" }, child, { type: "PhoneCredential" }, address]);
  const kept = "The person cannot leave this out.";
  assert.deepEqual(await problemsOf(page, { leftOut: ["email", "fullName", "phone", "ssn"] }), [
    `body.leftOut.0: ${kept}`,
    `body.leftOut.1: ${kept}`,
    `body.leftOut.2: ${kept}`,
    "body.leftOut.3: This was not requested.",
  ]);
  assert.deepEqual(await problemsOf(page, { leftOut: ["address"], edits: { address: { city: "Reno" } } }), [
    "body.leftOut.0: Leave this out or enter it, not both.",
  ]);
});

test("an address whose essential parts were emptied is not an address", async () => {
  const page = await open([address, { type: "BirthDateCredential" }]);
  const emptied = { line1: "", city: "", zipCode: "" };
  const paths = ["line1", "city", "zipCode"].map((part) => `body.edits.address.${part}: This is required.`);
  assert.deepEqual(await problemsOf(page, { edits: { address: emptied } }), paths);
  await share(page, { edits: { address: { ...emptied, state: "", country: "" } } });
  assert.deepEqual(Object.keys((await page.read()).body.credentials ?? {}), ["birthDate"]);
});

test("a typed value needs every essential part, also if it is optional", async () => {
  const page = await open([{ type: "AnnualIncomeCredential" }, { type: "PhoneCredential" }]);
  assert.deepEqual(page.view.fields?.[0]?.choices, []);
  assert.deepEqual(await problemsOf(page, { edits: { annualIncome: { amount: "85000" } } }), [
    "body.edits.annualIncome.currency: This is required.",
  ]);
  await share(page, { edits: { annualIncome: { amount: "85000", currency: "USD" } } });
  assert.equal((await page.read()).body.credentials?.annualIncome, "USD 85000");
});

test("a person who leaves out everything is told to decline", async () => {
  const page = await open([name, address]);
  assert.deepEqual(await problemsOf(page, { leftOut: ["fullName", "address"] }), [
    "body.leftOut: Share at least one detail, or decline.",
  ]);
  await share(page, { leftOut: ["address"] });
  assert.deepEqual(Object.keys((await page.read()).body.credentials ?? {}), ["fullName"]);
});

test("what the brand gets anyway has no risk if the brand turned the risk signals off, on the page and later on the own page", async () => {
  for (const [riskSignals, anyway] of [
    [true, "phoneAndRisk"],
    [false, "phone"],
  ] as const) {
    const phone = freshPhone();
    const brand = await it.brand({ integrationType: "hosted", riskSignals });
    const { url, code } = (await brand.api.beginOneClick({ body: { phone } })).body;
    const page = new URL(url ?? "").pathname.slice("/request/".length);
    const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: code ?? "" } })).body;
    const session = wallet(it, sessionToken);
    assert.equal((await session.viewPage()).body.brand.anyway, anyway);
    await session.decidePage({ body: { share: false, consent: agreed("decline") } });
    const entries = await wholeTimeline(await signIn(it, phone));
    assert.deepEqual(
      entries.flatMap((entry) => entry.anyway ?? []),
      [anyway],
    );
  }
});
