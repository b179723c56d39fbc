import type { EdiBenefit } from "@countersign/contract/health";
import { splitCodes } from "./codes.ts";
import { amountOf, fractionOf, less } from "./decimal.ts";
import { all, type Benefit } from "./loops.ts";
import { element, type Segment } from "./segments.ts";

const types: Record<string, EdiBenefit["type"]> = {
  C: "deductible",
  G: "outOfPocket",
  B: "copay",
  A: "coinsurance",
  F: "limitation",
};
const individual = new Set(["IND", "EMP", "SPO"]);
const family = new Set(["FAM", "ESP", "ECH", "SPC", "DEP", "CHD", "TWO"]);
/** EB06: what of an accumulator a line tells. */
const remainingPeriods = new Set(["29", "33"]);
const usedPeriod = "24";
const exceededPeriods = new Set(["30", "31"]);
/** Accumulators have totals and remainders; copay and coinsurance are per use. */
const accumulators = new Set(["C", "G", "F"]);
/** How many totals of one kind a remainder is compared with; the most seen is six. */
const candidatesMax = 50;

type Role = "total" | "remaining" | "used" | "none";
type Line = {
  index: number;
  eb: Segment;
  role: Role;
  key: string;
  messages: string;
  dates: string;
  entry: EdiBenefit;
  remaining?: string;
};

/** Deductibles, out-of-pocket limits, copays, coinsurance and limitations, each total with what is left of it. */
export function benefitsOf(benefits: readonly Benefit[]): EdiBenefit[] {
  const lines = withoutRepeats(benefits.flatMap(lineOf));
  const groups = new Map<string, Line[]>();
  for (const line of lines) groups.set(line.key, [...(groups.get(line.key) ?? []).slice(-candidatesMax * 4), line]);
  const joined = new Set<Line>();
  for (const group of groups.values()) joinGroup(group, joined);
  const entries = lines.flatMap((line) => {
    if (line.role === "none" || line.role === "used" || joined.has(line)) return [];
    const { amount, ...rest } = line.entry;
    if (line.role === "remaining") return [{ ...rest, ...(amount === undefined ? {} : { remaining: amount }) }];
    return [{ ...line.entry, ...(line.remaining === undefined ? {} : { remaining: line.remaining }) }];
  });
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const text = JSON.stringify(entry);
    return !seen.has(text) && seen.add(text);
  });
}

function lineOf(benefit: Benefit, index: number): Line[] {
  const { eb, segments } = benefit;
  const code = element(eb, 1);
  const type = types[code];
  if (type === undefined) return [];
  const codes = splitCodes(element(eb, 3));
  const level = levelOf(element(eb, 2));
  const network = { Y: "in", N: "out" }[element(eb, 12)];
  const amount = amountOf(element(eb, 7));
  const percent = fractionOf(element(eb, 8));
  const insuranceTypeCode = element(eb, 4);
  const entry: EdiBenefit = {
    type,
    ...(codes.length === 0 ? {} : { serviceTypeCodes: codes }),
    ...(insuranceTypeCode === "" ? {} : { insuranceTypeCode }),
    ...(level === undefined ? {} : { level }),
    ...(network === undefined ? {} : { network }),
    ...(amount === undefined ? {} : { amount }),
    ...(percent === undefined ? {} : { percent }),
  };
  const messages = all(segments, "MSG").map((msg) => element(msg, 1));
  const dates = all(segments, "DTP").map((dtp) => dtp.join("*"));
  const key = [type, level, element(eb, 12), [...codes].sort().join(","), element(eb, 13)].join("|");
  const role = roleOf(code, element(eb, 6));
  return [{ index, eb, role, key, messages: messages.join("\n"), dates: dates.join("\n"), entry }];
}

function roleOf(code: string, period: string): Role {
  if (!accumulators.has(code)) return "total";
  if (exceededPeriods.has(period)) return "none";
  if (remainingPeriods.has(period)) return "remaining";
  return period === usedPeriod ? "used" : "total";
}

function levelOf(code: string): string | undefined {
  if (individual.has(code)) return "individual";
  return family.has(code) ? "family" : undefined;
}

/** A line that payers send twice counts once: what follows it may stand after either copy. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  const seen = new Set<string>();
  const kept: Line[] = [];
  for (const [at, line] of lines.entries()) {
    const text = line.eb.join("*");
    const next = lines[at + 1];
    const bare = line.messages === "" && line.dates === "";
    if (bare && next !== undefined && next.eb.join("*") === text) continue;
    const whole = `${text}\n${line.messages}\n${line.dates}`;
    if (seen.has(whole)) continue;
    seen.add(whole);
    kept.push(line);
  }
  return kept;
}

/** Gives each remainder to the total it is of; what was used counts where no remainder is stated. */
function joinGroup(group: readonly Line[], joined: Set<Line>): void {
  const totals = group.filter(({ role }) => role === "total");
  if (totals.length === 0) return;
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
  const lifetime = (period: string) => period === "32" || period === "33";
  const free = totals.filter(
    (total) =>
      total.remaining === undefined &&
      lifetime(element(total.eb, 6)) === lifetime(element(line.eb, 6)) &&
      agree(total.eb, line.eb, 4) &&
      agree(total.eb, line.eb, 5),
  );
  const before = free.filter(({ index }) => index < line.index).slice(-candidatesMax);
  const after = free.filter(({ index }) => index > line.index).slice(0, candidatesMax);
  // Nearest before, then nearest after; a better likeness comes first.
  const byDistance = [...before.reverse(), ...after];
  const likeness = (total: Line) =>
    (total.messages === line.messages ? 4 : 0) +
    (total.dates === line.dates ? 2 : 0) +
    (same(total.eb, line.eb, 4) && same(total.eb, line.eb, 5) ? 1 : 0);
  return byDistance.reduce<Line | undefined>(
    (found, total) => (found === undefined || likeness(total) > likeness(found) ? total : found),
    undefined,
  );
}

const same = (a: Segment, b: Segment, position: number) => element(a, position) === element(b, position);
/** Two accumulators that both say whose they are, differently, are two. */
const agree = (a: Segment, b: Segment, position: number) =>
  same(a, b, position) || element(a, position) === "" || element(b, position) === "";
