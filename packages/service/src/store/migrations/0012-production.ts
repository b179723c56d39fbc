/** Tables that production needs: opt-outs from texts, signs of SMS pumping, risk data and payers. */
export const production = `
-- One row per phone that sent STOP or START. Deleting the person keeps it, because a deletion must not restart texts.
create table text_stop (
  environment text not null,
  phone_index bytea not null,
  stopped boolean not null,
  at bigint not null,
  -- Hashes of the newest processed messages, so that a repeated message changes nothing.
  heeded bytea[] not null,
  primary key (environment, phone_index)
);

-- A brand, or a block of a thousand numbers, with very few correct codes per text in an hour.
create table conversion_alarm (
  environment text not null,
  kind text not null,
  key bytea not null,
  window_start bigint not null,
  -- The brand whose text raised the alarm. Null: the service itself.
  brand_uuid uuid references brand,
  raised_at bigint not null,
  sent integer not null,
  verified integer not null,
  primary key (environment, kind, key, window_start)
);
create index conversion_alarm_brand on conversion_alarm (environment, brand_uuid, raised_at);
create index conversion_alarm_window on conversion_alarm (environment, window_start);

-- Which phones were used with which email address or device in the last day, as hashes.
create table risk_sighting (
  environment text not null,
  kind text not null,
  value_hash bytea not null,
  phone_hash bytea not null,
  at bigint not null,
  primary key (environment, kind, value_hash, phone_hash)
);
create index risk_sighting_at on risk_sighting (environment, at);

-- The clearinghouse's payers, as last read. Without rows, the service uses the list that it ships with.
create table payer (
  vendor_id text primary key,
  position integer not null,
  payer jsonb not null,
  synced_at bigint not null
);
`;
