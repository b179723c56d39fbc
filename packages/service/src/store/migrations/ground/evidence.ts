/** Append-only evidence: who read what, what people agreed to, and what brands earned. It contains no personal values. */
export const evidenceTables = `
-- Who read which data about which person, and why.
create table audit (
  id bigint generated always as identity primary key,
  environment text not null,
  at bigint not null,
  action text not null,
  brand_uuid uuid,
  api_key_uuid uuid,
  person_uuid uuid,
  one_click_uuid uuid,
  verification_uuid uuid,
  request_id text,
  detail jsonb not null
);
create index audit_person on audit (person_uuid, at);
create index audit_brand on audit (brand_uuid, environment, at);
-- For repeated requests and for requests that were cut off.
create index audit_request on audit (request_id);

-- What a person agreed to, with the words that were shown. Not sealed under the person's key, and kept.
create table consent (
  uuid uuid primary key,
  environment text not null,
  at bigint not null,
  action text not null,
  source text not null,
  -- Null for a decision on the person's own page that involves no brand.
  brand_uuid uuid,
  person_uuid uuid,
  phone_index bytea,
  email_index bytea,
  -- A keyed hash of the phone that only this person's rows share. It replaces both indexes when the person is deleted
  -- or the number changes hands, so that the next holder shares nothing with this row.
  evidence_hash bytea,
  one_click_uuid uuid,
  version text not null,
  language text,
  words text,
  url text,
  -- What a brand says about a consent that it obtained.
  obtained_at bigint,
  origin text
);
create index consent_person on consent (person_uuid, at);
-- BRIN is enough, because consents are inserted and expire in time order.
create index consent_at on consent using brin (at);

-- What a brand earned and why. The service moves no money.
create table ledger_entry (
  id bigint generated always as identity primary key,
  environment text not null,
  at bigint not null,
  kind text not null,
  brand_uuid uuid not null,
  person_uuid uuid,
  subject_uuid uuid not null,
  cause_uuid uuid not null,
  detail jsonb not null,
  unique (environment, kind, subject_uuid, cause_uuid)
);
create index ledger_entry_brand on ledger_entry (brand_uuid, environment, at);
`;
