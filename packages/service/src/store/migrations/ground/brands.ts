/** Brands: their settings and API keys, and what the operator approves or limits. */
export const brandTables = `
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

create table approval_request (
  uuid uuid primary key,
  brand_uuid uuid not null references brand,
  member_uuid uuid not null references member,
  created_at bigint not null,
  -- The statements that were confirmed.
  confirmed text[] not null,
  note text not null,
  -- The operator's refusal, which the brand reads. The brand can ask again.
  refused_at bigint,
  refusal text
);
create index approval_request_brand on approval_request (brand_uuid, created_at);

-- A brand that the operator has limited to reading or has stopped. A brand without a row here works normally.
create table brand_mode (
  brand_uuid uuid not null references brand,
  environment text not null,
  mode text not null,
  set_at bigint not null,
  primary key (brand_uuid, environment)
);

-- The logo that is served, and one that waits for the operator's approval.
create table brand_logo (
  brand_uuid uuid not null references brand,
  environment text not null,
  is_waiting boolean not null,
  -- SHA-256 of the bytes, which names the logo in URLs.
  hash bytea not null,
  type text not null,
  bytes bytea not null,
  created_at bigint not null,
  primary key (brand_uuid, environment, is_waiting)
);
create index brand_logo_hash on brand_logo (hash);

-- Names that wait for the operator's approval.
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
-- A later request replaces the earlier one. An account's own name has no brand, and nulls are never equal.
create unique index name_request_of on name_request ((coalesce(brand_uuid, customer_uuid)), environment, path);

create table api_key (
  uuid uuid primary key,
  brand_uuid uuid not null references brand,
  environment text not null,
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  ip_ranges text[] not null default '{}',
  created_at bigint not null,
  -- The member who created it. Null: the operator or sandbox control.
  created_by uuid,
  last_used_at bigint,
  -- A replaced key keeps working beside its successor until this time.
  ends_at bigint,
  revoked_at bigint
);
create index api_key_brand on api_key (brand_uuid, environment);
`;
