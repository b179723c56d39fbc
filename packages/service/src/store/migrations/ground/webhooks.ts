/** Webhooks and the v1 push: endpoints, deliveries and attempts. */
export const webhookTables = `
-- A deleted webhook keeps its row, because deliveries name it. Its key is destroyed.
create table webhook_endpoint (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null references brand,
  data_key_uuid uuid not null references data_key,
  -- The URL, the authentication and the signing secrets.
  sealed bytea not null,
  -- The events that it gets.
  events text[] not null,
  previous_secret_until bigint,
  created_at bigint not null,
  disabled_at bigint,
  deleted_at bigint,
  -- The first failed attempt since the last acknowledged one.
  failing_since bigint,
  -- When the listener last asked, real time, because no environment's clock moves a process. Null: a webhook.
  heard_at bigint
);
create index webhook_endpoint_brand on webhook_endpoint (brand_uuid, environment);

create table webhook_delivery (
  uuid uuid primary key,
  environment text not null,
  brand_uuid uuid not null,
  -- Null for the v1 push, whose receiver is in the brand's settings.
  endpoint_uuid uuid,
  event text not null,
  subject_uuid uuid not null,
  is_test boolean not null default false,
  -- The data key of the person whom the body is about. Without the key, the body cannot be read.
  data_key_uuid uuid not null references data_key,
  sealed bytea,
  status text not null,
  attempts integer not null default 0,
  created_at bigint not null,
  next_attempt_at bigint,
  finished_at bigint,
  -- When the sweep looks at the delivery again. Null once nothing is left to erase. An attempt does not change it, so
  -- that saving an attempt adds no index entries.
  expires_at bigint
) with (toast_tuple_target = 4096, fillfactor = 50);
create index webhook_delivery_endpoint on webhook_delivery (endpoint_uuid, created_at);
create index webhook_delivery_brand on webhook_delivery (brand_uuid, environment, created_at);
create index webhook_delivery_subject on webhook_delivery (subject_uuid);
create index webhook_delivery_key on webhook_delivery (data_key_uuid);
create index webhook_delivery_expiry on webhook_delivery (environment, expires_at) where expires_at is not null;

create table webhook_attempt (
  id bigint generated always as identity primary key,
  delivery_uuid uuid not null references webhook_delivery on delete cascade,
  at bigint not null,
  http_status integer,
  error text,
  duration_ms integer not null,
  -- The text of the answer, sealed under the key of its delivery. Null if there was none, or if it was erased.
  sealed bytea
);
create index webhook_attempt_delivery on webhook_attempt (delivery_uuid, id);

-- An attempt that waits for its listener. It has no body, which is built from the delivery when the listener fetches it.
create table listener_offer (
  delivery_uuid uuid primary key references webhook_delivery on delete cascade,
  endpoint_uuid uuid not null,
  started_at bigint not null,
  taken boolean not null default false,
  http_status integer,
  error text,
  duration_ms integer
);
create index listener_offer_endpoint on listener_offer (endpoint_uuid);
`;
