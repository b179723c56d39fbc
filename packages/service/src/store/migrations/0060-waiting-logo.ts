/** A logo that waits for the operator's approval, next to the one that is served. */
export const waitingLogo = `
alter table brand_logo
  add column is_waiting boolean not null default false,
  drop constraint brand_logo_pkey,
  add primary key (brand_uuid, environment, is_waiting);
`;
