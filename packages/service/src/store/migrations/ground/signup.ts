/** 1-Clicks, sessions of the SDK that open them, and what wallet apps present for them. */
export const signupTables = `
create table one_click (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null,
  person_uuid uuid references person,
  data_key_uuid uuid not null references data_key,
  verification_uuid uuid,
  journey text not null,
  state text not null,
  phone_method text,
  settings_version integer not null,
  refusal text,
  risk_scored boolean not null default false,
  -- The facts, and the request tree, because brands can write personal data into descriptions.
  sealed bytea,
  created_at bigint not null,
  inputs_asked_at bigint,
  -- When the identity was first found. Null if it never was.
  found_at bigint,
  answered_at bigint,
  first_read_at bigint,
  -- For the journey that the brand's members see: when its session was made, when the sources were last asked, and how
  -- long the risk score and the identity sources took.
  session_at bigint,
  asked_at bigint,
  risk_ms integer,
  source_ms integer,
  expires_at bigint not null,
  erased_at bigint,
  -- The person's page: its link until the phone is proven, then the session that proved it.
  page_hash bytea,
  page_session_hash bytea
) with (toast_tuple_target = 4096);
create index one_click_brand on one_click (brand_uuid, environment, created_at);
create index one_click_person on one_click (person_uuid);
create index one_click_proof on one_click (verification_uuid) where verification_uuid is not null;
create index one_click_key on one_click (data_key_uuid);
create index one_click_expires on one_click (environment, expires_at) where erased_at is null;
create unique index one_click_page on one_click (page_hash) where page_hash is not null;
create unique index one_click_page_session on one_click (page_session_hash) where page_session_hash is not null;

-- A session of the SDK. Its key opens it once. It may be in another database than its person, so it has its own data
-- key, and the person's uuid for deletions.
create table session (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null,
  -- Whose phone it contains. Null if it has none.
  person_uuid uuid,
  verification_uuid uuid,
  device_verification_uuid uuid,
  one_click_uuid uuid,
  data_key_uuid uuid not null references data_key,
  key_hash bytea not null unique,
  token_hash bytea unique,
  sealed bytea,
  -- How many phones it has tried.
  phones_used integer not null default 0,
  created_at bigint not null,
  opened_at bigint,
  expires_at bigint not null
);
create index session_person on session (person_uuid) where person_uuid is not null;
create index session_one_click on session (one_click_uuid) where one_click_uuid is not null;
create index session_key on session (data_key_uuid);
create index session_expires on session (environment, expires_at);

-- A page's requests to the person's wallet app, and the presented values until the page reads them.
create table presentation (
  uuid uuid primary key,
  environment text not null,
  one_click_uuid uuid not null,
  data_key_uuid uuid not null references data_key,
  word_hash bytea not null unique,
  nonce_hash bytea not null,
  -- The code that the wallet app returns to the browser, and only to it.
  code_hash bytea unique,
  -- The name of the page that the wallet app returns to, then the values.
  sealed bytea not null,
  expires_at bigint not null
);
create index presentation_one_click on presentation (one_click_uuid);
create index presentation_data_key on presentation (data_key_uuid);
create index presentation_expiry on presentation (environment, expires_at);

-- Answers to requests with an Idempotency-Key, kept for one day.
create table idempotent_answer (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null,
  endpoint text not null,
  -- Hash of the key that the caller sent, and a keyed hash of the request's body.
  key_hash bytea not null,
  body_hash bytea not null,
  -- Finds the audit entries of the same request, and so the answers that contain a 1-Click's data. These are destroyed
  -- together with that data.
  request_id text not null,
  -- What the answer is about. It finds the answers to destroy when a person revokes access to their data.
  subject_uuid uuid,
  data_key_uuid uuid not null references data_key,
  -- Null while the first request is still being answered.
  sealed bytea,
  created_at bigint not null,
  unique (environment, brand_uuid, endpoint, key_hash)
) with (toast_tuple_target = 4096);
create index idempotent_answer_request on idempotent_answer (request_id);
create index idempotent_answer_subject on idempotent_answer (subject_uuid);
create index idempotent_answer_key on idempotent_answer (data_key_uuid);
create index idempotent_answer_created on idempotent_answer (environment, created_at);
`;
