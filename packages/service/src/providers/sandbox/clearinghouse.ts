import type { Clearinghouse, FoundCoverage, InsuredPerson } from "../../domain/ports.ts";
import {
  anybodysPlans,
  checkPlans,
  gilfoylePlans,
  type SandboxInsured,
  type SandboxPlan,
  sandboxInsured,
} from "./insured.ts";

/** Member not found (X12 AAA03). */
const notFound = "75";
const serviceTypes = {
  medical: ["30", "33", "47", "86", "88", "98", "MH", "UC"],
  dental: ["35", "23", "24", "25", "26"],
  vision: ["AL", "AM"],
};

/** A simulated clearinghouse with fixed people. For everyone else, it finds two plans. */
export function sandboxClearinghouse(): Clearinghouse {
  return {
    provider: { npi: "1999999984", name: "Sandbox provider" },
    envelope: { sender: "COUNTERSIGN", receiver: "SANDBOX", usage: "T" },
    async discover({ person, payerIds }) {
      const plans = insuredOf(person)?.plans ?? anybodysPlans;
      const asked = plans.filter(({ payerId }) => payerIds === undefined || payerIds.includes(payerId));
      return { kind: "found", coverages: asked.map(coverage) };
    },
    async check({ x12, trace, at, payer, npi, person, memberId }) {
      const records = insuredOf(person);
      const named = { ...person, ...nameIn(x12) };
      const asked: Asked271 = { trace, at, payer, npi, person: named, ...(records === undefined ? {} : { records }) };
      const plan = planOf(person, payer.id, memberId);
      if (plan === undefined) return { kind: "answered", x12: composeRejection271(asked, memberId, notFound) };
      return { kind: "answered", x12: composePlan271(asked, memberId ?? plan.memberId, plan) };
    },
  };
}

/** The name as the question spells it. A payer repeats this spelling, which has Latin letters only. */
function nameIn(x12: string): { lastName?: string; firstName?: string } {
  const [, lastName, firstName] = /~NM1\*IL\*1\*([^*~]+)\*([^*~]+)/.exec(x12) ?? [];
  return lastName === undefined || firstName === undefined ? {} : { lastName, firstName };
}

function coverage({ memberId, payerId, coverage: type, isMedicare, status }: SandboxPlan): FoundCoverage {
  return {
    memberId,
    payerId,
    coverageTypes: [type],
    serviceTypeCodes: status === "indeterminate" ? ["30"] : serviceTypes[type],
    isMedicare: isMedicare === true,
  };
}

const isCalled = (person: InsuredPerson, [first, last]: readonly [string, string]) =>
  plain(person.firstName) === plain(first) && plain(person.lastName) === plain(last);

/** A name without accents and case. */
const plain = (name: string | undefined) => name?.trim().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function insuredOf(person: InsuredPerson): SandboxInsured | undefined {
  return sandboxInsured.find(
    ({ name, birthDates }) => isCalled(person, name) && birthDates.includes(person.birthDate ?? ""),
  );
}

function planOf(person: InsuredPerson, payerId: string, memberId: string | undefined): SandboxPlan | undefined {
  if (isCalled(person, ["Bertram", "Gilfoyle"])) {
    const his = gilfoylePlans.find((plan) => plan.birthDate === person.birthDate && plan.payerId === payerId);
    if (his !== undefined) return his;
  }
  const every = [...checkPlans, ...anybodysPlans, ...sandboxInsured.flatMap(({ plans }) => plans)];
  return every.find((plan) => plan.memberId === memberId?.toUpperCase() && plan.payerId === payerId);
}

/** A question to the sandbox's payers, and the person they find. */
export type Asked271 = {
  trace: string;
  at: number;
  payer: { id: string; name: string };
  npi: string;
  person: InsuredPerson;
  /** The sandbox's records of the person. Without them, the answer repeats the values of the question. */
  records?: SandboxInsured;
};

/** Composes a valid 271 about a plan. */
export function composePlan271(asked: Asked271, memberId: string, plan: SandboxPlan): string {
  const person = plan.situation === "twins" ? familySegments(asked, memberId, plan) : personSegments(asked, memberId);
  return interchange(asked, [...person, ...planSegments(asked, plan)]);
}

