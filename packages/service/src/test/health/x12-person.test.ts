import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { isTemporary, readCheck } from "../../domain/health/answer.ts";
import { read271 } from "../../domain/health/x12/eligibility.ts";
import type { SoughtPatient } from "../../domain/health/x12/patient.ts";
import { answer271, trace } from "../harness/answer-271.ts";

type Told = { first?: string; last?: string; born?: string; middle?: string; id?: string; traced?: boolean };

function subscriber({
  first = "",
  last = "SAMPLE",
  born,
  middle = "",
  id = "MEM100200",
  traced = false,
}: Told): string[] {
  return [
    "HL*3*2*22*1",
    ...(traced ? [`TRN*2*${trace}*9COUNTERSN`] : []),
    `NM1*IL*1*${last}*${first}*${middle}***MI*${id}`,
    ...(born === undefined ? [] : [`DMG*D8*${born}`]),
  ];
}

function dependent({ first = "", last = "SAMPLE", born, middle = "", traced = false }: Told): string[] {
  return [
    "HL*4*3*23*0",
    ...(traced ? [`TRN*2*${trace}*9COUNTERSN`] : []),
    `NM1*03*1*${last}*${first}*${middle}`,
    ...(born === undefined ? [] : [`DMG*D8*${born}`]),
    `EB*1**30**PLAN OF ${first}`,
  ];
}

const chosen = (sought: SoughtPatient, ...people: string[][]) =>
  read271(answer271(...people.flat()), sought).eligibility.member?.fullName?.firstName ?? null;

test("a dependent below our trace is the patient if the birth date is the dependent's", () => {
  const mary = dependent({ first: "MARY", born: "19981014" });
  const sought = { trace, birthDate: "1998-10-14", firstName: "Mary" };
  assert.equal(chosen(sought, subscriber({ first: "JOHN", born: "19630519", traced: true }), mary), "MARY");
  assert.equal(chosen(sought, subscriber({ first: "JOHN", traced: true }), mary), "MARY");
  assert.equal(
    chosen(
      { trace, birthDate: "1963-05-19", firstName: "John" },
      subscriber({ first: "JOHN", born: "19630519", traced: true }),
      mary,
    ),
    "JOHN",
  );
});

test("spouses who were born on one day are told apart by name, whoever has our trace", () => {
  const born = "19800101";
  const people = [subscriber({ first: "JOHN", born, traced: true }), dependent({ first: "MARY", born })];
  assert.equal(chosen({ trace, birthDate: "1980-01-01", firstName: "Mary" }, ...people), "MARY");
  assert.equal(chosen({ trace, birthDate: "1980-01-01", firstName: "John" }, ...people), "JOHN");
});

test("a twin is found by name in any spelling", () => {
  const born = "20101014";
  const twin = (first: string, middle = "") => [
    subscriber({ first: "ROSA", born: "19700519" }),
    dependent({ first: "JUAN", born }),
    dependent({ first, middle, born }),
  ];
  const spellings: [asked: string, first: string, middle?: string][] = [
    ["José", "JOSE"],
    ["jose", "JOSÉ"],
    ["Jose", "JOSE M"],
    ["Jose Maria", "JOSE", "MARIA"],
    ["Jose Maria", "JOSE"],
    ["Jean-Paul", "JEAN PAUL"],
    ["Jean-Paul", "JEANPAUL"],
    ["D'Andre", "DANDRE"],
    ["Đorđe", "DORDE"],
    ["Søren", "SOREN"],
    ["Jürgen", "JUERGEN"],
    ["Łukasz", "LUKASZ"],
    ["Zoë", "ZOE"],
  ];
  for (const [asked, first, middle] of spellings)
    assert.equal(chosen({ trace: "OTHER", birthDate: "2010-10-14", firstName: asked }, ...twin(first, middle)), first);
});

