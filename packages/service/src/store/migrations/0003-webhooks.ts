/** Webhooks and the v1 push: endpoints, deliveries and attempts. Also adds concurrency groups for jobs. */
export const webhooks = `
-- Only a few jobs of a lane run at a time, so that a slow receiver does not delay others.
alter table job add column lane text;

create table webhook_endpoint (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  data_key_uuid uuid not null references data_key,
  -- The URL, the authentication and the signing secrets.
  sealed bytea not null,
  previous_secret_until bigint,
  created_at bigint not null,
  disabled_at bigint
);
create index webhook_endpoint_brand on webhook_endpoint (brand_uuid, environment);

create table webhook_delivery (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  -- Null for the v1 push, whose receiver is in the brand's settings.
  endpoint_uuid uuid references webhook_endpoint,
  event text not null,
  subject_uuid uuid not null,
  -- The data key of the person whom the body is about. Without the key, the body cannot be read.
  data_key_uuid uuid not null references data_key,
  sealed bytea,
  status text not null,
  attempts integer not null default 0,
  created_at bigint not null,
  next_attempt_at bigint,
  finished_at bigint
);
create index webhook_delivery_endpoint on webhook_delivery (endpoint_uuid, created_at);
create index webhook_delivery_brand on webhook_delivery (brand_uuid, environment, created_at);

create table webhook_attempt (
  id bigint generated always as identity primary key,
  delivery_uuid uuid not null references webhook_delivery on delete cascade,
  at bigint not null,
  http_status integer,
  error text,
  duration_ms integer not null
);
create index webhook_attempt_delivery on webhook_attempt (delivery_uuid, id);
`;
