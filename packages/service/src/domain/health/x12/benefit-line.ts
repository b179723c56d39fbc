import type { EdiBenefit } from "@countersign/contract/health";
import { amountOf, fractionOf } from "./decimal.ts";
import type { Benefit } from "./loops.ts";

/** What a line states: a price for each use, or a part of an accumulator, which has a total and a remainder. */
export type Role = "perUse" | "total" | "remaining" | "used" | "exceeded";

/** An EB segment that states a benefit. */
export type Line = {
  benefit: Benefit;
  role: Role;
  /** The segment as a benefit. `role` tells what its amount means. */
  entry: EdiBenefit;
  /** The texts and dates below an accumulator's segment, one per line. Empty for prices, whose notes are ignored. */
  messages: string;
  dates: string;
};

/** EB01 codes of benefits. Codes of other segments, such as active coverage, are absent. */
const types = new Map<string, EdiBenefit["type"]>([
  ["C", "deductible"],
  ["G", "outOfPocket"],
  ["B", "copay"],
  ["A", "coinsurance"],
  ["F", "limitation"],
]);
const accumulators = new Set(["C", "G", "F"]);

/** EB02 codes. */
const individuals = new Set(["IND", "EMP", "SPO"]);
const families = new Set(["FAM", "ESP", "ECH", "SPC", "DEP", "CHD", "TWO"]);

/** EB06 codes: which part of an accumulator a line states. Every other code is a total. */
const parts = new Map<string, Role>([
  ["24", "used"],
  ["29", "remaining"],
  ["30", "exceeded"],
  ["31", "exceeded"],
  ["33", "remaining"],
]);

/** The line of an EB segment; undefined if the segment states no benefit. */
export function lineOf(benefit: Benefit): Line | undefined {
  const type = types.get(benefit.code);
  if (type === undefined) return undefined;
  const entry = entryOf(benefit, type);
  if (!accumulators.has(benefit.code)) return { benefit, role: "perUse", entry, messages: "", dates: "" };
  const role = parts.get(benefit.eb.element(6)) ?? "total";
  return { benefit, role, entry, messages: textsBelow(benefit, "MSG"), dates: textsBelow(benefit, "DTP") };
}

function entryOf({ eb, serviceTypes }: Benefit, type: EdiBenefit["type"]): EdiBenefit {
  // Read elements in their order, because that is one pass over the segment.
  const level = levelOf(eb.element(2));
  const insurance = eb.element(4);
  const amount = amountOf(eb.element(7));
  const percent = fractionOf(eb.element(8));
  const network = networkOf(eb.element(12));
  const entry: EdiBenefit = { type };
  if (serviceTypes.codes.length > 0) entry.serviceTypeCodes = serviceTypes.codes;
  if (insurance !== "") entry.insuranceTypeCode = insurance;
  if (level !== undefined) entry.level = level;
  if (network !== undefined) entry.network = network;
  if (amount !== undefined) entry.amount = amount;
  if (percent !== undefined) entry.percent = percent;
  return entry;
}

function levelOf(code: string): string | undefined {
  if (individuals.has(code)) return "individual";
  return families.has(code) ? "family" : undefined;
}

function networkOf(code: string): string | undefined {
  if (code === "Y") return "in";
  return code === "N" ? "out" : undefined;
}

/** The texts of the segments with this id, a line each. */
function textsBelow({ segments }: Benefit, id: "MSG" | "DTP"): string {
  let lines: string | undefined;
  for (const segment of segments) {
    if (segment.id !== id) continue;
    const text = id === "MSG" ? segment.element(1) : segment.raw;
    lines = lines === undefined ? text : `${lines}\n${text}`;
  }
  return lines ?? "";
}
