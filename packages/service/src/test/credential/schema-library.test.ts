import assert from "node:assert/strict";
import test from "node:test";
import { type CredentialType, compositeChildren, credentialTypes } from "@countersign/contract/credential";
import {
  countryCodes,
  countryOptions,
  currencyCodes,
  usRegionCodes,
  usRegionOptions,
} from "@countersign/contract/iso-codes";
import { schemaLibrary } from "@countersign/contract/schema-library";
import { isDayInMillis } from "@countersign/contract/value-rules";
import fc from "fast-check";
import { validateCredential } from "../../domain/credential/library.ts";
import { libraryValues } from "../harness/library-values.ts";
import { sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const isComposite = (type: CredentialType): type is keyof typeof compositeChildren =>
  Object.hasOwn(compositeChildren, type);

for (const type of credentialTypes) {
  test(`${type} accepts valid data and refuses invalid data`, () => {
    const { good, bad } = libraryValues[type];
    assert.ok(good.length > 0);
    assert.ok(bad.length > 2 || type === "IdentityCredential");
    for (const data of good) assert.equal(validateCredential(type, data), undefined, JSON.stringify(data));
    for (const data of bad) assert.notEqual(validateCredential(type, data), undefined, JSON.stringify(data));
  });
}

test("an error message does not contain the invalid value", () => {
  for (const type of credentialTypes) {
    for (const data of libraryValues[type].bad) {
      const message = validateCredential(type, data)?.message ?? "";
      assert.ok(message.length > 0);
      const values = Object.values(data).filter((value) => typeof value === "string" && value.length > 4);
      for (const value of values) assert.ok(!message.includes(String(value)), `${type}: ${message}`);
    }
  }
});

test("a day in milliseconds is valid only at noon UTC", () => {
  const dayMs = 86_400_000;
  fc.assert(
    fc.property(
      fc.integer({ min: -50_000_000, max: 50_000_000 }),
      fc.integer({ min: 1, max: dayMs - 1 }),
      (days, off) => {
        const noon = days * dayMs + dayMs / 2;
        assert.ok(isDayInMillis(String(noon)));
        assert.ok(!isDayInMillis(String(noon + off)));
        assert.equal(new Date(noon).toISOString().slice(-13), "12:00:00.000Z");
      },
    ),
  );
});

test("GET /jsonSchema returns a flat map of the 49 types, to any origin and cacheable", async () => {
  const { status, body, headers } = await it.inject({ method: "GET", url: "/jsonSchema" });
  assert.equal(status, 200);
  const library = body as Record<string, { $id: string; properties?: Record<string, unknown> }>;
  assert.deepEqual(Object.keys(library), [...credentialTypes]);
  assert.equal(Object.keys(library).length, 49);
  assert.ok(library.EmailCredential?.properties?.email);
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.match(headers["cache-control"] ?? "", /^public, max-age=\d{5}/);
  assert.deepEqual((await it.as(null).readSchemaLibrary()).body, body);
  assert.deepEqual((await it.as(null, "").readSchemaLibrary()).body, body);
});

test("GET /jsonSchema/{type} returns the same schema as the map", async () => {
  const { body: library } = await it.as(null).readSchemaLibrary();
  for (const type of credentialTypes) {
    const { body } = await it.as(null).readSchema({ params: { type } });
    assert.deepEqual(body, library[type]);
  }
  const { body } = await it.as(null).readSchema({ params: { type: "FirstNameCredential" } });
  assert.deepEqual(body, {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    $id: "FirstNameCredential",
    title: "First Name",
    type: "object",
    properties: {
      firstName: { type: "string", title: "First Name", displayFormat: "String", input: { type: "Text" } },
    },
    required: ["firstName"],
  });
});

test("an unknown type gets a 404 that is not cached", async () => {
  for (const type of ["FooCredential", "constructor", "__proto__", "toString", "firstNameCredential"]) {
    const { status, headers } = await it.inject({ method: "GET", url: `/jsonSchema/${type}` });
    assert.equal(status, 404, type);
    assert.equal(headers["cache-control"], "no-store");
  }
});

test("an atomic schema has properties at its root, a composite lists its children, and a condition uses if and then", () => {
  for (const type of credentialTypes) {
    const schema: Record<string, unknown> = { ...schemaLibrary[type] };
    assert.equal(schema.$id, type);
    assert.equal(Object.hasOwn(schema, "properties"), !isComposite(type), type);
    if (!isComposite(type)) continue;
    const children = (schema.anyOf ?? schema.allOf) as { $ref: string }[];
    assert.deepEqual(
      children.map(({ $ref }) => $ref),
      [...compositeChildren[type]],
    );
  }
  const state = JSON.parse(JSON.stringify(schemaLibrary.StateCredential));
  assert.equal(state.if.properties.country.const, "US");
  assert.equal(state.then.properties.state.input.options.length, 52);
});

test("the code lists are complete and without duplicates, with the United States and Canada first", () => {
  const lists = [countryCodes, countryOptions, currencyCodes, usRegionCodes, usRegionOptions];
  assert.deepEqual(
    lists.map((list) => new Set(list).size),
    [249, 248, 169, 57, 52],
  );
  for (const list of lists) assert.equal(new Set(list).size, list.length);
  assert.deepEqual(countryOptions.slice(0, 2), ["US", "CA"]);
  assert.deepEqual(currencyCodes.slice(0, 2), ["USD", "CAD"]);
  assert.ok(!countryOptions.includes("AX"));
});
