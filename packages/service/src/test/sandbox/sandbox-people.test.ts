import assert from "node:assert/strict";
import test from "node:test";
import type { ChallengeInput } from "@countersign/contract/errors";
import { testPeopleMarkdown } from "../../../../../tools/test-people.ts";
import type { PersonInputs, SourceAnswer } from "../../domain/ports.ts";
import { sandboxIdentity } from "../../providers/sandbox/identity.ts";
import { sandboxPeople, sandboxRisk } from "../../providers/sandbox/people.ts";
import { sandboxCodes, sandboxPhoneBook } from "../../providers/sandbox/phones.ts";
import { systemRandom } from "../../providers/system.ts";

const source = sandboxIdentity();
const book = sandboxPhoneBook();

function phone(text: string) {
  const judged = book.judge(text);
  assert.equal(judged.kind, "supported", text);
  return judged.kind === "supported" ? judged.phone : assert.fail(text);
}

const always: ChallengeInput[] = ["birthDate", "ssn4"];
/** The inputs of a second request: the first name is compared if it is needed to identify the person. */
const withName: ChallengeInput[] = [...always, "fullName.firstName"];
const lookUp = (text: string, inputs: PersonInputs = {}, compare = always) =>
  source.lookUp({ phone: phone(text), inputs, compare, narrow: [], deadlineMs: 1 });

/** Returns the newest value of each type, with composites as objects. */
function valuesOf(answer: SourceAnswer): Record<string, unknown> {
  assert.equal(answer.kind, "found");
  const newestLast = answer.kind === "found" ? answer.credentials.toReversed() : [];
  return Object.fromEntries(
    newestLast.map((credential) => [
      credential.type,
      "value" in credential
        ? credential.value
        : Object.fromEntries(credential.children.map((child) => [child.type, "value" in child && child.value])),
    ]),
  );
}

const address = (line1: string, city: string, state: string, zip: string) => ({
  Line1Credential: line1,
  CityCredential: city,
  StateCredential: state,
  ZipCodeCredential: zip,
  CountryCredential: "US",
});
const primary: Record<string, unknown> = {
  FullNameCredential: {
    FirstNameCredential: "Richard",
    MiddleNameCredential: "Harrison",
    LastNameCredential: "Hendricks",
  },
  EmailCredential: "richard@piedpiper.net",
  AddressCredential: address("5320 Newell Rd", "Palo Alto", "CA", "94303"),
  BirthDateCredential: "1989-08-01",
  SsnCredential: "000456789",
  SexCredential: "Male",
};

/**
 * The contract's tables (v2.1 §4.1 and §4.4), copied by hand: the differences from the primary person. Undefined means
 * absent.
 */
