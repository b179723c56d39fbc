import type { ParsedEdi271 } from "@countersign/contract/health";
import { benefitsOf } from "./benefits.ts";
import { coverageTypesOf, wholePlan } from "./codes.ts";
import { contactsOf, segmentName } from "./contacts.ts";
import { periodOf } from "./dates.ts";
import { all, type Benefit, first, type Level, type Rejection, readLoops } from "./loops.ts";
import { memberOf } from "./member.ts";
import { aboveOf, pickPatient, type SoughtPatient } from "./patient.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { element, type Segment } from "./segment.ts";
import { decodeX12, readSegments } from "./segments.ts";
import { transactions271 } from "./transactions.ts";

export type Eligibility = {
  eligibility: ParsedEdi271;
  /** AAA segments: what the payer rejected, and in which loop. */
  rejections: Rejection[];
  /** Names of all entities inside benefits, for network rules. */
  relatedEntities: string[];
  /** The number of benefit lines. A rejection with no benefit lines is the payer's whole answer. */
  lines: number;
};

/**
 * Parses the bytes of a 271.
 * @throws X12Error if they contain no 271
 */
export function read271(bytes: Uint8Array, sought: SoughtPatient = {}): Eligibility {
  return readAnswer(bytes, sought).read;
}

/**
 * Parses an answer to a question. `isOurs`: it is about the person who was asked about. `hasOthers`: it also names people
 * who are neither that person nor the subscriber.
 */
export function readAnswer(
  bytes: Uint8Array,
  sought: SoughtPatient,
): { read: Eligibility; isOurs: boolean; hasOthers: boolean } {
  const trees = transactions271(readSegments(decodeX12(bytes))).map(readLoops);
  const patient = pickPatient(trees, sought);
  const [tree = { levels: [], rejections: [], responseDate: "" }] = patient === null ? trees : [patient.tree];
  const { level = null, subscriber = null, isOurs = false, hasOthers = false } = patient ?? {};
  const benefits = level === null ? [] : level.benefits.length > 0 ? level.benefits : (subscriber?.benefits ?? []);
  const source =
    (level === null ? null : aboveOf(level, "20")) ?? tree.levels.find(({ kind }) => kind === "20") ?? null;
  const scope = scopeOf(benefits, { response: tree.responseDate, asked: sought.date });
  const read = {
    eligibility: eligibilityOf({ level, subscriber, benefits, source, scope }),
    lines: benefits.length,
    rejections: tree.rejections,
    relatedEntities: relatedEntities(benefits),
  };
  return { read, isOurs, hasOthers };
}

type Parts = {
  level: Level | null;
  subscriber: Level | null;
  benefits: readonly Benefit[];
  source: Level | null;
  scope: Scope;
};

function eligibilityOf({ level, subscriber, benefits, source, scope }: Parts): ParsedEdi271 {
  const services = new Set(scope.active.map(({ serviceTypes }) => serviceTypes));
  const codes = distinct([...services].flatMap((one) => one.codes));
  const coverageType =
    scope.active.length === 0 ? [] : isDentalOnly(scope.active) ? ["dental" as const] : coverageTypesOf(codes);
  const payer = segmentName(first(source?.head ?? [], "NM1"));
  const member = level === null ? undefined : memberOf(level, subscriber);
  const plan = planOf({ level, subscriber, scope });
  const entries = benefitsOf(benefits);
  const contacts = contactsOf(source, benefits);
  return {
    coverageStatus: scope.coverageStatus,
    ...(coverageType.length === 0 ? {} : { coverageType }),
    ...(codes.length === 0 ? {} : { serviceTypeCodes: codes }),
    ...(payer === undefined ? {} : { payer: { name: payer } }),
    ...(member === undefined ? {} : { member }),
    ...(plan === undefined ? {} : { plan }),
    ...(entries.length === 0 ? {} : { benefits: entries }),
    ...(contacts.length === 0 ? {} : { contacts }),
  };
}

