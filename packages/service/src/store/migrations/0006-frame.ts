/** What an SDK session records: how many phones it tried, the device's verification, and the 1-Click that it opened. */
export const frame = `
alter table session
  add column phones_used integer not null default 0,
  add column device_verification_uuid uuid,
  add column one_click_uuid uuid;
-- A lookup that the person started is held: the brand gets the result only after the person shares it.
alter table health_lookup
  add column held boolean not null default false;
create unique index health_lookup_one_click on health_lookup (one_click_uuid) where held;
`;
