import { isoDay } from "./dates.ts";
import { all, first, type Level, type Tree } from "./loops.ts";
import { memberOf } from "./member.ts";
import { firstNameLikeness, folded, type Likeness, lastNameLikeness, mayAbbreviate } from "./names.ts";
import { element } from "./segment.ts";

/** Whom a question was about. Only what was asked with is compared. `date` is the day asked about. */
export type SoughtPatient = {
  trace?: string;
  birthDate?: string;
  firstName?: string;
  lastName?: string;
  memberId?: string;
  date?: string;
};
/** `isOurs`: the response says that the level is the person who was asked about. */
export type Patient = {
  tree: Tree;
  level: Level;
  subscriber: Level | null;
  isOurs: boolean;
  /** Whether the answer also names people other than the patient and the subscriber of the patient's plan. */
  hasOthers: boolean;
};

type Candidate = { tree: Tree; level: Level };

/**
 * Picks the patient: by our trace, by birth date, the first subscriber's first dependent, or that subscriber. Null if
 * several people may be meant.
 */
export function pickPatient(trees: readonly Tree[], sought: SoughtPatient): Patient | null {
  const people = trees.flatMap((tree) =>
    tree.levels.filter(({ kind }) => kind === "22" || kind === "23").map((level) => ({ tree, level })),
  );
  const picked = pick(people, sought);
  if (picked === undefined) return null;
  const subscriber = picked.level.kind === "22" ? picked.level : aboveOf(picked.level, "22");
  const own = new Set([picked.level, ...(subscriber === null ? [] : [subscriber])].map(nameIn));
  const hasOthers = people.some(({ level }) => nameIn(level) !== "" && !own.has(nameIn(level)));
  return { ...picked, subscriber, isOurs: isOurs(picked.level, subscriber, sought), hasOthers };
}

/** The folded name of a level. */
function nameIn(level: Level): string {
  const nm1 = first(level.head, "NM1");
  return folded(`${element(nm1, 3)} ${element(nm1, 4)}`);
}

function pick(people: readonly Candidate[], sought: SoughtPatient): Candidate | undefined {
  const traced = new Set(people.filter(({ level }) => hasTrace(level, sought)).map(({ level }) => level));
  const near = traced.size === 0 ? [] : people.filter((one) => isNearTrace(one.level, traced, sought));
  const born = near.filter(({ level }) => birthDateLikeness(level, sought) === "same");
  // A payer may return our trace with the subscriber and answer about a dependent.
  if (born.length > 0) return oneOf(born, traced, sought);
  const byTrace = oneOf(near, traced, sought);
  if (near.length > 0) return byTrace;
  const bornThatDay = people.filter(({ level }) => birthDateLikeness(level, sought) === "same");
  if (bornThatDay.length > 0) return oneOf(bornThatDay, traced, sought);
  const named = people.filter(({ level }) => birthDateLikeness(level, sought) === "unknown" && isNamed(level, sought));
  return named[0] ?? firstDependent(people) ?? people[0];
}

/** A level with our trace, unless its birth date differs; or a dependent below it with the birth date. */
function isNearTrace(level: Level, traced: ReadonlySet<Level>, sought: SoughtPatient): boolean {
  const likeness = birthDateLikeness(level, sought);
  if (traced.has(level)) return likeness !== "differs";
  const subscriber = level.kind === "23" ? aboveOf(level, "22") : null;
  return likeness === "same" && subscriber !== null && traced.has(subscriber);
}

/**
 * The one of these people who has the first name. If nobody has it, the one with our trace, or the only one. Of equals,
 * a dependent comes first.
 */
