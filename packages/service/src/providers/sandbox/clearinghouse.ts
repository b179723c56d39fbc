import type { Clearinghouse, FoundCoverage, InsuredPerson } from "../../domain/ports.ts";
import { type Asked271, composePlan271, composeRejection271 } from "./edi271.ts";
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
    async check({ trace, at, payer, npi, person, memberId }) {
      const records = insuredOf(person);
      const asked: Asked271 = { trace, at, payer, npi, person, ...(records === undefined ? {} : { records }) };
      const plan = planOf(person, payer.id, memberId);
      if (plan === undefined) return { kind: "answered", x12: composeRejection271(asked, memberId, notFound) };
      return { kind: "answered", x12: composePlan271(asked, memberId ?? plan.memberId, plan) };
    },
  };
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
