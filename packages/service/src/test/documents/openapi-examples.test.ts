/** The examples of the OpenAPI documents are real: each request is sent to the sandbox, and its answer is compared. */
import assert from "node:assert/strict";
import test from "node:test";
import type { ClientResponse } from "@countersign/contract/client";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";
import { differences } from "../harness/document-blocks.ts";
import { exampleOf, exampleSender, type Params } from "../harness/example-requests.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const keys = {
  api: demoKey,
  sdk: "sk_sandbox_demo_sdk",
  semiHosted: "sk_sandbox_demo_semi_hosted",
  v1: "sk_sandbox_demo_v1",
};
const send = exampleSender(it);

function member(body: unknown, name: string): string {
  assert.ok(typeof body === "object" && body !== null, JSON.stringify(body));
  return String(new Map<string, unknown>(Object.entries(body)).get(name));
}
const uuidOf = ({ body }: ClientResponse) => ({ uuid: member(body, "uuid") });
const body = async (answer: Promise<ClientResponse>) => (await answer).body;

async function begunSemiHosted(): Promise<Params> {
  const key = keys.semiHosted;
  const begun = await send("createOneClick", {
    key,
    body: { ...Object(exampleOf("createOneClick").example.body), phone: "+12125550020" },
  });
  const read = { key, params: uuidOf(begun), query: { code: member(begun.body, "code") } };
  assert.equal((await send("readOneClick", read)).status, 400);
  return uuidOf(begun);
}

/** The answer at the end of the redirects that a device follows. */
async function followed(location: string | undefined): Promise<unknown> {
  const { pathname, search } = new URL(location ?? assert.fail("no Location"));
  const answer = await it.inject({ method: "GET", url: `${pathname}${search}` });
  return answer.status === 302 ? await followed(answer.headers.location) : answer.body;
}

const byDevice = { channel: "autofill", deviceIp: "::121:2555:0010" };
/** The brand does not check the plans that are found: a payer's answer is too long for an example. */
const readPlans = async () => {
  const { apiKey: key } = await it.brand({ health: { enabled: true, checkAfterAutofill: false } });
  const { body: begun } = await send("createHealthLookup", { key });
  await it.runJobs();
  return await send("readHealthLookup", { key, params: { healthDataUuid: member(begun, "healthDataUuid") } });
};
const afterIssuing = async (id: "readCredential" | "changeCredential") => {
  const issued = await send("issueCredentials");
  assert.ok([201, 409].includes(issued.status));
  return await send(id);
};
const trusted = { key: keys.v1 };

/** How the answer of each example comes about. */
const answers: Record<string, () => Promise<unknown>> = {
  createOneClick: () => body(send("createOneClick")),
  readOneClick: async () => await body(send("readOneClick", { params: uuidOf(await send("createOneClick")) })),
  amendOneClick: async () =>
    await body(send("amendOneClick", { key: keys.semiHosted, params: await begunSemiHosted() })),
  readDeviceIp: () => body(send("readDeviceIp")),
  readChannels: () => body(send("readChannels")),
  createVerification: () => body(send("createVerification")),
  readVerification: async () =>
    await body(send("readVerification", { params: uuidOf(await send("createVerification")) })),
  deliverVerification: async () =>
    await body(send("deliverVerification", { params: uuidOf(await send("createVerification")) })),
  submitVerificationCode: async () =>
    await body(send("submitVerificationCode", { params: uuidOf(await send("createVerification")) })),
  finishDevice: async () => await followed((await send("createVerification", { body: byDevice })).headers.location),
  createSession: () => body(send("createSession", { key: keys.sdk })),
  createHealthLookup: () => body(send("createHealthLookup")),
  readHealthLookup: () => body(readPlans()),
  listPayers: () => body(send("listPayers")),
  issueCredentials: () => body(send("issueCredentials")),
  readCredential: () => body(afterIssuing("readCredential")),
  changeCredential: () => body(afterIssuing("changeCredential")),
  readSchema: () => body(send("readSchema")),
  // The library is large: the example shows one of its types.
  readSchemaLibrary: async () => {
    const { CityCredential } = (await it.api.readSchemaLibrary()).body;
    return { CityCredential };
  },
  createV1OneClick: () => body(send("createV1OneClick", trusted)),
  createTrusted: () => body(send("createTrusted", trusted)),
  readV1OneClick: async () => {
    const begun = await send("createTrusted", trusted);
    return await body(send("readV1OneClick", { ...trusted, params: uuidOf(begun) }));
  },
  reportEdits: async () => {
    const params = uuidOf(await send("createTrusted", trusted));
    const edits = { ...Object(exampleOf("reportEdits").example.body), ...params };
    return await body(send("reportEdits", { ...trusted, params, body: edits }));
  },
};

test("every example of the API is compared", () => {
  const others = ["Dashboard", "Sandbox control"];
  const brandsApi = declaredEndpoints.filter(({ example, tag }) => example !== undefined && !others.includes(tag));
  assert.deepEqual(Object.keys(answers).sort(), brandsApi.map(({ id }) => id).sort());
});

for (const [id, answer] of Object.entries(answers))
  test(`the example of ${id} is a real answer`, async () => {
    const real = await answer();
    assert.deepEqual(differences(exampleOf(id).example.reply, real), [], JSON.stringify(real));
  });
