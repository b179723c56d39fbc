import type { Indexes } from "../build-indexes.ts";

/** Finds audit entries by request ID, for repeated requests and for requests that were cut off. */
export const auditRequest: Indexes = { audit_request: "audit (request_id)" };
