/** Webhooks whose events a listener fetches, instead of receiving them at a URL. */
export const listener = `
-- When the listener last asked. It is real time, because no environment's clock moves a process. Null: a webhook.
alter table webhook_endpoint add column heard_at bigint;

-- An attempt that waits for its listener. It has no body, which is built from the delivery when the listener fetches it.
create table listener_offer (
  delivery_uuid uuid primary key references webhook_delivery (uuid) on delete cascade,
  endpoint_uuid uuid not null references webhook_endpoint (uuid),
  started_at bigint not null,
  taken boolean not null default false,
  http_status integer,
  error text,
  duration_ms integer
);
create index listener_offer_endpoint on listener_offer (endpoint_uuid);
`;
