/** State IDs: open requests for one, and the authorities whose IDs are believed. */
export const stateIdTables = `
-- A page's requests for a state ID. The answer deletes the row.
create table state_id_request (
  uuid uuid primary key,
  environment text not null,
  one_click_uuid uuid not null,
  data_key_uuid uuid not null references data_key,
  -- Only the browser that asked can answer, on a page of this origin.
  browser_hash bytea not null,
  origin text not null,
  -- What was asked, and the keys and the nonce of the answer.
  sealed bytea not null,
  expires_at bigint not null
);
create index state_id_request_one_click on state_id_request (one_click_uuid);
create index state_id_request_data_key on state_id_request (data_key_uuid);
create index state_id_request_expiry on state_id_request (environment, expires_at);

-- The root certificates of authorities, as the operator added them. The sandbox has its own test authorities.
create table state_id_authority (
  -- SHA-256 of the certificate.
  fingerprint bytea primary key,
  name text not null,
  -- ISO 3166-2, such as US-CA.
  jurisdiction text not null,
  -- DER.
  certificate bytea not null,
  -- The name of the file, so that a newer version of it can replace what the former one added.
  source text not null,
  added_at bigint not null,
  expires_at bigint not null
);
`;
