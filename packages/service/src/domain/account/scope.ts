/**
 * Which brands a person's page shows. In a sandbox, two customers may test with the same number, and neither may learn
 * about the other. There, a number belongs to the customer whose brand used it first. All customers share the fixed test
 * people, whose pages show the demo brands if DEMO is on, and none otherwise.
 */
import { type RawBuilder, sql } from "kysely";
import type { Reader } from "../../store/database.ts";
import { isAmong } from "../../store/rows.ts";
import { brandsOf } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import type { Phone } from "../ports.ts";

/** The brands that are shown. Null: all brands. */
export type Shown = readonly string[] | null;

export async function shownBrands(
  deps: Deps,
  { phone, customerUuid }: { phone: Phone; customerUuid: string | null },
): Promise<Shown> {
  if (!deps.phones.sharesNumbers) return null;
  if (deps.phones.isFixed(phone)) return deps.fixedPeopleShow;
  return customerUuid === null ? [] : await brandsOf(deps.db, customerUuid);
}

/** The customer whose brand used a person's number first, among the entries up to an instant. */
export function ownedBy(
  deps: Deps,
  personUuid: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<string | null> {
  return sql<string | null>`(
    select brand.customer_uuid from audit join brand on brand.uuid = audit.brand_uuid
    where audit.environment = ${deps.environment} and audit.person_uuid = ${personUuid} and audit.at <= ${at}
    order by audit.id limit 1)`;
}

/** Like `ownedBy`, for one person. */
export async function ownerAt(
  deps: Deps,
  reader: Reader,
  { personUuid, at }: { personUuid: string; at: number },
): Promise<string | null> {
  if (!deps.phones.sharesNumbers) return null;
  const query = sql<{ owner: string | null }>`select ${ownedBy(deps, sql`${personUuid}::uuid`, sql`${at}`)} as owner`;
  return (await query.execute(reader)).rows[0]?.owner ?? null;
}

/** A condition on a column of brands. */
export function isShown(shown: Shown, column: string): RawBuilder<boolean> {
  return isAmong(column, shown);
}
