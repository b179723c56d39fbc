import type { Indexes } from "../build-indexes.ts";

/** Finds what a request did by its ID: when its stored answer is requested again, and when the request was cut off. */
export const auditRequest: Indexes = { audit_request: "audit (request_id)" };
