/** Removes indexes that others replace or that no frequent statement uses. */
export const fewerIndexes = `
alter table verification drop constraint if exists verification_link_hash_key,
  drop constraint if exists verification_device_token_hash_key, drop constraint if exists verification_carrier_state_hash_key;
alter table one_click drop constraint if exists one_click_page_hash_key,
  drop constraint if exists one_click_page_session_hash_key;
drop index if exists one_click_verification, person_email, request_log_at;
-- Lines are found by brand, environment and id.
alter table request_log drop constraint if exists request_log_pkey;
-- Texts are found by their verification, which has the brand and the person.
drop index if exists message_brand, message_person;
-- Only a rotation of the master key used it, and a rotation reads all keys anyway.
drop index if exists data_key_master;

-- Room on each page for the new versions of its rows, which then need no new index entries.
alter table verification set (fillfactor = 60);
alter table message set (fillfactor = 80);
alter table person set (fillfactor = 90);
`;
