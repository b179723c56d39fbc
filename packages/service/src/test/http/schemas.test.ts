/** The service does not check its schemas against the meta schema at run time, so this test does. */
import assert from "node:assert/strict";
import test from "node:test";
import { libraryKeywords, schemaLibrary } from "@countersign/contract/schema-library";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";

const ajv = new Ajv2020({ strict: false });

for (const { id, params, query, body, reply } of declaredEndpoints)
  test(`${id}: its schemas are valid JSON Schema`, () => {
    for (const schema of [params, query, body, reply])
      if (schema !== undefined) assert.ok(ajv.validateSchema(schema), JSON.stringify(ajv.errors));
  });

test("the schemas of the credential library are valid JSON Schema", () => {
  const library = new Ajv2019({ strict: true });
  library.addVocabulary([...libraryKeywords]);
  for (const schema of Object.values(schemaLibrary)) assert.ok(library.validateSchema(schema), library.errorsText());
});

test("an invalid schema is reported", () => {
  assert.equal(ajv.validateSchema({ type: "txt" }), false);
});
