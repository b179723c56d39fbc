/** The text of each answer, sealed under the key of its delivery. Null if the answer had none, or once it is erased. */
export const webhookAnswers = `
alter table webhook_attempt add column if not exists sealed bytea;
`;
