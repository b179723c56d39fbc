/** What a request did is found by its id: when its answer is asked for again, and when it was cut off. */
export const auditRequest = `
create index audit_request on audit (request_id);
`;
