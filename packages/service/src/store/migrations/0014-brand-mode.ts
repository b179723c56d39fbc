/** What the operator has a brand held to: reading only, or nothing. A brand without a row here is at work. */
export const brandMode = `
create table brand_mode (
  brand_uuid uuid not null references brand (uuid),
  environment text not null,
  mode text not null,
  set_at bigint not null,
  primary key (brand_uuid, environment)
);
`;
