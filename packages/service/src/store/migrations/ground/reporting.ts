/** The log of brands' calls. */
export const reportingTables = `
-- Lines are found by brand, environment and id, so the table has no primary key. Its index would cost every call.
create table request_log (
  id bigint generated always as identity,
  environment text not null,
  at bigint not null,
  request_id text not null,
  brand_uuid uuid,
  api_key_uuid uuid,
  method text not null,
  route text not null,
  status integer not null,
  error_code text,
  latency_ms integer not null,
  -- What the call was about, and whom.
  subject_uuid uuid,
  person_uuid uuid,
  -- Names of the members of the body that were ignored. Values are never stored.
  warnings text[]
);
create index request_log_brand on request_log (brand_uuid, environment, at);
create index request_log_line on request_log (brand_uuid, environment, id);
create index request_log_subject on request_log (subject_uuid, brand_uuid, environment, id) where subject_uuid is not null;
create index request_log_person on request_log (person_uuid, brand_uuid, environment, id) where person_uuid is not null;
-- Find failed calls, which are few, among many: the newest ones, and those of a time.
create index request_log_failed on request_log (brand_uuid, environment, id) where status >= 400;
create index request_log_failed_at on request_log (brand_uuid, environment, at) where status >= 400;
-- The hourly sweep deletes a range of time. BRIN is enough, because lines are inserted in time order.
create index request_log_age on request_log using brin (at);
`;
