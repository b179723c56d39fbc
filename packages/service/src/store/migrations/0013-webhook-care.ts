/** Columns for managing webhooks: the time of deletion, the start of a failure, and a mark on test events. */
export const webhookCare = `
-- A deleted webhook keeps its row, because deliveries refer to it. Its key is destroyed.
alter table webhook_endpoint add column deleted_at bigint;
-- The first failed attempt since the last acknowledged one.
alter table webhook_endpoint add column failing_since bigint;
alter table webhook_delivery add column is_test boolean not null default false;
`;
