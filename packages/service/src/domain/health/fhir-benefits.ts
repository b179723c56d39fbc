import type { EdiBenefit } from "@countersign/contract/health";
import { codeIn, type Fhir, without } from "./fhir-types.ts";
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
