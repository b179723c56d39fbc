/**
 * Drops foreign keys from tables about people to brands, customers and webhooks, because these may be in another
 * database now. Rows are only written for a brand, customer or webhook that was just read, and none of these is ever
 * deleted.
 */
export const cells = `
alter table account_session drop constraint account_session_customer_uuid_fkey;
alter table health_lookup drop constraint health_lookup_brand_uuid_fkey;
alter table idempotent_answer drop constraint idempotent_answer_brand_uuid_fkey;
alter table issuance drop constraint issuance_brand_uuid_fkey;
alter table issued_credential drop constraint issued_credential_brand_uuid_fkey;
alter table ledger_entry drop constraint ledger_entry_brand_uuid_fkey;
alter table listener_offer drop constraint listener_offer_endpoint_uuid_fkey;
alter table message drop constraint message_brand_uuid_fkey;
alter table one_click drop constraint one_click_brand_uuid_fkey;
alter table session drop constraint session_brand_uuid_fkey;
alter table verification drop constraint verification_brand_uuid_fkey;
alter table verification_past drop constraint verification_past_brand_uuid_fkey;
alter table webhook_delivery drop constraint webhook_delivery_brand_uuid_fkey;
alter table webhook_delivery drop constraint webhook_delivery_endpoint_uuid_fkey;
`;
