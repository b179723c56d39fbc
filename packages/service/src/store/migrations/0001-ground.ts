/** The first migration. It includes customers, environments, audit and consent, which later features need. */
export const ground = `
create table customer (
  uuid uuid primary key,
  name text not null,
  email text not null,
  created_at bigint not null
);

create table brand (
  uuid uuid primary key,
  customer_uuid uuid not null references customer,
  name text not null,
  created_at bigint not null
);
create index brand_customer on brand (customer_uuid);

-- Each change of settings adds a row, so that the settings of any past release can be looked up.
create table brand_settings (
  brand_uuid uuid not null references brand,
  environment text not null,
  version integer not null,
  settings jsonb not null,
  created_at bigint not null,
  primary key (brand_uuid, environment, version)
);

create table brand_approval (
  brand_uuid uuid not null references brand,
  environment text not null,
  approval text not null,
  granted_at bigint not null,
  primary key (brand_uuid, environment, approval)
);

create table api_key (
  uuid uuid primary key,
  brand_uuid uuid not null references brand,
  environment text not null,
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  ip_ranges text[] not null default '{}',
  created_at bigint not null,
  last_used_at bigint,
  revoked_at bigint
);
create index api_key_brand on api_key (brand_uuid, environment);

create table environment_clock (
  environment text primary key,
  offset_ms bigint not null
);

-- Keys of the service itself (blind index, codes), wrapped by the master key, which is never in the database.
create table service_key (
  purpose text not null,
  version integer not null,
  master_key_id text not null,
  wrapped bytea not null,
  created_at bigint not null,
  primary key (purpose, version)
);

-- One key per subject. Destroying it (wrapped is null) makes everything sealed with it unreadable.
create table data_key (
  uuid uuid primary key,
  environment text not null,
  master_key_id text not null,
  wrapped bytea,
  created_at bigint not null,
  destroyed_at bigint
);

-- A number that changed hands starts a new generation.
create table person (
  uuid uuid primary key,
  environment text not null,
  phone_index bytea,
  email_index bytea,
  index_key_version integer not null,
  generation integer not null,
  data_key_uuid uuid not null references data_key,
  first_seen_at bigint not null,
  last_proven_at bigint
);
create unique index person_phone on person (environment, phone_index, generation);
create unique index person_email on person (environment, email_index, generation);

create table verification (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  person_uuid uuid references person,
  data_key_uuid uuid not null references data_key,
  channel text not null,
  format text,
  status text not null,
  sealed bytea not null,
  code_hmac bytea,
  attempts_used integer not null default 0,
  deliveries integer not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  kept_until bigint not null,
  delivered_at bigint,
  verified_at bigint,
  -- Proof by device: a link that works once, then a carrier's answer that works once.
  device_token_hash bytea unique,
  device_token_until bigint,
  carrier_state_hash bytea unique,
  carrier_state_until bigint,
  -- The link of the newest text, as a hash.
  link_hash bytea unique,
  redirect_user_after text,
  denied_at bigint
);
create index verification_brand on verification (brand_uuid, environment, created_at);

create table one_click (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  person_uuid uuid references person,
  data_key_uuid uuid not null references data_key,
  verification_uuid uuid,
  journey text not null,
  state text not null,
  phone_method text,
  settings_version integer not null,
  request_tree jsonb not null,
  refusal text,
  sealed bytea,
  created_at bigint not null,
  answered_at bigint,
  first_read_at bigint,
  expires_at bigint not null,
  erased_at bigint,
  -- The person's page, as hashes: its link until the phone is proven, then the session that proved it.
  page_hash bytea unique,
  page_session_hash bytea unique
);
create index one_click_brand on one_click (brand_uuid, environment, created_at);
create index one_click_person on one_click (person_uuid);
create index one_click_verification on one_click (verification_uuid);

-- A session of the SDK. A ticket opens it once. The ticket and the session's key are stored as hashes.
create table session (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  verification_uuid uuid,
  data_key_uuid uuid not null references data_key,
  key_hash bytea not null unique,
  token_hash bytea unique,
  sealed bytea,
  created_at bigint not null,
  opened_at bigint,
  expires_at bigint not null
);

-- One row per distinct wrong value, which is stored as a keyed hash.
create table challenge_attempt (
  environment text not null,
  phone_index bytea not null,
  brand_uuid uuid not null,
  input text not null,
  value_hmac bytea not null,
  at bigint not null,
  primary key (environment, phone_index, brand_uuid, input, value_hmac)
);
create index challenge_attempt_at on challenge_attempt (at);

-- Texts to send. The sandbox also keeps the texts that it sent.
create table message (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  person_uuid uuid references person,
  verification_uuid uuid,
  data_key_uuid uuid not null references data_key,
  channel text not null,
  to_index bytea not null,
  status text not null,
  sealed bytea,
  created_at bigint not null,
  sent_at bigint,
  -- Orders texts that have the same time.
  number bigint generated always as identity
);
create index message_verification on message (verification_uuid);
create index message_to on message (environment, to_index, created_at);
create index message_brand on message (brand_uuid, environment, created_at);

create table job (
  id bigint generated always as identity primary key,
  environment text not null,
  name text not null,
  subject text not null,
  payload jsonb not null,
  due_at bigint not null,
  attempts integer not null default 0,
  leased_until bigint not null default 0,
  failed_at bigint,
  unique (environment, name, subject)
);
create index job_due on job (environment, due_at, id) where failed_at is null;

-- Append-only: who read which data about which person, and why. No personal values.
create table audit (
  id bigint generated always as identity primary key,
  environment text not null,
  at bigint not null,
  action text not null,
  brand_uuid uuid,
  api_key_uuid uuid,
  person_uuid uuid,
  one_click_uuid uuid,
  verification_uuid uuid,
  request_id text,
  detail jsonb not null
);
create index audit_person on audit (person_uuid, at);
create index audit_brand on audit (brand_uuid, environment, at);

-- Append-only: what a person agreed to, with the words that were shown. Not sealed under the person's key, and kept.
create table consent (
  uuid uuid primary key,
  environment text not null,
  at bigint not null,
  action text not null,
  source text not null,
  brand_uuid uuid not null,
  person_uuid uuid,
  phone_index bytea,
  one_click_uuid uuid,
  version text not null,
  language text,
  words text,
  url text
);
create index consent_person on consent (person_uuid, at);

create table request_log (
  id bigint generated always as identity primary key,
  environment text not null,
  at bigint not null,
  request_id text not null,
  brand_uuid uuid,
  api_key_uuid uuid,
  method text not null,
  route text not null,
  status integer not null,
  error_code text,
  latency_ms integer not null
);
create index request_log_brand on request_log (brand_uuid, environment, at);

-- Counters per IP address, shared by all processes. A crash of the database empties the table, which does no harm.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
`;
