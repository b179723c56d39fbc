/** Names of the members of a call's body that were ignored. Values are never stored. */
export const requestWarnings = `
alter table request_log add column warnings text[];
`;
