import type { EdiBenefit } from "@countersign/contract/health";
import { less } from "./x12/decimal.ts";

/** Maximum number of items. A payer's longest answer has some 300 service types in as many benefits. */
const itemsMax = 5_000;
/** A float is exact up to this many digits. */
const exactDigitsMax = 15;

/** Our kinds, with X12's code (EB01) and HL7's code, if HL7 has one with that meaning. */
const kinds = {
  deductible: { x12: "C", hl7: "deductible" },
  outOfPocket: { x12: "G", hl7: undefined },
  copay: { x12: "B", hl7: "copay" },
  coinsurance: { x12: "A", hl7: "copay-percent" },
  limitation: { x12: "F", hl7: "benefit" },
} as const satisfies Record<EdiBenefit["type"], { x12: string; hl7: string | undefined }>;

type Item = { code: string | undefined; network: string | undefined; level: string | undefined; benefits: Fhir[] };

/** An item for each service type, network and level, with its benefits. */
export function insuranceItems(benefits: readonly EdiBenefit[]): Fhir[] {
  const items = new Map<string, Item>();
  for (const benefit of benefits) {
    const { serviceTypeCodes = [], network, level } = benefit;
    for (const code of serviceTypeCodes.length === 0 ? [undefined] : serviceTypeCodes) {
      const key = [code, network, level].join("|");
      const item = items.get(key) ?? { code, network, level, benefits: [] };
      if (items.size >= itemsMax && item.benefits.length === 0) continue;
      items.set(key, item);
      item.benefits.push(benefitOf(benefit));
    }
  }
  return [...items.values()].map(({ code, network, level, benefits: listed }) =>
    without({
      category: code === undefined ? undefined : { coding: [codeIn("serviceType", code)] },
      network: network === undefined ? undefined : { coding: [codeIn("network", network)] },
      unit: level === undefined ? undefined : { coding: [codeIn("unit", level)] },
      benefit: listed,
    }),
  );
}

function benefitOf({ type, amount, remaining, percent }: EdiBenefit): Fhir {
  const { x12, hl7 } = kinds[type];
  const coding = [...(hl7 === undefined ? [] : [codeIn("benefitType", hl7)]), codeIn("information", x12)];
  const allowed = moneyOf(amount);
  const used = amount === undefined || remaining === undefined ? undefined : moneyOf(less(amount, remaining));
  const share = percent === undefined ? undefined : percentOf(percent);
  return without({
    type: { coding },
    allowedMoney: allowed,
    usedMoney: used,
    ...(allowed === undefined ? share : {}),
    // Without a total, the rest cannot be told as used.
    ...(amount === undefined && remaining !== undefined ? { allowedString: `${remaining} USD remaining` } : {}),
  });
}

function moneyOf(amount: string | undefined): Fhir | undefined {
  if (amount === undefined || amount.replace(/\D/g, "").length > exactDigitsMax) return undefined;
  return { value: Number(amount), currency: "USD" };
}

/** A share such as 0.20 as a percentage: a whole number, or a text. */
function percentOf(fraction: string): Fhir {
  const [whole = "0", digits = ""] = fraction.split(".");
  const padded = digits.padEnd(2, "0");
  const percent = Number(`${whole}${padded.slice(0, 2)}`);
  const rest = padded.slice(2).replace(/0+$/, "");
  return rest === "" ? { allowedUnsignedInt: percent } : { allowedString: `${percent}.${rest} %` };
}

/** A part of a FHIR resource. */
export type Fhir = { [element: string]: unknown };

/** The code systems of FHIR R4, HL7 and X12 that the resources use. */
const systems = {
  benefitType: "http://terminology.hl7.org/CodeSystem/benefit-type",
  coverageClass: "http://terminology.hl7.org/CodeSystem/coverage-class",
  identifierType: "http://terminology.hl7.org/CodeSystem/v2-0203",
  network: "http://terminology.hl7.org/CodeSystem/benefit-network",
  organizationType: "http://terminology.hl7.org/CodeSystem/organization-type",
  unit: "http://terminology.hl7.org/CodeSystem/benefit-unit",
  /** EB01. */
  information: "https://codesystem.x12.org/005010/1390",
  /** EB03. */
  serviceType: "https://codesystem.x12.org/005010/1365",
  /** EB04. */
  insuranceType: "https://codesystem.x12.org/005010/1336",
  /** AAA03. */
  rejection: "https://codesystem.x12.org/005010/901",
} as const;

export const codeIn = (system: keyof typeof systems, code: string): Fhir => ({ system: systems[system], code });

/** Omits elements without a value, because FHIR allows no empty ones. */
export function without(parts: Fhir): Fhir {
  const isEmpty = (value: unknown) =>
    value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => !isEmpty(value)));
}
