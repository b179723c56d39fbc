/** What a session of the SDK comes to: the phones it tried, the proof its device gave, and the 1-Click it opened. */
export const frame = `
alter table session
  add column phones_used integer not null default 0,
  add column device_verification_uuid uuid,
  add column one_click_uuid uuid;
`;
