import type { ParsedEdi271 } from "@countersign/contract/health";
import { benefitsOf } from "./benefits.ts";
import { activeCodes, coverageTypesOf, inactiveCodes, wholePlan } from "./codes.ts";
import { contactsOf, nameOf } from "./contacts.ts";
import { endOf, periodOf } from "./dates.ts";
import { all, type Benefit, first, type Level, type Rejection, readLoops, type Tree } from "./loops.ts";
import { memberOf } from "./member.ts";
import { aboveOf, pickPatient, type SoughtPatient } from "./patient.ts";
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
  const trees = transactions271(readSegments(decodeX12(bytes))).map(readLoops);
  const patient = pickPatient(trees, sought);
  const [tree = { levels: [], rejections: [], responseDate: "" }] = patient === null ? trees : [patient.tree];
  const { level = null, subscriber = null } = patient ?? {};
  const benefits = level === null ? [] : level.benefits.length > 0 ? level.benefits : (subscriber?.benefits ?? []);
  const source =
    (level === null ? null : aboveOf(level, "20")) ?? tree.levels.find(({ kind }) => kind === "20") ?? null;
  return {
    eligibility: eligibilityOf({ tree, level, subscriber, benefits, source }),
    lines: benefits.length,
    rejections: tree.rejections,
    relatedEntities: relatedEntities(benefits),
  };
}

type Parts = {
  tree: Tree;
  level: Level | null;
  subscriber: Level | null;
  benefits: readonly Benefit[];
  source: Level | null;
};

function eligibilityOf({ tree, level, subscriber, benefits, source }: Parts): ParsedEdi271 {
  const active = benefits.filter(({ code }) => activeCodes.has(code));
  const inactive = benefits.filter(({ code }) => inactiveCodes.has(code));
  const services = new Set(active.map(({ serviceTypes }) => serviceTypes));
  const codes = distinct([...services].flatMap((one) => one.codes));
  const payer = nameOf(first(source?.head ?? [], "NM1"));
  const member = level === null ? undefined : memberOf(level, subscriber);
  const plan = planOf({ tree, level, subscriber, benefits, active, inactive });
  const entries = benefitsOf(benefits);
  const contacts = contactsOf(source, benefits);
  return {
    coverageStatus: statusOf(active, inactive, tree.responseDate),
    ...(active.length === 0 ? {} : { coverageType: coverageTypesOf(codes) }),
    ...(codes.length === 0 ? {} : { serviceTypeCodes: codes }),
    ...(payer === undefined ? {} : { payer: { name: payer } }),
    ...(member === undefined ? {} : { member }),
    ...(plan === undefined ? {} : { plan }),
    ...(entries.length === 0 ? {} : { benefits: entries }),
    ...(contacts.length === 0 ? {} : { contacts }),
  };
}

function relatedEntities(benefits: readonly Benefit[]): string[] {
  const names = new Set<string>();
  for (const { entities } of benefits)
    for (const { nm1 } of entities) {
      const name = nameOf(nm1);
      if (name !== undefined) names.add(name);
    }
  return [...names];
}

/** Lines about the whole plan decide. Without any, every line counts. */
function statusOf(
  active: readonly Benefit[],
  inactive: readonly Benefit[],
  responseDate: string,
): ParsedEdi271["coverageStatus"] {
  const planActive = active.filter(({ serviceTypes }) => serviceTypes.isWholePlan);
  const planInactive = inactive.some(({ serviceTypes }) => serviceTypes.isWholePlan);
  if (planActive.length > 0) {
    const haveEnded = planActive.every((benefit) => {
      const end = endOf(benefit)?.replaceAll("-", "");
      return end !== undefined && responseDate !== "" && end < responseDate;
    });
    return haveEnded && planInactive ? "inactive" : "active";
  }
  if (planInactive) return "inactive";
  if (active.length > 0) return "active";
  return inactive.length > 0 ? "inactive" : "indeterminate";
}

type PlanParts = Omit<Parts, "source"> & { active: readonly Benefit[]; inactive: readonly Benefit[] };

function planOf({ tree, level, subscriber, benefits, active, inactive }: PlanParts): ParsedEdi271["plan"] {
  const heads = [level?.head ?? [], subscriber?.head ?? []];
  const ownBenefits = benefits.filter(({ code }) => code !== "R");
  const refsOfHeads = heads.flatMap((head) => all(head, "REF"));
  const name = planName({ refs: refsOfHeads, active, inactive });
  const refs = [...refsOfHeads];
  for (const { segments } of [...active, ...ownBenefits])
    for (const segment of segments) if (segment.id === "REF") refs.push(segment);
  const typed = active.length > 0 ? active : ownBenefits;
  const insuranceTypeCodes = distinct(typed.map(({ eb }) => eb.element(4)).filter((code) => code !== ""));
  const [patient = [], holder = []] = heads;
  const period = periodOf({ patient, subscriber: holder, benefits, responseDate: tree.responseDate });
  const plan = {
    ...(name === undefined ? {} : { name }),
    ...groupOf(refs),
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
  const unspecific = active.filter(({ eb }) => eb.element(3) === "");
  const other = named(whole) ?? named(unspecific) ?? named(active.length > 0 ? active : inactive);
  const described = (qualifier: string) =>
    refs
      .filter((ref) => element(ref, 1) === qualifier)
      .map((ref) => element(ref, 3))
      .find((text) => text !== "");
  return other ?? described("18") ?? described("N6");
}

function groupOf(refs: readonly Segment[]): { groupNumber?: string; groupName?: string } {
  const numbers = ["6P", "1L"].map((qualifier) =>
    refs.filter((ref) => element(ref, 1) === qualifier && element(ref, 2) !== ""),
  );
  const [found] = numbers.flat();
  if (found === undefined) return {};
  const name = numbers
    .flat()
    .map((ref) => element(ref, 3))
    .find((text) => text !== "");
  return { groupNumber: element(found, 2), ...(name === undefined ? {} : { groupName: name }) };
}

const distinct = (codes: string[]) => [...new Set(codes)];
