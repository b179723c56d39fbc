/** The text of each answer, sealed under the key of its delivery. Null if there was none, or if it was erased. */
export const webhookAnswers = `
alter table webhook_attempt add column if not exists sealed bytea;
`;
