import type { Line } from "./benefit-line.ts";
import { less } from "./decimal.ts";

/** A part is compared with at most this many totals before it and after it. The most seen so far is six. */
const candidatesMax = 50;
/** Maximum number of lines in a group. Only the last lines are compared. */
const groupMax = candidatesMax * 4 + 1;

/**
 * Payers state an accumulator in several lines: its total, and the remaining or used amount. Finds the total of each
 * such part and sets `remaining` on it. Returns the parts that were joined to a total.
 */
export function joinAccumulators(lines: readonly Line[]): Set<Line> {
  const joined = new Set<Line>();
  for (const group of groupsOf(lines)) {
    const members = group.slice(-groupMax).map(memberOf);
    const totals = members.filter(({ line }) => line.role === "total");
    if (totals.length > 0 && totals.length < members.length) joinGroup(members, totals, joined);
  }
  return joined;
}

/** Groups the lines about one accumulator. Groups by services first, because service texts can be long. */
function groupsOf(lines: readonly Line[]): Line[][] {
  const byServices = new Map<string, Map<string, Line[]>>();
  for (const line of lines) {
    if (line.role === "perUse" || line.role === "perEvent" || line.role === "exceeded") continue;
    const { serviceTypes } = line.benefit;
    const ofServices = byServices.get(serviceTypes.unordered) ?? new Map<string, Line[]>();
    if (ofServices.size === 0) byServices.set(serviceTypes.unordered, ofServices);
    const group = ofServices.get(line.total);
    if (group === undefined) ofServices.set(line.total, [line]);
    else group.push(line);
  }
  return [...byServices.values()].flatMap((ofServices) => [...ofServices.values()]);
}

/** A line of a group, and its position in the group. `plan` is EB05. */
type Member = { line: Line; position: number; plan: string };

function memberOf(line: Line, position: number): Member {
  return { line, position, plan: line.benefit.eb.element(5) };
}

/** Uses stated remainders first. If there is none, the remainder is the total minus the used amount. */
function joinGroup(members: readonly Member[], totals: readonly Member[], joined: Set<Line>): void {
  for (const role of ["remaining", "used"] as const)
    for (const part of members) {
      const { amount } = part.line.entry;
      if (part.line.role !== role || amount === undefined) continue;
      const total = totalOf(part, totals)?.line.entry;
      if (total === undefined) continue;
      if (role === "remaining") total.remaining = amount;
      else if (total.amount !== undefined) total.remaining = less(total.amount, amount);
      joined.add(part.line);
    }
}

/**
 * The most similar total that has no remainder yet. Among equals, the nearest before the part, then the nearest after
 * it.
 */
function totalOf(part: Member, totals: readonly Member[]): Member | undefined {
  const free = totals.filter((total) => total.line.entry.remaining === undefined && mayBelong(part, total));
  const before = free.filter(({ position }) => position < part.position).slice(-candidatesMax);
  const after = free.filter(({ position }) => position > part.position).slice(0, candidatesMax);
  let best: Member | undefined;
  for (const total of [...before.reverse(), ...after])
    if (best === undefined || similarity(part, total) > similarity(part, best)) best = total;
  return best;
}

function mayBelong(part: Member, total: Member): boolean {
  return (
    (part.line.period === "lifetime") === (total.line.period === "lifetime") &&
    agree(insuranceOf(part), insuranceOf(total)) &&
    agree(part.plan, total.plan) &&
    areAgreeing(part.line, total.line)
  );
}

/** Whether no text, date or other limit below one line contradicts the other line. */
function areAgreeing(one: Line, other: Line): boolean {
  return (
    agree(one.messages, other.messages) &&
    agreeByQualifier(one.dates, other.dates) &&
    agreeByQualifier(one.limits, other.limits) &&
    hasPlace(one) === hasPlace(other)
  );
}

/** Whether a line holds only for a place of service or a diagnosis. Payers repeat these below every part. */
const hasPlace = ({ limits }: Line) => limits.startsWith("III") || limits.includes("\nIII");

/** Whether segments with the same id and qualifier are equal. Segments of different kinds limit different things. */
function agreeByQualifier(one: string, other: string): boolean {
  if (agree(one, other)) return true;
  const [ofOne, ofOther] = [byQualifier(one), byQualifier(other)];
  return [...ofOne].every(([qualifier, text]) => agree(text, ofOther.get(qualifier) ?? ""));
}

function byQualifier(lines: string): Map<string, string> {
  const known = new Map<string, string>();
  for (const line of lines.split("\n")) {
    // HSD has no qualifier.
    const qualifier = /^(?:HSD|[A-Z0-9]+[^A-Za-z0-9][A-Za-z0-9]*)/.exec(line)?.[0] ?? line;
    known.set(qualifier, `${known.get(qualifier) ?? ""}${line}`);
  }
  return known;
}

/** Whether two values do not contradict each other: they are equal, or one is empty. */
const agree = (one: string, other: string) => one === other || one === "" || other === "";

function similarity(part: Member, total: Member): number {
  const hasSameOwner = insuranceOf(part) === insuranceOf(total) && part.plan === total.plan;
  return (
    (total.line.period === "episode" ? 0 : 16) +
    (part.line.limits === total.line.limits ? 8 : 0) +
    (part.line.messages === total.line.messages ? 4 : 0) +
    (part.line.dates === total.line.dates ? 2 : 0) +
    (hasSameOwner ? 1 : 0)
  );
}

const insuranceOf = ({ line }: Member) => line.entry.insuranceTypeCode ?? "";
