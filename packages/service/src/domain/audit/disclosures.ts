import type { Environment } from "@countersign/contract/brand";
import type { Database } from "../../store/database.ts";
import { type AuditAction, detailOf } from "./record.ts";

/** Everything by which somebody's data reached a brand. */
const disclosing: readonly AuditAction[] = [
  "oneClick.released",
  "oneClick.read",
  "health.released",
  "health.read",
  "credential.read",
];
/** Entries read at a time: a report may be of any length, and is never held whole. */
const pageMax = 1_000;

export type Disclosure = {
  /** ISO 8601, UTC. */
  at: string;
  action: string;
  brandUuid: string | null;
  brandName: string | null;
  apiKeyUuid: string | null;
  /** Whoever the data are of: a uuid, because an index of phones cannot be turned round. */
  personUuid: string | null;
  oneClickUuid: string | null;
  requestId: string | null;
  /** Credential types, as far as the deed names them. */
  types: string[];
};
type Which = {
  environment: Environment;
  /** From this instant on, before the other; Unix milliseconds. */
  from: number;
  to: number;
  brandUuid?: string;
  apiKeyUuid?: string;
  personUuid?: string;
};

/** Who read what of whom between two instants, oldest first: what is asked after a key was stolen, and by law of a person. */
export async function* disclosures(db: Database, which: Which): AsyncGenerator<Disclosure> {
  let after = 0;
  for (;;) {
    let query = db
      .selectFrom("audit")
      .leftJoin("brand", "brand.uuid", "audit.brand_uuid")
      .selectAll("audit")
      .select("brand.name")
      .where("audit.environment", "=", which.environment)
      .where("audit.action", "in", disclosing)
      .where("audit.at", ">=", which.from)
      .where("audit.at", "<", which.to)
      .where("audit.id", ">", after);
    if (which.brandUuid !== undefined) query = query.where("audit.brand_uuid", "=", which.brandUuid);
    if (which.apiKeyUuid !== undefined) query = query.where("audit.api_key_uuid", "=", which.apiKeyUuid);
    if (which.personUuid !== undefined) query = query.where("audit.person_uuid", "=", which.personUuid);
    const rows = await query.orderBy("audit.id").limit(pageMax).execute();
    for (const row of rows)
      yield {
        at: new Date(row.at).toISOString(),
        action: row.action,
        brandUuid: row.brand_uuid,
        brandName: row.name,
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
