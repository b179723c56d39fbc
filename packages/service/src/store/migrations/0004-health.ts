/** Health lookups and the paid calls made for them. */
export const health = `
-- A request and its result, sealed under the person's key. A lookup without a person has its own key.
create table health_lookup (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  api_key_uuid uuid,
  request_id text not null,
  person_uuid uuid references person,
  one_click_uuid uuid,
  data_key_uuid uuid not null references data_key,
  -- The settings at the time of the request.
  settings_version integer not null,
  state text not null,
  sealed bytea,
  sealed_result bytea,
  created_at bigint not null,
  finished_at bigint,
  expires_at bigint,
  erased_at bigint
);
create index health_lookup_brand on health_lookup (brand_uuid, environment, created_at);
create index health_lookup_person on health_lookup (person_uuid);

-- ISA13: nine digits, different for each interchange.
create sequence health_control_number maxvalue 999999999 cycle;

-- One paid call. The row is written before the call, so that a call with a lost answer is not repeated.
create table health_step (
  lookup_uuid uuid not null references health_lookup on delete cascade,
  name text not null,
  state text not null,
  attempts integer not null,
  control_number bigint not null,
  called_at bigint not null,
  sealed bytea,
  primary key (lookup_uuid, name)
);
`;
