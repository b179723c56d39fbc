/** Whether an account's members must sign in with a passkey. */
export const passkeyPolicy = `
alter table customer add column if not exists requires_passkey boolean not null default false;
`;
