/** Texts that a resend replaced get their own status, and usage counts the texts that were sent. */
export const supersededTexts = `
-- Null in older rows, which only count deliveries.
alter table verification_past add column texts_sent integer;

-- A failed text ends its verification. If a newer text exists, this one was replaced and did not fail.
update message set status = 'superseded'
 where status = 'failed' and sent_at is null and exists (
   select from message as newer
    where newer.verification_uuid = message.verification_uuid and newer.number > message.number);
`;
