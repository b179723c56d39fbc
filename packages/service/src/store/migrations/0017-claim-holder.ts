/** The number that the claiming process keeps locked while it runs. Null: claimed by an older version. */
export const claimHolder = `
alter table job add column claimed_by integer;
`;
