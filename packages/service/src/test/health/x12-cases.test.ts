import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { read271 } from "../../domain/health/x12/eligibility.ts";
import type { SoughtPatient } from "../../domain/health/x12/patient.ts";
import { answerAboutPat } from "../harness/answer-271.ts";

const folder = new URL("./x12-cases/", import.meta.url);
type Case = { file: string; promise: string; sought?: SoughtPatient; eligibility: unknown };
const cases: Case[] = readFileSync(new URL("expected.jsonl", folder), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

for (const { file, promise, sought, eligibility } of cases)
  test(`${promise} (${file})`, () => {
    const read = read271(readFileSync(new URL(file, folder)), sought);
    assert.deepEqual(JSON.parse(JSON.stringify(read.eligibility)), eligibility);
  });

const read = (...benefits: string[]) => read271(answerAboutPat(...benefits)).eligibility;

test("every fact of the plan comes from the lines about today", () => {
  const { plan, coverageType, serviceTypeCodes } = read(
    "EB*1*IND*30^35^AL*HM*OLD PLAN",
    "REF*6P*OLD1*OLD GROUP",
    "DTP*346*D8*20240101",
    "DTP*347*D8*20251231",
    "EB*1*IND*30*PR*NEW PLAN",
    "REF*6P*NEW1*NEW GROUP",
    "DTP*346*D8*20260101",
  );
  assert.deepEqual(plan, {
    name: "NEW PLAN",
    groupNumber: "NEW1",
    groupName: "NEW GROUP",
    insuranceTypeCodes: ["PR"],
    effectiveDate: "2026-01-01",
  });
  assert.deepEqual([coverageType, serviceTypeCodes], [["medical"], ["30"]]);
});

test("of several periods below one line, the one about today gives the dates", () => {
  const ranges = read("EB*1**30", "DTP*307*RD8*20240101-20241231", "DTP*307*RD8*20260101-20261231");
  assert.deepEqual(ranges.plan, { effectiveDate: "2026-01-01", terminationDate: "2026-12-31" });
  const dates = ["20240101", "20241231", "20260101", "20261231"];
  const single = read("EB*1**30", ...dates.map((date, at) => `DTP*${at % 2 === 0 ? 356 : 357}*D8*${date}`));
  assert.deepEqual(single.plan, { effectiveDate: "2026-01-01", terminationDate: "2026-12-31" });
  assert.equal(single.coverageStatus, "active");
});

test("the first and the last day of a period belong to it", () => {
  const onDay = (range: string) => read("EB*1**30", `DTP*307*RD8*${range}`, "EB*6**30").coverageStatus;
  assert.equal(onDay("20260301-20261231"), "active");
  assert.equal(onDay("20250101-20260301"), "active");
  assert.equal(onDay("20260302-20261231"), "inactive");
  assert.equal(onDay("20250101-20260228"), "inactive");
});

test("coverage that has ended or not begun is inactive only if the payer says so", () => {
  assert.equal(read("EB*1**30", "DTP*347*D8*20251231").coverageStatus, "active");
  assert.equal(read("EB*1**30", "DTP*346*D8*20270101").coverageStatus, "active");
  assert.equal(read("EB*1**30", "DTP*346*D8*20270101", "EB*6**30", "DTP*347*D8*20251231").coverageStatus, "inactive");
});

test("a plan that was inactive once is active if another line is about today", () => {
  const past = ["EB*6**30*MC*OLD PLAN", "DTP*307*RD8*20240101-20241231"];
  const { coverageStatus, plan } = read(...past, "EB*1**98*HM*NEW PLAN", "DTP*307*RD8*20260101-20261231");
  assert.deepEqual([coverageStatus, plan?.name], ["active", "NEW PLAN"]);
});

test("another day than the day of the response can be asked about", () => {
  const bytes = answerAboutPat(
    "EB*1**30**PLAN A",
    "DTP*307*RD8*20250101-20251231",
    "EB*1**30**PLAN B",
    "DTP*307*RD8*20260101-20261231",
  );
  assert.equal(read271(bytes, { date: "2025-06-30" }).eligibility.plan?.name, "PLAN A");
  assert.equal(read271(bytes, { date: "2026-06-30" }).eligibility.plan?.name, "PLAN B");
});

test("an end above the benefits completes a begin below them", () => {
  const { plan } = read("DTP*347*D8*20260630", "EB*1**30", "DTP*346*D8*20250101");
  assert.deepEqual(plan, { effectiveDate: "2025-01-01", terminationDate: "2026-06-30" });
});

test("an end before the begin does not end a plan", () => {
  const { plan } = read("DTP*346*D8*20260101", "EB*1**30", "DTP*357*D8*20251231");
  assert.deepEqual(plan, { effectiveDate: "2026-01-01" });
  assert.deepEqual(read("EB*1**30", "DTP*307*RD8*20260601-20260101").plan, { effectiveDate: "2026-06-01" });
});

const benefits = (...lines: string[]) =>
  read("EB*1**30", ...lines).benefits?.map(({ amount, remaining }) => [amount, remaining]);

test("a total and a remainder with different limits are two benefits", () => {
  const limits = [
    ["III*ZZ*21", "III*ZZ*22"],
    ["REF*N6*1*TIER A", "REF*N6*2*TIER B"],
    ["HSD*VS*20", "HSD*VS*30"],
    ["MSG*FACILITY", "MSG*PROFESSIONAL"],
    ["DTP*292*RD8*20260101-20261231", "DTP*292*RD8*20250101-20251231"],
    ["NM1*1P*2*CLINIC A", "NM1*1P*2*CLINIC B"],
  ];
  for (const [one = "", other = ""] of limits) {
    const total = "EB*C*IND*48***23*500*****Y";
    const rest = "EB*C*IND*48***29*100*****Y";
    assert.deepEqual(
      benefits(total, one, rest, other),
      [
        ["500.00", undefined],
        [undefined, "100.00"],
      ],
      one,
    );
    assert.deepEqual(benefits(total, one, rest, one), [["500.00", "100.00"]], one);
  }
  for (const position of [2, 4, 5, 12, 13]) {
    const line = (time: string, amount: string, value: string) => {
      const elements = ["EB", "C", "IND", "48", "", "", time, amount, "", "", "", "", "Y", ""];
      elements[position] = value;
      return elements.join("*");
    };
    const [one, other] = { 2: ["IND", "FAM"], 12: ["Y", "N"] }[position] ?? ["A1", "B1"];
    const both = [line("23", "500", `${one}`), line("29", "100", `${other}`)];
    assert.deepEqual(
      benefits(...both),
      [
        ["500.00", undefined],
        [undefined, "100.00"],
      ],
      `EB${position}`,
    );
  }
});

test("equal totals with different limits both keep their remainders", () => {
  const tier = (name: string, rest: string) => [
    "EB*C*IND*30***23*1500*****Y",
    `REF*N6*1*${name}`,
    `EB*C*IND*30***29*${rest}*****Y`,
    `REF*N6*1*${name}`,
  ];
  assert.deepEqual(benefits(...tier("A", "900"), ...tier("B", "1200")), [
    ["1500.00", "900.00"],
    ["1500.00", "1200.00"],
  ]);
});

test("an amount for each hour, day, visit, month or admission has no remainder", () => {
  for (const time of ["6", "7", "13", "27", "28", "34", "35", "36"])
    assert.deepEqual(
      benefits(`EB*C*IND*86***${time}*300*****Y`, "EB*C*IND*86***29*400*****Y"),
      [
        ["300.00", undefined],
        [undefined, "400.00"],
      ],
      time,
    );
  for (const time of ["", "21", "22", "23", "25"])
    assert.deepEqual(
      benefits(`EB*C*IND*86***${time}*500*****Y`, "EB*C*IND*86***29*400*****Y"),
      [["500.00", "400.00"]],
      time,
    );
});

test("a remainder belongs to the year before it belongs to an episode", () => {
  const lines = ["EB*C*IND*30***26*1600*****Y", "EB*C*IND*30***23*500*****Y", "EB*C*IND*30***29*400*****Y"];
  assert.deepEqual(benefits(...lines), [
    ["1600.00", undefined],
    ["500.00", "400.00"],
  ]);
  assert.deepEqual(benefits(lines[0] ?? "", lines[2] ?? ""), [["1600.00", "400.00"]]);
});

test("a benefit of one procedure is not a benefit of every service", () => {
  const {
    coverageStatus,
    coverageType,
    benefits: listed,
  } = read("EB*1**98", "EB*6*IND***********HC:97810", "EB*B*IND****27*20*****Y*HC:97810", "EB*B*IND*98***27*30*****Y");
  assert.equal(coverageStatus, "active");
  assert.deepEqual(coverageType, ["medical"]);
  assert.deepEqual(
    listed?.map(({ amount }) => amount),
    ["30.00"],
  );
});

test("a plan that is active only for a dental procedure is dental", () => {
  assert.deepEqual(read("EB*1*IND***********AD:D1110").coverageType, ["dental"]);
  assert.deepEqual(read("EB*1*IND***********HC:99213").coverageType, ["medical"]);
});

test("oral surgery, dental accidents and maxillofacial prosthetics alone make no plan dental", () => {
  for (const code of ["27", "37", "40"]) assert.deepEqual(read(`EB*1**30^${code}`).coverageType, ["medical"]);
  for (const code of ["23", "28", "35", "38", "41", "FA", "V3"])
    assert.deepEqual(read(`EB*1**${code}`).coverageType, ["dental"], code);
});

test("bytes that are not UTF-8 are read as Windows-1252", () => {
  const named = (bytes: number[]) => {
    const [begin = "", end = ""] = answerAboutPat("EB*1**30**NAME").toString().split("NAME");
    const whole = Buffer.concat([Buffer.from(begin), Buffer.from(bytes), Buffer.from(end)]);
    return read271(whole).eligibility.plan?.name;
  };
  assert.equal(named([0x93, 0x41, 0x94, 0x96, 0x80]), "“A”–€");
  assert.equal(named([0xd1, 0xe9, 0x8a, 0x9e]), "ÑéŠž");
});
