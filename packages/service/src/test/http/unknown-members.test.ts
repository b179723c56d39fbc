/**
 * Unknown members of a body are ignored, named in `Warning` with the nearest known name, and shown in the request log.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogDetail, LogLine } from "@countersign/contract/dashboard-reporting";
import { t } from "@countersign/contract/primitives";
import type { FastifyReply, FastifyRequest } from "fastify";
import { compileUnknown, dropUnknown } from "../../http/unknown-members.ts";
import { freshPhone } from "../harness/below-http.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { eventually } from "../harness/eventually.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const viewer = await signedIn(it, { role: "viewer" });
type Json = Record<string, unknown>;

async function post(url: string, payload: Json, authorization = demoKey, more: Record<string, string> = {}) {
  const headers = { authorization, "content-type": "application/json", ...more };
  const { status, headers: answered, body } = await it.inject({ method: "POST", url, headers, payload });
  return { status, warning: answered.warning, replayed: answered["idempotent-replayed"], body };
}
const warned = (...pairs: [string, string][]) =>
  pairs.map(([name, nearest]) => `299 - "Unknown member ${name} ignored; nearest known member: ${nearest}"`).join(", ");

test("an unknown member is ignored, and Warning names it with the nearest known member, in every API generation", async () => {
  const body = { phone: "+12125550010", birthdate: "1989-08-01" };
  const expected = warned(["birthdate", "birthDate"]);
  for (const prefix of ["/v2", "/v2.1"]) {
    const { status, warning } = await post(`${prefix}/1-click`, body);
    assert.deepEqual([status, warning], [201, expected], prefix);
  }
  for (const key of ["sk_sandbox_demo_hosted", "sk_sandbox_demo_semi_hosted", "sk_sandbox_demo_non_hosted"]) {
    const { status, warning } = await post("/v2/1-click", body, key);
    assert.deepEqual([status < 500, warning], [true, expected], key);
  }
  const v1 = await post("/1-click", { ...body, phone: freshPhone() }, "sk_sandbox_demo_v1");
  assert.deepEqual([v1.status, v1.warning], [201, expected]);
  const bare = await post("/1-click/verifications", { channel: "sms", phone: freshPhone(), pone: "x" });
  assert.deepEqual([bare.status, bare.warning], [201, warned(["pone", "phone"])]);
});

test("an error response also names unknown members, because one may be a misspelled required member", async () => {
  const { status, warning } = await post("/1-click/verifications", { Channel: "sms", phone: "+12125550010" });
  assert.deepEqual([status, warning], [400, warned(["Channel", "channel"])]);
});

test("nested members are named by their path, with one entry for all items of a list", async () => {
  const { status, warning } = await post("/v2/1-click", {
    phone: "+12125550010",
    fullName: { firstName: "Richard", first_nam: "Richard" },
    credentialRequests: [
      { type: "BirthDateCredential", Mandatory: "yes" },
      { type: "FullNameCredential", Mandatory: "yes", children: [{ type: "FirstNameCredential", mandtory: "yes" }] },
    ],
  });
  assert.equal(status, 201);
  assert.equal(
    warning,
    warned(
      ["fullName.first_nam", "fullName.firstName"],
      ["credentialRequests[].Mandatory", "credentialRequests[].mandatory"],
      ["credentialRequests[].children[].mandtory", "credentialRequests[].children[].mandatory"],
    ),
  );
});

test("a valid body gets no Warning, whatever keys its free-form maps have", async () => {
  assert.equal((await post("/v2/1-click", { phone: "+12125550010", birthDate: "1989-08-01" })).warning, undefined);
  const rule = { status: "IN_NETWORK", metadata: { anything: 1 }, conditions: [] };
  assert.equal((await post("/sandbox/brands", { settings: { networkRules: [rule] } })).warning, undefined);
  const { warning } = await post("/credentials", {
    credentials: [{ type: "EmailCredential", data: { anything: "x" } }],
  });
  assert.equal(warning, undefined);
});

test("a response replayed for an Idempotency-Key has the same Warning", async () => {
  const send = () =>
    post("/v2/1-click", { phone: "+12125550010", birthdate: "x" }, demoKey, { "idempotency-key": "unknown-member" });
  const [first, second] = [await send(), await send()];
  assert.deepEqual([second.replayed, second.warning], ["true", first.warning]);
});

/** Names that would break the header, or that may be values in the wrong place. */
const hostile = [
  'x" , 299 - "forged',
  "a\r\nSet-Cookie: b=c",
  "a\\",
  "ada@example.com",
  "+12125550010",
  "123456789",
  "ssn_123456789",
  "Ünïcode",
  "имя",
  "two words",
  "",
  "x".repeat(500),
];
for (const name of hostile) {
  test(`the member name ${JSON.stringify(name.slice(0, 40))} appears neither in Warning nor in the log`, async () => {
    const { uuid: brand, apiKey } = await it.brand();
    const { status, warning } = await post("/v2/1-click", { phone: "+12125550010", [name]: "canary" }, apiKey);
    assert.equal(status, 201);
    assert.equal(warning, '299 - "Unknown member ? ignored"');
    const { warnings } = await onlyCall(brand);
    assert.deepEqual(warnings, [String(warning).slice('299 - "'.length, -1)]);
  });
}

