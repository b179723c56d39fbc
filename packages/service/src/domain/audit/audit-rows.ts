/** Every statement about `audit`, except those of `reporting/`. */
import { type RawBuilder, sql } from "kysely";
import type { Database, Reader } from "../../store/database.ts";
import { batched } from "../../store/statements/batch.ts";
import { insertRows, isAmong, type NewRow } from "../../store/statements/rows.ts";
import type { Deps } from "../deps.ts";

export type AuditRow = Required<Omit<NewRow<"audit">, "id">>;

export async function insertAudits(reader: Reader, rows: readonly AuditRow[]): Promise<void> {
  await insertRows(reader, "audit", rows);
}

export const insertAuditsTogether = batched(async (db: Database, rows: readonly AuditRow[]) => {
  await insertAudits(db, rows);
  return rows.map(() => undefined);
});

/** Whether a request has changed anything. */
export async function hasRecorded(reader: Reader, requestId: string): Promise<boolean> {
  const row = await reader
    .selectFrom("audit")
    .select("id")
    .where("request_id", "=", requestId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids of requests about a person since an instant. */
export async function listRequestIds(
  reader: Reader,
  { personUuid, since }: { personUuid: string; since: number },
): Promise<string[]> {
  const rows = await reader
    .selectFrom("audit")
    .select("request_id")
    .distinct()
    .where("person_uuid", "=", personUuid)
    .where("at", ">", since)
    .execute();
  return rows.flatMap(({ request_id }) => (request_id === null ? [] : [request_id]));
}

type OfPerson = { uuid: string; personUuid: string | null };

/** The ids of requests about 1-Clicks since an instant. A 1-Click without a person has none. */
export async function listRequestIdsOf(
  reader: Reader,
  { oneClicks, since }: { oneClicks: readonly OfPerson[]; since: number },
): Promise<string[]> {
  const known = oneClicks.filter(({ personUuid }) => personUuid !== null);
  if (known.length === 0) return [];
  const { rows } = await sql<{ request_id: string }>`
    select distinct audit.request_id
      from unnest(${known.map(({ personUuid }) => personUuid)}::uuid[], ${known.map(({ uuid }) => uuid)}::uuid[])
        as known (person_uuid, one_click_uuid)
      join audit on audit.person_uuid = known.person_uuid and audit.one_click_uuid = known.one_click_uuid
     where audit.at > ${since} and audit.request_id is not null`.execute(reader);
  return rows.map(({ request_id }) => request_id);
}

/** The people whom a request was about. */
export async function listPeopleOf(reader: Reader, requestId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom("audit")
    .select("person_uuid")
    .distinct()
    .where("request_id", "=", requestId)
    .execute();
  return rows.flatMap(({ person_uuid }) => (person_uuid === null ? [] : [person_uuid]));
}

/**
 * Whether a person of a request has stopped sharing with its brand, or was deleted or reset, after the request. A reset
 * of a fixed test person ends only what the shown brands have.
 */
export async function hasWithdrawnSince(
  { db, policy: { fixedPeopleShow } }: Pick<Deps, "db" | "policy">,
  { requestId, brandUuid }: { requestId: string; brandUuid: string },
): Promise<boolean> {
  const all = fixedPeopleShow.includes(brandUuid) ? ["account.deleted", "account.reset"] : ["account.deleted"];
  const row = await db
    .selectFrom("audit as told")
    .innerJoin("audit as later", "later.person_uuid", "told.person_uuid")
    .select("later.id")
    .where("told.request_id", "=", requestId)
    .whereRef("later.id", ">", "told.id")
    .where(({ or, and, eb }) =>
      or([
        eb("later.action", "in", all),
        and([eb("later.action", "=", "account.withdrawn"), eb("later.brand_uuid", "=", brandUuid)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The actions of requests whose answers have a person's data. */
const givingActions = ["oneClick.released", "oneClick.read", "credential.issued"] as const;
export type Given = {
  action: (typeof givingActions)[number];
  personUuid: string | null;
  oneClickUuid: string | null;
  detail: unknown;
};

/** The entry of a request whose answer has a person's data. Null if the answer has none. */
export async function findGivenBy(reader: Reader, requestId: string): Promise<Given | null> {
  const row = await reader
    .selectFrom("audit")
    .select(["action", "person_uuid", "one_click_uuid", "detail"])
    .where("request_id", "=", requestId)
    .where("action", "in", givingActions)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  const action = givingActions.find((one) => one === row?.action);
  if (row === undefined || action === undefined) return null;
  return { action, personUuid: row.person_uuid, oneClickUuid: row.one_click_uuid, detail: row.detail };
}

/** Selects rows about a person: those of some brands (null: of all), and those of no brand. */
export type PersonAtBrands = { personUuid: string; brands: readonly string[] | null };

/** A person's entries since the last reset. */
function entriesOf({ db, environment }: Deps, { personUuid, brands }: PersonAtBrands) {
  return db
    .selectFrom("audit")
    .where("audit.environment", "=", environment)
    .where("audit.person_uuid", "=", personUuid)
    .where(({ or, eb }) => or([eb("audit.brand_uuid", "is", null), isAmong("audit.brand_uuid", brands)]))
    .where(
      "audit.id",
      ">",
      sql<number>`coalesce((select max(id) from audit where person_uuid = ${personUuid} and action = 'account.reset'), 0)`,
    );
}

/** A person's entries with their consents, newest first: before the entry `before`, and of one brand if it is named. */
export async function listEntries(
  deps: Deps,
  { before, brandUuid, max, ...of }: PersonAtBrands & { before?: number; brandUuid?: string; max: number },
) {
  return await entriesOf(deps, of)
    .leftJoin("consent", (join) => join.on(sql`(audit.detail->>'consent')::uuid`, "=", sql.ref("consent.uuid")))
    .select(["audit.id", "audit.at", "audit.action", "audit.brand_uuid", "audit.detail"])
    .select(["consent.uuid as consent_uuid", "consent.source", "consent.version", "consent.language"])
    .select(["consent.words", "consent.url"])
    .$if(before !== undefined, (query) => query.where("audit.id", "<", before ?? 0))
    .$if(brandUuid !== undefined, (query) => query.where("audit.brand_uuid", "=", brandUuid ?? ""))
    .orderBy("audit.id", "desc")
    .limit(max)
    .execute();
}

/** A summary of a person's entries per brand, the latest first. `released` and `withdrawn`: the newest such entry. */
export async function listBrandsOf(
  deps: Deps,
  {
    releases,
    reads,
    max,
    ...of
  }: PersonAtBrands & { releases: readonly string[]; reads: readonly string[]; max: number },
) {
  return await entriesOf(deps, of)
    .where("audit.brand_uuid", "is not", null)
    .groupBy("audit.brand_uuid")
    .select(["audit.brand_uuid", sql<number>`min(audit.at)`.as("first_at"), sql<number>`max(audit.at)`.as("last_at")])
    .select(sql<number>`count(*) filter (where audit.action = any(${reads}))`.as("reads"))
    .select(sql<number | null>`max(audit.id) filter (where audit.action = any(${releases}))`.as("released"))
    .select(sql<number | null>`max(audit.id) filter (where audit.action = 'account.withdrawn')`.as("withdrawn"))
    .orderBy("last_at", "desc")
    .limit(max)
    .execute();
}

/** Whether a person has stopped sharing with a brand and nothing about them was recorded at the brand since. */
export async function isNewestWithdrawal(
  reader: Reader,
  { personUuid, brandUuid }: { personUuid: string; brandUuid: string },
): Promise<boolean> {
  const { newest, withdrawn } = await reader
    .selectFrom("audit")
    .where("person_uuid", "=", personUuid)
    .where("brand_uuid", "=", brandUuid)
    .select(sql<number | null>`max(id)`.as("newest"))
    .select(sql<number | null>`max(id) filter (where action = 'account.withdrawn')`.as("withdrawn"))
    .executeTakeFirstOrThrow();
  return withdrawn !== null && withdrawn === newest;
}

/** The details of a person's entries that name one of these consents, by the consent. Of several, the oldest. */
export async function detailsOfConsents(
  reader: Reader,
  { personUuid, consents }: { personUuid: string; consents: readonly string[] },
) {
  const rows = await reader
    .selectFrom("audit")
    .select(["detail", sql<string>`detail->>'consent'`.as("consent")])
    .where("person_uuid", "=", personUuid)
    .where(sql<boolean>`detail->>'consent' = any(${consents}::text[])`)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .execute();
  return new Map(rows.map(({ consent, detail }) => [consent, detail]));
}

/** Entries to disclose: with one of the actions, at `from` or later, and before `to`. */
export type ToDisclose = {
  environment: string;
  actions: readonly string[];
  from: number;
  to: number;
  brandUuid?: string;
  apiKeyUuid?: string;
  personUuid?: string;
};

/** The next entries after `after`, oldest first. */
export async function listDisclosures(
  db: Database,
  { environment, actions, from, to, ...of }: ToDisclose,
  { after, max }: { after: number; max: number },
) {
  let query = db
    .selectFrom("audit")
    .selectAll()
    .where("audit.environment", "=", environment)
    .where("audit.action", "in", actions)
    .where("audit.at", ">=", from)
    .where("audit.at", "<", to)
    .where("audit.id", ">", after);
  if (of.brandUuid !== undefined) query = query.where("audit.brand_uuid", "=", of.brandUuid);
  if (of.apiKeyUuid !== undefined) query = query.where("audit.api_key_uuid", "=", of.apiKeyUuid);
  if (of.personUuid !== undefined) query = query.where("audit.person_uuid", "=", of.personUuid);
  return await query.orderBy("audit.id").limit(max).execute();
}

/** The brand that appears first in a person's entries up to an instant, as part of a statement. */
export function firstBrandOf(
  { environment }: Pick<Deps, "environment">,
  personUuid: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<string | null> {
  return sql<string | null>`(
    select brand_uuid from audit
    where environment = ${environment} and person_uuid = ${personUuid} and at <= ${at} and brand_uuid is not null
    order by id limit 1)`;
}

export async function findFirstBrand(
  deps: Pick<Deps, "environment" | "db">,
  { personUuid, at }: { personUuid: string; at: number },
): Promise<string | null> {
  const first = firstBrandOf(deps, sql`${personUuid}::uuid`, sql`${at}`);
  const { rows } = await sql<{ uuid: string | null }>`select ${first} as uuid`.execute(deps.db);
  return rows[0]?.uuid ?? null;
}
