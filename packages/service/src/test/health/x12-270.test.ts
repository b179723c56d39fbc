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
    "REF*SY*000456789",
    "N3*5320 NEWELL RD*STE 200",
    "N4*PALO ALTO*CA*94303",
    "DMG*D8*19890801*F",
    "EQ*30^98",
    "EQ**HC:99213:25",
    "SE*16*0001",
    "GE*1*42",
    "IEA*1*000000042",
  ]);
  assert.equal(compose270(plain).split("~")[0]?.length, 105);
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
