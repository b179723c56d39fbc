/** A proof that a person gave on our page is for one decision: theirs. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test from "node:test";
import { provingText } from "@countersign/contract/consent";
import type { JourneyLine } from "@countersign/contract/dashboard-journeys";
import type { LogLine } from "@countersign/contract/dashboard-reporting";
import { freshPhone } from "../harness/below-http.ts";
import { agreed } from "../harness/consent-shown.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";
import { sessionFrames } from "../harness/session-frames.ts";

const it = await sandbox();
const { frame, follow, opened } = sessionFrames(it);
const brand = await it.brand({
  integrationType: "sdk",
  defaultCredentialRequests: [
    { type: "FullNameCredential" },
    { type: "SsnCredential", mandatory: "no" },
    { type: "BirthDateCredential", mandatory: "no" },
  ],
});
const { api } = brand;
const consent = agreed("proveSsn");

type Frame = Awaited<ReturnType<typeof opened>>["session"];

/** The person proves the phone in the frame. Returns their page. */
async function provenPage(phone: string, by = brand) {
  const { session, start } = await opened(by.api);
  const proving = agreed(provingText({ known: false, asksFor: start.asksFor }));
  const { page = "" } = (await session.beginByPhone({ body: { phone, silent: false, consent: proving } })).body;
  await it.runJobs();
  const [text] = (await by.api.listMessages({ query: { to: phone } })).body.data;
  const code = /\d{6}/.exec(text?.body ?? "")?.[0] ?? "";
  const { sessionToken } = (await frame().provePage({ params: { page }, body: { code } })).body;
  return frame(sessionToken);
}

/** What a brand gets that makes another session with the verification. */
async function usedAgain(verificationUuid: string, by = brand) {
  return (await refusal(by.api.createSession({ body: { verificationUuid } }))).errorCode;
}

test("after the person shared in part, no session of the brand can share the rest with their proof", async () => {
  const page = await provenPage(freshPhone());
  const { verificationUuid = "" } = (await page.viewPage()).body;
  const decision = { share: true, leftOut: ["ssn", "birthDate"], consent: agreed("share") };
  assert.equal((await page.decidePage({ body: decision })).body.outcome, "shared");
  assert.equal(await usedAgain(verificationUuid), "ERR001");
});

test("the same holds after the page ended with an error, and after the brand asked for nothing first", async () => {
  const strict = await it.brand({
    integrationType: "sdk",
    defaultCredentialRequests: [{ type: "EmailCredential", mandatory: "yes", issuers: [randomUUID()] }],
  });
  const nothing = await it.brand({ integrationType: "sdk", defaultCredentialRequests: [] });
  for (const asks of [strict, nothing]) {
    const page = await provenPage(freshPhone(), asks);
    const { verificationUuid = "", step } = (await page.viewPage()).body;
    if (step === "review") await page.decidePage({ body: { share: true, consent: agreed("share") } });
    const body = { defaultCredentialRequests: [{ type: "SsnCredential" }] };
    await it.api.patchSandboxBrand({ params: { uuid: asks.uuid }, body });
    assert.equal(await usedAgain(verificationUuid, asks), "ERR001", step);
  }
});

test("a proof by the carrier is unknown to the brand until the person agrees to go on", async () => {
  const phone = "+12135550147";
  const { session } = await opened(api, { deviceIp: "::121:3555:0147" });
  const { location = "" } = (await session.beginByDevice()).body;
  const { uuid = "" } = await follow(location);
  assert.equal(await usedAgain(uuid), "OCV005");
  assert.equal((await refusal(api.readVerification({ params: { uuid } }))).errorCode, "OCV005");
  const { sessionToken } = (await session.continueSession({ body: { consent, verificationUuid: uuid } })).body;
  assert.equal((await frame(sessionToken).viewPage()).body.step, "review");
  assert.equal((await api.readVerification({ params: { uuid } })).body.phone, phone);
});

test("a session that was opened before the person shared cannot continue with their proof", async () => {
  const { uuid } = (await api.createVerification({ body: { channel: "sms", phone: "+12125550010" } })).body;
  await api.submitVerificationCode({ params: { uuid }, body: { code: "111111" } });
  const [persons, brands] = [
    await opened(api, { verificationUuid: uuid }),
    await opened(api, { verificationUuid: uuid }),
  ];
  const known = agreed("proveKnownSsn");
  const { sessionToken } = (await persons.session.continueSession({ body: { consent: known } })).body;
  const page = frame(sessionToken);
  await page.viewPage();
  const decision = { share: true, leftOut: ["ssn", "birthDate"], consent: agreed("share") };
  await page.decidePage({ body: decision });
  assert.equal((await refusal(brands.session.continueSession({ body: { consent: known } }))).errorCode, "ERR001");
});

for (const [who, phone, begin] of [
  [
    "whose carrier recognized them",
    "+12135550148",
    async (session: Frame) => follow((await session.beginByDevice()).body.location ?? ""),
  ],
  [
    "whose phone somebody typed",
    freshPhone(),
    async (session: Frame, phone: string) =>
      session.beginByPhone({ body: { phone, silent: false, consent: agreed("proveSsn") } }),
  ],
] as const)
  test(`refused calls about a person ${who}, and who has not agreed, confirm no guess of the phone`, async () => {
    const asking = await it.brand({ integrationType: "sdk", defaultCredentialRequests: [{ type: "SsnCredential" }] });
    const { session } = await opened(asking.api, { deviceIp: "::121:3555:0148" });
    await begin(session, phone);
    const viewer = await signedIn(it, { role: "viewer" });
    const at = `/api/brands/${asking.uuid}/sandbox`;
    const journeys = (await viewer.call("GET", `${at}/journeys`)).body as { data: JourneyLine[] };
    const [journey] = journeys.data;
    const uuid = journey?.uuid ?? assert.fail("no journey");
    const read = journey?.kind === "signup" ? asking.api.readOneClick : asking.api.readVerification;
    await refusal(read({ params: { uuid } }));
    await refusal(asking.api.createSession({ body: { phone, verificationUuid: uuid } }));
    // A brand chooses the ids of its credentials, and its calls about them succeed.
    const credentials = [{ id: uuid, type: "EmailCredential" as const, data: { email: "a@example.com" } }];
    await asking.api.issueCredentials({ body: { email: "a@example.com", credentials } });
    await asking.api.readCredential({ params: { id: uuid } });
    const linesOf = async (filter: object) =>
      ((await viewer.call("POST", `${at}/log`, { filter })).body as { data: LogLine[] }).data;
    await eventually(async () => ((await linesOf({})).length >= 5 ? true : undefined));
    assert.deepEqual(await linesOf({ phone }), []);
  });

test("a session that the brand makes with its own verification by device is found by the phone", async () => {
  const phone = "+12135550149";
  const asking = await it.brand({ integrationType: "sdk" });
  const begun = await it.inject({
    method: "POST",
    url: "/v2/1-click/verifications",
    headers: { authorization: asking.apiKey },
    payload: { channel: "autofill", deviceIp: "::121:3555:0149" },
  });
  const { uuid = "" } = await follow(begun.headers.location ?? "", "https://brand.example/");
  await asking.api.createSession({ body: { verificationUuid: uuid } });
  const viewer = await signedIn(it, { role: "viewer" });
  const found = await eventually(async () => {
    const { body } = await viewer.call("POST", `/api/brands/${asking.uuid}/sandbox/log`, { filter: { phone } });
    return (body as { data: LogLine[] }).data.find(({ route }) => route.endsWith("/client/1-click"));
  });
  assert.equal(found.status, 201);
});
