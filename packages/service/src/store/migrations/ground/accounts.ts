/** Customer accounts: their members, how members sign in, and the audit log of changes. Times are real time. */
export const accountTables = `
create table customer (
  uuid uuid primary key,
  name text not null,
  requires_passkey boolean not null default false,
  created_at bigint not null
);

create table member (
  uuid uuid primary key,
  customer_uuid uuid not null references customer,
  data_key_uuid uuid not null references data_key,
  -- Null after the member is removed, so that nothing of the address remains.
  email_index bytea,
  role text not null,
  -- The email address and the name.
  sealed bytea not null,
  created_at bigint not null,
  -- Null until the invitation is accepted.
  joined_at bigint,
  removed_at bigint
);
create unique index member_of_customer on member (customer_uuid, email_index);
-- An address can sign in to only one account. Other accounts may still invite it.
create unique index member_joined on member (email_index) where joined_at is not null;

-- A sign-in by emailed code or link, valid for minutes.
create table sign_in (
  uuid uuid primary key,
  -- Null if the address is unknown. Such a sign-in counts attempts like any other, but no code is right.
  member_uuid uuid references member,
  email_index bytea,
  code_hmac bytea,
  link_hash bytea unique,
  attempts_used integer not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index sign_in_email on sign_in (email_index, created_at);

create table member_session (
  uuid uuid primary key,
  member_uuid uuid not null references member,
  token_hash bytea not null unique,
  method text not null,
  device text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null
);
create index member_session_member on member_session (member_uuid);

create table passkey (
  uuid uuid primary key,
  member_uuid uuid not null references member,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_synced boolean not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkey_member on passkey (member_uuid);

-- The challenge that an authenticator signs. It is deleted after the answer.
create table passkey_challenge (
  uuid uuid primary key,
  -- Null for a sign-in, because the answer names the member.
  member_uuid uuid references member,
  challenge text not null,
  expires_at bigint not null
);

-- Emails that were sent, if no mail server is connected.
create table mail (
  uuid uuid primary key,
  -- Orders emails that have the same time.
  number bigint generated always as identity,
  customer_uuid uuid not null references customer,
  member_uuid uuid not null references member,
  data_key_uuid uuid not null references data_key,
  sealed bytea not null,
  sent_at bigint not null
);
create index mail_customer on mail (customer_uuid, sent_at);
create index mail_key on mail (data_key_uuid);

-- People who run the service and sign in to the operator's console.
create table operator (
  uuid uuid primary key,
  data_key_uuid uuid not null references data_key,
  -- Null after the operator is removed, so that nothing of the address remains.
  email_index bytea unique,
  role text not null,
  -- The email address and the name.
  sealed bytea not null,
  created_at bigint not null,
  -- The newest invitation. It works once and can only add a passkey.
  link_hash bytea unique,
  link_expires_at bigint,
  removed_at bigint
);

create table operator_session (
  uuid uuid primary key,
  operator_uuid uuid not null references operator,
  token_hash bytea not null unique,
  method text not null,
  device text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null
);
create index operator_session_operator on operator_session (operator_uuid);

create table operator_passkey (
  uuid uuid primary key,
  operator_uuid uuid not null references operator,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at bigint not null,
  last_used_at bigint
);
create index operator_passkey_operator on operator_passkey (operator_uuid);

-- Append-only: what members, API keys and the operator changed, and which people's records the operator looked at. It has no secrets and outlives members, so it has no
-- names that could be a person's.
create table account_audit (
  id bigint generated always as identity primary key,
  at bigint not null,
  -- Null: a change by the operator that concerns no single account, such as a migration.
  customer_uuid uuid references customer,
  -- Null: an API key, the operator, or a user of this machine.
  member_uuid uuid,
  -- The person who acted in the operator's console. The name is with the operator, sealed.
  operator_uuid uuid,
  -- The API key that a call of sandbox control used.
  api_key_uuid uuid,
  -- dashboard, sandboxControl, commandLine or console
  via text not null,
  -- The endpoint or the command, without its parameters.
  call text,
  request_id text,
  brand_uuid uuid,
  environment text,
  action text not null,
  -- The member who was changed. The name is with the member, sealed.
  about_member_uuid uuid,
  subject text,
  -- Why the operator did it. The customer can read it.
  reason text,
  -- The version of the settings that this change created.
  settings_version integer,
  changes jsonb not null,
  streamed_at bigint
);
create index account_audit_customer on account_audit (customer_uuid, id);
create index account_audit_brand on account_audit (brand_uuid, environment, settings_version);
-- Whether a call has recorded its change.
create index account_audit_request on account_audit (request_id);
-- Who looked at a person: the subject is the person's uuid.
create index account_audit_person on account_audit (subject, id) where action like 'person.%';
create index account_audit_unstreamed on account_audit (id) where streamed_at is null;
`;
