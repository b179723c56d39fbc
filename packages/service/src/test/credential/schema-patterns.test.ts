/**
 * Clients check values with `input.pattern` of the published schemas. The patterns must match what is released and what
 * is issued.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { type CredentialType, credentialTypes } from "@countersign/contract/credential";
import { dataKeyOf, isCompositeType, schemaLibrary } from "@countersign/contract/schema-library";
import fc from "fast-check";
import { validateCredential } from "../../domain/credential/library.ts";
import { sandboxPeople } from "../../providers/sandbox/people.ts";
import { libraryValues } from "../harness/library-values.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const usData = { country: "US" };

type Property = { pattern?: string; input?: { type: string; pattern?: string } };

/** Returns the property of a type's value as a client finds it, with or without a US country next to it. */
function propertyOf(type: CredentialType, inUs: boolean): Property | undefined {
  if (isCompositeType(type)) return undefined;
  const key = dataKeyOf(type);
  const schema = schemaLibrary[type];
  if (key === null || schema === undefined || !("properties" in schema)) return undefined;
  const narrower = inUs && "if" in schema ? schema.then.properties[key] : undefined;
  return narrower ?? schema.properties[key];
}

const patterns = credentialTypes.flatMap((type) =>
  [false, true].flatMap((inUs) => {
    const text = propertyOf(type, inUs)?.input?.pattern;
    const key = isCompositeType(type) ? null : dataKeyOf(type);
    // Browsers and JSON Schema read a pattern with the flag u, other clients without it.
    return text === undefined || key === null
      ? []
      : [{ type, key, inUs, text, pattern: new RegExp(text), unicode: new RegExp(text, "u") }];
  }),
);

test("every text input with a format has its pattern in input.pattern", () => {
  for (const type of credentialTypes)
    for (const inUs of [false, true]) {
      const { pattern, input } = propertyOf(type, inUs) ?? {};
      if (input === undefined || input.type === "Select") continue;
      assert.equal(input.pattern, pattern, type);
    }
  const of = (type: CredentialType, inUs = false) => propertyOf(type, inUs)?.input?.pattern;
  assert.equal(of("SsnCredential"), "^[0-9]{9}$");
  assert.equal(of("PhoneCredential"), "^\\+[1-9][0-9]{1,14}$");
  assert.equal(of("BirthDateCredential"), "^-?[0-9]+$");
  assert.equal(of("StateCredential"), "^[A-Za-z0-9]{1,3}$");
  assert.equal(of("ZipCodeCredential", true), "^[0-9]{5}(?:-[0-9]{4})?$");
  assert.ok(of("EmailCredential"));
});

for (const { type, key, inUs, text, pattern, unicode } of patterns)
  test(`${type}${inUs ? " in the US" : ""}: issuance accepts a value only if ${text.slice(0, 60)} matches it`, () => {
    const fits = (value: string) => validateCredential(type, { ...(inUs ? usData : {}), [key]: value }) === undefined;
    const known = [...libraryValues[type].good, ...libraryValues[type].bad].map((data) => data[key]);
    for (const value of known)
      if (typeof value === "string" && fits(value)) assert.match(value, pattern, `issuance accepts ${value}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(pattern), fc.stringMatching(unicode)), (value) => {
        assert.equal(unicode.test(value), pattern.test(value), "the flag u changes what the pattern accepts");
        if (!pattern.test(value)) assert.ok(!fits(value), "issuance accepts a value that the pattern refuses");
        // A date is stricter than its pattern: it must be noon UTC.
        else if (propertyOf(type, inUs)?.input?.type !== "Date")
          assert.ok(fits(value), "the pattern accepts a value that issuance refuses");
      }),
    );
  });

test("every value that the sandbox releases matches the pattern of its type", async () => {
  const settings = { integrationType: "api", credentialFormats: { birthDate: "unixTimestamp" }, riskSignals: false };
  const { api } = await it.brand(settings);
  const parts = (type: CredentialType, ...children: CredentialType[]) => ({
    type,
    children: children.map((child) => ({ type: child })),
  });
  const credentialRequests = [
    parts("FullNameCredential", "FirstNameCredential", "MiddleNameCredential", "LastNameCredential"),
    parts(
      "AddressCredential",
      "Line1Credential",
      "Line2Credential",
      "CityCredential",
      "StateCredential",
      "ZipCodeCredential",
      "CountryCredential",
    ),
    ...(["PhoneCredential", "EmailCredential", "BirthDateCredential", "SsnCredential", "SexCredential"] as const).map(
      (type) => ({ type }),
    ),
  ];
  const seen = new Set<string>();
  for (const { phone, unknown, needs } of sandboxPeople) {
    const inputs =
      needs === undefined ? {} : { birthDate: "1989-08-01", ssn4: "6789", fullName: { firstName: "Richard" } };
    const call = api.createOneClick({ body: { phone, credentialRequests, ...inputs } });
    if (unknown) {
      assert.equal((await refusal(call)).errorCode, "OCE013");
      continue;
    }
    const { address, fullName, ...atoms } = (await call).body.identity.credentials ?? {};
    const values: Record<string, unknown> = { ...atoms, ...Object(fullName), ...Object(address) };
    for (const { type, key, inUs, pattern } of patterns) {
      const value = values[key];
      if (value === undefined || inUs !== (key === "zipCode")) continue;
      assert.match(String(value), pattern, `${phone}: ${type}`);
      seen.add(key);
    }
  }
  assert.deepEqual([...seen].sort(), ["birthDate", "email", "phone", "ssn", "state", "zipCode"].sort());
});
