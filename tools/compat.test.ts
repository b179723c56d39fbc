import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Endpoint, endpoint } from "@countersign/contract/endpoint";
import { openapi } from "@countersign/contract/openapi";
import { oneOf, t } from "@countersign/contract/primitives";
import { incompatibilities } from "./compat.ts";
import { openapiDocuments } from "./openapi.ts";

for (const [path, text] of Object.entries(openapiDocuments())) {
  const releasedPath = path.replace("docs/api/", "docs/api/released/");
  const released = new URL(`../${releasedPath}`, import.meta.url);
  if (existsSync(released)) {
    test(`${path} breaks nobody who wrote against ${releasedPath}`, () => {
      assert.deepEqual(incompatibilities(JSON.parse(readFileSync(released, "utf8")), JSON.parse(text)), []);
    });
  } else {
    test(`${path} was never released (there is no ${releasedPath}): it is compared with itself`, () => {
      assert.deepEqual(incompatibilities(JSON.parse(text), JSON.parse(text)), []);
    });
  }
}

const thing = endpoint({
  id: "makeThing",
  method: "POST",
  path: "/things/:uuid",
  tag: "Things",
  summary: "Make a thing",
  auth: "brandKey",
  params: t.Object({ uuid: t.String() }),
  query: t.Object({ page: t.Optional(t.Integer({ maximum: 10 })) }),
  body: t.Object({ size: t.Optional(oneOf("small", "large")), name: t.String({ maxLength: 10 }) }),
  reply: t.Object({ colour: oneOf("red", "green"), weight: t.Optional(t.Integer({ maximum: 10 })) }),
  status: 201,
  errors: ["ERR001"],
});
const document = (...endpoints: Endpoint[]) =>
  openapi({ title: "Fixture", version: "1", endpoints, pathPrefixes: () => [""] });
const changes = (change: Partial<Endpoint>) => incompatibilities(document(thing), document({ ...thing, ...change }));
const { colour, weight } = thing.reply?.properties ?? {};
const { size, name } = thing.body?.properties ?? {};
assert.ok(colour && weight && size && name);

const harmless: [string, Partial<Endpoint>][] = [
  ["another summary", { summary: "Make it" }],
  ["a new optional member in the body", { body: t.Object({ size, name, extra: t.Optional(t.String()) }) }],
  ["a further value in the body", { body: t.Object({ size: t.Optional(oneOf("small", "large", "huge")), name }) }],
  ["a looser bound in the body", { body: t.Object({ size, name: t.String({ maxLength: 20 }) }) }],
  ["a member of the body that may now be left out", { body: t.Object({ size, name: t.Optional(name) }) }],
  ["a body that may now be left out", { bodyOptional: true }],
  ["a new optional parameter", { query: t.Object({ ...thing.query?.properties, to: t.Optional(t.String()) }) }],
  ["a new member of the answer", { reply: t.Object({ colour, weight, extra: t.String() }) }],
  ["fewer values in the answer", { reply: t.Object({ colour: oneOf("red"), weight }) }],
  ["a tighter bound in the answer", { reply: t.Object({ colour, weight: t.Optional(t.Integer({ maximum: 5 })) }) }],
  ["an answer's member that is now certain", { reply: t.Object({ colour, weight: t.Integer({ maximum: 10 }) }) }],
  ["a further error code of the same status", { errors: ["ERR001", "OCE002"] }],
  ["an error of a new status", { errors: ["ERR001", "OCV005"] }],
];

const breaking: [string, Partial<Endpoint>, RegExp][] = [
  ["another path", { path: "/things/:uuid/parts" }, /POST \/things\/\{uuid\} was removed/],
  ["another operation id", { id: "buildThing" }, /operationId changed/],
  ["a parameter less", { query: t.Object({}) }, /parameter query page was removed/],
  ["a tighter parameter", { query: t.Object({ page: t.Optional(t.Integer({ maximum: 5 })) }) }, /maximum 10 became 5/],
  ["a new required parameter", { query: t.Object({ page: t.Integer(), to: t.String() }) }, /query to is required/],
  ["a new required member in the body", { body: t.Object({ size, name, extra: t.String() }) }, /extra became required/],
  ["a member less in the body", { body: t.Object({ name }) }, /body\.size was removed/],
  ["a value less in the body", { body: t.Object({ size: t.Optional(oneOf("small")), name }) }, /refuses "large"/],
  [
    "a tighter bound in the body",
    { body: t.Object({ size, name: t.String({ maxLength: 5 }) }) },
    /maxLength 10 became 5/,
  ],
  ["a new pattern in the body", { body: t.Object({ size, name: t.String({ pattern: "^a" }) }) }, /pattern \(none\)/],
  ["another type in the body", { body: t.Object({ size, name: t.Integer() }) }, /type string became integer/],
  [
    "a body that refuses the unknown",
    { body: t.Object({ size, name }, { additionalProperties: false }) },
    /refuses mem/,
  ],
  ["no body any more", { body: undefined }, /body was removed/],
  ["a member less in the answer", { reply: t.Object({ colour }) }, /weight was removed/],
  ["an answer's member no longer certain", { reply: t.Object({ colour: t.Optional(colour), weight }) }, /certain/],
  ["a further value in the answer", { reply: t.Object({ colour: oneOf("red", "green", "blue"), weight }) }, /"blue"/],
  ["a looser bound in the answer", { reply: t.Object({ colour, weight: t.Optional(t.Integer()) }) }, /maximum 10/],
  ["another status", { status: 200 }, /status 201 was removed/],
  ["an error code less", { errors: [] }, /status 400 was removed/],
  ["another error code", { errors: ["OCE002"] }, /ERR001 was removed/],
];

for (const [what, change] of harmless) {
  test(`${what} breaks nobody`, () => assert.deepEqual(changes(change), []));
}

for (const [what, change, message] of breaking) {
  test(`${what} is found`, () => assert.match(changes(change).join("\n"), message));
}