test("if several people were born that day and nobody has the name, nobody is chosen", () => {
  const born = "20101014";
  const twins = [dependent({ first: "JUAN", born }), dependent({ first: "JOSE", born })];
  const sought = {
    trace: "OTHER",
    birthDate: "2010-10-14",
    firstName: "Ana",
    lastName: "Sample",
    memberId: "MEM100200",
  };
  assert.equal(chosen(sought, subscriber({ first: "ROSA", born: "19700519" }), ...twins), null);
  assert.equal(
    chosen({ ...sought, trace }, subscriber({ first: "ROSA", born: "19700519", traced: true }), ...twins),
    null,
  );
  const x12 = answer271(...subscriber({ first: "ROSA", born: "19700519" }), ...twins.flat()).toString();
  assert.equal(readCheck({ kind: "answered", x12 }, sought, "OTHER").kind, "withheld");
});

test("a person who is listed twice is one person", () => {
  const born = "20101014";
  const once = dependent({ first: "JUANITO", born });
  assert.equal(
    chosen({ birthDate: "2010-10-14", firstName: "Juan" }, subscriber({ first: "ROSA", born: "19700519" }), once, once),
    "JUANITO",
  );
});

const asked = { firstName: "Pat", lastName: "Sample", birthDate: "1980-01-15", memberId: "MEM100200" };
const kindOf = (told: Told, person = asked) => {
  const x12 = answer271(...subscriber(told), "EB*1**30").toString();
  return readCheck({ kind: "answered", x12 }, person, trace).kind;
};

test("an answer with another birth date is withheld, whatever else agrees", () => {
  assert.equal(kindOf({ first: "PAT", born: "19800115", traced: true }), "plan");
  assert.equal(kindOf({ first: "PAT", born: "19800116", traced: true }), "withheld");
  assert.equal(kindOf({ first: "PAT", last: "SAMPLE", born: "19630519" }), "withheld");
});

test("our trace, the member ID with the first name, or the last name says that it is the person", () => {
  assert.equal(kindOf({ first: "JO", last: "SAMPLE", id: "X1", traced: true }), "plan");
  assert.equal(kindOf({ first: "PAT", last: "OTHER", id: "X1", traced: true }), "plan");
  assert.equal(kindOf({ first: "PAT", last: "MARRIED" }), "plan");
  assert.equal(kindOf({ first: "PAT", last: "MARRIED", id: "mem-100 200" }), "plan");
  assert.equal(kindOf({ first: "PAT", last: "SAMPLE", id: "X1" }), "plan");
  assert.equal(kindOf({ first: "JO", last: "MARRIED" }), "withheld");
  assert.equal(kindOf({ first: "PAT", last: "MARRIED", id: "X1" }), "withheld");
  assert.equal(kindOf({ first: "", last: "", id: "MEM100200" }), "withheld");
});

test("an answer in which both names differ is withheld, also with our trace and the birth date", () => {
  const told = { first: "NELSON", last: "BIGHETTI", born: "19800115", traced: true };
  assert.equal(kindOf(told), "withheld");
  assert.equal(kindOf({ ...told, first: "PATRICIA" }), "plan");
  assert.equal(kindOf({ ...told, first: "", last: "" }), "plan");
});

test("the payer's original answer is left out if it has other people's data, except the patient's own subscriber's", () => {
  const read = (...people: string[][]) => {
    const x12 = answer271(...people.flat(), "EB*1**30").toString();
    const reading = readCheck({ kind: "answered", x12 }, asked, trace);
    return reading.kind === "plan" ? [reading.eligibility.member?.fullName?.firstName, reading.x12 !== null] : [];
  };
  const pat = { first: "PAT", born: "19800115", traced: true };
  const stranger = subscriber({ first: "NELSON", last: "BIGHETTI", born: "19710203", id: "OTHER999" });
  assert.deepEqual(read(subscriber(pat)), ["PAT", true]);
  assert.deepEqual(read(subscriber({ first: "ROSA", born: "19500101" }), dependent(pat)), ["PAT", true]);
  assert.deepEqual(read(subscriber(pat), stranger), ["PAT", false]);
  assert.deepEqual(read(stranger, subscriber(pat)), ["PAT", false]);
  assert.deepEqual(read(subscriber(pat), dependent({ first: "JOHN", born: "20100101" })), ["PAT", false]);
});

