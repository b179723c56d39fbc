import assert from "node:assert/strict";
import { test } from "node:test";
import { ownIssuerUuid } from "@countersign/contract/credential";
import type { Endpoint } from "@countersign/contract/endpoint";
import { errorExample } from "@countersign/contract/error-examples";
import { catalog, type ErrorCode } from "@countersign/contract/errors";
import { openapi } from "@countersign/contract/openapi";
import { v2Document } from "@countersign/contract/openapi-v2";
import { Day, Millis, Phone, PhoneInput, t, Uuid } from "@countersign/contract/primitives";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openapiDocuments } from "./openapi.ts";

type Json = { [key: string]: unknown };
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Yields every object of a document with its JSON pointer. */
function* objectsOf(value: unknown, pointer = ""): Generator<[string, Json]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* objectsOf(item, `${pointer}/${index}`);
  if (!isJson(value)) return;
  yield [pointer, value];
  for (const [key, member] of Object.entries(value)) yield* objectsOf(member, `${pointer}/${escaped(key)}`);
}
const escaped = (key: string) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));

function validatorOf(document: Json) {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  // The document is not a schema. Ajv only resolves the pointers in it.
  ajv.addVocabulary([...Object.keys(document), "x-enumDescriptions"]);
  ajv.addSchema(document, "document");
  return (pointer: string, ...values: unknown[]) => {
    const validate = ajv.compile({ $ref: `document#${pointer}` });
    for (const value of values) assert.ok(validate(value), `${pointer}: ${ajv.errorsText(validate.errors)}`);
  };
}

/** Descriptions of formats, which don't say what a value means. */
const generic: unknown[] = [Uuid, Millis, Day, Phone, PhoneInput].map((one) => "description" in one && one.description);

test("the v1 and v2 documents state the uuid of the service's own sources and use it in examples", () => {
  const documents = openapiDocuments();
  for (const path of ["docs/api/v1.json", "docs/api/v2.json"]) {
    const document: Json = JSON.parse(documents[path] ?? "{}");
    const described = [...objectsOf(document)].filter(([, { description }]) =>
      String(description).includes(ownIssuerUuid),
    );
    for (const member of ["issuers", "issuerUuid"])
      assert.ok(
        described.some(([pointer]) => pointer.endsWith(`/${member}`)),
        `${path}: ${member}`,
      );
    const shown = [...objectsOf(document)].filter(([, object]) => Object.values(object).includes(ownIssuerUuid));
    assert.ok(shown.length > 0, path);
  }
});

for (const [path, text] of Object.entries(openapiDocuments())) {
  const document: Json = JSON.parse(text);

  test(`${path}: every property and parameter says in its place what it is`, () => {
    const described = ({ description, $ref }: Json) =>
      $ref !== undefined || (typeof description === "string" && !generic.includes(description));
    const missing = [...objectsOf(document)]
      .filter(([pointer]) => !pointer.includes("/example"))
      .flatMap(([pointer, { properties, in: place, ...object }]) => [
        ...Object.entries(isJson(properties) ? properties : {})
          .filter(([, property]) => isJson(property) && !described(property))
          .map(([name]) => `${pointer}/properties/${name}`),
        ...(place === undefined || object.schema === undefined || described(object) ? [] : [pointer]),
      ]);
    assert.deepEqual(missing, []);
  });

  test(`${path}: Ajv accepts every schema in strict mode, and every example matches its schema`, () => {
    const check = validatorOf(document);
    let examples = 0;
    for (const [pointer, object] of objectsOf(document)) {
      if (!("schema" in object)) continue;
      const named = isJson(object.examples) ? Object.values(object.examples).filter(isJson) : [];
      const values = [...("example" in object ? [object.example] : []), ...named.map(({ value }) => value)];
      check(`${pointer}/schema`, ...values);
      examples += values.length;
    }
    // A document without examples would pass every check above, so require a minimum.
    assert.ok(examples >= (path.endsWith("-source.json") ? 2 : 21), `only ${examples} examples were found`);
  });

  test(`${path}: every operation, scheme and tag is described, and every error with a body has an example`, () => {
    const all = [...objectsOf(document)];
    const operations = all.filter(([, { operationId }]) => operationId !== undefined);
    const lacking = operations.flatMap(([pointer, operation]) =>
      ["summary", "description", "tags", "responses", "security"]
        .filter((name) => operation[name] === undefined || operation[name] === "")
        .map((name) => `${pointer}: ${name}`),
    );
    const described = all.filter(([pointer]) => /^\/(tags\/\d+|components\/securitySchemes\/\w+)$/.test(pointer));
    const nameless = described.filter(([, { description }]) => typeof description !== "string");
    const bare = all
      .filter(([pointer]) => /\/responses\/(4\d\d|5\d\d|default|[A-Z]\w+)\/content\/[^/]+$/.test(pointer))
      .filter(([, { example, examples }]) => example === undefined && examples === undefined);
    assert.ok(operations.length > 0 && described.length > 0);
    assert.deepEqual([...lacking, ...[...nameless, ...bare].map(([pointer]) => pointer)], []);
  });

  test(`${path}: every reference resolves, and every component is referenced`, () => {
    const pointers = new Set([...objectsOf(document)].map(([pointer]) => `#${pointer}`));
    const refs = new Set([...objectsOf(document)].flatMap(([, { $ref }]) => (typeof $ref === "string" ? [$ref] : [])));
    assert.deepEqual(
      [...refs].filter((ref) => !pointers.has(ref)),
      [],
    );
    const named = [...pointers].filter((pointer) =>
      /^#\/components\/(schemas|responses|headers)\/[^/]+$/.test(pointer),
    );
    assert.deepEqual(
      named.filter((pointer) => !refs.has(pointer)),
      [],
    );
  });
}

