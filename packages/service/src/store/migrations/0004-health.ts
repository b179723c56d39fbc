/** Health lookups and the paid calls made for them. */
export const health = `
-- What was asked and what came of it, sealed under the person's key, or one of its own where no person is known.
create table health_lookup (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  api_key_uuid uuid,
  request_id text not null,
  person_uuid uuid references person,
  one_click_uuid uuid,
  data_key_uuid uuid not null references data_key,
  -- The settings in force when it was asked.
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

-- ISA13: nine digits, not the same twice.
create sequence health_control_number maxvalue 999999999 cycle;

-- One paid call. It is noted before it is made: a call whose answer was lost is not made again.
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
