import type { Line } from "./benefit-line.ts";
import { less } from "./decimal.ts";

/** EB06 codes of lifetime totals and remainders. */
const lifetimePeriods = new Set(["32", "33"]);
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
    if (line.role === "perUse" || line.role === "exceeded") continue;
    const { code, eb, serviceTypes } = line.benefit;
    const key = `${code}${line.entry.level?.charAt(0)}|${eb.element(12)}|${eb.element(13)}`;
    const ofServices = byServices.get(serviceTypes.unordered) ?? new Map<string, Line[]>();
    if (ofServices.size === 0) byServices.set(serviceTypes.unordered, ofServices);
    const group = ofServices.get(key);
    if (group === undefined) ofServices.set(key, [line]);
    else group.push(line);
  }
  return [...byServices.values()].flatMap((ofServices) => [...ofServices.values()]);
}

/** A line of a group, and its position in the group. `plan` is EB05. */
type Member = { line: Line; position: number; isLifetime: boolean; plan: string };

function memberOf(line: Line, position: number): Member {
  const { eb } = line.benefit;
  return { line, position, plan: eb.element(5), isLifetime: lifetimePeriods.has(eb.element(6)) };
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
    part.isLifetime === total.isLifetime && agree(insuranceOf(part), insuranceOf(total)) && agree(part.plan, total.plan)
  );
}

/** Whether two values do not contradict each other: they are equal, or one is empty. */
const agree = (one: string, other: string) => one === other || one === "" || other === "";

function similarity(part: Member, total: Member): number {
  const hasSameOwner = insuranceOf(part) === insuranceOf(total) && part.plan === total.plan;
  return (
    (part.line.messages === total.line.messages ? 4 : 0) +
    (part.line.dates === total.line.dates ? 2 : 0) +
    (hasSameOwner ? 1 : 0)
  );
}

const insuranceOf = ({ line }: Member) => line.entry.insuranceTypeCode ?? "";
