/** Who holds a claim: the number that a process keeps locked while it runs. Null: claimed by an older version. */
export const claimHolder = `
alter table job add column claimed_by integer;
`;
