import assert from "node:assert/strict";
import test from "node:test";
import {
  type CredentialRequest,
  type CredentialType,
  credentialKey,
  credentialTypes,
} from "@countersign/contract/credential";
import fc from "fast-check";
import { assemble, select } from "../../domain/credential/assemble.ts";
import { brandPattern } from "../../domain/credential/format.ts";
import { childTypes, toRequestTree } from "../../domain/credential/request.ts";
import type { SourcedCredential } from "../../domain/ports.ts";

const now = 1_750_000_000_000;
const detailsOf = (type: CredentialType) => ({
  id: `id-${type}`,
  type,
  verificationMethod: "phone_carrier" as const,
  status: "valid" as const,
  issuerUuid: "issuer",
  issuanceDate: now - 1,
  expirationDate: null,
});
const atom = (type: CredentialType, value: string): SourcedCredential => ({ ...detailsOf(type), value });
const group = (type: CredentialType, children: SourcedCredential[]): SourcedCredential => ({
  ...detailsOf(type),
  children,
});

/** Generates any credential: valid and invalid children, any status, empty values. */
const anyCredential = fc.letrec<{ any: SourcedCredential }>((tie) => {
  const leaf = fc.record({
    id: fc.uuid(),
    type: fc.constantFrom(...credentialTypes),
    verificationMethod: fc.constantFrom("otp" as const, "credit_bureau" as const, null),
    status: fc.constantFrom("valid" as const, "valid" as const, "revoked" as const),
    issuerUuid: fc.constantFrom("one", "two"),
    issuanceDate: fc.integer(),
    expirationDate: fc.constantFrom(null, null, now, now + 1),
    value: fc.constantFrom("", "x", "1989-08-01", "CA", "__proto__"),
  });
  const branch = fc.tuple(leaf, fc.array(tie("any"), { maxLength: 6 })).map(([{ value: _, ...rest }, children]) => ({
    ...rest,
    children,
  }));
  return { any: fc.oneof({ maxDepth: 2 }, leaf, branch) };
}).any;

/** Generates any valid request: a type and some of its allowed children, on both levels. */
const anyRequest = (type: CredentialType, depth = 0): fc.Arbitrary<CredentialRequest> => {
  const options = fc.record({ multi: fc.boolean(), issuers: fc.constantFrom<string[]>([], [], ["one"]) });
  const kinds = childTypes(type);
  if (kinds.length === 0 || depth > 1) return options.map((rest) => ({ type, ...rest }));
  const children = fc
    .subarray([...kinds], { minLength: 1 })
    .chain((chosen) => fc.tuple(...chosen.map((child) => anyRequest(child, depth + 1))));
  return fc
    .tuple(options, fc.option(children))
    .map(([rest, some]) => ({ type, ...rest, ...(some ? { children: some } : {}) }));
};

/** Generates well-formed composite types, so that the property also covers complete shapes. */
const wellFormed = fc.constantFrom(...credentialTypes).chain((type) => {
  const children = fc.subarray([...childTypes(type)]);
  return fc.tuple(children, fc.constantFrom("x", "")).map(([kinds, value]) => {
    const parts = kinds.map((kind) => atom(kind, value));
    return childTypes(type).length > 0 ? group(type, parts) : atom(type, value);
  });
});

/** Returns the shape of a JSON value: every leaf becomes a dot. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== "object" || value === null) return ".";
  return Object.entries(value).map(([key, inner]) => [key, shape(inner)]);
}

test("for any requests and credentials, each of the six metadata maps has exactly the shape of the values", () => {
  const requests = fc
    .subarray([...credentialTypes])
    .chain((types) => fc.tuple(...types.map((type) => anyRequest(type))));
  const anySet = fc.array(fc.oneof(anyCredential, wellFormed), { maxLength: 40 });
  const anyFormats = fc.record({
    birthDate: fc.constantFrom("yyyy-MM-dd", "unixTimestamp", "M/d/yy"),
    state: fc.constantFrom("abbreviation" as const, "full" as const),
    country: fc.constantFrom("abbreviation" as const, "full" as const),
    fullName: fc.constantFrom("object", "lastName, firstName", "nickname"),
    address: fc.constantFrom("object", "city-state"),
  });
  fc.assert(
    fc.property(requests, anySet, anyFormats, fc.integer({ min: 1, max: 9 }), (asked, available, wanted, valuesMax) => {
      const read = toRequestTree(asked, "credentialRequests");
      const tree = read.kind === "tree" ? read.tree : assert.fail(JSON.stringify(read.problems));
      const facts = select(tree, available, { valuesMax, now });
      const { credentials, metadata } = assemble(facts, wanted);
      assert.equal(Object.keys(metadata).length, 6);
      for (const map of Object.values(metadata)) assert.deepEqual(shape(map), shape(credentials));
      assert.doesNotMatch(JSON.stringify(metadata.status), /revoked/);
      assert.doesNotMatch(JSON.stringify(credentials), /""|\[\]|\{\}(?!$)/);
      for (const { request } of facts) {
        const value = credentials[credentialKey(request.type)];
        if (value === undefined) continue;
        assert.equal(Array.isArray(value), request.multi);
        const items = Array.isArray(value) ? value : [value];
        assert.ok(items.length <= Math.min(3, valuesMax));
        const asObject = request.children !== undefined && brandPattern(request.type, wanted) === null;
        for (const item of items) assert.equal(typeof item, asObject ? "object" : "string");
      }
    }),
    { numRuns: 300 },
  );
});
