/** Opt-outs of one customer's texts, in a sandbox. Elsewhere the zero uuid stands for all customers. */
export const stopOfCustomer = `
alter table text_stop
  add column customer_uuid uuid not null default '00000000-0000-0000-0000-000000000000',
  drop constraint text_stop_pkey,
  add primary key (environment, phone_index, customer_uuid);
alter table text_stop alter column customer_uuid drop default;
`;
