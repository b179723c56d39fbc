import type { EdiBenefit } from "@countersign/contract/health";
import type { ServiceTypes } from "./codes.ts";
import { amountOf, fractionOf, less } from "./decimal.ts";
import type { Benefit } from "./loops.ts";
import type { Segment } from "./segment.ts";

const types = new Map<string, EdiBenefit["type"]>([
  ["C", "deductible"],
  ["G", "outOfPocket"],
  ["B", "copay"],
  ["A", "coinsurance"],
  ["F", "limitation"],
]);
const individual = new Set(["IND", "EMP", "SPO"]);
const family = new Set(["FAM", "ESP", "ECH", "SPC", "DEP", "CHD", "TWO"]);
/** EB06 codes: which part of an accumulator a line reports. */
const remainingPeriods = new Set(["29", "33"]);
const lifetimePeriods = new Set(["32", "33"]);
const usedPeriod = "24";
const exceededPeriods = new Set(["30", "31"]);
/** Accumulators have totals and remainders. Copay and coinsurance apply per use. */
const accumulators = new Set(["C", "G", "F"]);
/** A remainder is compared with at most this many totals before it and after it. The largest number seen is six. */
const candidatesMax = 50;
/** Maximum number of lines in a group. Only the last lines are compared. */
const groupMax = candidatesMax * 4 + 1;

type Role = "perUse" | "total" | "remaining" | "used" | "none";
/** A benefit line for an entry or a part of one, with the messages and dates under it. */
type Line = {
  index: number;
  eb: Segment;
  serviceTypes: ServiceTypes;
  messages: string;
  dates: string;
  role: Role;
  isLifetime: boolean;
  /** EB04 and EB05: whose accumulator it is. */
  insurance: string;
  plan: string;
  entry: EdiBenefit;
  remaining: string | undefined;
};

/** Deductibles, out-of-pocket limits, copays, coinsurance and limitations. Each total includes its remainder. */
export function benefitsOf(benefits: readonly Benefit[]): EdiBenefit[] {
  const lines = withoutRepeats(benefits);
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    if (line.role === "perUse" || line.role === "none") continue;
    const key = groupKey(line);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  const joined = new Set<Line>();
  for (const group of groups.values()) joinGroup(group.slice(-groupMax), joined);
  const isNew = pairs();
  const entries: EdiBenefit[] = [];
  for (const line of lines) {
    if (line.role === "none" || line.role === "used" || joined.has(line)) continue;
    const entry = entryOf(line);
    if (line.role === "perUse" || isNew(line.serviceTypes.ordered, entryKey(entry))) entries.push(entry);
  }
  return entries;
}

/**
 * Returns a function that checks whether a pair of texts is new. The texts are not joined into one key, because that
 * would copy a large response. A first text with only one partner, the usual case, needs no set.
 */
function pairs(): (one: string, other: string) => boolean {
  const known = new Map<string, string | Set<string>>();
  return (one, other) => {
    const before = known.get(one);
    if (before === undefined) known.set(one, other);
    else if (typeof before === "string") {
      if (before === other) return false;
      known.set(one, new Set([before, other]));
    } else {
      if (before.has(other)) return false;
      before.add(other);
    }
    return true;
  };
}

/**
 * Removes repeated lines. Payers send some lines twice, with the messages and dates under either copy. For copay and
 * coinsurance, only equal entries are repeats.
 */
function withoutRepeats(benefits: readonly Benefit[]): Line[] {
  const [isNewLine, isNewEntry] = [pairs(), pairs()];
  const kept: Line[] = [];
  let bare: Source | null = null;
  const keep = (source: Source) => {
    const { text, messages, dates } = source;
    const under = messages === "" && dates === "" ? "" : `${messages}\n${dates}`;
    if (isNewLine(text, under)) kept.push(lineOf(source, kept.length));
  };
  for (const benefit of benefits) {
    const type = types.get(benefit.code);
    if (type === undefined) continue;
    const isPerUse = !accumulators.has(benefit.code);
    const { messages, dates } = isPerUse ? nothing : beneath(benefit.segments);
    const source = { benefit, type, text: benefit.eb.raw, messages, dates };
    if (bare !== null && bare.text !== source.text) keep(bare);
    bare = !isPerUse && messages === "" && dates === "" ? source : null;
    if (isPerUse) {
      const line = lineOf(source, kept.length);
      if (isNewEntry(line.serviceTypes.ordered, entryKey(line.entry))) kept.push(line);
    } else if (bare === null) keep(source);
  }
  if (bare !== null) keep(bare);
  return kept;
}

type Under = { messages: string; dates: string };
const nothing: Under = { messages: "", dates: "" };
type Source = Under & { benefit: Benefit; type: EdiBenefit["type"]; text: string };

