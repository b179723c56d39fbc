import type { EdiBenefit } from "@countersign/contract/health";
import { amountOf, fractionOf } from "./decimal.ts";
import type { Benefit } from "./loops.ts";

/**
 * What a line states: a price for each use, or a part of an accumulator, which has a total and a remainder. `perEvent`:
 * a limit for each visit, day or admission, of which nothing remains.
 */
export type BenefitRole = "perUse" | "perEvent" | "total" | "remaining" | "used" | "exceeded";

/** An EB segment that states a benefit. */
export type Line = {
  benefit: Benefit;
  role: BenefitRole;
  /** The segment as a benefit. `role` tells what its amount means. */
  entry: EdiBenefit;
  period: "lifetime" | "episode" | "other";
  /** What the parts of one total have in common, besides the services: kind, level, network, procedure and unit. */
  total: string;
  /**
   * What limits an accumulator, from the segments below it, one per line: texts (MSG), dates (DTP), and the rest, such
   * as a place of service (III) or a tier (REF). Empty for prices, whose notes are ignored.
   */
  messages: string;
  dates: string;
  limits: string;
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

/** EB06 codes: which part of an accumulator a line states. Every other code is a limit for each event. */
const parts = new Map<string, BenefitRole>([
  ["", "total"],
  ["21", "total"],
  ["22", "total"],
  ["23", "total"],
  ["24", "used"],
  ["25", "total"],
  // Medicare's deductible of an episode has a remainder.
  ["26", "total"],
  ["29", "remaining"],
  ["30", "exceeded"],
  ["31", "exceeded"],
  ["32", "total"],
  ["33", "remaining"],
]);

/** EB06 codes of totals and remainders that differ from the usual ones, which are about a year. */
const periods = new Map<string, Line["period"]>([
  ["32", "lifetime"],
  ["33", "lifetime"],
  // A remainder belongs to an episode only if no yearly total has it.
  ["26", "episode"],
]);

/**
 * The line of an EB segment. `known`: the texts of `total` so far. A response has many lines with few of them.
 * Undefined if the segment states no benefit, or one of a single procedure.
 */
export function lineOf(benefit: Benefit, known: Map<string, string>): Line | undefined {
  const type = types.get(benefit.code);
  const { eb, serviceTypes } = benefit;
  // A benefit cannot name a procedure, and without a name it would seem to be about every service.
  if (type === undefined || serviceTypes.isProcedure) return undefined;
  // Read elements in their order, because that is one pass over the segment.
  const levelCode = eb.element(2);
  const level = levelOf(levelCode);
  const insurance = eb.element(4);
  const timePeriod = eb.element(6);
  const amount = amountOf(eb.element(7));
  const percent = fractionOf(eb.element(8));
  const isAccumulator = accumulators.has(benefit.code);
  const isQuantity = isAccumulator && amount === undefined && (eb.element(9) !== "" || eb.element(10) !== "");
  const networkCode = eb.element(12);
  const network = networkOf(networkCode);
  const entry: EdiBenefit = { type };
  if (serviceTypes.codes.length > 0) entry.serviceTypeCodes = serviceTypes.codes;
  if (insurance !== "") entry.insuranceTypeCode = insurance;
  if (level !== undefined) entry.level = level;
  if (network !== undefined) entry.network = network;
  if (amount !== undefined) entry.amount = amount;
  if (percent !== undefined) entry.percent = percent;
  if (!isAccumulator)
    return { benefit, role: "perUse", entry, period: "other", total: "", messages: "", dates: "", limits: "" };
  const key = `${benefit.code}${levelCode}|${networkCode}|${eb.element(13)}|${isQuantity ? eb.element(9) : "$"}`;
  const total = known.get(key) ?? key;
  if (total === key) known.set(key, key);
  const role = parts.get(timePeriod) ?? "perEvent";
  const period = periods.get(timePeriod) ?? "other";
  const line: Line = { benefit, role, entry, period, total, messages: "", dates: "", limits: "" };
  if (benefit.segments.length > 0 || benefit.entities.length > 0) addNotes(line);
  return line;
}

function levelOf(code: string): string | undefined {
  if (individuals.has(code)) return "individual";
  return families.has(code) ? "family" : undefined;
}

function networkOf(code: string): string | undefined {
  if (code === "Y") return "in";
  return code === "N" ? "out" : undefined;
}

const limiting = new Set(["III", "REF", "HSD"]);

function addNotes(line: Line): void {
  const { segments, entities } = line.benefit;
  for (const segment of segments) {
    const { id } = segment;
    if (id === "MSG") line.messages = withLine(line.messages, segment.element(1));
    else if (id === "DTP") line.dates = withLine(line.dates, segment.raw);
    else if (limiting.has(id)) line.limits = withLine(line.limits, segment.raw);
  }
  for (const { nm1 } of entities) line.limits = withLine(line.limits, nm1.raw);
}

const withLine = (text: string, line: string) => (text === "" ? line : `${text}\n${line}`);
