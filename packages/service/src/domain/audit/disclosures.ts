import type { Environment } from "@countersign/contract/brand";
import type { Database } from "../../store/database.ts";
import { listDisclosures } from "./audit-rows.ts";
import { type AuditAction, entryDetail } from "./record.ts";

/** Every action that gives a person's data to a brand, or shows it on a page that the brand may be able to open. */
const disclosing: readonly AuditAction[] = [
  "oneClick.shown",
  "oneClick.released",
  "oneClick.read",
  "health.released",
  "health.read",
  "credential.read",
];
/** Entries per query. A report can have any length, so it is never in memory as a whole. */
const pageMax = 1_000;

export type Disclosure = {
  /** ISO 8601, UTC. */
  at: string;
  action: string;
  brandUuid: string | null;
  brandName: string | null;
  apiKeyUuid: string | null;
  /** The person whose data was disclosed. A phone cannot be computed from its index, so only the uuid is known. */
  personUuid: string | null;
  oneClickUuid: string | null;
  requestId: string | null;
  /** The credential types that the entry names. */
  types: string[];
};
/** `namesOf`: the names of brands. */
type Sources = {
  cells: readonly Database[];
  namesOf(brandUuids: readonly string[]): Promise<ReadonlyMap<string, string>>;
};
type Which = {
  environment: Environment;
  /** From this instant until before `to`; Unix milliseconds. */
  from: number;
  to: number;
  brandUuid?: string;
  apiKeyUuid?: string;
  personUuid?: string;
};

/**
 * Lists who read whose data in a period, oldest first. Operators need it after the theft of a key and for legal
 * requests for access.
 */
export async function* disclosures({ cells, namesOf }: Sources, which: Which): AsyncGenerator<Disclosure> {
  for await (const { row, names } of oldestFirst(cells.map((db) => disclosuresIn(db, { namesOf, which }))))
    yield {
      at: new Date(row.at).toISOString(),
      action: row.action,
      brandUuid: row.brand_uuid,
      brandName: names.get(row.brand_uuid ?? "") ?? null,
      apiKeyUuid: row.api_key_uuid,
      personUuid: row.person_uuid,
      oneClickUuid: row.one_click_uuid,
      requestId: row.request_id,
      types: entryDetail(row.detail).types,
    };
}

type Entry = { row: Awaited<ReturnType<typeof listDisclosures>>[number]; names: ReadonlyMap<string, string> };

/** The entries of one cell, in the order in which they were stored. */
async function* disclosuresIn(
  db: Database,
  { namesOf, which }: { namesOf: Sources["namesOf"]; which: Which },
): AsyncGenerator<Entry> {
  let after = 0;
  for (;;) {
    const rows = await listDisclosures(db, { ...which, actions: disclosing }, { after, max: pageMax });
    const names = await namesOf(rows.flatMap(({ brand_uuid }) => brand_uuid ?? []));
    for (const row of rows) yield { row, names };
    if (rows.length < pageMax) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Merges entries by their times. Those of one source keep their order. */
async function* oldestFirst(sources: readonly AsyncGenerator<Entry>[]): AsyncGenerator<Entry> {
  const waiting = new Map<AsyncGenerator<Entry>, Entry>();
  const take = async (source: AsyncGenerator<Entry>) => {
    const { value, done } = await source.next();
    if (done === true) waiting.delete(source);
    else waiting.set(source, value);
  };
  for (const source of sources) await take(source);
  for (;;) {
    const [first, ...others] = waiting;
    if (first === undefined) return;
    const [source, entry] = others.reduce((least, one) => (one[1].row.at < least[1].row.at ? one : least), first);
    yield entry;
    await take(source);
  }
}
