import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Endpoint, endpointsOf } from "@countersign/contract/endpoint";
import { openapi } from "@countersign/contract/openapi";
import { stringEnum, t } from "@countersign/contract/primitives";
import { incompatibilities } from "./compat.ts";
import { openapiDocuments } from "./openapi.ts";

for (const [path, text] of Object.entries(openapiDocuments())) {
  const releasedPath = path.replace("docs/api/", "docs/api/released/");
  const released = new URL(`../${releasedPath}`, import.meta.url);
  if (existsSync(released)) {
    test(`${path} is compatible with ${releasedPath}`, () => {
      assert.deepEqual(incompatibilities(JSON.parse(readFileSync(released, "utf8")), JSON.parse(text)), []);
    });
  } else {
    test(`${path} has no released version (${releasedPath}), so it is compared with itself`, () => {
      assert.deepEqual(incompatibilities(JSON.parse(text), JSON.parse(text)), []);
    });
  }
}

const thing = endpointsOf({ tag: "Things", auth: "brandKey" })("makeThing", "POST /things/:uuid", {
  summary: "Make a thing",
  params: t.Object({ uuid: t.String() }),
  query: t.Object({ page: t.Optional(t.Integer({ maximum: 10 })) }),
  body: t.Object({ size: t.Optional(stringEnum("small", "large")), name: t.String({ maxLength: 10 }) }),
  reply: t.Object({ color: stringEnum("red", "green"), weight: t.Optional(t.Integer({ maximum: 10 })) }),
  status: 201,
  errors: ["ERR001"],
});
const document = (...endpoints: Endpoint[]) =>
  openapi({ title: "Fixture", version: "1", endpoints, pathPrefixes: () => [""] });
const changes = (change: Partial<Endpoint>) => incompatibilities(document(thing), document({ ...thing, ...change }));
const { color, weight } = thing.reply?.properties ?? {};
const { size, name } = thing.body?.properties ?? {};
assert.ok(color && weight && size && name);

const harmless: [string, Partial<Endpoint>][] = [
  ["a changed summary", { summary: "Make it" }],
  ["a new optional member in the body", { body: t.Object({ size, name, extra: t.Optional(t.String()) }) }],
  [
    "an additional value in the body",
    { body: t.Object({ size: t.Optional(stringEnum("small", "large", "huge")), name }) },
  ],
  ["a looser limit in the body", { body: t.Object({ size, name: t.String({ maxLength: 20 }) }) }],
  ["a body member that becomes optional", { body: t.Object({ size, name: t.Optional(name) }) }],
  ["a body that becomes optional", { bodyOptional: true }],
  ["a new optional parameter", { query: t.Object({ ...thing.query?.properties, to: t.Optional(t.String()) }) }],
  ["a new member in the response", { reply: t.Object({ color, weight, extra: t.String() }) }],
  ["fewer values in the response", { reply: t.Object({ color: stringEnum("red"), weight }) }],
  ["a tighter limit in the response", { reply: t.Object({ color, weight: t.Optional(t.Integer({ maximum: 5 })) }) }],
  ["a response member that becomes required", { reply: t.Object({ color, weight: t.Integer({ maximum: 10 }) }) }],
  ["an additional error code of the same status", { errors: ["ERR001", "OCE002"] }],
  ["an error of a new status", { errors: ["ERR001", "OCV005"] }],
];

const breaking: [string, Partial<Endpoint>, RegExp][] = [
  ["a changed path", { path: "/things/:uuid/parts" }, /POST \/things\/\{uuid\} was removed/],
  ["a changed operation id", { id: "buildThing" }, /operationId changed/],
  ["a removed parameter", { query: t.Object({}) }, /parameter query page was removed/],
  ["a tighter parameter", { query: t.Object({ page: t.Optional(t.Integer({ maximum: 5 })) }) }, /maximum 10 became 5/],
  ["a new required parameter", { query: t.Object({ page: t.Integer(), to: t.String() }) }, /query to is required/],
  ["a new required member in the body", { body: t.Object({ size, name, extra: t.String() }) }, /extra became required/],
  ["a removed body member", { body: t.Object({ name }) }, /body\.size was removed/],
  [
    "a removed value in the body",
    { body: t.Object({ size: t.Optional(stringEnum("small")), name }) },
    /refuses "large"/,
  ],
  [
    "a tighter limit in the body",
    { body: t.Object({ size, name: t.String({ maxLength: 5 }) }) },
    /maxLength 10 became 5/,
  ],
  ["a new pattern in the body", { body: t.Object({ size, name: t.String({ pattern: "^a" }) }) }, /pattern \(none\)/],
  ["a changed type in the body", { body: t.Object({ size, name: t.Integer() }) }, /type string became integer/],
  [
    "a body that rejects unknown members",
    { body: t.Object({ size, name }, { additionalProperties: false }) },
    /refuses mem/,
  ],
  ["a removed body", { body: undefined }, /body was removed/],
  ["a removed response member", { reply: t.Object({ color }) }, /weight was removed/],
  ["a response member that becomes optional", { reply: t.Object({ color: t.Optional(color), weight }) }, /certain/],
  [
    "an additional value in the response",
    { reply: t.Object({ color: stringEnum("red", "green", "blue"), weight }) },
    /"blue"/,
  ],
  ["a looser limit in the response", { reply: t.Object({ color, weight: t.Optional(t.Integer()) }) }, /maximum 10/],
  ["a changed status", { status: 200 }, /status 201 was removed/],
  ["a removed error code", { errors: [] }, /status 400 was removed/],
  ["a changed error code", { errors: ["OCE002"] }, /ERR001 was removed/],
];

for (const [what, change] of harmless) {
  test(`${what} is compatible`, () => assert.deepEqual(changes(change), []));
}

for (const [what, change, message] of breaking) {
  test(`${what} is reported as incompatible`, () => assert.match(changes(change).join("\n"), message));
}
