/** Removes the names of passkeys from the audit log, which outlives the member. A name can contain a person's name. */
export const passkeyNames = `
update account_audit set subject = null where action in ('passkey.created', 'passkey.deleted');
`;
