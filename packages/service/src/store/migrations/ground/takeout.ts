/** Credentials in wallet apps. Only `takeout` is about a person. The other tables are shared. */
export const takeoutTables = `
create table takeout (
  uuid uuid primary key,
  environment text not null,
  person_uuid uuid not null,
  data_key_uuid uuid not null references data_key,
  -- The session of the person's page that started it, because everyone can sign in as a fixed test person.
  session_uuid uuid not null,
  kind text not null,
  -- The credential of a brand that was taken out, and its issuer.
  issued_uuid uuid,
  brand_uuid uuid,
  -- The values, until the copies are issued.
  sealed bytea,
  code_hash bytea not null unique,
  code_hmac bytea not null,
  attempts_used integer not null default 0,
  token_hash bytea unique,
  status_list_uuid uuid,
  status_indexes integer[],
  created_at bigint not null,
  issued_at bigint,
  ended_at bigint,
  ended_by text,
  -- The expiry of the offer, then of the token, then of the copies.
  expires_at bigint not null
);
create index takeout_person on takeout (person_uuid);
create index takeout_issued on takeout (issued_uuid) where issued_uuid is not null;
create index takeout_data_key on takeout (data_key_uuid);
create index takeout_expiry on takeout (environment, expires_at);

create table status_list (
  uuid uuid primary key,
  environment text not null,
  -- One bit per credential: the indexes in use, and the statuses that the list publishes.
  drawn bytea not null,
  statuses bytea not null,
  drawn_count integer not null default 0,
  created_at bigint not null
);
create index status_list_environment on status_list (environment, created_at);

create table takeout_nonce (
  uuid uuid primary key,
  environment text not null,
  hash bytea not null unique,
  expires_at bigint not null
);
create index takeout_nonce_expiry on takeout_nonce (environment, expires_at);

create table takeout_key (
  environment text not null,
  generation integer not null,
  -- The private key, sealed under a key of the service.
  sealed bytea not null,
  created_at bigint not null,
  primary key (environment, generation)
);
`;
