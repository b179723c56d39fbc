/** Drops the index that the indexes of migration 0019 replace. */
export const jobDue = `
drop index job_due;
`;
