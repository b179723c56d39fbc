/** People. A person is identified by a US phone number; a number that changes hands belongs to a new person. */

import { knowsPerson } from "../store/cells/held-rows.ts";
import type { Reader, Trx } from "../store/database.ts";
import type { Deps } from "./deps.ts";
import { plainEmail } from "./email.ts";
import { refuse } from "./failure.ts";
import {
  findNewestOfAll,
  findNewestTogether,
  findPersonKey,
  insertPeople,
  lockNewest,
  newPeople,
  type Person,
  type PersonKey,
  type PersonRow,
  saveDigits,
} from "./person-rows.ts";
import type { Phone } from "./ports.ts";

export type { Person } from "./person-rows.ts";

/** The holder of a phone. Null if the phone is unknown, or was last seen before the last digits were stored. */
export async function findPerson(deps: Deps, phone: Phone): Promise<Person | null> {
  const row = await findNewestTogether(deps, byPhone(deps, phone).index);
  return row === undefined || row.sealed === null ? null : opened(deps, row);
}

/** The holder of a phone. Creates the person with a new key if the phone is unknown. */
export async function ensurePerson(deps: Deps, trx: Trx, phone: Phone): Promise<Person> {
  return await ensure(deps, trx, byPhone(deps, phone));
}

/** The person of an email address that belongs to no known phone. */
export async function ensureEmailPerson(deps: Deps, trx: Trx, email: string): Promise<Person> {
  return await ensure(deps, trx, { column: "email_index", index: emailIndex(deps, email) });
}

/** The person of a phone that `findPeople` was asked for. */
export type PersonOf = (phone: Phone) => Person;

/**
 * `ensure` creates the missing people, ordered by phone. If another request was first, it returns the stored people.
 */
export type People =
  /** The store has all of them. */
  | { kind: "stored"; personOf: PersonOf }
  /** Some are missing, and this cell may create them. */
  | { kind: "missing"; make(): MadePeople; ensure(trx: Trx): Promise<PersonOf> }
  /** A stored person must change, or another cell may already have a missing one. */
  | { kind: "mustEnsure"; ensure(trx: Trx): Promise<PersonOf> };

/**
 * All people, of whom the missing ones are made but not stored. The caller sends `insert` together with its own
 * statements, which fail if another request inserts one of the people first. It must then try again.
 */
type MadePeople = { personOf: PersonOf; insert(trx: Trx): Promise<unknown> };

/** The people of several phones, read at once. */
export async function findPeople(deps: Deps, phones: readonly Phone[]): Promise<People> {
  const wanted = [...new Set(phones)].sort().map((phone) => byPhone(deps, phone));
  const rows = await findNewestOfAll(
    deps,
    deps.db,
    wanted.map(({ index }) => index),
  );
  const all = wanted.map((by, at) => ({ by, row: rows[at] }));
  if (all.every(({ row }) => isKnownRow(row))) {
    const people = all.map(({ row }) => opened(deps, row));
    return { kind: "stored", personOf: personOfEach(wanted, people) };
  }
  const ensure = async (trx: Trx) => personOfEach(wanted, await ensureAll(deps, trx, all));
  const canMakeMissing = all.every(({ by, row }) => (row === undefined ? deps.takesNew(by.index) : isKnownRow(row)));
  if (!canMakeMissing) return { kind: "mustEnsure", ensure };
  return {
    kind: "missing",
    make() {
      const missing = all.filter(({ row }) => row === undefined);
      const { people, insert } = newPeople(
        deps,
        missing.map(({ by }) => ({ by, generation: 1 })),
      );
      const everyone = all.map((one) => people[missing.indexOf(one)] ?? opened(deps, one.row));
      return { personOf: personOfEach(wanted, everyone), insert };
    },
    ensure,
  };
}

/** `people`: in the order of `phones`. */
function personOfEach(phones: readonly { phone: Phone }[], people: readonly (Person | null)[]): PersonOf {
  const found = new Map(phones.map(({ phone }, at) => [phone, personAt(people, at)]));
  return (phone) => {
    const person = found.get(phone);
    if (person === undefined) throw new Error("the phone has no person");
    return person;
  };
}

