/** Random but lawful 271s, each with what a reader must find in it. */
import type { EdiBenefit, ParsedEdi271 } from "@countersign/contract/health";
import type { SoughtPatient } from "../../../domain/health/x12/patient.ts";
import { answer271, trace } from "../answer-271.ts";
import { below, type Chance, oneOf } from "./wire-bytes.ts";

type Person = { first: string; middle: string; last: string; born: string; sex: "M" | "F" };
type Generated = {
  bytes: Buffer;
  sought: SoughtPatient;
  expected: Pick<ParsedEdi271, "coverageStatus" | "plan"> & { firstName: string; benefits: EdiBenefit[] };
};

const firsts = ["JOSE", "JUAN", "MARIA", "ANA", "PAT", "JEAN PAUL", "ZOE", "DORDE"];
/** Other spellings of the same names. */
const spellings: Record<string, string[]> = {
  JOSE: ["José", "Jose", "JOSÉ"],
  JUAN: ["Juan"],
  MARIA: ["María", "Maria"],
  ANA: ["Ana", "Aña"],
  PAT: ["Pat"],
  "JEAN PAUL": ["Jean-Paul", "Jean Paul", "JeanPaul"],
  ZOE: ["Zoë", "Zoe"],
  DORDE: ["Đorđe", "Dorde"],
};

/** A 271 of March 1, 2026 about one of several people, and the question that it answers. */
export function generatedAnswer(random: Chance): Generated {
  const family = peopleOf(random);
  const at = below(random, family.length);
  const patient = family[at] ?? someone(random, "PAT");
  const plans = plansOf(random);
  const accumulators = accumulatorsOf(random);
  const lines = shuffled(random, [...plans.lines, ...accumulators.lines]).flat();
  const traced = oneOf(random, ["patient", "subscriber", "nobody"] as const);
  const segments = family.flatMap((person, index) => {
    const isPatient = index === at;
    const hasTrace = traced === "patient" ? isPatient : traced === "subscriber" && index === 0;
    return [
      ...personSegments(person, { index, size: family.length, hasTrace }),
      ...(isPatient ? lines : decoy(random, index)),
    ];
  });
  const { first, born } = patient;
  return {
    bytes: answer271(...segments),
    sought: {
      trace,
      birthDate: `${born.slice(0, 4)}-${born.slice(4, 6)}-${born.slice(6)}`,
      firstName: oneOf(random, spellings[first] ?? [first]),
      lastName: patient.last,
      memberId: "MEM100200",
    },
    expected: { ...plans.expected, firstName: first, benefits: accumulators.expected },
  };
}

/** A subscriber and dependents. Some of them are twins, and no two have the same name and birth date. */
function peopleOf(random: Chance): Person[] {
  const names = shuffled(random, firsts).slice(0, 1 + below(random, 4));
  const twinsBorn = dayOf(random, 2000);
  return names.map((first, index) => {
    const person = someone(random, first);
    return index > 0 && random() < 0.5 ? { ...person, born: twinsBorn } : person;
  });
}

function someone(random: Chance, first: string): Person {
  const middle = random() < 0.3 ? oneOf(random, ["Q", "LUIS"]) : "";
  return { first, middle, last: "SAMPLE", born: dayOf(random, 1940), sex: oneOf(random, ["M", "F"] as const) };
}

const two = (number: number) => String(number).padStart(2, "0");
const dayOf = (random: Chance, from: number) =>
  `${from + below(random, 25)}${two(1 + below(random, 12))}${two(1 + below(random, 28))}`;

function personSegments(
  { first, middle, last, born, sex }: Person,
  { index, size, hasTrace }: { index: number; size: number; hasTrace: boolean },
): string[] {
  const [level, parent, kind] = index === 0 ? ["22", 2, "IL"] : ["23", 3, "03"];
  return [
    `HL*${index + 3}*${parent}*${level}*${index === 0 && size > 1 ? 1 : 0}`,
    ...(hasTrace ? [`TRN*2*${trace}*9COUNTERSN`] : []),
    `NM1*${kind}*1*${last}*${first}*${middle}${index === 0 ? "***MI*MEM100200" : ""}`.replace(/\*+$/, ""),
    `DMG*D8*${born}*${sex}`,
  ];
}

/** A line of another person of the response, which must not be read. */
function decoy(random: Chance, index: number): string[] {
  return random() < 0.5 ? [] : [`EB*6**30*ZZ*DECOY ${index}`, "DTP*346*D8*19990101"];
}

type Part<Expected> = { lines: string[][]; expected: Expected };

const types = ["HM", "PR", "MC", "C1"];
/** Periods that do not overlap. Only the second one contains March 1, 2026. */
const periods = [
  ["20240101", "20241231"],
  ["20260101", "20261231"],
  ["20270101", "20271231"],
] as const;

