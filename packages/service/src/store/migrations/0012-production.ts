/** Tables that production needs: opt-outs from texts, signs of SMS pumping, risk data and payers. */
export const production = `
-- One row per phone that ever sent STOP or START. It outlives a deletion: a wish for no texts is not taken back by it.
create table text_stop (
  environment text not null,
  phone_index bytea not null,
  stopped boolean not null,
  at bigint not null,
  -- Hashes of the newest messages that were heeded, so that a repeated one changes nothing.
  heeded bytea[] not null,
  primary key (environment, phone_index)
);

-- A brand, or a block of a thousand numbers, whose texts are hardly ever answered in an hour.
create table conversion_alarm (
  environment text not null,
  kind text not null,
  key bytea not null,
  window_start bigint not null,
  -- Whose text raised it; null: the service's own.
  brand_uuid uuid references brand,
  raised_at bigint not null,
  sent integer not null,
  verified integer not null,
  primary key (environment, kind, key, window_start)
);
create index conversion_alarm_brand on conversion_alarm (environment, brand_uuid, raised_at);
create index conversion_alarm_window on conversion_alarm (environment, window_start);

-- Which phones were used with which e-mail address or device, in hashes, for a day.
create table risk_sighting (
  environment text not null,
  kind text not null,
  value_hash bytea not null,
  phone_hash bytea not null,
  at bigint not null,
  primary key (environment, kind, value_hash, phone_hash)
);
create index risk_sighting_at on risk_sighting (environment, at);

-- The clearinghouse's payers as they were read last; none: the ones that the project brings along.
create table payer (
  vendor_id text primary key,
  position integer not null,
  payer jsonb not null,
  synced_at bigint not null
);
`;
