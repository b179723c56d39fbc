import assert from "node:assert/strict";
import test from "node:test";
import type { CredentialRequest, CredentialType } from "@countersign/contract/credential";
import { assemble, missingMandatory, select } from "../../domain/credential/assemble.ts";
import type { CredentialFormats } from "../../domain/credential/format.ts";
import { type RequestNode, toRequestTree } from "../../domain/credential/request.ts";
import type { SourcedCredential } from "../../domain/ports.ts";

const now = 1_750_000_000_000;
const formats: CredentialFormats = {
  birthDate: "yyyy-MM-dd",
  state: "abbreviation",
  country: "abbreviation",
  fullName: "object",
  address: "object",
};

type Details = Partial<Omit<SourcedCredential, "type">>;
const detailsOf = (type: CredentialType, changed: Details) => ({
  id: `id-${type}`,
  type,
  verificationMethod: "phone_carrier" as const,
  status: "valid" as const,
  issuerUuid: "issuer",
  issuanceDate: now - 1,
  expirationDate: null,
  ...changed,
});
const atom = (type: CredentialType, value: string, changed: Details = {}): SourcedCredential => ({
  ...detailsOf(type, changed),
  value,
});
const group = (type: CredentialType, children: SourcedCredential[], changed: Details = {}): SourcedCredential => ({
  ...detailsOf(type, changed),
  children,
});

const fullName = group("FullNameCredential", [
  atom("FirstNameCredential", "Richard"),
  atom("MiddleNameCredential", "Harrison"),
  atom("LastNameCredential", "Hendricks"),
]);
const home = (city: string, changed: Details = {}) =>
  group(
    "AddressCredential",
    [
      atom("Line1Credential", "5320 Newell Rd", { verificationMethod: "credit_bureau" }),
      atom("Line2Credential", " "),
      atom("CityCredential", city, { id: `id-${city}`, verificationMethod: "credit_bureau" }),
      atom("StateCredential", "CA", { verificationMethod: "credit_bureau" }),
      atom("ZipCodeCredential", "94303", { verificationMethod: "credit_bureau" }),
      atom("CountryCredential", "US", { verificationMethod: "credit_bureau" }),
    ],
    { id: `id-of-${city}`, ...changed },
  );

function treeOf(requests: CredentialRequest[]): RequestNode[] {
  const read = toRequestTree(requests, "credentialRequests");
  return read.kind === "tree" ? read.tree : assert.fail(JSON.stringify(read.problems));
}
const deliver = (
  requests: CredentialRequest[],
  available: SourcedCredential[],
  changed: Partial<CredentialFormats> & { valuesMax?: number } = {},
) => {
  const { valuesMax = 3, ...formatChanges } = changed;
  return assemble(select(treeOf(requests), available, { valuesMax, now }), { ...formats, ...formatChanges });
};

test("a request without children or multi returns a string, and metadata has the same key", () => {
  const { credentials, metadata } = deliver(
    [{ type: "SsnCredential" }],
    [atom("SsnCredential", "000456789", { expirationDate: now + 1 })],
  );
  assert.deepEqual(credentials, { ssn: "000456789" });
  assert.deepEqual(metadata, {
    id: { ssn: "id-SsnCredential" },
    verificationMethod: { ssn: "phone_carrier" },
    status: { ssn: "valid" },
    issuerUuid: { ssn: "issuer" },
    issuanceDate: { ssn: now - 1 },
    expirationDate: { ssn: now + 1 },
  });
});

test("a request with multi returns an array of strings, even for one value", () => {
  const emails = [atom("EmailCredential", "a@b.co"), atom("EmailCredential", "c@d.co")];
  const requests: CredentialRequest[] = [{ type: "EmailCredential", multi: true }];
  assert.deepEqual(deliver(requests, emails).credentials, { email: ["a@b.co", "c@d.co"] });
  assert.deepEqual(deliver(requests, emails, { valuesMax: 1 }).credentials, { email: ["a@b.co"] });
});

