import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { compose270, type Request270 } from "../../domain/health/x12/compose.ts";
import { amountOf, fractionOf, less } from "../../domain/health/x12/decimal.ts";
import { readSegments } from "../../domain/health/x12/segments.ts";
import { isNpi } from "../../domain/npi.ts";

const plain: Request270 = {
  usage: "T",
  sender: "COUNTERSIGN",
  receiver: "CLEARING",
  controlNumber: 42,
  trace: "6f9e2d5b1c3a4f70",
  at: Date.UTC(2026, 0, 2, 12, 34),
  payer: { name: "Aetna", id: "60054" },
  provider: { npi: "1999999984", name: "Demo Clinic" },
  person: {
    memberId: "A484069",
    firstName: "Zoë",
    middleName: "Q",
    lastName: "Peña",
    birthDate: "1989-08-01",
    sex: "Female",
    ssn: "000456789",
    address: { line1: "5320 Newell Rd", line2: "Ste 200", city: "Palo Alto", state: "CA", zipCode: "94303" },
  },
  serviceTypeCodes: ["30", "98"],
  procedureCodes: [{ code: "99213", qualifier: "HC", modifiers: ["25"] }],
};
const segments = (request: Request270) => readSegments(compose270(request)).map(({ raw }) => raw);

test("a 270 is written as the implementation guide specifies", () => {
  assert.deepEqual(segments(plain), [
    "ISA*00*          *00*          *ZZ*COUNTERSIGN    *ZZ*CLEARING       *260102*1234*^*00501*000000042*0*T*:",
    "GS*HS*COUNTERSIGN*CLEARING*20260102*1234*42*X*005010X279A1",
    "ST*270*0001*005010X279A1",
    "BHT*0022*13*6F9E2D5B1C3A4F70*20260102*1234",
    "HL*1**20*1",
    "NM1*PR*2*AETNA*****PI*60054",
    "HL*2*1*21*1",
    "NM1*1P*2*DEMO CLINIC*****XX*1999999984",
    "HL*3*2*22*0",
    "TRN*1*6F9E2D5B1C3A4F70*9COUNTERSN",
    "NM1*IL*1*PENA*ZOE*Q***MI*A484069",
    "N3*5320 NEWELL RD*STE 200",
    "N4*PALO ALTO*CA*94303",
    "DMG*D8*19890801*F",
    "EQ*30^98",
    "EQ**HC:99213:25",
    "SE*15*0001",
    "GE*1*42",
    "IEA*1*000000042",
  ]);
  assert.equal(compose270(plain).split("~")[0]?.length, 105);
});

type Person = Request270["person"];
const named = { lastName: "Testa", firstName: "Uno", birthDate: "1980-01-01" };
const town = { city: "Springfield", state: "IL", zipCode: "62701" };

/** The segments with an id that are written for a person. */
function written(id: string, person: Person, payer = plain.payer): string[] {
  return segments({ ...plain, payer, person: { ...named, ...person } }).filter((segment) =>
    segment.startsWith(`${id}*`),
  );
}

test("an address is written as its owner writes it", () => {
  const streets: Record<string, string> = {
    "123½ Main St": "123 1/2 MAIN ST",
    "½ Main St": "1/2 MAIN ST",
    "12¾ Main St": "12 3/4 MAIN ST",
    "123 1/2 Main St": "123 1/2 MAIN ST",
    "123 1⁄2 Main St": "123 1/2 MAIN ST",
    "12 Main St\nApt 4": "12 MAIN ST APT 4",
    "12 Main St\r\n\tApt 4": "12 MAIN ST APT 4",
    "12\u00a0Main\u2003St\u2028Apt 4": "12 MAIN ST APT 4",
    "Urb. Las Gladiolas*150 Calle A": "URB. LAS GLADIOLAS 150 CALLE A",
    "1 Main St~Apt 4^B:2": "1 MAIN ST APT 4 B 2",
    "112‑10 Bronx Rd #5": "112-10 BRONX RD #5",
    "1 Rue de l’Église": "1 RUE DE L'EGLISE",
    "1 Ma\u00adin St": "1 MAIN ST",
    "1 Main St 🏠 rear": "1 MAIN ST REAR",
    "Straße 1": "STRASSE 1",
  };
  for (const [line1, street] of Object.entries(streets))
    assert.deepEqual(written("N3", { address: { ...town, line1 } }), [`N3*${street}`], line1);
});

