/** Reporting for members: the person that a call was about, and counts of verifications whose contents were erased. */
export const watch = `
-- The last four digits of the phone, under the person's own key.
alter table person add column sealed bytea;

-- The person whom the call was about, only as ids.
alter table request_log add column subject_uuid uuid;
alter table request_log add column person_uuid uuid;

-- Counts of erased verifications, without an id and without a person.
create table verification_past (
  environment text not null,
  brand_uuid uuid not null references brand,
  channel text not null,
  status text not null,
  attempts_used integer not null,
  deliveries integer not null,
  created_at bigint not null,
  expires_at bigint not null,
  delivered_at bigint
);
create index verification_past_brand on verification_past (brand_uuid, environment, created_at);

alter table one_click add column inputs_asked_at bigint;
alter table one_click add column risk_scored boolean not null default false;
alter table health_lookup add column autofills integer not null default 0;
alter table health_lookup add column checks integer not null default 0;
`;
