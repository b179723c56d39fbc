/** People, the sessions of their own page, and what protects them: wrong values, and phones seen together. */
export const peopleTables = `
-- A number that changed hands starts a new generation. A former holder and a deleted person have no index.
create table person (
  uuid uuid primary key,
  environment text not null,
  phone_index bytea,
  email_index bytea,
  index_key_version integer not null,
  generation integer not null,
  data_key_uuid uuid not null references data_key,
  first_seen_at bigint not null,
  last_proven_at bigint,
  -- The last four digits of the phone.
  sealed bytea
) with (fillfactor = 90);
create unique index person_phone on person (environment, phone_index, generation);
create unique index person_by_email on person (environment, email_index, generation) where email_index is not null;
create index person_key on person (data_key_uuid);

create table account_session (
  uuid uuid primary key,
  environment text not null,
  person_uuid uuid not null references person,
  -- The customer whose brands it shows, if several customers test with one number. Null: no brands.
  customer_uuid uuid,
  token_hash bytea not null unique,
  sealed bytea not null,
  device text not null,
  created_at bigint not null,
  used_at bigint not null,
  expires_at bigint not null,
  proven_until bigint,
  -- How often the person hid the values.
  hides int not null default 0
);
create index account_session_person on account_session (person_uuid);
create index account_session_expires on account_session (environment, expires_at);

-- One row per distinct wrong value.
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
create index challenge_attempt_phone on challenge_attempt (environment, phone_index, at);

-- Which phones a brand used with which email address or device in the last day.
create table risk_sighting (
  environment text not null,
  kind text not null,
  value_hash bytea not null,
  brand_uuid uuid not null,
  phone_hash bytea not null,
  at bigint not null,
  primary key (environment, kind, value_hash, brand_uuid, phone_hash)
);
create index risk_sighting_at on risk_sighting (environment, at);
`;
