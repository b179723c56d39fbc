/** Compact facts are encrypted without duplicates and are restored completely. */
import assert from "node:assert/strict";
import test from "node:test";
import type { CredentialFact } from "../../domain/credential/assemble.ts";
import type { RequestNode } from "../../domain/credential/request.ts";
import type { SourcedCredential } from "../../domain/ports.ts";
import { type CompactFact, compact, expand } from "../../domain/signup/compact-facts.ts";

const common = {
  verificationMethod: null,
  status: "valid",
  issuerUuid: "11111111-1111-4111-8111-111111111111",
  issuanceDate: 1_767_355_200_000,
  expirationDate: null,
} as const;
const name: SourcedCredential = {
  ...common,
  id: "a",
  type: "FullNameCredential",
  children: [
    { ...common, id: "b", type: "FirstNameCredential", value: "Ada" },
    // It has another issuer and its own expiration date.
    { ...common, id: "c", type: "LastNameCredential", value: "Byron", issuerUuid: "other", expirationDate: 7 },
  ],
};
const whole = { ...common, expirationDate: 9, verificationMethod: "otp" } as const;
const ssn: SourcedCredential = { ...whole, id: "d", type: "SsnCredential", value: "123456789" };
/** The child has no expiration date, but its parent has one. A null date must not be treated as omitted. */
const address: SourcedCredential = {
  ...whole,
  id: "e",
  type: "AddressCredential",
  children: [{ ...common, id: "f", type: "CityCredential", value: "Paris" }],
};
const request = (type: RequestNode["type"]): RequestNode => ({
  type,
  mandatory: "no",
  multi: false,
  allowUserInput: false,
  issuers: [],
});
const tree = [request("FullNameCredential"), request("SsnCredential")];
const [names, ssns] = tree as [RequestNode, RequestNode];
const facts: CredentialFact[] = [
  { request: names, values: [name, name] },
  { request: ssns, values: [ssn] },
  // A request that the row's request tree does not contain.
  { request: request("AddressCredential"), values: [address] },
];
const stored = (what: unknown): CompactFact[] => JSON.parse(JSON.stringify(what));

test("compact facts are restored completely", () => {
  assert.deepEqual(expand(stored(compact(facts, tree)), tree), facts);
});

test("compact facts omit the requests and the properties that a child shares with its parent", () => {
  const text = JSON.stringify(compact(facts.slice(0, 2), tree));
  assert.ok(!text.includes("mandatory"));
  assert.equal(text.split(common.issuerUuid).length - 1, 3, "once for each of three values");
});

test("a credential without its request is an error", () => {
  assert.throws(() => expand(compact(facts, tree), []), /was not requested/);
});