/** Returns the only call of a brand from its request log. */
async function onlyCall(brand: string): Promise<LogDetail> {
  const { id } = await eventually(async () => {
    const { body } = await viewer.call("POST", `/api/brands/${brand}/sandbox/log`, { filter: {} });
    return (body.data as LogLine[])[0];
  });
  return (await viewer.call("GET", `/api/brands/${brand}/sandbox/log/${id}`)).body as LogDetail;
}

test("a known member is named only if the unknown one is near it", async () => {
  for (const name of ["isHosted", "foo", "format"]) {
    const { warning } = await post("/v2/1-click", { phone: "+12125550010", [name]: true });
    assert.equal(warning, `299 - "Unknown member ${name} ignored"`);
  }
});

test("only the unknown parameters of a query that the answer names are compared with the known ones", async () => {
  let compared = 0;
  const parameters = new Proxy(["search"], {
    get(list, name) {
      if (name === "find") compared += 1;
      return Reflect.get(list, name);
    },
  });
  const of = (count: number) => {
    compared = 0;
    const query = Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, ""]));
    const request = { query } as FastifyRequest;
    const reply = { getHeader: () => undefined, header: () => undefined } as unknown as FastifyReply;
    dropUnknown({ remove: null, parameters }, request, reply);
    return compared;
  };
  const ten = of(10);
  assert.ok(ten > 0);
  assert.equal(of(1_000), ten);
});

test("an unknown parameter of a query is ignored and named, with the known one if it is near", async () => {
  const asked: [string, string | undefined][] = [
    [
      "/1-click/health/payers?search=aetna",
      "Unknown query parameter search ignored; nearest known query parameter: $search",
    ],
    [
      "/1-click/health/payers?limit=1&$skip=1",
      "Unknown query parameter limit ignored; nearest known query parameter: $limit",
    ],
    [
      "/v2/1-click/verifications/channels?deviceip=::1",
      "Unknown query parameter deviceip ignored; nearest known query parameter: deviceIp",
    ],
    ["/v2/1-click/verifications/channels?kitten=1", "Unknown query parameter kitten ignored"],
    ["/v2/1-click/verifications/channels?+12125550010=1", "Unknown query parameter ? ignored"],
    ["/1-click/health/payers?$search=aetna", undefined],
  ];
  for (const [url, expected] of asked) {
    const { headers } = await it.inject({ url, headers: { authorization: demoKey } });
    assert.equal(headers.warning, expected && `299 - "${expected}"`, url);
  }
});

test("at most ten members are named, in Warning and the request log, without values and not in the process log", async () => {
  const { uuid: brand, apiKey } = await it.brand();
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`birthDate_${at}`, "canary"]));
  const { status, warning } = await post("/v2/1-click", { phone: "+12125550010", ...many }, apiKey);
  assert.equal(status, 201);
  const { warnings } = await onlyCall(brand);
  assert.equal(warnings.length, 10);
  assert.equal(warning, warnings.map((text) => `299 - "${text}"`).join(", "));
  assert.doesNotMatch(String(warning), /canary/);
  assert.doesNotMatch(JSON.stringify(it.log), /Unknown member|birthDate_/);
  const { uuid: other, apiKey: otherKey } = await it.brand();
  await post("/v2/1-click", { phone: "+12125550010" }, otherKey);
  assert.deepEqual((await onlyCall(other)).warnings, []);
});

test("a name unlike any known member may be personal data, so Warning names it but the request log does not", async () => {
  const { uuid: brand, apiKey } = await it.brand();
  const body = { phone: "+12125550010", Rumpelstiltskin: true, birthdate: "1989-08-01" };
  const { warning } = await post("/v2/1-click", body, apiKey);
  assert.match(String(warning), /Unknown member Rumpelstiltskin ignored"/);
  const { warnings } = await onlyCall(brand);
  assert.doesNotMatch(warnings.join(), /Rumpelstiltskin/);
  assert.deepEqual(
    warnings.map((one) => one.split(" ignored")[0]),
    ["Unknown member ?", "Unknown member birthdate"],
  );
});

test("a union accepts the members of each of its shapes; an empty object schema has no known members", () => {
  const find = compileUnknown(
    t.Object({ one: t.Unsafe({ anyOf: [t.Object({ a: t.String() }), t.Object({ b: t.String() }), t.Null()] }) }),
  );
  assert.deepEqual(find({ one: { a: "", b: "", c: "" } }), [
    {
      told: "Unknown member one.c ignored; nearest known member: one.a",
      logged: "Unknown member one.c ignored; nearest known member: one.a",
    },
  ]);
  assert.deepEqual(find({ one: null }), []);
  assert.deepEqual(compileUnknown(t.Object({}))({ a: 1 }), [
    { told: "Unknown member a ignored", logged: "Unknown member ? ignored" },
  ]);
  for (const body of [undefined, null, "x", 1, ["x"]]) assert.deepEqual(find(body), []);
});
