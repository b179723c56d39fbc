/** What brands issue, and the consent that each issuance has. */
export const credentialTables = `
-- One call that issued something. Its number orders calls of the same millisecond. Its consent stays as long as it
-- does, for billing.
create table issuance (
  number bigint generated always as identity primary key,
  environment text not null,
  at bigint not null,
  brand_uuid uuid not null,
  consent_uuid uuid not null references consent
);
create index issuance_brand on issuance (brand_uuid, environment);
create index issuance_consent on issuance (consent_uuid);

create table issued_credential (
  environment text not null,
  uuid uuid not null,
  issuance bigint not null references issuance,
  position integer not null,
  brand_uuid uuid not null,
  person_uuid uuid not null references person,
  data_key_uuid uuid not null references data_key,
  -- The recipient, as the brand named them. If both are set, they belong to one person.
  phone_index bytea,
  email_index bytea,
  -- For one of the sandbox's fixed people, whose credentials are deleted every day.
  fixed_person boolean not null,
  type text not null,
  status text not null,
  sealed bytea not null,
  issued_at bigint not null,
  updated_at bigint not null,
  expires_at bigint,
  primary key (environment, uuid)
) with (toast_tuple_target = 4096);
create index issued_credential_issuance on issued_credential (issuance);
create index issued_credential_brand on issued_credential (brand_uuid, environment, issued_at);
create index issued_credential_person on issued_credential (person_uuid, type);
create index issued_credential_email on issued_credential (environment, email_index, type) where phone_index is null;
create index issued_credential_fixed on issued_credential (environment, issued_at) where fixed_person;
create index issued_credential_key on issued_credential (data_key_uuid);
`;
