/** Answers to requests with an Idempotency-Key, kept for one day. */
export const idempotency = `
create table idempotent_answer (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  endpoint text not null,
  -- Hash of the caller's key, and a keyed hash of the request's body.
  key_hash bytea not null,
  body_hash bytea not null,
  -- Finds the answers about a person through the audit entries of the same request.
  request_id text not null,
  data_key_uuid uuid not null references data_key,
  -- Null while the first request is still being answered.
  sealed bytea,
  created_at bigint not null,
  unique (environment, brand_uuid, endpoint, key_hash)
);
`;
