/** Brand logos: at most one per brand and environment, identified by the hash of its content. */
export const brandLogo = `
create table brand_logo (
  brand_uuid uuid not null references brand,
  environment text not null,
  -- SHA-256 of the bytes, which names the logo in URLs.
  hash bytea not null,
  type text not null,
  bytes bytea not null,
  created_at bigint not null,
  primary key (brand_uuid, environment)
);
create index brand_logo_hash on brand_logo (hash);
`;
