import type { Indexes } from "../build-indexes.ts";

/** Finds whether a call has recorded its change, and the entries that have not been streamed. */
export const accountAuditIndexes: Indexes = {
  account_audit_request: "account_audit (request_id)",
  account_audit_unstreamed: "account_audit (id) where streamed_at is null",
};
