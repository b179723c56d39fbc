/** What a stored answer is about. It finds the answers to destroy when a person revokes access to their data. */
export const answerSubject = `
alter table idempotent_answer add column subject_uuid uuid;
`;