test("a request with children returns an object with only the requested parts that are available", () => {
  const children: CredentialRequest["children"] = [{ type: "CityCredential" }, { type: "Line2Credential" }];
  const { credentials, metadata } = deliver([{ type: "AddressCredential", children }], [home("Palo Alto")]);
  assert.deepEqual(credentials, { address: { city: "Palo Alto" } });
  assert.deepEqual(metadata.id, { address: { city: "id-Palo Alto" } });
});

test("a request with children and multi returns at most three objects, in the same order as their metadata", () => {
  const { credentials, metadata } = deliver(
    [{ type: "AddressCredential", multi: true, children: [{ type: "CityCredential" }] }],
    ["A", "B", "C", "D"].map((city) => home(city)),
    { valuesMax: 9 },
  );
  assert.deepEqual(credentials, { address: [{ city: "A" }, { city: "B" }, { city: "C" }] });
  assert.deepEqual(metadata.id, { address: [{ city: "id-A" }, { city: "id-B" }, { city: "id-C" }] });
});

test("an empty request returns six empty metadata maps", () => {
  assert.deepEqual(assemble([], formats), {
    credentials: {},
    metadata: { id: {}, verificationMethod: {}, status: {}, issuerUuid: {}, issuanceDate: {}, expirationDate: {} },
  });
});

test("a composite requested without children is one string with its own metadata", () => {
  const { credentials, metadata } = deliver(
    [{ type: "FullNameCredential" }, { type: "AddressCredential" }],
    [fullName, home("Palo Alto")],
  );
  assert.deepEqual(credentials, {
    fullName: "Richard Harrison Hendricks",
    address: "5320 Newell Rd, Palo Alto, CA 94303, US",
  });
  assert.deepEqual(metadata.id, { fullName: "id-FullNameCredential", address: "id-of-Palo Alto" });
  assert.deepEqual(metadata.verificationMethod, { fullName: "phone_carrier", address: "credit_bureau" });
});

test("a flattened value whose parts were verified differently has no verification method", () => {
  const edited = group("FullNameCredential", [
    atom("FirstNameCredential", "Dick", { verificationMethod: "self_attested" }),
    atom("LastNameCredential", "Hendricks"),
  ]);
  const ask: CredentialRequest[] = [{ type: "FullNameCredential" }];
  assert.deepEqual(deliver(ask, [edited]).metadata.verificationMethod, { fullName: null });
  const lastOnly = deliver(ask, [edited], { fullName: "lastName" });
  assert.deepEqual(lastOnly.metadata.verificationMethod, { fullName: "phone_carrier" });
});

test("other composites flatten to their parts in order, without images", () => {
  const income = group("AnnualIncomeCredential", [
    atom("AmountCredential", "85000"),
    atom("CurrencyCredential", "USD"),
  ]);
  const employer = group("EmployerCredential", [income, atom("EmployerNameCredential", "Pied Piper")]);
  const identityCard = group("GovernmentIdCredential", [
    atom("DocumentTypeCredential", "Passport"),
    atom("DocumentNumberCredential", "X1"),
    atom("DocumentImageCredential", "data:image/png;base64,AAAA"),
  ]);
  assert.deepEqual(
    deliver([{ type: "EmployerCredential" }, { type: "GovernmentIdCredential" }], [employer, identityCard]).credentials,
    { employer: "Pied Piper, USD 85000", governmentId: "Passport, X1" },
  );
  assert.deepEqual(
    deliver([{ type: "EmployerCredential", children: [{ type: "AnnualIncomeCredential" }] }], [employer]).credentials,
    { employer: { annualIncome: "USD 85000" } },
  );
  const children = [{ type: "AnnualIncomeCredential" as const, children: [{ type: "AmountCredential" as const }] }];
  assert.deepEqual(deliver([{ type: "EmployerCredential", children }], [employer]).credentials, {
    employer: { annualIncome: { amount: "85000" } },
  });
});