/** A subscriber with our trace, the twin without coverage, and the twin with the plan that follows. */
function familySegments({ trace, person }: Asked271, memberId: string, plan: SandboxPlan): string[] {
  const born = (person.birthDate ?? "").replaceAll("-", "");
  const twin = (number: number, first: string) => [
    `HL*${number}*3*23*0`,
    `NM1*03*1*ALVAREZ*${first}`,
    `DMG*D8*${born}*M`,
    "INS*N*19",
  ];
  return [
    `TRN*2*${text(trace)}*9COUNTERSN`,
    `NM1*IL*1*ALVAREZ*ROSA****MI*${text(memberId)}`,
    "DMG*D8*19780519*F",
    ...twin(4, "JUAN"),
    `EB*6*IND*30**${plan.planName}`,
    ...twin(5, "JOSE"),
  ];
}

/** Composes a valid 271 in which the payer rejects the question with a reason code. */
export function composeRejection271(asked: Asked271, memberId: string | undefined, code: string): string {
  const [trace = "", name = ""] = personSegments(asked, memberId ?? "");
  return interchange(asked, [trace, name, `AAA*N**${code}*C`]);
}

function interchange({ payer, at, npi }: Asked271, subscriber: string[]): string {
  const stamp = new Date(at).toISOString();
  const day = stamp.slice(0, 10).replaceAll("-", "");
  const time = stamp.slice(11, 16).replace(":", "");
  const sender = text(payer.id).slice(0, 15);
  const set = [
    "ST*271*0001*005010X279A1",
    `BHT*0022*11*SANDBOX*${day}*${time}`,
    "HL*1**20*1",
    `NM1*PR*2*${text(payer.name).slice(0, 60)}*****PI*${text(payer.id)}`,
    "PER*IC*MEMBER SERVICES*TE*8005550154*UR*https://payer.example",
    "HL*2*1*21*1",
    `NM1*1P*2*PROVIDER*****XX*${npi}`,
    "HL*3*2*22*0",
    ...subscriber,
  ];
  const isa = ["ISA*00*          *00*          *ZZ", sender.padEnd(15), "ZZ*COUNTERSIGN    ", day.slice(2), time];
  return [
    `${isa.join("*")}*^*00501*000000001*0*P*:`,
    `GS*HB*${sender}*COUNTERSIGN*${day}*${time}*1*X*005010X279A1`,
    ...set,
    `SE*${set.length + 1}*0001`,
    "GE*1*1",
    "IEA*1*000000001",
    "",
  ].join("~");
}

function personSegments({ trace, person, records }: Asked271, memberId: string): string[] {
  const { line1, line2, city, state, zipCode } = records?.address ?? person.address ?? {};
  const middle = text(records?.middleName ?? person.middleName ?? "").slice(0, 1);
  const sex = { Male: "M", Female: "F" }[records?.sex ?? person.sex ?? ""];
  const day = (person.birthDate ?? "").replaceAll("-", "");
  return [
    `TRN*2*${text(trace)}*9COUNTERSN`,
    `NM1*IL*1*${text(person.lastName)}*${text(person.firstName)}*${middle}***MI*${text(memberId)}`,
    ...(line1 === undefined ? [] : [trimmed(`N3*${text(line1)}*${text(line2)}`)]),
    ...(city === undefined && state === undefined && zipCode === undefined
      ? []
      : [`N4*${text(city)}*${text(state)}*${text(zipCode)}`]),
    ...(day === "" ? [] : [trimmed(`DMG*D8*${day}*${sex ?? ""}`)]),
    "INS*Y*18*001*25",
  ];
}

