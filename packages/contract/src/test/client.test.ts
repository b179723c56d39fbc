import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, type ClientRequest, type ClientResponse, client } from "../client.ts";
import { endpointsOf } from "../endpoint.ts";
import { errorExample, refusalExample } from "../error-examples.ts";
import { t } from "../primitives.ts";

const things = endpointsOf({ tag: "Things", auth: "brandKey" });
const readThing = things("readThing", "GET /things/:uuid", {
  summary: "Read a thing",
  params: t.Object({ uuid: t.String() }),
  query: t.Object({ page: t.Optional(t.Integer()) }),
  reply: t.Object({ size: t.Integer() }),
  errors: ["OCE011"],
});
const makeThing = things("makeThing", "POST /things", {
  summary: "Make a thing",
  body: t.Object({ size: t.Integer() }),
  reply: undefined,
  status: 302,
  errors: [],
});
const listThings = things("listThings", "GET /things", { summary: "List things", reply: undefined, status: 204 });

/** A client that records requests and always returns `response`. */
function clientAnswering(response: Partial<ClientResponse>) {
  const sent: ClientRequest[] = [];
  const send = async (request: ClientRequest) => {
    sent.push(request);
    return { status: 200, headers: {}, body: undefined, ...response };
  };
  return { sent, api: client({ readThing, makeThing, listThings }, { send, prefix: "/v2" }) };
}

test("a request has its prefix, its escaped parameters, its query as text, and no body", async () => {
  const { api, sent } = clientAnswering({ body: { size: 3 } });
  const { status, body } = await api.readThing({
    params: { uuid: "a/b" },
    query: { page: 2 },
    headers: { "x-a": "1" },
  });
  const size: number = body.size;
  assert.deepEqual([status, size], [200, 3]);
  assert.deepEqual(sent, [
    { method: "GET", path: "/v2/things/a%2Fb", query: { page: "2" }, body: undefined, headers: { "x-a": "1" } },
  ]);
});

test("sends a body as JSON, and returns a redirect with its Location", async () => {
  const { api, sent } = clientAnswering({ status: 302, headers: { location: "https://example.test/" } });
  const { headers } = await api.makeThing({ body: { size: 1 } });
  assert.equal(headers.location, "https://example.test/");
  assert.deepEqual(sent[0]?.headers, { "content-type": "application/json" });
});

test("a redirect is not an error for an endpoint that redirects some calls", async () => {
  const send = async () => ({ status: 302, headers: { location: "https://example.test/" }, body: "" });
  const api = client({ readThing: { ...readThing, redirects: "Sometimes" } }, { send });
  const { status, headers } = await api.readThing({ params: { uuid: "1" } });
  assert.deepEqual([status, headers.location], [302, "https://example.test/"]);
});

test("an error of the catalog is matched by its code, which gives its data a type", async () => {
  const { api } = clientAnswering({ status: 400, body: errorExample("OCE011") });
  const error = await api.readThing({ params: { uuid: "1" } }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ApiError && error.is("OCE011"));
  const inputs: ("fullName.firstName" | "birthDate" | "ssn4")[] = error.envelope.data.additionalInputs;
  assert.deepEqual(inputs, ["birthDate", "ssn4"]);
  assert.equal(error.is("OCE012"), false);
  assert.equal(error.message, errorExample("OCE011").message);
});

test("a rejection without a code, or a response without an envelope, is an error without a code", async () => {
  const refused = clientAnswering({ status: 429, headers: { "retry-after": "7" }, body: refusalExample(429) });
  const proxied = clientAnswering({ status: 502, headers: { "x-request-id": "r1" }, body: "<html>Bad gateway</html>" });
  const first = await refused.api.listThings().catch((thrown: unknown) => thrown);
  const second = await proxied.api.listThings().catch((thrown: unknown) => thrown);
  assert.ok(first instanceof ApiError && second instanceof ApiError);
  assert.deepEqual([first.status, first.errorCode, first.headers["retry-after"]], [429, undefined, "7"]);
  assert.deepEqual([second.envelope.name, second.envelope.data], ["UnexpectedReply", { requestId: "r1" }]);
});

test("a success status that the endpoint does not declare is an error", async () => {
  const { api } = clientAnswering({ status: 200 });
  await assert.rejects(api.listThings(), ApiError);
});

test("a missing, wrong, or undeclared parameter or body does not compile", () => {
  const { api } = clientAnswering({});
  const mistakes = [
    // @ts-expect-error: the path has a parameter
    () => api.readThing(),
    // @ts-expect-error: the body is required
    () => api.makeThing({}),
    // @ts-expect-error: size is a number
    () => api.makeThing({ body: { size: "1" } }),
    // @ts-expect-error: there is no body
    () => api.listThings({ body: {} }),
  ];
  assert.equal(mistakes.length, 4);
});
