/** Verifications of phones, the texts that they send, opt-outs from texts, and signs of SMS pumping. */
export const textTables = `
create table verification (
  uuid uuid primary key,
  environment text not null,
  -- Null for a sign-in to the person's own page.
  brand_uuid uuid,
  person_uuid uuid references person,
  data_key_uuid uuid not null references data_key,
  channel text not null,
  format text,
  status text not null,
  sealed bytea not null,
  code_hmac bytea,
  -- Whether the brand received the code in order to text it. Such a verification relies on the brand's statement.
  code_shown_to_brand boolean not null default false,
  attempts_used integer not null default 0,
  deliveries integer not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  kept_until bigint not null,
  delivered_at bigint,
  verified_at bigint,
  denied_at bigint,
  -- Proof by device: a link that works once, then a carrier's answer that works once.
  device_token_hash bytea,
  device_token_until bigint,
  carrier_state_hash bytea,
  carrier_state_until bigint,
  -- The link of the newest text.
  link_hash bytea,
  redirect_user_after text
) with (fillfactor = 60);
create index verification_brand on verification (brand_uuid, environment, created_at);
create index verification_person on verification (person_uuid);
create index verification_key on verification (data_key_uuid);
create index verification_kept on verification (environment, kept_until);
create unique index verification_device on verification (device_token_hash) where device_token_hash is not null;
create unique index verification_carrier on verification (carrier_state_hash) where carrier_state_hash is not null;
create unique index verification_link on verification (link_hash) where link_hash is not null;

-- Counts of erased verifications, without an id and without a person.
create table verification_past (
  environment text not null,
  brand_uuid uuid not null,
  channel text not null,
  status text not null,
  attempts_used integer not null,
  deliveries integer not null,
  texts_sent integer not null,
  created_at bigint not null,
  expires_at bigint not null,
  delivered_at bigint
);
create index verification_past_brand on verification_past (brand_uuid, environment, created_at);

-- Texts to send. The sandbox also keeps the texts that it sent. They are found by their verification, which has the
-- brand and the person.
create table message (
  uuid uuid primary key,
  -- Orders texts that have the same time.
  number bigint generated always as identity,
  environment text not null,
  brand_uuid uuid,
  person_uuid uuid references person,
  verification_uuid uuid,
  data_key_uuid uuid not null references data_key,
  channel text not null,
  to_index bytea not null,
  -- A text that a resend replaced before it was sent is superseded.
  status text not null,
  sealed bytea,
  created_at bigint not null,
  sent_at bigint
) with (fillfactor = 80);
create index message_verification on message (verification_uuid);
create index message_to on message (environment, to_index, created_at);
create index message_key on message (data_key_uuid);

-- One row per phone that sent STOP or START. In a sandbox, an opt-out ends the texts of one customer. In production, it
-- ends all texts and has the zero uuid. Deleting the person keeps it, because a deletion must not restart texts.
create table text_stop (
  environment text not null,
  phone_index bytea not null,
  customer_uuid uuid not null,
  stopped boolean not null,
  at bigint not null,
  -- Hashes of the newest processed messages, so that a repeated message changes nothing.
  heeded bytea[] not null,
  primary key (environment, phone_index, customer_uuid)
);

-- How many texts ended in one way on a day, by the adapter that sent them and the phone's carrier. Counts only: no row
-- leads to a phone, a person or a brand.
create table text_result (
  environment text not null,
  -- The start of the day (UTC).
  day bigint not null,
  route text not null,
  -- Empty if the gateway did not name it.
  carrier text not null,
  outcome text not null check (outcome in ('accepted', 'delivered', 'failed')),
  -- Empty unless the text failed.
  reason text not null,
  texts integer not null,
  primary key (environment, day, route, carrier, outcome, reason)
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
`;