/** An ended, a current and a future plan in any order, or a current one alone, with its dates in any lawful form. */
function plansOf(random: Chance): Part<Pick<ParsedEdi271, "coverageStatus" | "plan">> {
  const lines: string[][] = [];
  let plan: ParsedEdi271["plan"];
  const isActive = random() < 0.85;
  for (const [at, [begin, end]] of periods.entries()) {
    if (at !== 1 && random() < 0.5) continue;
    if (at === 1 && !isActive) {
      lines.push(["EB*6**30"]);
      continue;
    }
    const [type, name, group] = [oneOf(random, types), `PLAN ${at}`, `G${at}`];
    const hasGroup = random() < 0.5;
    lines.push([
      `EB*1*IND*30*${type}*${name}`,
      ...(hasGroup ? [`REF*6P*${group}*GROUP ${at}`] : []),
      ...datesOf(random, begin, end),
    ]);
    if (at !== 1) continue;
    plan = {
      name,
      ...(hasGroup ? { groupNumber: group, groupName: `GROUP ${at}` } : {}),
      insuranceTypeCodes: [type],
      effectiveDate: "2026-01-01",
      terminationDate: "2026-12-31",
    };
  }
  const coverageStatus = isActive ? ("active" as const) : ("inactive" as const);
  return { lines, expected: { coverageStatus, ...(plan === undefined ? {} : { plan }) } };
}

function datesOf(random: Chance, begin: string, end: string): string[] {
  const [first, last] = oneOf(random, [
    ["346", "347"],
    ["356", "357"],
    ["348", "349"],
  ] as const);
  return oneOf(random, [
    [`DTP*291*RD8*${begin}-${end}`],
    [`DTP*307*RD8*${begin}-${end}`],
    [`DTP*${first}*D8*${begin}`, `DTP*${last}*D8*${end}`],
    [`DTP*${last}*D8*${end}`, `DTP*${first}*D8*${begin}`],
  ]);
}

/** Totals with remainders, totals alone, remainders alone, amounts per event, and quantities. No two have equal limits. */
function accumulatorsOf(random: Chance): Part<EdiBenefit[]> {
  const lines: string[][] = [];
  const expected: EdiBenefit[] = [];
  const known = new Set<string>();
  for (let at = 0; at < below(random, 9); at += 1) {
    const limits = limitsOf(random);
    const key = JSON.stringify(limits);
    if (known.has(key)) continue;
    known.add(key);
    // Different amounts keep entries apart.
    const amount = 1_000 + at * 10 + below(random, 5);
    const rest = 100 + at * 10 + below(random, 5);
    const shape = oneOf(random, ["both", "both", "total", "perEvent", "quantity"] as const);
    const line = (time: string, dollars: number | "", quantity = "") => [
      `EB*${limits.code}*${limits.level}*${limits.service}*${limits.type}**${time}*${dollars}**${quantity === "" ? "*" : `VS*${quantity}`}**${limits.network}`,
      ...limits.below,
    ];
    const entry = entryOf(limits);
    const total = oneOf(random, ["", "22", "23", "25"]);
    if (shape === "quantity") {
      lines.push(line("23", "", "20"), line("29", "", "12"));
      expected.push(entry);
    } else if (shape === "perEvent") {
      lines.push(line(oneOf(random, ["27", "7", "36"]), amount));
      expected.push({ ...entry, amount: `${amount}.00` });
    } else if (shape === "total") {
      lines.push(line(total, amount));
      expected.push({ ...entry, amount: `${amount}.00` });
    } else {
      lines.push(line(total, amount), line("29", rest));
      expected.push({ ...entry, amount: `${amount}.00`, remaining: `${rest}.00` });
    }
  }
  return { lines, expected };
}

type Limits = { code: string; level: string; service: string; type: string; network: string; below: string[] };

function limitsOf(random: Chance): Limits {
  const optional = (...lists: string[][]) => (random() < 0.5 ? [] : oneOf(random, lists));
  return {
    code: oneOf(random, ["C", "G", "F"]),
    level: oneOf(random, ["IND", "FAM"]),
    service: oneOf(random, ["30", "48", "86", "98^UC"]),
    type: oneOf(random, ["", "PR"]),
    network: oneOf(random, ["Y", "N", ""]),
    below: [
      ...optional(["REF*N6*1*TIER A"], ["REF*N6*2*TIER B"]),
      ...optional(["MSG*FACILITY"], ["MSG*PROFESSIONAL"]),
      ...optional(["III*ZZ*21"], ["III*ZZ*22"]),
    ],
  };
}

const kinds: Record<string, EdiBenefit["type"]> = { C: "deductible", G: "outOfPocket", F: "limitation" };

function entryOf({ code, level, service, type, network }: Limits): EdiBenefit {
  const side = { Y: "in", N: "out" }[network];
  return {
    type: kinds[code] ?? "limitation",
    serviceTypeCodes: service.split("^"),
    ...(type === "" ? {} : { insuranceTypeCode: type }),
    level: level === "IND" ? "individual" : "family",
    ...(side === undefined ? {} : { network: side }),
  };
}

function shuffled<Item>(random: Chance, items: readonly Item[]): Item[] {
  const rest = [...items];
  const mixed: Item[] = [];
  while (rest.length > 0) mixed.push(...rest.splice(below(random, rest.length), 1));
  return mixed;
}