test("a brand's formats apply to every value, including those inside a pattern", () => {
  const children: CredentialRequest["children"] = [{ type: "StateCredential" }, { type: "CountryCredential" }];
  const requests: CredentialRequest[] = [
    { type: "FullNameCredential", children: [{ type: "FirstNameCredential" }, { type: "LastNameCredential" }] },
    { type: "AddressCredential", children },
    { type: "BirthDateCredential" },
  ];
  const available = [fullName, home("Palo Alto"), atom("BirthDateCredential", "1989-08-01")];
  const full = { state: "full", country: "full", birthDate: "MM/dd/yyyy", fullName: "lastName, firstName" } as const;
  assert.deepEqual(deliver(requests, available, full).credentials, {
    fullName: "Hendricks, Richard",
    address: { state: "California", country: "United States of America" },
    birthDate: "08/01/1989",
  });
  assert.deepEqual(
    deliver(requests, available, { ...full, address: "country-state" }).credentials.address,
    "United States of America-California",
  );
});

test("a value whose pattern has no available parts is left out", () => {
  const { credentials, metadata } = deliver([{ type: "FullNameCredential" }], [fullName], { fullName: "nickname" });
  assert.deepEqual([credentials, metadata.id], [{}, {}]);
});

test("a revoked credential is not delivered, and neither are its parts", () => {
  const revoked = { ...fullName, status: "revoked" as const };
  const ask: CredentialRequest[] = [{ type: "FullNameCredential" }, { type: "LastNameCredential" }];
  assert.deepEqual(select(treeOf(ask), [revoked], { valuesMax: 3, now }), []);
});

test("a credential is not delivered at or after its expiration date", () => {
  const until = (expirationDate: number) => [atom("SsnCredential", "000456789", { expirationDate })];
  const ask = treeOf([{ type: "SsnCredential" }]);
  assert.equal(select(ask, until(now), { valuesMax: 3, now }).length, 0);
  assert.equal(select(ask, until(now + 1), { valuesMax: 3, now }).length, 1);
});

test("only credentials of the requested issuers are delivered", () => {
  const available = [
    atom("SsnCredential", "1", { issuerUuid: "one" }),
    atom("SsnCredential", "2", { issuerUuid: "two" }),
  ];
  assert.deepEqual(deliver([{ type: "SsnCredential", issuers: ["two", "three"] }], available).credentials, {
    ssn: "2",
  });
  assert.deepEqual(deliver([{ type: "SsnCredential", issuers: ["three"] }], available).credentials, {});
});

test("a part requested alone is taken from the composite when it is not available separately", () => {
  const ask: CredentialRequest[] = [{ type: "FirstNameCredential" }];
  assert.deepEqual(deliver(ask, [fullName]).credentials, { firstName: "Richard" });
  const alone = atom("FirstNameCredential", "Rich");
  assert.deepEqual(deliver(ask, [fullName, alone]).credentials, { firstName: "Rich" });
});

test("a composite without the requested child is skipped, and the next one that has it is delivered", () => {
  const cityless = group("AddressCredential", [atom("StateCredential", "CA")]);
  const ask: CredentialRequest[] = [{ type: "AddressCredential", children: [{ type: "CityCredential" }] }];
  assert.deepEqual(deliver(ask, [cityless]).credentials, {});
  assert.deepEqual(deliver(ask, [cityless, home("Reno")]).credentials, { address: { city: "Reno" } });
});

test("missing mandatory credentials are listed once each, from every level", () => {
  const tree = treeOf([
    { type: "SsnCredential", mandatory: "yes" },
    { type: "EmailCredential", mandatory: "if_available" },
    { type: "BirthDateCredential", mandatory: "yes" },
    {
      type: "FullNameCredential",
      mandatory: "yes",
      children: [{ type: "FirstNameCredential", mandatory: "yes" }, { type: "LastNameCredential" }],
    },
    { type: "AddressCredential", children: [{ type: "Line2Credential", mandatory: "yes" }] },
  ]);
  const available = [
    atom("SsnCredential", "000456789"),
    group("FullNameCredential", [atom("LastNameCredential", "Hendricks")]),
    home("Palo Alto"),
  ];
  const facts = select(tree, available, { valuesMax: 3, now });
  assert.deepEqual(missingMandatory(tree, facts), ["BirthDateCredential", "FirstNameCredential", "Line2Credential"]);
});
