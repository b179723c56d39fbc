/** The sentences about invalid values: every pattern of the contract has one, and each says what to do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BrandSettings } from "@countersign/contract/brand";
import { CredentialType, credentialTypes } from "@countersign/contract/credential";
import { stringEnum, t } from "@countersign/contract/primitives";
import { WebhookAuthentication } from "@countersign/contract/webhook";
import { documentedFormat, patterns } from "../../domain/problem-words.ts";
import { compileCheck } from "../../domain/validate.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";

/** Every value of a keyword in a schema. */
function valuesOf(keyword: string, schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const below = Object.values(schema).flatMap((one) => valuesOf(keyword, one));
  const own: unknown = Reflect.get(schema, keyword);
  return typeof own === "string" ? [own, ...below] : below;
}

test("every pattern and every format that a request can break has its own sentence", () => {
  const schemas = [BrandSettings, ...declaredEndpoints.flatMap(({ params, query, body }) => [params, query, body])];
  const missing = new Set(schemas.flatMap((one) => valuesOf("pattern", one)).filter((one) => !patterns.has(one)));
  assert.deepEqual([...missing], []);
  const formats = new Set(schemas.flatMap((one) => valuesOf("format", one)));
  for (const format of formats) {
    const [problem] = compileCheck(t.String({ format }), "body")("?");
    assert.notEqual(problem?.message ?? documentedFormat, documentedFormat, format);
  }
  assert.ok(formats.size >= 4);
});

const name = t.String({ minLength: 1, maxLength: 60 });
const cases: [string, Parameters<typeof compileCheck>[0], unknown, string[]][] = [
  ["an empty name", t.Object({ name }), { name: "" }, ["body.name: Enter a name."]],
  ["a long name", t.Object({ name }), { name: "x".repeat(61) }, ["body.name: Use at most 60 characters."]],
  ["a missing member", t.Object({ name }), {}, ["body.name: This is required."]],
  ["a number as text", t.Object({ age: t.Integer() }), { age: "1" }, ["body.age: Use a whole number."]],
  [
    "a word that is near an allowed one",
    t.Object({ type: CredentialType }),
    { type: "emailcredential" },
    [`body.type: Did you mean EmailCredential? Use one of ${credentialTypes.join(", ")}.`],
  ],
  [
    "the beginning of an allowed word",
    t.Object({ type: CredentialType }),
    { type: "FullName" },
    [`body.type: Did you mean FullNameCredential? Use one of ${credentialTypes.join(", ")}.`],
  ],
  [
    "a value of the wrong type where a list says what is allowed",
    t.Object({ mandatory: stringEnum("yes", "no") }),
    { mandatory: true },
    ["body.mandatory: Use one of yes, no."],
  ],
  [
    "the only allowed word in another case",
    t.Object({ country: stringEnum("US") }),
    { country: "us" },
    ["body.country: Use US."],
  ],
  [
    "a plain type name, as v1 takes it",
    t.Object({ credentialRequests: t.Array(t.Object({ type: CredentialType })) }),
    { credentialRequests: ["FullNameCredential"] },
    ['body.credentialRequests.0: Use an object, such as {"type":"FullNameCredential"}.'],
  ],
  [
    "a host instead of an origin",
    t.Object({ allowedOrigins: t.Array(t.String({ format: "uri" })) }),
    { allowedOrigins: ["shop.example"] },
    ["body.allowedOrigins.0: Use an origin without a path, such as https://shop.example."],
  ],
  ["a word that is near none", stringEnum("sms", "silent"), "pigeon", ["body: Use one of sms, silent."]],
  ["a number out of range", t.Integer({ maximum: 40 }), 41, ["body: Use 40 or less."]],
  [
    "two problems",
    t.Object({ name, age: t.Integer() }),
    {},
    ["body.name: This is required.", "body.age: This is required."],
  ],
  ["a list of one word", t.Array(t.String(), { minItems: 2 }), ["a"], ["body: Use at least 2 items."]],
  [
    "a kind of authentication without its password",
    t.Object({ authentication: WebhookAuthentication }),
    { authentication: { type: "basic", username: "a:b", password: "" } },
    [
      "body.authentication.username: Use text without colons or line breaks.",
      "body.authentication.password: Enter a value.",
    ],
  ],
];
for (const [what, schema, value, expected] of cases)
  test(`the problem says what to do: ${what}`, () => {
    assert.deepEqual(
      compileCheck(schema, "body")(value).map(({ path, message }) => `${path}: ${message}`),
      expected,
    );
  });
