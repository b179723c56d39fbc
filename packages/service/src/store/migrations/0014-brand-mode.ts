/** A brand that the operator has limited to reading or has stopped. A brand without a row here works normally. */
export const brandMode = `
create table brand_mode (
  brand_uuid uuid not null references brand (uuid),
  environment text not null,
  mode text not null,
  set_at bigint not null,
  primary key (brand_uuid, environment)
);
`;