/** The messages and dates under a line. */
function beneath(segments: readonly Segment[]): Under {
  if (segments.length === 0) return nothing;
  let messages: string | undefined;
  let dates: string | undefined;
  for (const segment of segments) {
    if (segment.id === "MSG") messages = lineAfter(messages, segment.element(1));
    else if (segment.id === "DTP") dates = lineAfter(dates, segment.raw);
  }
  return { messages: messages ?? "", dates: dates ?? "" };
}
const lineAfter = (text: string | undefined, line: string) => (text === undefined ? line : `${text}\n${line}`);

function lineOf({ benefit, type, messages, dates }: Source, index: number): Line {
  const { eb, code, serviceTypes } = benefit;
  const period = eb.element(6);
  const insurance = eb.element(4);
  const isLifetime = lifetimePeriods.has(period);
  const role = roleOf(code, period);
  const entry: EdiBenefit = { type };
  if (serviceTypes.codes.length > 0) entry.serviceTypeCodes = serviceTypes.codes;
  if (insurance !== "") entry.insuranceTypeCode = insurance;
  const level = levelOf(eb.element(2));
  if (level !== undefined) entry.level = level;
  const network = networkOf(eb.element(12));
  if (network !== undefined) entry.network = network;
  const amount = amountOf(eb.element(7));
  if (amount !== undefined) entry.amount = amount;
  const percent = fractionOf(eb.element(8));
  if (percent !== undefined) entry.percent = percent;
  const plan = eb.element(5);
  return { index, eb, serviceTypes, messages, dates, role, isLifetime, insurance, plan, entry, remaining: undefined };
}

function roleOf(code: string, period: string): Role {
  if (!accumulators.has(code)) return "perUse";
  if (exceededPeriods.has(period)) return "none";
  if (remainingPeriods.has(period)) return "remaining";
  return period === usedPeriod ? "used" : "total";
}

function levelOf(code: string): string | undefined {
  if (individual.has(code)) return "individual";
  return family.has(code) ? "family" : undefined;
}

function networkOf(code: string): string | undefined {
  if (code === "Y") return "in";
  return code === "N" ? "out" : undefined;
}

/** Lines with the same key are about one accumulator or its copies. */
function groupKey({ eb, serviceTypes, entry }: Line): string {
  return `${entry.type}|${entry.level}|${eb.element(12)}|${serviceTypes.unordered}|${eb.element(13)}`;
}

function entryOf({ entry, role, remaining }: Line): EdiBenefit {
  if (role === "remaining") {
    const { amount, ...rest } = entry;
    return amount === undefined ? rest : { ...rest, remaining: amount };
  }
  if (remaining !== undefined) entry.remaining = remaining;
  return entry;
}

/**
 * Equal entries about the same services have the same key. Only the last part is payer text, so different entries
 * cannot have the same key.
 */
function entryKey({ type, level, network, amount, percent, remaining, insuranceTypeCode }: EdiBenefit): string {
  return `${type}|${level}|${network}|${amount}|${percent}|${remaining}|${insuranceTypeCode}`;
}

/** Adds each remainder to its total. If no remainder is stated, it is the total minus the used amount. */
function joinGroup(group: readonly Line[], joined: Set<Line>): void {
  const totals = group.filter(({ role }) => role === "total");
  if (totals.length === 0 || totals.length === group.length) return;
  for (const role of ["remaining", "used"] as const) {
    for (const line of group) {
      if (line.role !== role || line.entry.amount === undefined) continue;
      const total = best(line, totals);
      if (total === undefined) continue;
      if (role === "remaining") total.remaining = line.entry.amount;
      else if (total.entry.amount !== undefined) total.remaining = less(total.entry.amount, line.entry.amount);
      joined.add(line);
    }
  }
}

function best(line: Line, totals: readonly Line[]): Line | undefined {
  const free = totals.filter(
    (total) =>
      total.remaining === undefined &&
      total.isLifetime === line.isLifetime &&
      agree(total.insurance, line.insurance) &&
      agree(total.plan, line.plan),
  );
  const before = free.filter(({ index }) => index < line.index).slice(-candidatesMax);
  const after = free.filter(({ index }) => index > line.index).slice(0, candidatesMax);
  // Nearest before, then nearest after. A more similar total wins.
  const byDistance = [...before.reverse(), ...after];
  const likeness = (total: Line) =>
    (total.messages === line.messages ? 4 : 0) +
    (total.dates === line.dates ? 2 : 0) +
    (total.insurance === line.insurance && total.plan === line.plan ? 1 : 0);
  return byDistance.reduce<Line | undefined>(
    (found, total) => (found === undefined || likeness(total) > likeness(found) ? total : found),
    undefined,
  );
}

/** Two accumulators are different if both name an owner and the owners differ. */
const agree = (one: string, other: string) => one === other || one === "" || other === "";
