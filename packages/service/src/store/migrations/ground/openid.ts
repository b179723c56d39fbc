/** The OpenID Provider: its keys, and what it remembers of a sign-in. */
export const openidTables = `
-- Codes, tokens, grants and requests, each found by the hash of its id.
create table openid_artifact (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  -- The 1-Click that it gives access to. Null before the person has decided.
  one_click_uuid uuid,
  hash bytea not null unique,
  grant_hash bytea,
  sealed bytea not null,
  -- How many phones an interaction has tried.
  tries integer not null default 0,
  consumed_at bigint,
  expires_at bigint not null
);
create index openid_artifact_grant on openid_artifact (grant_hash) where grant_hash is not null;
create index openid_artifact_one_click on openid_artifact (one_click_uuid) where one_click_uuid is not null;
create index openid_artifact_expiry on openid_artifact (environment, expires_at);

create table openid_key (
  environment text not null,
  generation integer not null,
  -- The private key, sealed under a key of the service.
  sealed bytea not null,
  created_at bigint not null,
  primary key (environment, generation)
);
`;
