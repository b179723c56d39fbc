/** Compact facts are encrypted without duplicates and are restored completely. */
import assert from "node:assert/strict";
import test from "node:test";
import type { CredentialFact } from "../../domain/credential/assemble.ts";
import type { RequestNode } from "../../domain/credential/request.ts";
import type { Phone, SourcedCredential } from "../../domain/ports.ts";
import { type CompactFacts, compact, expand, openFacts, sealFacts } from "../../domain/signup/compact-facts.ts";
import type { DataKey, Vault } from "../../store/vault.ts";

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
const stored = (what: unknown): CompactFacts => JSON.parse(JSON.stringify(what));

test("compact facts are restored completely", () => {
  assert.deepEqual(expand(stored(compact(facts, tree)), tree), facts);
});

test("compact facts repeat neither the requests nor the fields that credentials share", () => {
  const { facts: compacted, shared } = compact(facts.slice(0, 2), tree);
  assert.deepEqual(
    compacted.map(([of]) => of),
    [0, 1],
  );
  assert.equal(shared.length, 3, "those of two names, of a last name with another issuer, and of the SSN");
});

test("a credential without its request is an error", () => {
  assert.throws(() => expand(compact(facts, tree), []), /was not requested/);
});

test("sealed facts keep every field of every request", () => {
  const all = (["yes", "no", "if_available"] as const).flatMap((mandatory): RequestNode[] => [
    { ...request("SsnCredential"), mandatory, multi: true, description: "Words", issuers: [common.issuerUuid] },
    { ...request("EmailCredential"), mandatory, allowUserInput: true, description: "" },
    { ...request("FullNameCredential"), mandatory, children: [{ ...request("LastNameCredential"), issuers: ["x"] }] },
    { ...request("BirthDateCredential"), mandatory },
  ]);
  let sealed: unknown;
  const vault = {
    seal(_key: unknown, _place: unknown, value: unknown) {
      sealed = JSON.parse(JSON.stringify(value));
      return Buffer.alloc(0);
    },
    open: () => sealed,
  } as unknown as Vault;
  const dataKey = {} as DataKey;
  const whole = { phone: "+12125550010" as Phone, risk: null, credentials: facts };
  sealFacts(vault, dataKey, { uuid: "u", facts: whole, requestTree: all });
  const opened = openFacts(vault, dataKey, { uuid: "u", sealed: Buffer.alloc(0) });
  assert.deepEqual(opened, { facts: whole, requestTree: all });
});
