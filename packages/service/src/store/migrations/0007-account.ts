/** The person's own page: its sessions, and the texts, verifications and consents that involve no brand. */
export const account = `
alter table verification alter column brand_uuid drop not null;
alter table message alter column brand_uuid drop not null;
alter table consent alter column brand_uuid drop not null;

create table account_session (
  uuid uuid primary key,
  environment text not null,
  person_uuid uuid not null references person (uuid),
  -- The customer whose brands it shows, if several customers test with one number. Null: no brands.
  customer_uuid uuid references customer (uuid),
  token_hash bytea not null unique,
  sealed bytea not null,
  device text not null,
  created_at bigint not null,
  used_at bigint not null,
  expires_at bigint not null,
  proven_until bigint
);
create index account_session_person on account_session (person_uuid);
create index verification_person on verification (person_uuid);
create index message_person on message (person_uuid);
create index session_key on session (data_key_uuid);
create index webhook_delivery_subject on webhook_delivery (subject_uuid);
create index webhook_delivery_key on webhook_delivery (data_key_uuid);
`;
