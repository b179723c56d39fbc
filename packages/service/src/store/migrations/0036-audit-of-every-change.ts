/** The audit log also records changes by API keys, sandbox control and the operator, and can be streamed. */
export const auditOfEveryChange = `
-- Null: a change by the operator that concerns no single account, such as a migration.
alter table account_audit alter column customer_uuid drop not null;
-- The API key that a call of sandbox control used.
alter table account_audit add column api_key_uuid uuid;
-- dashboard, sandboxControl or commandLine
alter table account_audit add column via text not null default 'dashboard';
-- The endpoint or the command, without its parameters.
alter table account_audit add column call text;
alter table account_audit add column streamed_at bigint;
update account_audit set via = 'commandLine' where member_uuid is null;
`;