test("a relative with the last name and the member ID is not the person", () => {
  assert.equal(kindOf({ first: "JOHN", last: "SAMPLE" }), "withheld");
  assert.equal(kindOf({ first: "PATRICIA", last: "SAMPLE", id: "X1" }), "plan");
});

test("a last name is the same with a suffix, as a part of a double name, and with other letters", () => {
  const pairs: [asked: string, told: string][] = [
    ["Sample", "SAMPLE JR"],
    ["Sample Jr.", "SAMPLE"],
    ["Sample", "SAMPLE III"],
    ["Müller", "MUELLER"],
    ["Mueller", "MULLER"],
    ["Møller", "MOLLER"],
    ["Møller", "MOELLER"],
    ["Åberg", "AABERG"],
    ["Smith-Jones", "SMITH"],
    ["Jones", "SMITH JONES"],
    ["De la Cruz", "DELACRUZ"],
    ["O’Brien", "OBRIEN"],
    ["O'Brien", "O BRIEN"],
    ["Łukasik", "LUKASIK"],
    ["Weiß", "WEISS"],
    ["Nguyễn", "NGUYEN"],
    ["Þorsson", "THORSSON"],
  ];
  for (const [lastName, last] of pairs)
    assert.equal(kindOf({ first: "PAT", last, id: "X1" }, { ...asked, lastName }), "plan", `${lastName} ${last}`);
  for (const [lastName, last] of [
    ["Sample", "SAMPLES"],
    ["Li", "LIN"],
    ["Jones", "SMITH"],
    ["Jr", "SR"],
  ] as const)
    assert.equal(kindOf({ first: "PAT", last, id: "X1" }, { ...asked, lastName }), "withheld", `${lastName} ${last}`);
});

test("a spelling of the last name does not withhold an answer with our trace", () => {
  for (const [file, lastName] of [
    ["no-dmg-suffix-in-last-name.271", "Sample"],
    ["no-dmg-umlaut-expanded.271", "Müller"],
  ] as const) {
    const x12 = readFileSync(new URL(`./x12-cases/${file}`, import.meta.url), "utf8");
    assert.equal(readCheck({ kind: "answered", x12 }, { ...asked, lastName }, trace).kind, "plan");
  }
});

const rejected = (...rejections: string[]) => ({
  kind: "answered" as const,
  x12: answer271(...subscriber({ first: "PAT", traced: true }), ...rejections).toString(),
});

test("a question is asked again only if the payer permits it", () => {
  const file = new URL("./x12-cases/aaa-80-resubmission-not-allowed.271", import.meta.url);
  assert.equal(isTemporary({ kind: "answered", x12: readFileSync(file, "utf8") }), false);
  for (const code of ["42", "80"]) {
    for (const action of ["P", "R", ""]) assert.ok(isTemporary(rejected(`AAA*N**${code}*${action}`)), action);
    for (const action of ["C", "N", "S", "W", "X", "Y"])
      assert.ok(!isTemporary(rejected(`AAA*N**${code}*${action}`)), action);
  }
  assert.ok(!isTemporary(rejected("AAA*N**42*R", "AAA*N**75*N")));
  assert.ok(isTemporary(rejected("AAA*N**42*R", "AAA*N**75*C")));
});

test("other search data are tried only if the payer permits a corrected question", () => {
  const codeOf = (action: string) => {
    const reading = readCheck(rejected(`AAA*N**72*${action}`), asked, trace);
    return reading.kind === "nobody" ? reading.code : "not nobody";
  };
  for (const action of ["C", "P", "R", ""]) assert.equal(codeOf(action), "72", action);
  for (const action of ["N", "S", "W", "X", "Y"]) assert.equal(codeOf(action), undefined, action);
});
