/** Who holds a claim: the number that a process keeps locked while it runs. Null: claimed by an older version. */
export const claimHolder = `
alter table job add column claimed_by integer;
-- Failed jobs are counted among all that wait for a later time.
create index job_failed on job (environment) where failed_at is not null;
`;
