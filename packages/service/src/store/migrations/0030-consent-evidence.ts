/** Rows that remain of a number's former holder must share no phone or email index with its next holder. */
export const consentEvidence = `
-- A keyed hash of the phone that only one person's rows share; set once that person is gone.
alter table consent add column evidence_hash bytea;

-- Of people who were deleted, or whose number has another holder: no phone and no address leads to them.
update consent set phone_index = null, email_index = null
 from person
 where person.uuid = consent.person_uuid and person.phone_index is null and person.email_index is null
   and (consent.phone_index is not null or consent.email_index is not null);
update issued_credential set phone_index = null, email_index = null
 from person
 where person.uuid = issued_credential.person_uuid and person.phone_index is null and person.email_index is null;
`;
