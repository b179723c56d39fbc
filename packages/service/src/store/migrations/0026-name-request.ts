/** Names that wait for the operator's approval. */
export const nameRequest = `
create table name_request (
  uuid uuid primary key,
  customer_uuid uuid not null references customer,
  -- Null for the account's own name, whose environment is 'account'.
  brand_uuid uuid references brand,
  environment text not null,
  -- The setting, or 'name' for an account.
  path text not null,
  value text not null,
  requested_at bigint not null
);
-- A later request replaces the earlier one.
create unique index name_request_of on name_request ((coalesce(brand_uuid, customer_uuid)), environment, path);
`;