test("a name is written in Latin letters without losing one", () => {
  const names: Record<string, string> = {
    Đorđević: "DORDEVIC",
    Møller: "MOLLER",
    Łukasik: "LUKASIK",
    Weiß: "WEISS",
    Ærø: "AERO",
    Þórðarson: "THORDARSON",
    Œuvray: "OEUVRAY",
    Yıldız: "YILDIZ",
    İnan: "INAN",
    Nguyễn: "NGUYEN",
    Əliyev: "ELIYEV",
    Kɔfi: "KOFI",
    "Smith–Jones": "SMITH-JONES",
    "Smith‐Jones": "SMITH-JONES",
    "O’Brien": "O'BRIEN",
    "O\u02bbahu": "O'AHU",
    "O\u00b4Brien": "O'BRIEN",
    "O\u0060Brien": "O'BRIEN",
    Gal·la: "GALLA",
    "\uff33\uff4d\uff49\uff54\uff48": "SMITH",
    "A~AAA*N": "A AAA N",
  };
  for (const [lastName, last] of Object.entries(names))
    assert.deepEqual(written("NM1", { lastName }).at(-1), `NM1*IL*1*${last}*UNO`, lastName);
  assert.equal(written("NM1", { middleName: "李" }).at(-1), "NM1*IL*1*TESTA*UNO");
});

test("an address needs a city, and a street needs an address", () => {
  const of = (address: Person["address"]) => [...written("N3", { address }), ...written("N4", { address })];
  assert.deepEqual(of({ state: "CA", zipCode: "94303" }), []);
  assert.deepEqual(of({ line1: "1 Main St", state: "CA", zipCode: "94303" }), []);
  assert.deepEqual(of({ line1: "1 Main St", city: "北京" }), []);
  assert.deepEqual(of({ line1: "北京路", ...town }), ["N4*SPRINGFIELD*IL*62701"]);
  assert.deepEqual(of({ city: "Springfield" }), ["N4*SPRINGFIELD"]);
});

test("a state is written as its code and a ZIP code without a hyphen", () => {
  const states: Record<string, string> = {
    Alaska: "AK",
    texas: "TX",
    tx: "TX",
    "US-TX": "TX",
    "Washington, D.C.": "DC",
    "Armed Forces Pacific": "AP",
    AE: "AE",
    "Puerto Rico": "PR",
    Nowhere: "",
    XX: "",
  };
  for (const [state, code] of Object.entries(states))
    assert.deepEqual(written("N4", { address: { ...town, state } }), [`N4*SPRINGFIELD*${code}*62701`], state);
  assert.deepEqual(written("N4", { address: { ...town, zipCode: "62701-1234" } }), ["N4*SPRINGFIELD*IL*627011234"]);
});

test("an SSN goes only to payers that are not federal, and only without a member ID", () => {
  const ssn = "123456789";
  assert.deepEqual(written("REF", { ssn }), ["REF*SY*123456789"]);
  assert.deepEqual(written("REF", { ssn, memberId: "A1" }), []);
  assert.deepEqual(written("REF", { ssn: "12345" }), []);
  const federal: [name: string, id: string][] = [
    ["MEDICARE", "CMS"],
    ["Medicare Texas Part B", "04412"],
    ["TRICARE East", "99727"],
    ["Tri Care West", "99726"],
    ["CHAMPVA", "84146"],
    ["VA Fee Basis Program", "12115"],
    ["Department of Veterans Affairs", "1"],
    ["US Dept. of VA", "1"],
    ["Optum VA CCN", "1"],
    ["Novitas Solutions", "1"],
    ["Anything", "CMS"],
  ];
  for (const [name, id] of federal) assert.deepEqual(written("REF", { ssn }, { name, id }), [], name);
  assert.deepEqual(written("REF", { ssn }, { name: "BCBS of VA", id: "423" }), ["REF*SY*123456789"]);
});

