/** What managing webhooks needs: deletion, the start of a failure, and a mark on test events. */
export const webhookCare = `
-- A webhook that is deleted keeps its row for the deliveries that name it; its key is destroyed.
alter table webhook_endpoint add column deleted_at bigint;
-- The first failed attempt since one was acknowledged.
alter table webhook_endpoint add column failing_since bigint;
alter table webhook_delivery add column is_test boolean not null default false;
`;
