import type { Environment } from "@countersign/contract/brand";
import type { Database } from "../../store/database.ts";
import { listDisclosures } from "./audit-rows.ts";
import { type AuditAction, detailOf } from "./record.ts";

/** Every action that gives a person's data to a brand. */
const disclosing: readonly AuditAction[] = [
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
type Sources = { db: Database; namesOf(brandUuids: readonly string[]): Promise<ReadonlyMap<string, string>> };
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
 * Who read whose data in a period, oldest first. Needed after the theft of a key, and for a person's legal request for
 * access.
 */
export async function* disclosures({ db, namesOf }: Sources, which: Which): AsyncGenerator<Disclosure> {
  let after = 0;
  for (;;) {
    const rows = await listDisclosures(db, { ...which, actions: disclosing }, { after, max: pageMax });
    const names = await namesOf(rows.flatMap(({ brand_uuid }) => brand_uuid ?? []));
    for (const row of rows)
      yield {
        at: new Date(row.at).toISOString(),
        action: row.action,
        brandUuid: row.brand_uuid,
        brandName: names.get(row.brand_uuid ?? "") ?? null,
        apiKeyUuid: row.api_key_uuid,
        personUuid: row.person_uuid,
        oneClickUuid: row.one_click_uuid,
        requestId: row.request_id,
        types: detailOf(row.detail).types,
      };
    if (rows.length < pageMax) return;
    after = rows.at(-1)?.id ?? after;
  }
}
