/** Texts that a resend replaced get their own status, and usage counts the texts that were sent. */
export const supersededTexts = `
-- Null in rows from before: only their deliveries are known.
alter table verification_past add column texts_sent integer;

-- A text that failed by itself ended its verification, so a newer text shows that this one was replaced.
update message set status = 'superseded'
 where status = 'failed' and sent_at is null and exists (
   select from message as newer
    where newer.verification_uuid = message.verification_uuid and newer.number > message.number);
`;