function planSegments({ at }: Asked271, plan: SandboxPlan): string[] {
  const year = new Date(at).getUTCFullYear();
  const group = plan.group === undefined ? [] : [trimmed(`REF*6P*${plan.group.join("*")}`)];
  const name = plan.planName ?? "";
  if (plan.status === "inactive") {
    return [
      ...group,
      "DTP*346*D8*20230101",
      "DTP*347*D8*20231231",
      `EB*6*IND*30*${plan.insuranceTypes?.[0] ?? ""}*${name}`,
    ];
  }
  const dates = [`DTP*291*RD8*${year}0101-${year}1231`, `DTP*346*D8*${year}0101`];
  if (plan.status === "indeterminate") return [...group, ...dates, "EB*U*IND*30", ...relatedSegments(plan)];
  return [
    ...group,
    ...(plan.situation === "endedBefore" ? lastYearSegments(year, dates) : dates),
    ...activeSegments(plan, name),
    ...specialSegments(plan),
    ...relatedSegments(plan),
    "MSG*BENEFITS ARE AN EXAMPLE OF THE SANDBOX",
  ];
}

/** Last year's plan, before the dates of this year's below its first line. */
function lastYearSegments(year: number, dates: readonly string[]): string[] {
  const last = [`EB*1*IND*30*HM*LAST YEAR'S PLAN`, `DTP*307*RD8*${year - 1}0101-${year - 1}1231`];
  return [...dates, ...last];
}

/** The benefits of a special situation. */
function specialSegments({ situation }: SandboxPlan): string[] {
  if (situation === "visits")
    return [
      "EB*F*IND*33*PR**23*2500*****Y",
      "EB*F*IND*33*PR**29***VS*12**Y",
      "EB*F*IND*33*PR**29*2000*****Y",
      "EB*B*IND*33*PR**27*25*****Y",
    ];
  if (situation !== "tiers") return [];
  const tier = (name: string, rest: string) => [
    "EB*C*IND*48*PR**23*500*****Y",
    `REF*N6*${name}`,
    `EB*C*IND*48*PR**29*${rest}*****Y`,
    `REF*N6*${name}`,
  ];
  return [...tier("1*PREFERRED", "100"), ...tier("2*STANDARD", "400")];
}

function activeSegments({ coverage, insuranceTypes = [""] }: SandboxPlan, name: string): string[] {
  const [first = ""] = insuranceTypes;
  const lines = (codes: string) => insuranceTypes.map((type) => `EB*1*IND*${codes}*${type}*${name}`);
  if (coverage === "dental")
    return [
      ...lines("35^23^24^25^26"),
      `EB*C*IND*35*${first}**23*50*****Y`,
      `EB*C*IND*35*${first}**29*25*****Y`,
      `EB*A*IND*25*${first}****.2****Y`,
    ];
  if (coverage === "vision") return [...lines("AL^AM"), `EB*B*IND*AL*${first}**27*15*****Y`];
  return [
    ...lines("30^33^47^86^88^98^MH^UC"),
    `EB*C*IND*30*${first}**23*1500*****Y`,
    `EB*C*IND*30*${first}**29*750*****Y`,
    `EB*C*FAM*30*${first}**23*3000*****Y`,
    `EB*G*IND*30*${first}**23*8000*****Y`,
    `EB*G*IND*30*${first}**29*6200*****Y`,
    `EB*B*IND*98*${first}**27*30*****Y`,
    `EB*A*IND*98*${first}****.2****Y`,
    `EB*F*IND*33*${first}**23***VS*20**Y`,
    `EB*C*IND*30*${first}**23*3000*****N`,
    `EB*A*IND*98*${first}****.4****N`,
    `EB*1*IND*MH*${first}`,
  ];
}

/** The segments that name the related entity of the last benefit line. */
function relatedSegments({ related }: SandboxPlan): string[] {
  if (related === undefined) return [];
  const reach = [
    `TE*${related.phone}`,
    ...(related.fax === undefined ? [] : [`FX*${related.fax}`]),
    ...(related.email === undefined ? [] : [`EM*${related.email}`]),
    ...(related.url === undefined ? [] : [`UR*${related.url}`]),
  ];
  return ["LS*2120", `NM1*X3*2*${related.name}`, `PER*IC**${reach.join("*")}`, "LE*2120"];
}

/** Converts a text to what an element may contain: uppercase, without accents and delimiters. */
function text(value: string | undefined): string {
  return (value ?? "")
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^A-Z0-9 &'()+,\-./#]/g, "")
    .trim();
}

function trimmed(segment: string): string {
  return segment.replace(/\*+$/, "");
}
