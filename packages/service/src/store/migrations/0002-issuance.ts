/** What brands issue, the consent that each issuance has, and the brands' earnings from it. */
export const issuance = `
alter table consent add column obtained_at bigint;
alter table consent add column origin text;
alter table consent add column email_index bytea;

-- One call that issued something. Its number orders calls of the same millisecond.
create table issuance (
  number bigint generated always as identity primary key,
  environment text not null,
  at bigint not null,
  brand_uuid uuid not null references brand,
  consent_uuid uuid not null references consent
);
create index issuance_brand on issuance (brand_uuid, environment);

-- phone_index and email_index: the recipient, as the brand named them. If both are set, they belong to one person.
create table issued_credential (
  environment text not null,
  uuid uuid not null,
  issuance bigint not null references issuance,
  position integer not null,
  brand_uuid uuid not null references brand,
  person_uuid uuid not null references person,
  data_key_uuid uuid not null references data_key,
  phone_index bytea,
  email_index bytea,
  fixed_person boolean not null,
  type text not null,
  status text not null,
  sealed bytea not null,
  issued_at bigint not null,
  updated_at bigint not null,
  expires_at bigint,
  primary key (environment, uuid)
);
create index issued_credential_issuance on issued_credential (issuance);
create index issued_credential_brand on issued_credential (brand_uuid, environment, issued_at);
create index issued_credential_person on issued_credential (person_uuid, type);
create index issued_credential_email on issued_credential (environment, email_index, type) where phone_index is null;
create index issued_credential_fixed on issued_credential (environment, issued_at) where fixed_person;

-- Append-only: what a brand earned and why. The service moves no money.
create table ledger_entry (
  id bigint generated always as identity primary key,
  environment text not null,
  at bigint not null,
  kind text not null,
  brand_uuid uuid not null references brand,
  person_uuid uuid,
  subject_uuid uuid not null,
  cause_uuid uuid not null,
  detail jsonb not null,
  unique (environment, kind, subject_uuid, cause_uuid)
);
create index ledger_entry_brand on ledger_entry (brand_uuid, environment, at);
`;
