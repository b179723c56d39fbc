/** Counts what is stored about a person, by table, brand and state. It reads no sealed value. */
import { type RawBuilder, sql } from "kysely";
import type { Database, Keyed } from "../../store/database.ts";

export type CountedRows = {
  table: string;
  brandUuid: string | null;
  state: string | null;
  count: number;
  firstAt: number | null;
  lastAt: number | null;
};

/** A table's column of the brand, of the state and of the time. */
type Columns = { brand: string | null; state: RawBuilder<unknown> | null; at: string };

/** The tables that name the person. */
const tables: Readonly<Record<string, Columns>> = {
  one_click: {
    brand: "brand_uuid",
    state: sql`case when erased_at is null then state else 'erased' end`,
    at: "created_at",
  },
  verification: { brand: "brand_uuid", state: sql`status`, at: "created_at" },
  message: { brand: "brand_uuid", state: sql`status`, at: "created_at" },
  health_lookup: {
    brand: "brand_uuid",
    state: sql`case when erased_at is null then state else 'erased' end`,
    at: "created_at",
  },
  issued_credential: { brand: "brand_uuid", state: sql`status`, at: "issued_at" },
  takeout: { brand: "brand_uuid", state: sql`kind`, at: "created_at" },
  account_session: { brand: null, state: null, at: "created_at" },
  consent: { brand: "brand_uuid", state: sql`action`, at: "at" },
  audit: { brand: "brand_uuid", state: sql`action`, at: "at" },
  ledger_entry: { brand: "brand_uuid", state: sql`kind`, at: "at" },
  request_log: { brand: "brand_uuid", state: null, at: "at" },
};

function countIn(table: string, { brand, state, at }: Columns, where: RawBuilder<unknown>): RawBuilder<unknown> {
  const brandColumn = brand === null ? sql`null::uuid` : sql.ref(brand);
  return sql`select ${table}::text as table, ${brandColumn} as "brandUuid", (${state ?? sql`null`})::text as state,
      count(*)::int as count, min(${sql.ref(at)})::bigint as "firstAt", max(${sql.ref(at)})::bigint as "lastAt"
    from ${sql.table(table)} where ${where} group by 1, 2, 3`;
}

/** The rows of the person's cell. */
export async function countRowsAbout(
  db: Database,
  { environment, personUuid, phoneIndex }: { environment: string; personUuid: string; phoneIndex: Buffer },
): Promise<CountedRows[]> {
  const ofPerson = sql`person_uuid = ${personUuid} and environment = ${environment}`;
  const stops = countIn(
    "text_stop",
    { brand: null, state: sql`case when stopped then 'stopped' else 'started' end`, at: "at" },
    sql`environment = ${environment} and phone_index = ${phoneIndex}`,
  );
  const all = [...Object.entries(tables).map(([table, columns]) => countIn(table, columns, ofPerson)), stops];
  const { rows } = await sql<CountedRows>`${sql.join(all, sql` union all `)} order by 1, 2, 3`.execute(db);
  return rows;
}

/** The person's sessions of the SDK, which are stored elsewhere. */
export async function countSdkSessions(
  keyed: Keyed,
  { environment, personUuid }: { environment: string; personUuid: string },
): Promise<CountedRows[]> {
  const where = sql`person_uuid = ${personUuid} and environment = ${environment}`;
  const counted = countIn("session", { brand: "brand_uuid", state: null, at: "created_at" }, where);
  const { rows } = await sql<CountedRows>`${counted}`.execute(keyed);
  return rows;
}
