import { all, first, type Level, type Tree } from "./loops.ts";
import { element } from "./segment.ts";

/** Identifies the patient among the people of a response. */
export type SoughtPatient = { trace?: string; birthDate?: string; firstName?: string };
export type Patient = { tree: Tree; level: Level; subscriber: Level | null };

/** Picks the patient: by our trace, by birth date, the first subscriber's first dependent, or that subscriber. */
export function pickPatient(trees: readonly Tree[], sought: SoughtPatient): Patient | null {
  const people = trees.flatMap((tree) =>
    tree.levels.filter(({ kind }) => kind === "22" || kind === "23").map((level) => ({ tree, level })),
  );
  const picked =
    people.find(({ level }) => sought.trace !== undefined && traces(level).includes(sought.trace)) ??
    byBirthDate(people, sought) ??
    firstDependent(people) ??
    people[0];
  if (picked === undefined) return null;
  return { ...picked, subscriber: picked.level.kind === "22" ? picked.level : aboveOf(picked.level, "22") };
}

type Candidate = { tree: Tree; level: Level };

function byBirthDate(people: readonly Candidate[], { birthDate, firstName }: SoughtPatient): Candidate | undefined {
  if (birthDate === undefined) return undefined;
  const compact = birthDate.replaceAll("-", "");
  const bornThatDay = people.filter(({ level }) => element(first(level.head, "DMG"), 2) === compact);
  const dependentsFirst = [
    ...bornThatDay.filter(({ level }) => level.kind === "23"),
    ...bornThatDay.filter(({ level }) => level.kind === "22"),
  ];
  const name = firstName?.trim().toUpperCase();
  return (
    dependentsFirst.find(
      ({ level }) => name !== undefined && element(first(level.head, "NM1"), 4).toUpperCase() === name,
    ) ?? dependentsFirst[0]
  );
}

function firstDependent(people: readonly Candidate[]): Candidate | undefined {
  const subscriber = people.find(({ level }) => level.kind === "22");
  if (subscriber === undefined) return people[0];
  return people.find(({ level }) => level.kind === "23" && aboveOf(level, "22") === subscriber.level);
}

/** The trace numbers that a level returns. */
function traces(level: Level): string[] {
  return all(level.head, "TRN")
    .filter((segment) => element(segment, 1) === "2")
    .map((segment) => element(segment, 2));
}

export function aboveOf(level: Level, kind: Level["kind"]): Level | null {
  let one: Level | null = level.parent;
  // A parent has a lower kind, so there are at most three.
  while (one !== null && one.kind !== kind) one = one.parent;
  return one;
}
