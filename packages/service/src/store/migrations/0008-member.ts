/** Customer accounts: their members, how members sign in, and an audit of their changes. */
export const member = `
-- Email addresses move to the members, sealed.
alter table customer drop column email;

create table member (
  uuid uuid primary key,
  customer_uuid uuid not null references customer,
  data_key_uuid uuid not null references data_key,
  -- Null after the member is removed, so that nothing of the address remains.
  email_index bytea,
  role text not null,
  sealed bytea not null,
  created_at bigint not null,
  -- Null until the invitation is accepted.
  joined_at bigint,
  removed_at bigint
);
create unique index member_of_customer on member (customer_uuid, email_index);
-- An address can sign in to only one account. Other accounts may still invite it.
create unique index member_joined on member (email_index) where joined_at is not null;

-- A sign-in by emailed code or link, valid for minutes. Both are stored as hashes.
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
  customer_uuid uuid not null references customer,
  member_uuid uuid not null references member,
  data_key_uuid uuid not null references data_key,
  sealed bytea not null,
  sent_at bigint not null,
  number bigint generated always as identity
);
create index mail_customer on mail (customer_uuid, sent_at);

-- Append-only: what members changed. No secrets.
create table account_audit (
  id bigint generated always as identity primary key,
  at bigint not null,
  customer_uuid uuid not null references customer,
  -- Null: the operator's command line.
  member_uuid uuid,
  brand_uuid uuid,
  environment text,
  action text not null,
  -- The member who was changed. The name is with the member, sealed.
  about_member_uuid uuid,
  subject text,
  -- The version of the settings that this change created.
  settings_version integer,
  request_id text,
  changes jsonb not null
);
create index account_audit_customer on account_audit (customer_uuid, id);
create index account_audit_brand on account_audit (brand_uuid, environment, settings_version);

-- A replaced key keeps working beside its successor until this time.
alter table api_key add column ends_at bigint;

create table approval_request (
  uuid uuid primary key,
  brand_uuid uuid not null references brand,
  member_uuid uuid not null references member,
  created_at bigint not null,
  -- The statements that were confirmed.
  confirmed text[] not null,
  note text not null
);
create index approval_request_brand on approval_request (brand_uuid, created_at);
`;