function oneOf(people: readonly Candidate[], traced: ReadonlySet<Level>, sought: SoughtPatient): Candidate | undefined {
  const ordered = [
    ...people.filter(({ level }) => level.kind === "23"),
    ...people.filter(({ level }) => level.kind === "22"),
  ];
  const likeness = (one: Candidate) => nameLikeness(one.level, sought);
  const [exact] = ordered.filter((one) => likeness(one) === "exact");
  if (exact !== undefined) return exact;
  const loose = ordered.filter((one) => likeness(one) === "loose");
  if (loose.length > 0) return onePerson(loose);
  return ordered.find(({ level }) => traced.has(level)) ?? onePerson(ordered);
}

/** The first of these people if they all have one name, because a person may be listed twice. */
function onePerson(people: readonly Candidate[]): Candidate | undefined {
  const names = people.map(({ level }) => nameIn(level));
  const isOne = people.length === 1 || (names[0] !== "" && new Set(names).size === 1);
  return isOne ? people[0] : undefined;
}

function firstDependent(people: readonly Candidate[]): Candidate | undefined {
  const subscriber = people.find(({ level }) => level.kind === "22");
  if (subscriber === undefined) return people[0];
  return people.find(({ level }) => level.kind === "23" && aboveOf(level, "22") === subscriber.level);
}

/**
 * Whether a level is the person who was asked about. Neither the birth date nor both names may differ. Our trace, the
 * member id with the first name, or the last name must agree: relatives share a member id and a last name.
 */
function isOurs(level: Level, subscriber: Level | null, sought: SoughtPatient): boolean {
  const birthDate = birthDateLikeness(level, sought);
  if (birthDate === "differs" || isNamedOtherwise(level, sought)) return false;
  const hasOurTrace =
    hasTrace(level, sought) || (birthDate === "same" && subscriber !== null && hasTrace(subscriber, sought));
  if (hasOurTrace) return true;
  const nm1 = first(level.head, "NM1");
  const isNamedSo = isNamed(level, sought);
  const memberId = folded(sought.memberId ?? "");
  if (isNamedSo && memberId !== "" && folded(memberOf(level, subscriber)?.memberId ?? "") === memberId) return true;
  const isRelated = lastNameLikeness(sought.lastName ?? "", element(nm1, 3)) === "same";
  const mayBeNamedSo = isNamedSo || birthDate === "same" || mayAbbreviate(sought.firstName ?? "", element(nm1, 4));
  return isRelated && mayBeNamedSo;
}

/** Whether both names differ. A payer may know a nickname, or a last name from before a marriage. */
function isNamedOtherwise(level: Level, sought: SoughtPatient): boolean {
  const nm1 = first(level.head, "NM1");
  const isOtherFirst =
    nameLikeness(level, sought) === "differs" && !mayAbbreviate(sought.firstName ?? "", element(nm1, 4));
  return isOtherFirst && lastNameLikeness(sought.lastName ?? "", element(nm1, 3)) === "differs";
}

function birthDateLikeness(level: Level, { birthDate }: SoughtPatient): Likeness {
  const told = birthDate === undefined ? undefined : isoDay(element(first(level.head, "DMG"), 2));
  if (told === undefined) return "unknown";
  return told === birthDate ? "same" : "differs";
}

function nameLikeness(level: Level, { firstName }: SoughtPatient): ReturnType<typeof firstNameLikeness> {
  const nm1 = first(level.head, "NM1");
  return firstNameLikeness(firstName ?? "", { firstName: element(nm1, 4), middleName: element(nm1, 5) });
}

function isNamed(level: Level, sought: SoughtPatient): boolean {
  const likeness = nameLikeness(level, sought);
  return likeness === "exact" || likeness === "loose";
}

/** Whether a level returns the trace number that we sent. */
function hasTrace(level: Level, { trace = "" }: SoughtPatient): boolean {
  return trace !== "" && all(level.head, "TRN").some((trn) => element(trn, 1) === "2" && element(trn, 2) === trace);
}

export function aboveOf(level: Level, kind: Level["kind"]): Level | null {
  let one: Level | null = level.parent;
  // A parent has a lower kind, so there are at most three.
  while (one !== null && one.kind !== kind) one = one.parent;
  return one;
}
