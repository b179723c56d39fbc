/** What a kept answer tells of: by it the answer is found when its person takes back what it holds. */
export const answerSubject = `
alter table idempotent_answer add column subject_uuid uuid;
`;
