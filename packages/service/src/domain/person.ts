import type { Reader, Trx } from "../store/database.ts";
import type { Deps } from "./deps.ts";
import {
  insertAll,
  type Known,
  newest,
  newestOfAll,
  newestTogether,
  type Person,
  personPlace,
  type Row,
  sealDigits,
} from "./person-store.ts";
import type { Phone } from "./ports.ts";

export type { Person } from "./person-store.ts";

/** The person of a phone's newest generation; null when the phone was never seen, or not since its digits are kept. */
export async function findPerson(deps: Deps, phone: Phone): Promise<Person | null> {
  const row = await newestTogether(deps, byPhone(deps, phone).index);
  return row === undefined || row.sealed === null ? null : opened(deps, row);
}

/** The person of a phone; made with a key of its own when the phone is seen for the first time. */
export async function ensurePerson(deps: Deps, trx: Trx, phone: Phone): Promise<Person> {
  return await ensure(deps, trx, byPhone(deps, phone));
}

/** Several people. `known`: where none of them is new. `ensure`: whoever is, is made at once, in everybody's order. */
export type People = { known: Map<Phone, Person> | null; ensure(trx: Trx): Promise<Map<Phone, Person>> };

/** The people of several phones, read at once. */
export async function findPeople(deps: Deps, phones: readonly Phone[]): Promise<People> {
  const wanted = [...new Set(phones)].sort().map((phone) => byPhone(deps, phone));
  const rows = await newestOfAll(
    deps,
    deps.db,
    wanted.map(({ index }) => index),
  );
  const all = wanted.map((by, at) => ({ by, row: rows[at] }));
  const isKnown = all.every(({ row }) => row !== undefined && row.sealed !== null && row.wrapped !== null);
  const people = (found: readonly (Person | null)[]) =>
    new Map(wanted.map(({ phone }, at) => [phone, personAt(found, at)]));
  return {
    known: isKnown ? people(all.map(({ row }) => opened(deps, row))) : null,
    ensure: async (trx) => people(await ensureAll(deps, trx, all)),
  };
}

/** A person whose key was not destroyed. */
export async function readPerson(deps: Deps, reader: Reader, uuid: string): Promise<Person> {
  const row = await reader
    .selectFrom("person")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .select(["person.data_key_uuid", "data_key.wrapped"])
    .where("person.uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  return { uuid, dataKey: deps.vault.openDataKey(row.data_key_uuid, row.wrapped) };
}

/** Whoever holds an e-mail address of which no phone is known. */
export async function ensureEmailPerson(deps: Deps, trx: Trx, email: string): Promise<Person> {
  return await ensure(deps, trx, { column: "email_index", index: emailIndex(deps, email) });
}

/** Addresses are one address whatever their case. */
export function emailIndex(deps: Deps, email: string): Buffer {
  return deps.vault.index("email", deps.environment, email.toLowerCase());
}

function byPhone(deps: Deps, phone: Phone): Known & { phone: Phone } {
  return {
    phone,
    column: "phone_index",
    index: deps.vault.index("phone", deps.environment, phone),
    lastFour: phone.slice(-4),
  };
}

/** A backup may bring somebody back who was deleted since; without their key they are nobody. */
function opened(deps: Deps, row: Row | undefined): Person | null {
  if (row === undefined || row.wrapped === null) return null;
  return { uuid: row.uuid, dataKey: deps.vault.openDataKey(row.data_key_uuid, row.wrapped) };
}

async function find(deps: Deps, reader: Reader, by: Known): Promise<Person | null> {
  return opened(deps, await newest(deps, reader, by));
}

async function ensure(deps: Deps, trx: Trx, by: Known): Promise<Person> {
  return personAt(await ensureAll(deps, trx, [{ by, row: await newest(deps, trx, by) }]), 0);
}

function personAt(people: readonly (Person | null)[], at: number): Person {
  const person = people[at] ?? null;
  if (person === null) throw new Error("somebody is missing");
  return person;
}

/** `row`: the newest generation there is. All are known by the same column. */
async function ensureAll(deps: Deps, trx: Trx, all: readonly { by: Known; row: Row | undefined }[]): Promise<Person[]> {
  const fresh = all.filter(({ row }) => opened(deps, row) === null);
  const made = await insertAll(
    deps,
    trx,
    fresh.map(({ by, row }) => ({ by, generation: (row?.generation ?? 0) + 1 })),
  );
  const people: Person[] = [];
  for (const one of all) {
    const person = opened(deps, one.row) ?? made[fresh.indexOf(one)] ?? (await find(deps, trx, one.by));
    // Where another request saw the phone or the address first, its key counts.
    if (person === null) throw new Error("a person vanished between two statements");
    await keepDigits(trx, deps, person, one);
    people.push(person);
  }
  return people;
}

/** Of somebody who was seen before digits were kept. */
async function keepDigits(trx: Trx, deps: Deps, person: Person, { by, row }: { by: Known; row: Row | undefined }) {
  if (row?.uuid !== person.uuid || row.sealed !== null || by.lastFour === undefined) return;
  const sealed = sealDigits(deps, person, by.lastFour);
  await trx.updateTable("person").set({ sealed }).where("uuid", "=", person.uuid).execute();
}

/** The last four digits of a person's phone, by which those who know it tell people apart; null once they were deleted. */
export function digitsOf(
  { vault }: Pick<Deps, "vault">,
  row: { uuid: string; data_key_uuid: string; wrapped: Buffer | null; sealed: Buffer | null },
): string | null {
  if (row.wrapped === null || row.sealed === null) return null;
  const dataKey = vault.openDataKey(row.data_key_uuid, row.wrapped);
  return vault.open<{ lastFour: string }>(dataKey, personPlace(row.uuid), row.sealed).lastFour;
}

/**
 * Whoever holds a phone from now on: nothing leads from the phone to the holder before, not even once this one is gone.
 * Null where the phone leads to that holder no more: another call was faster.
 */
export async function startGeneration(
  deps: Deps,
  trx: Trx,
  { personUuid, phone }: { personUuid: string; phone: Phone },
): Promise<Person | null> {
  const by = byPhone(deps, phone);
  const before = await trx
    .updateTable("person")
    .set({ phone_index: null })
    .where("uuid", "=", personUuid)
    .where("phone_index", "=", by.index)
    .returning("generation")
    .executeTakeFirst();
  if (before === undefined) return null;
  const [holder = null] = await insertAll(deps, trx, [{ by, generation: before.generation + 1 }]);
  return holder;
}
