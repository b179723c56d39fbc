/** Which members of a call's body were ignored: names, never values. */
export const requestWarnings = `
alter table request_log add column warnings text[];
`;