test("a member ID is sent without the blanks and hyphens of a card", () => {
  for (const memberId of ["W345876123", "w345 876-123", " W 345-876123 "])
    assert.equal(written("NM1", { memberId }).at(-1), "NM1*IL*1*TESTA*UNO****MI*W345876123");
});

test("an individual provider is written as a person, and a name without Latin letters as the NPI", () => {
  const provider = (name: string, type: "individual" | "organization") =>
    segments({ ...plain, provider: { npi: "1999999984", name, type } }).find((segment) => segment.startsWith("NM1*1P"));
  assert.equal(provider("Hartman", "individual"), "NM1*1P*1*HARTMAN*****XX*1999999984");
  assert.equal(provider("Hartman Clinic", "organization"), "NM1*1P*2*HARTMAN CLINIC*****XX*1999999984");
  assert.equal(provider("診療所", "organization"), "NM1*1P*2*1999999984*****XX*1999999984");
});

test("hostile input never changes the number of segments", () => {
  const expected = segments(plain).length;
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc
      .array(
        fc.constantFrom("~", "*", "^", ":", "\n", "\r", "\u001d", "AAA*N", "~EB*1**30~", "ß", "\uff5e", "\u2217"),
        { maxLength: 12 },
      )
      .map((parts) => parts.join("")),
  );
  const property = fc.property(fc.array(hostile, { minLength: 14, maxLength: 14 }), (texts) => {
    const typed = (index: number, always: string) => `${always}${texts[index]}`;
    const request: Request270 = {
      ...plain,
      sender: typed(0, "S"),
      receiver: typed(1, "R"),
      payer: { name: typed(2, "P"), id: typed(3, "1") },
      provider: { npi: typed(4, "1"), name: typed(5, "C") },
      person: {
        memberId: typed(6, "M"),
        firstName: texts[7],
        middleName: texts[8],
        lastName: texts[9],
        birthDate: "1989-08-01",
        ssn: typed(10, "0"),
        address: { line1: typed(11, "L"), line2: texts[12], city: typed(13, "C") },
      },
      serviceTypeCodes: ["30", `9${texts[0]}`],
      procedureCodes: [{ code: `9${texts[1]}`, qualifier: `H${texts[2]}`, modifiers: [`2${texts[3]}`] }],
    };
    const written = segments(request);
    assert.equal(written.length, expected);
    assert.equal(compose270(request).split("~").length, expected + 1);
    assert.equal(written.filter((segment) => segment.startsWith("AAA")).length, 0);
    assert.ok(written.every((segment) => segment.split("*").length <= 17));
  });
  fc.assert(property, { numRuns: 1_000, seed: 270 });
});

test("an NPI is valid only with a correct format and check digit", () => {
  for (const npi of ["1999999984", "1234567893", "1003000126", "1000000004", "2000000002"]) assert.ok(isNpi(npi), npi);
  for (const npi of ["1234567890", "2000000000", "1999999983", "3000000000", "199999998", "abcdefghij"])
    assert.ok(!isNpi(npi), npi);
});

test("amounts and percentages are exact decimals, never floats", () => {
  assert.equal(amountOf("1500"), "1500.00");
  assert.equal(amountOf("$1,500.5"), "1500.50");
  assert.equal(amountOf("12345678901.10"), "12345678901.10");
  assert.equal(amountOf("n/a"), undefined);
  assert.equal(fractionOf("20"), "0.20");
  assert.equal(fractionOf("12.5"), "0.125");
  assert.equal(fractionOf("1"), "1.00");
  assert.equal(less("0.30", "0.10"), "0.20");
  assert.equal(less("8000.00", "1250.255"), "6749.745");
  assert.equal(less("1.00", "2.00"), "0.00");
});
