/** The people whom a search of the request log names. */
import type { LogFilter } from "@countersign/contract/dashboard-reporting";
import { sql } from "kysely";
import { digitsOf } from "../person-rows.ts";
import type { InCell } from "./deps.ts";

/**
 * Maximum number of a brand's latest calls, and of the people in them, that a search by last digits reads. The digits
 * are sealed, so each person must be decrypted.
 */
export const linesMax = 20_000;
const peopleMax = 1_000;

/**
 * The people of a cell that a filter names by a phone or by last digits, without deleted ones. Undefined if it names
 * none.
 */
export async function peopleOf(
  deps: InCell,
  brandUuid: string,
  { phone, lastFour }: LogFilter,
): Promise<readonly string[] | undefined> {
  if (phone !== undefined) return await holdersOf(deps, phone);
  return lastFour === undefined ? undefined : await withDigits(deps, brandUuid, lastFour);
}

/** The current holder of a phone, if there is one. */
async function holdersOf({ db, vault, environment }: InCell, phone: string): Promise<string[]> {
  const rows = await db
    .selectFrom("person")
    .select("uuid")
    .where("environment", "=", environment)
    .where("phone_index", "=", vault.index("phone", environment, phone))
    .orderBy("generation", "desc")
    .limit(1)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

type Person = { uuid: string; data_key_uuid: string; sealed: Buffer | null; wrapped: Buffer | null };

async function withDigits(deps: InCell, brandUuid: string, lastFour: string): Promise<string[]> {
  const { rows } = await sql<Person>`
    select person.uuid, person.data_key_uuid, person.sealed, data_key.wrapped
      from (select person_uuid, max(id) as id
              from (select person_uuid, id from request_log
                     where brand_uuid = ${brandUuid} and environment = ${deps.environment}
                     order by id desc limit ${linesMax}) as latest
             where person_uuid is not null
             group by person_uuid order by 2 desc limit ${peopleMax}) as called
      join person on person.uuid = called.person_uuid
      join data_key on data_key.uuid = person.data_key_uuid`.execute(deps.db);
  return rows.filter((row) => digitsOf(deps, row) === lastFour).map(({ uuid }) => uuid);
}
