/** Health lookups, the paid calls made for them, and payers. */
export const healthTables = `
-- A request and its result, sealed under the person's key. A lookup without a person has its own key.
create table health_lookup (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null,
  api_key_uuid uuid,
  request_id text not null,
  person_uuid uuid references person,
  one_click_uuid uuid,
  -- Whether the person started it. The brand gets the result of such a lookup only after the person shares it.
  held boolean not null default false,
  data_key_uuid uuid not null references data_key,
  -- The settings at the time of the request.
  settings_version integer not null,
  state text not null,
  -- How many paid calls it made, of each kind.
  autofills integer not null default 0,
  checks integer not null default 0,
  sealed bytea,
  sealed_result bytea,
  created_at bigint not null,
  finished_at bigint,
  expires_at bigint,
  erased_at bigint
) with (toast_tuple_target = 4096);
create index health_lookup_brand on health_lookup (brand_uuid, environment, created_at);
create index health_lookup_person on health_lookup (person_uuid);
create index health_lookup_key on health_lookup (data_key_uuid);
-- A person starts at most one lookup in a 1-Click.
create unique index health_lookup_one_click on health_lookup (one_click_uuid) where held;
-- Lists the lookups of a 1-Click.
create index health_lookup_signup on health_lookup (one_click_uuid) where one_click_uuid is not null;
-- Counts a brand's lookups that have no result yet.
create index health_lookup_open on health_lookup (brand_uuid) where state in ('pending', 'processing');
create index health_lookup_expires on health_lookup (environment, expires_at) where erased_at is null;
-- Erased lookups that have their own key. A webhook delivery may still need that key.
create index health_lookup_erased on health_lookup (environment, erased_at) where person_uuid is null;

-- ISA13: nine digits, different for each interchange.
create sequence health_control_number maxvalue 999999999 cycle;

-- One paid call. The row is written before the call, so that a call with a lost answer is not repeated.
create table health_call (
  lookup_uuid uuid not null references health_lookup on delete cascade,
  name text not null,
  state text not null,
  attempts integer not null,
  control_number bigint not null,
  called_at bigint not null,
  sealed bytea,
  primary key (lookup_uuid, name)
);

-- The clearinghouse's payers, as last read. Without rows, the service uses the list that it ships with.
create table payer (
  vendor_id text primary key,
  position integer not null,
  payer jsonb not null,
  synced_at bigint not null
);
`;
