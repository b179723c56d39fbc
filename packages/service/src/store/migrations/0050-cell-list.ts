/**
 * All cells except cell 0. The address contains a password, so it is sealed. A cell stores new people of its slots from
 * `opens_at` on; by then, every process knows the cell.
 */
export const cellList = `
create table cell (
  number integer primary key check (number between 1 and 4095),
  data_key_uuid uuid not null references data_key,
  sealed bytea not null,
  slot_from integer not null check (slot_from >= 0),
  slot_to integer not null check (slot_to <= 4096 and slot_to > slot_from),
  opens_at bigint not null
);
`;
