import type { Indexes } from "../build-indexes.ts";

/** What a request did is found by its id: when its answer is asked for again, and when it was cut off. */
export const auditRequest: Indexes = { audit_request: "audit (request_id)" };
