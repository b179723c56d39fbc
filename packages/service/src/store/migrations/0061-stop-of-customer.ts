/** In a sandbox, an opt-out ends the texts of one customer. In production, it ends all texts and has the zero uuid. */
export const stopOfCustomer = `
alter table text_stop
  add column customer_uuid uuid not null default '00000000-0000-0000-0000-000000000000',
  drop constraint text_stop_pkey,
  add primary key (environment, phone_index, customer_uuid);
alter table text_stop alter column customer_uuid drop default;
`;