test("every error example matches the envelope of its code, which allows no other members", () => {
  const codes = Object.keys(catalog).filter((name): name is ErrorCode => name in catalog);
  const document = documentOf([{ ...plain, errors: codes }]);
  const check = validatorOf(document);
  for (const code of codes) {
    check(`/components/schemas/${code}`, errorExample(code));
    const foreign = { ...errorExample(code), data: { ...errorExample(code).data, foreign: 1 } };
    assert.throws(() => check(`/components/schemas/${code}`, foreign), /additional properties/);
  }
});

test("the v2 document lists each operation under /v2 or /sandbox, and marks other prefixes as repetitions", () => {
  const operations = Object.entries(v2Document().paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId, tags, description }) => ({ path, operationId, tags, description })),
  );
  const ids = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { path, operationId, tags, description } of operations) {
    const isOther = !path.startsWith("/v2/") && !path.startsWith("/sandbox/");
    assert.equal(String(tags) === "Other prefixes", isOther, path);
    assert.equal(/V21$|Root$/.test(String(operationId)), isOther, path);
    if (isOther) assert.match(String(description), /The same as `[A-Z]+ \/v2\//, path);
  }
  for (const prefix of ["/v2", "/v2.1", ""])
    assert.ok(
      operations.some(({ path }) => path === `${prefix}/1-click/verifications/{uuid}/verify`),
      prefix,
    );
  assert.deepEqual(v2Document({ serverUrl: "http://localhost:4000" }).servers, [{ url: "http://localhost:4000" }]);
});

const plain = {
  id: "plain",
  method: "GET",
  path: "/plain",
  tag: "Plain",
  summary: "Plain",
  auth: "none",
  reply: t.Object({}),
  status: 200,
  errors: [],
} satisfies Endpoint;
const documentOf = (endpoints: readonly Endpoint[]) =>
  openapi({ title: "Fixture", version: "1", endpoints, pathPrefixes: () => ["/a", "/b"] });
const operationOf = (declared: Endpoint) =>
  Object.values(documentOf([declared]).paths).flatMap((methods) => Object.values(methods))[0];

test("an optional body is described and not required", () => {
  const { post } = v2Document().paths["/sandbox/webhooks/{uuid}/rotate"] ?? {};
  const { required, content } = isJson(post?.requestBody) ? post.requestBody : {};
  assert.equal(required, false);
  assert.deepEqual(content, { "application/json": { schema: { type: "object", properties: {} }, example: {} } });
});

test("an open endpoint has no key and no 401; a keyed endpoint has both", () => {
  const open = operationOf(plain);
  assert.deepEqual(open?.security, []);
  assert.deepEqual(Object.keys(isJson(open?.responses) ? open.responses : {}), ["200", "429", "default"]);
  const keyed = operationOf({ ...plain, auth: "brandKey" });
  assert.deepEqual(keyed?.security, [{ apiKey: [] }]);
  assert.deepEqual(Object.keys(isJson(keyed?.responses) ? keyed.responses : {}), ["200", "401", "429", "default"]);
});

test("a redirect is described by its Location and has no content", () => {
  const operation = operationOf({ ...plain, reply: undefined, status: 302 });
  const answer = isJson(operation?.responses) ? operation.responses[302] : undefined;
  assert.ok(isJson(answer) && isJson(answer.headers));
  assert.ok("Location" in answer.headers);
  assert.equal("content" in answer, false);
});

test("an endpoint that redirects some calls has both responses", () => {
  const operation = operationOf({ ...plain, redirects: "Where it went" });
  const answers = Object.keys(isJson(operation?.responses) ? operation.responses : {});
  assert.deepEqual(answers, ["200", "302", "429", "default"]);
});

test("errors and refusals of one status are alternatives of one response", () => {
  const operation = operationOf({ ...plain, errors: ["OCV005", "OCE015"], refusals: [404] });
  assert.match(
    JSON.stringify(operation?.responses),
    /"404":.*"anyOf":\[\{"\$ref":"[^"]*OCE015"\},\{"\$ref":"[^"]*OCV005"\},\{"\$ref":"[^"]*NotFound"\}\]/,
  );
});

test("a body can be required or optional, and parameters keep their order", () => {
  const declared: Endpoint = {
    ...plain,
    method: "POST",
    path: "/plain/:uuid",
    params: t.Object({ uuid: t.String() }),
    query: t.Object({ to: t.Optional(t.String()), from: t.String() }),
    body: t.Object({}),
  };
  const operation = operationOf(declared);
  assert.deepEqual(operation?.parameters, [
    { name: "uuid", in: "path", required: true, schema: { type: "string" } },
    { name: "to", in: "query", required: false, schema: { type: "string" } },
    { name: "from", in: "query", required: true, schema: { type: "string" } },
  ]);
  assert.match(JSON.stringify(operation?.requestBody), /"required":true/);
  assert.match(JSON.stringify(operationOf({ ...declared, bodyOptional: true })?.requestBody), /"required":false/);
});

test("rejects a duplicate id or path, and a path parameter without a schema", () => {
  assert.throws(() => documentOf([plain, plain]), /id plain/);
  assert.throws(() => documentOf([plain, { ...plain, id: "other" }]), /GET \/a\/plain/);
  assert.throws(() => documentOf([{ ...plain, path: "/plain/:uuid" }]), /parameter uuid/);
});
