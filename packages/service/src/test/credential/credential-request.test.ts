import assert from "node:assert/strict";
import test from "node:test";
import type { IntegrationType } from "@countersign/contract/brand";
import type { CredentialRequest } from "@countersign/contract/credential";
import { defaultCredentialRequests } from "../../domain/brand/default-requests.ts";
import { toRequestTree } from "../../domain/credential/request.ts";
import { invalid } from "../../domain/failure.ts";

test("options that a request omits get their defaults", () => {
  assert.deepEqual(toRequestTree([{ type: "SsnCredential" }], "credentialRequests"), {
    kind: "tree",
    tree: [{ type: "SsnCredential", mandatory: "no", multi: false, allowUserInput: true, issuers: [] }],
  });
});

test("options that a request sets are kept, but multi is ignored on children", () => {
  const issuers = ["5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90"];
  const asked: CredentialRequest = {
    type: "AddressCredential",
    mandatory: "if_available",
    description: "Where you live",
    allowUserInput: false,
    multi: true,
    issuers,
    children: [{ type: "CityCredential", mandatory: "yes", multi: true }],
  };
  const child = { type: "CityCredential", mandatory: "yes", multi: false, allowUserInput: true, issuers: [] };
  assert.deepEqual(toRequestTree([asked], "credentialRequests"), {
    kind: "tree",
    tree: [{ ...asked, children: [child] }],
  });
});

test("v1's required: true means mandatory: yes, unless mandatory is set", () => {
  const mandatoryOf = (request: CredentialRequest) => {
    const read = toRequestTree([request], "credentialRequests");
    return read.kind === "tree" ? read.tree.map(({ mandatory }) => mandatory) : read.problems;
  };
  assert.deepEqual(mandatoryOf({ type: "SsnCredential", required: true }), ["yes"]);
  assert.deepEqual(mandatoryOf({ type: "SsnCredential", required: false }), ["no"]);
  assert.deepEqual(mandatoryOf({ type: "SsnCredential", required: true, mandatory: "if_available" }), ["if_available"]);
});

test("a composite may contain another composite", () => {
  const nested: CredentialRequest = {
    type: "EmployerCredential",
    children: [
      { type: "TitleCredential" },
      { type: "AnnualIncomeCredential", children: [{ type: "AmountCredential" }, { type: "CurrencyCredential" }] },
    ],
  };
  assert.equal(toRequestTree([nested], "credentialRequests").kind, "tree");
});

test("every misplaced request is reported with its path", () => {
  const read = toRequestTree(
    [
      { type: "FullNameCredential", children: [{ type: "FirstNameCredential" }, { type: "CityCredential" }] },
      { type: "SsnCredential", children: [{ type: "FirstNameCredential" }] },
      { type: "AddressCredential", children: [] },
      { type: "SsnCredential" },
      {
        type: "EmployerCredential",
        children: [{ type: "AnnualIncomeCredential", children: [{ type: "TitleCredential" }] }],
      },
      { type: "PhoneInfoCredential", children: [{ type: "PhoneCredential" }, { type: "PhoneCredential" }] },
    ],
    "credentialRequests",
  );
  assert.deepEqual(read, {
    kind: "problems",
    problems: [
      {
        path: "credentialRequests.0.children.1.type",
        message: "CityCredential is not a child of FullNameCredential",
      },
      { path: "credentialRequests.1.children", message: "SsnCredential has no children" },
      { path: "credentialRequests.3.type", message: "SsnCredential is requested twice" },
      {
        path: "credentialRequests.4.children.0.children.0.type",
        message: "TitleCredential is not a child of AnnualIncomeCredential",
      },
      { path: "credentialRequests.5.children.1.type", message: "PhoneCredential is requested twice" },
    ],
  });
});

test("an error reports at most 50 problems", () => {
  const wrong = { type: "SsnCredential" as const };
  const requests = Array.from({ length: 50 }, () => ({
    type: "FullNameCredential" as const,
    children: [wrong, wrong],
  }));
  const read = toRequestTree(requests, "settings");
  assert.ok(read.kind === "problems");
  assert.ok(read.problems.length > 50);
  assert.deepEqual(invalid(read.problems).data.errors, read.problems.slice(0, 50));
});

/**
 * The specification's table, typed by hand: the default types and options of each brand type, and the last two children
 * of the address.
 */
const four = ["FullNameCredential", "PhoneCredential", "AddressCredential", "BirthDateCredential", "SsnCredential"];
const withEmail = ["FullNameCredential", "EmailCredential", ...four.slice(1)];
const lastOfAddress = {
  older: ["CountryCredential", "ZipCodeCredential"],
  newer: ["ZipCodeCredential", "CountryCredential"],
};
const defaults: [IntegrationType, string[], { mandatory?: "no"; input?: true; severalAddresses?: true }][] = [
  ["hosted", four, { mandatory: "no", input: true }],
  ["semiHosted", four, { mandatory: "no" }],
  ["nonHosted", four, { mandatory: "no" }],
  ["api", four, { mandatory: "no", severalAddresses: true }],
  ["sdk", four, { mandatory: "no", input: true, severalAddresses: true }],
  ["v1", withEmail, { input: true }],
];

for (const [type, types, expected] of defaults) {
  test(`${type} brands request the specification's default credentials`, () => {
    const requests = defaultCredentialRequests(type);
    assert.deepEqual(
      requests.map((request) => request.type),
      types,
    );
    for (const request of requests.flatMap((parent) => [parent, ...(parent.children ?? [])])) {
      const isV1Phone = type === "v1" && request.type === "PhoneCredential";
      assert.equal(request.allowUserInput, isV1Phone ? false : expected.input, request.type);
      assert.equal(request.mandatory, expected.mandatory, request.type);
    }
    const children = (parent: string) =>
      requests.find((request) => request.type === parent)?.children?.map((child) => child.type);
    assert.deepEqual(children("FullNameCredential"), [
      "FirstNameCredential",
      "MiddleNameCredential",
      "LastNameCredential",
    ]);
    assert.deepEqual(children("AddressCredential"), [
      "Line1Credential",
      "Line2Credential",
      "CityCredential",
      "StateCredential",
      ...lastOfAddress[expected.severalAddresses ? "newer" : "older"],
    ]);
    const several = requests.filter((request) => request.multi).map((request) => request.type);
    assert.deepEqual(several, expected.severalAddresses ? ["AddressCredential"] : []);
    assert.equal(toRequestTree(requests, "credentialRequests").kind, "tree");
  });
}