/** Whether every line is about a dental procedure. */
function isDentalOnly(lines: readonly Benefit[]): boolean {
  return lines.every(({ eb, serviceTypes }) => serviceTypes.isProcedure && /^(AD|HC.[Dd]\d)/.test(eb.element(13)));
}

function relatedEntities(benefits: readonly Benefit[]): string[] {
  const names = new Set<string>();
  for (const { entities } of benefits)
    for (const { nm1 } of entities) {
      const name = segmentName(nm1);
      if (name !== undefined) names.add(name);
    }
  return [...names];
}

function planOf({ level, subscriber, scope }: Pick<Parts, "level" | "subscriber" | "scope">): ParsedEdi271["plan"] {
  const { active, inactive } = scope;
  const heads = [level?.head ?? [], subscriber?.head ?? []];
  const refsOfHeads = heads.flatMap((head) => all(head, "REF"));
  const name = planName({ refs: refsOfHeads, active, inactive });
  const refs = [...refsOfHeads, ...refsBelow(active)];
  const typed = active.length > 0 ? active : scope.own();
  const insuranceTypeCodes = distinct(typed.map(({ eb }) => eb.element(4)).filter((code) => code !== ""));
  const whole = active.filter(({ serviceTypes }) => serviceTypes.isWholePlan);
  const lines = whole.length > 0 ? whole : inactive.filter(({ serviceTypes }) => serviceTypes.isWholePlan);
  const period = periodOf({ heads, lines, today: scope.today, asked: scope.asked });
  const plan = {
    ...(name === undefined ? {} : { name }),
    ...groupOf(refs.some(isGroup) ? refs : [...refs, ...refsBelow(scope.own())]),
    ...(insuranceTypeCodes.length === 0 ? {} : { insuranceTypeCodes }),
    ...(period.begin === undefined ? {} : { effectiveDate: period.begin }),
    ...(period.end === undefined ? {} : { terminationDate: period.end }),
  };
  return Object.keys(plan).length === 0 ? undefined : plan;
}

/** The plan's name: from the active line about the whole plan, else another active or inactive line, else a REF. */
function planName({
  refs,
  active,
  inactive,
}: {
  refs: readonly Segment[];
  active: readonly Benefit[];
  inactive: readonly Benefit[];
}): string | undefined {
  const named = (list: readonly Benefit[]) => list.map(({ eb }) => eb.element(5)).find((text) => text !== "");
  const whole = active.filter(({ serviceTypes }) => serviceTypes.codes.includes(wholePlan));
  const unspecific = active.filter(({ serviceTypes }) => serviceTypes.isWholePlan);
  const other = named(whole) ?? named(unspecific) ?? named(active.length > 0 ? active : inactive);
  const described = (qualifier: string) =>
    refs
      .filter((ref) => element(ref, 1) === qualifier)
      .map((ref) => element(ref, 3))
      .find((text) => text !== "");
  return other ?? described("18") ?? described("N6");
}

const refsBelow = (benefits: readonly Benefit[]) => benefits.flatMap(({ segments }) => all(segments, "REF"));
/** 6P: group number. */
const isGroup = (ref: Segment) => element(ref, 1) === "6P" && element(ref, 2) !== "";

function groupOf(refs: readonly Segment[]): { groupNumber?: string; groupName?: string } {
  const numbers = ["6P", "1L"].map((qualifier) =>
    refs.filter((ref) => element(ref, 1) === qualifier && element(ref, 2) !== ""),
  );
  const [found] = numbers.flat();
  if (found === undefined) return {};
  const number = element(found, 2);
  const name = numbers
    .flat()
    .filter((ref) => element(ref, 2) === number)
    .map((ref) => element(ref, 3))
    .find((text) => text !== "");
  return { groupNumber: number, ...(name === undefined ? {} : { groupName: name }) };
}

const distinct = (codes: string[]) => [...new Set(codes)];