/** Whether a stored person can be used without a change. */
const isKnownRow = (row: PersonRow | undefined) => row !== undefined && row.sealed !== null && row.wrapped !== null;

/** A person whose key was not destroyed. */
export async function readPerson(deps: Deps, reader: Reader, uuid: string): Promise<Person> {
  const row = await findPersonKey(reader, uuid);
  if (row === undefined) throw new Error("the person does not exist");
  return { uuid, dataKey: deps.vault.openDataKey(row.data_key_uuid, row.wrapped) };
}

/** The lookup value of an email address, which is the same for each way to write the address. */
export function emailIndex(deps: Pick<Deps, "vault" | "environment">, email: string): Buffer {
  return deps.vault.index("email", deps.environment, plainEmail(email));
}

function byPhone(deps: Deps, phone: Phone): PersonKey & { phone: Phone } {
  return {
    phone,
    column: "phone_index",
    index: deps.vault.index("phone", deps.environment, phone),
    lastFour: phone.slice(-4),
  };
}

/** Null for a deleted person, whose key is destroyed. A restored backup can contain such rows. */
function opened(deps: Deps, row: PersonRow | undefined): Person | null {
  if (row === undefined || row.wrapped === null) return null;
  return { uuid: row.uuid, dataKey: deps.vault.openDataKey(row.data_key_uuid, row.wrapped) };
}

async function ensure(deps: Deps, trx: Trx, by: PersonKey): Promise<Person> {
  // If the holder was just changing, the first statement waits for that change, and only the second one sees it.
  const row = (await lockNewest(deps, trx, by)) ?? (await lockNewest(deps, trx, by));
  return personAt(await ensureAll(deps, trx, [{ by, row }]), 0);
}

function personAt(people: readonly (Person | null)[], at: number): Person {
  const person = people[at] ?? null;
  if (person === null) throw new Error("a person is missing");
  return person;
}

/** `row`: the newest generation in the store. All are found by the same column. */
async function ensureAll(
  deps: Deps,
  trx: Trx,
  all: readonly { by: PersonKey; row: PersonRow | undefined }[],
): Promise<Person[]> {
  const missing = all.filter(({ row }) => opened(deps, row) === null);
  for (const { by, row } of missing) if (row === undefined) await refuseIfSlotMoved(deps, trx, by);
  const made = await insertPeople(
    deps,
    trx,
    missing.map(({ by, row }) => ({ by, generation: (row?.generation ?? 0) + 1 })),
  );
  const people: Person[] = [];
  for (const one of all) {
    const { by, row } = one;
    // If another request inserted the person first, use its key.
    const person = opened(deps, row) ?? made[missing.indexOf(one)] ?? opened(deps, await lockNewest(deps, trx, by));
    if (person === null) throw new Error("a person was deleted between two statements");
    // Store the digits of people who were first seen before digits were stored.
    if (row?.uuid === person.uuid && row.sealed === null && by.lastFour !== undefined)
      await saveDigits(deps, trx, person, by.lastFour);
    people.push(person);
  }
  return people;
}

/**
 * Refuses to create a person if another cell got their slot since the request began, because that cell may already have
 * them. A repeated request uses that cell. A cell that already knows the phone keeps it.
 */
async function refuseIfSlotMoved(deps: Deps, trx: Trx, { column, index }: PersonKey): Promise<void> {
  if (deps.takesNew(index)) return;
  const { environment } = deps;
  const kind = column === "phone_index" ? "phone" : "email";
  if (await knowsPerson(trx, { environment, kind, index })) return;
  throw refuse(503, "The service is temporarily unavailable.", { "retry-after": "1" });
}

/**
 * Gives a phone to a new person. From then on, the phone never leads to the former person, even if the new one is
 * deleted. The caller has locked the former person, and clears them.
 */
export async function startGeneration(deps: Deps, trx: Trx, phone: Phone): Promise<Person> {
  const by = byPhone(deps, phone);
  const generation = ((await lockNewest(deps, trx, by))?.generation ?? 0) + 1;
  return personAt(await insertPeople(deps, trx, [{ by, generation }]), 0);
}
