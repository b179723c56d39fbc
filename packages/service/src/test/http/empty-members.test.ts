/** What clients send for members that they leave out means the same in the bodies of every API generation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anyOf, mapOf, t } from "@countersign/contract/primitives";
import { compileEmpty } from "../../http/empty-members.ts";
import { freshPhone } from "../harness/below-http.ts";
import { demoKey, sandbox, sdkKey } from "../harness/sandbox.ts";

const it = await sandbox();
type Json = Record<string, unknown>;

async function send(method: "POST" | "PATCH", url: string, payload: Json, authorization = demoKey) {
  const headers = { authorization, "content-type": "application/json" };
  const { status, body } = await it.inject({ method, url, headers, payload });
  return { status, body: body as Json };
}
const problemsOf = (body: Json) => (body.data as { errors: { path: string; message: string }[] }).errors;

const phone = "+12125550010";
const nobody = { identityUuid: null, verificationUuid: null, email: null, birthDate: null, ssn4: null, fullName: null };
const details = { fullName: { firstName: "Monica", lastName: "Hall" }, birthDate: "1990-01-01" };
const health = (await it.brand({ health: { enabled: true } })).apiKey;
const request = { type: "SsnCredential", mandatory: null, issuers: null, children: null };
const credential = { type: "EmailCredential", data: { email: "ada@example.com" } };

const accepted: [string, string, Json, string][] = [
  ["v2", "/v2/1-click", { phone, ...nobody, credentialRequests: [request] }, demoKey],
  ["v2.1", "/v2.1/1-click", { phone, ...nobody, fullName: { firstName: "Richard", middleName: null } }, demoKey],
  ["v2.0 Hosted", "/v2/1-click", { phone, ...nobody, content: { title: null } }, "sk_sandbox_demo_hosted"],
  ["v1", "/1-click", { phone: freshPhone(), email: null, isHosted: null, content: null }, "sk_sandbox_demo_v1"],
  ["a verification", "/v2/1-click/verifications", { phone: freshPhone(), channel: "sms", deviceIp: null }, demoKey],
  ["a session", "/v2/client/1-click", { phone: null, address: null }, sdkKey],
  ["issuance", "/v2/credentials", { phone, email: null, credentials: [{ ...credential, id: null }] }, demoKey],
  ["health", "/v2/1-click/health", { ...details, memberId: null, provider: null, serviceCodes: null }, health],
  ["sandbox control", "/sandbox/brands", { name: null, settings: null }, demoKey],
  ["settings", "/sandbox/brands", { settings: { styling: { primaryColor: null }, channels: null } }, demoKey],
];
for (const [what, url, body, key] of accepted) {
  test(`${what}: null for an optional member means that it is left out`, async () => {
    const { status, body: answer } = await send("POST", url, body, key);
    assert.equal(status, 201, JSON.stringify(answer));
  });
}

test("null in a PATCH leaves the member out, and the rest counts", async () => {
  const { uuid } = (await send("POST", "/v2/1-click", { phone: "+12125550021" }, "sk_sandbox_demo_semi_hosted")).body;
  await it.inject({
    url: `/v2/1-click/${uuid}?code=111111`,
    headers: { authorization: "sk_sandbox_demo_semi_hosted" },
  });
  const inputs = { birthDate: null, ssn4: "6789" };
  const { status } = await send("PATCH", `/v2/1-click/${uuid}`, inputs, "sk_sandbox_demo_semi_hosted");
  assert.equal(status, 200);
  const brand = await it.brand({ externalName: "Pied Piper" });
  const patch = { externalName: null, redirectUrl: null, manualSignup: "hide" };
  const { body } = await send("PATCH", `/sandbox/brands/${brand.uuid}/settings`, patch);
  assert.deepEqual([body.externalName, body.redirectUrl, body.manualSignup], ["Pied Piper", null, "hide"]);
});

test("null for a required member is an error that names it", async () => {
  const { status, body } = await send("POST", "/v2/1-click", { phone, credentialRequests: [{ type: null }] });
  assert.deepEqual([status, problemsOf(body).map(({ path }) => path)], [400, ["body.credentialRequests.0.type"]]);
});

test("an empty list of children asks for what a request without children asks for", async () => {
  for (const type of ["SsnCredential", "FullNameCredential"]) {
    const answers = [];
    for (const one of [{ type }, { type, children: [] }]) {
      const { status, body } = await send("POST", "/v2/1-click", { phone, credentialRequests: [one] });
      answers.push([status, (body.identity as { credentials: Json } | undefined)?.credentials]);
    }
    assert.equal(answers[0]?.[0], 201);
    assert.deepEqual(answers[1], answers[0]);
  }
  const deep = { type: "EmployerCredential", children: [{ type: "AnnualIncomeCredential", children: [] }] };
  assert.equal((await send("POST", "/v2/1-click", { phone, credentialRequests: [deep] })).status, 201);
});

test("empty lists of service and procedure codes ask what a lookup without them asks", async () => {
  const empty = { serviceTypeCodes: [], procedureCodes: [] };
  for (const codes of [{ serviceCodes: empty }, empty]) {
    const { status, body } = await send("POST", "/v2/1-click/health", { ...details, ...codes }, health);
    assert.equal(status, 201, JSON.stringify(body));
  }
});

test("an empty text is refused, and the message says that it is empty", async () => {
  const sent = { phone, birthDate: "", ssn4: "", email: "", identityUuid: "" };
  const { status, body } = await send("POST", "/v2/1-click", sent);
  assert.equal(status, 400);
  assert.deepEqual(
    problemsOf(body).map(({ message }) => message.startsWith("This is empty. ")),
    [true, true, true, true],
  );
  const session = await send("POST", "/v2/client/1-click", { fullName: { firstName: "" } }, sdkKey);
  assert.deepEqual(problemsOf(session.body), [{ path: "body.fullName.firstName", message: "Enter a value." }]);
});

test("null stays where a schema accepts it, in items of lists, and in open values", () => {
  const drop = compileEmpty(
    t.Object({
      nullable: t.Optional(anyOf(t.String(), t.Null())),
      list: t.Array(t.String()),
      texts: mapOf(t.String()),
      open: t.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
      either: anyOf(t.String(), t.Object({ part: t.Optional(t.String()) })),
    }),
  );
  const body = { nullable: null, list: [null], texts: { a: null }, open: { b: null }, either: { part: null } };
  drop(body);
  assert.deepEqual(body, { nullable: null, list: [null], texts: {}, open: { b: null }, either: {} });
  for (const other of [undefined, null, "x", 1, ["x"]]) drop(other);
});
