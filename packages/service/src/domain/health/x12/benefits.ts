import type { EdiBenefit } from "@countersign/contract/health";
import { joinAccumulators } from "./accumulators.ts";
import { type Line, lineOf } from "./benefit-line.ts";
import type { Benefit } from "./loops.ts";

/**
 * Deductibles, out-of-pocket limits, copays, coinsurance and limitations. A total includes its remainder as
 * `remaining`.
 */
export function benefitsOf(benefits: readonly Benefit[]): EdiBenefit[] {
  const lines = withoutRepeats(benefits);
  const joined = joinAccumulators(lines);
  const isNewEntry = newPairs();
  const entries: EdiBenefit[] = [];
  for (const line of lines) {
    const { benefit, role } = line;
    if (role === "used" || role === "exceeded" || joined.has(line)) continue;
    const entry = role === "remaining" ? asRemainder(line.entry) : line.entry;
    if (role === "perUse" || isNewEntry(benefit.serviceTypes.ordered, keyOf(benefit.code, entry))) entries.push(entry);
  }
  return entries;
}

/** A remainder without a total: its amount is the remaining amount. */
function asRemainder({ amount, ...entry }: EdiBenefit): EdiBenefit {
  return amount === undefined ? entry : { ...entry, remaining: amount };
}

/**
 * Removes lines that payers send twice. Prices are duplicates if their entries are equal. Accumulator lines are
 * duplicates if the segment and the notes below it are equal. Of two adjacent equal segments, one without notes is a
 * duplicate.
 */
function withoutRepeats(benefits: readonly Benefit[]): Line[] {
  const lines: Line[] = [];
  const totals = new Map<string, string>();
  for (const benefit of benefits) {
    const line = lineOf(benefit, totals);
    if (line !== undefined) lines.push(line);
  }
  const [isNewEntry, isNewSegment] = [newPairs(), newPairs()];
  return lines.filter((line, at) => {
    const { benefit, role, messages, dates, limits } = line;
    if (role === "perUse") return isNewEntry(benefit.serviceTypes.ordered, keyOf(benefit.code, line.entry));
    const segment = benefit.eb.raw;
    const hasNotes = messages !== "" || dates !== "" || limits !== "";
    const isBeforeCopy = !hasNotes && lines[at + 1]?.benefit.eb.raw === segment;
    return !isBeforeCopy && isNewSegment(segment, hasNotes ? `${messages}\n${dates}\n${limits}` : "");
  });
}

/** Equal entries about the same services have equal keys. Short keys are the fastest to compare. */
function keyOf(code: string, entry: EdiBenefit): string {
  const { level, network, amount = "", percent = "", remaining = "", insuranceTypeCode = "" } = entry;
  const price = `${code}${initial(level)}${initial(network)}${amount}|${percent}`;
  return remaining === "" && insuranceTypeCode === "" ? price : `${price}|${remaining}|${insuranceTypeCode}`;
}

const initial = (word: string | undefined) => word?.charAt(0) ?? "-";

/**
 * Returns a function that tells whether a pair of texts is new. The texts are not joined into one key, because that
 * would copy a large response. A first text with only one partner, the usual case, needs no set.
 */
function newPairs(): (one: string, other: string) => boolean {
  const known = new Map<string, string | Set<string>>();
  return (one, other) => {
    const partners = known.get(one);
    if (partners === undefined) known.set(one, other);
    else if (typeof partners !== "string") return partners.size < partners.add(other).size;
    else if (partners === other) return false;
    else known.set(one, new Set([partners, other]));
    return true;
  };
}