type Row = { differs?: Record<string, unknown>; needs?: ChallengeInput[]; score?: number; unknown?: true };
const home = (...parts: Parameters<typeof address>): Row => ({ differs: { AddressCredential: address(...parts) } });
const ten: Row[] = [
  home("5320 Newell Rd", "Palo Alto", "CA", "94303"),
  home("811 Sycamore St", "Burlington", "IA", "52601"),
  home("3742 Horseshoe Mesa St", "Las Vegas", "NV", "89147"),
  home("4209 Englewood Blvd", "Johnson City", "TN", "37601"),
  home("3921 Dacotah View Ct", "Grand Forks", "ND", "58201"),
  home("852 Marschall Rd", "Shakopee", "MN", "55379"),
  home("456 Acorn St", "Slidell", "LA", "70458"),
  home("1111 W Touhy Ave", "Des Plaines", "IL", "60018"),
  home("12413 Lampton Ln", "Fort Washington", "MD", "20744"),
  home("7801 SW Blue Jay Ln", "Bentonville", "AR", "72712"),
];
const without = (type: string): Row => ({ differs: { [type]: undefined } });
const minor: Row = { differs: { BirthDateCredential: "2017-01-01" } };
const people: Record<string, Row> = {
  "+12125550010": {},
  "+12125550020": { needs: ["fullName.firstName", "birthDate", "ssn4"] },
  "+12125550021": { needs: ["ssn4"] },
  "+12125550022": { needs: ["birthDate"] },
  "+12125550023": { needs: ["fullName.firstName"] },
  "+16565550000": { score: 0 },
  "+16565550301": { score: 301 },
  "+16565550500": { score: 500 },
  "+14045551775": { score: 775 },
  "+14045551799": { score: 999 },
  ...Object.fromEntries(ten.map((row, last) => [`+1313555000${last}`, row])),
  "+13135550010": home("3167 Av Roosevelt", "Ponce", "PR", "00717"),
  "+13135550030": without("FullNameCredential"),
  "+13135550031": without("AddressCredential"),
  "+13135550032": {
    differs: { AddressCredential: { StateCredential: "CA", ZipCodeCredential: "94303", CountryCredential: "US" } },
  },
  "+13135550033": without("SsnCredential"),
  "+13135550034": without("BirthDateCredential"),
  "+13135550100": minor,
  "+14045551300": { unknown: true },
  "+10123456789": {},
  "+15555550000": { score: 0 },
  "+15555550001": { score: 500 },
  "+15555550002": { score: 999 },
  "+10019999999": { needs: ["birthDate", "ssn4"] },
  "+10019999997": { needs: ["birthDate"] },
  "+10019999996": { needs: ["ssn4"] },
  "+10019999998": { needs: ["birthDate", "ssn4"], unknown: true },
  ...Object.fromEntries(ten.map((row, last) => [`+1222555000${last}`, row])),
  "+12225550010": home("3167 Av Roosevelt", "Ponce", "PR", "00717"),
  "+12225550012": minor,
};
const right = (row: Row): Record<ChallengeInput, PersonInputs> => ({
  "fullName.firstName": { fullName: { firstName: " richard " } },
  birthDate: { birthDate: row === minor ? "2017-01-01" : "1989-08-01" },
  ssn4: { ssn4: "6789" },
});
const wrong: Record<ChallengeInput, PersonInputs> = {
  "fullName.firstName": { fullName: { firstName: "Bob" } },
  birthDate: { birthDate: "1979-01-01" },
  ssn4: { ssn4: "0000" },
};

for (const [text, row] of Object.entries(people)) {
  test(`${text} gets the answers in the contract's table`, async () => {
    assert.equal(book.isFixed(phone(text)), true);
    assert.equal(sandboxCodes(systemRandom).make(phone(text)), "111111");
    assert.equal(
      (await sandboxRisk().score({ brandUuid: "", phone: phone(text), deadlineMs: 1 })).score,
      row.score ?? 0,
    );
    const alone = await lookUp(text);
    if (row.needs) assert.deepEqual(alone, { kind: "needs", inputs: row.needs });
    else if (row.unknown) assert.deepEqual(alone, { kind: "unknown" });
    for (const given of row.needs ?? always) {
      const answer = await lookUp(text, right(row)[given], withName);
      const refused = await lookUp(text, wrong[given], withName);
      if (row.unknown) {
        assert.deepEqual([answer, refused], [{ kind: "unknown" }, { kind: "unknown" }]);
        continue;
      }
      const expected = Object.entries({ ...primary, ...row.differs }).filter(([, value]) => value !== undefined);
      assert.deepEqual(valuesOf(answer), Object.fromEntries(expected), given);
      assert.deepEqual(refused, { kind: "mismatch", inputs: [given] });
    }
  });
}

test("the sandbox has exactly the people in the contract's tables, and the test people page lists each once", () => {
  assert.deepEqual(sandboxPeople.map((person) => person.phone).sort(), Object.keys(people).sort());
  const page = testPeopleMarkdown();
  for (const text of Object.keys(people)) assert.equal(page.split(`\`${text}\` |`).length, 2, text);
});

test("any other phone gets the primary person's data", async () => {
  assert.deepEqual(valuesOf(await lookUp("+13105550006")), primary);
  assert.equal(book.isFixed(phone("+13105550006")), false);
});

