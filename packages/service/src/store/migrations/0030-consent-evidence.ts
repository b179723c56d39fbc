/** Rows that remain of a number's former holder must share no phone or email index with its next holder. */
export const consentEvidence = `
-- A keyed hash of the phone that only this person's rows share. It is set when the person is deleted.
alter table consent add column evidence_hash bytea;

-- Rows of deleted people and of former holders. No phone and no email address finds them.
update consent set phone_index = null, email_index = null
 from person
 where person.uuid = consent.person_uuid and person.phone_index is null and person.email_index is null
   and (consent.phone_index is not null or consent.email_index is not null);
update issued_credential set phone_index = null, email_index = null
 from person
 where person.uuid = issued_credential.person_uuid and person.phone_index is null and person.email_index is null;
`;
