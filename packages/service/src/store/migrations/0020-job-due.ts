/** The index before those of 0019. */
export const jobDue = `
drop index job_due;
`;