test("repeated lookups return the same answer, and two phones share no credential id", async () => {
  const [one, again, other] = await Promise.all([
    lookUp("+12125550010"),
    lookUp("+12125550010"),
    lookUp("+13105550006"),
  ]);
  assert.deepEqual(one, again);
  const ids = (answer: SourceAnswer) => JSON.stringify(answer).match(/(?<="id":")[^"]+/g) ?? [];
  const all = [...ids(one), ...ids(other)];
  assert.equal(new Set(all).size, all.length);
  for (const id of all) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("the primary person has three addresses, newest first", async () => {
  const answer = await lookUp("+12125550010");
  const homes = answer.kind === "found" ? answer.credentials.filter(({ type }) => type === "AddressCredential") : [];
  assert.equal(homes.length, 3);
  assert.deepEqual(
    homes.map(({ issuanceDate }) => issuanceDate),
    homes.map(({ issuanceDate }) => issuanceDate).sort((a, b) => b - a),
  );
});

test("every mismatched input is named, and a mismatch is reported before a missing input", async () => {
  const inputs = { birthDate: "1979-01-01", ssn4: "0000" };
  assert.deepEqual(await lookUp("+12125550010", inputs), { kind: "mismatch", inputs: ["birthDate", "ssn4"] });
  assert.deepEqual(await lookUp("+12125550021", { birthDate: "1979-01-01" }), {
    kind: "mismatch",
    inputs: ["birthDate"],
  });
});

test("a right input that is not required does not replace the required one", async () => {
  assert.deepEqual(await lookUp("+12125550021", { birthDate: "1989-08-01" }), { kind: "needs", inputs: ["ssn4"] });
});

test("a first name is compared only if the request asks for it", async () => {
  const bob = { fullName: { firstName: "Bob" } };
  assert.equal((await lookUp("+12125550010", bob)).kind, "found");
  assert.deepEqual(await lookUp("+12125550010", bob, ["fullName.firstName"]), {
    kind: "mismatch",
    inputs: ["fullName.firstName"],
  });
  assert.equal((await lookUp("+12125550023", bob)).kind, "needs");
  assert.equal((await lookUp("+12125550023", bob, withName)).kind, "mismatch");
});

test("a right first name that is not compared does not identify the person, so guesses are never free", async () => {
  const richard = { fullName: { firstName: "Richard" } };
  assert.equal((await lookUp("+12125550023", richard)).kind, "needs");
  assert.equal((await lookUp("+12125550023", richard, withName)).kind, "found");
});

test("an input that is not compared never mismatches, and a wrong one does not identify the person", async () => {
  const looked = { birthDate: "1979-01-01" };
  assert.equal((await lookUp("+12125550010", looked, [])).kind, "found");
  assert.deepEqual(await lookUp("+12125550022", looked, []), { kind: "needs", inputs: ["birthDate"] });
});

const judged: [string, string][] = [
  ["+12125550010", "supported"],
  ["+10000000000", "unsupported"],
  ["+1212555001", "unsupported"],
  ["+121255500100", "unsupported"],
  ["+442071838750", "foreign"],
  ["+550123456789", "foreign"],
  ["2125550010", "malformed"],
  ["+02125550010", "malformed"],
  ["+1 212 555 0010", "malformed"],
  ["+12125550010\n", "malformed"],
  ["+1234567890123456", "malformed"],
  ["", "malformed"],
];
for (const [text, kind] of judged) {
  test(`the phone ${JSON.stringify(text)} is ${kind}`, () => assert.equal(book.judge(text).kind, kind));
}

test("other phones get a random six-digit code", () => {
  const seen: number[] = [];
  const random = { ...systemRandom, integer: (below: number) => seen.push(below) + 41 };
  assert.equal(sandboxCodes(random).make(phone("+13105550006")), "000042");
  assert.deepEqual(seen, [1_000_000]);
});

test("risk scores have the documented content", async () => {
  const score = (text: string) => sandboxRisk().score({ brandUuid: "", phone: phone(text), deadlineMs: 1 });
  assert.deepEqual(await score("+12125550010"), {
    score: 0,
    reasonCodes: ["OCR10021"],
    phone: {
      carrier: { id: 0, name: "Example Carrier" },
      reasonCodes: ["OCR20004", "OCR20005", "OCR20007", "OCR20101"],
    },
    email: { reasonCodes: ["OCR60001", "OCR60002"] },
    deviceIp: { reasonCodes: ["OCR50001", "OCR50002"] },
  });
  const { deviceIp: _, ...high } = await score("+14045551799");
  assert.deepEqual(high, {
    score: 999,
    reasonCodes: ["OCR10032"],
    phone: {
      carrier: { id: 1, name: "Risky Carrier" },
      reasonCodes: ["OCR20009", "OCR20107", "OCR21012", "OCR21003"],
    },
    email: { reasonCodes: ["OCR60006"] },
  });
});
