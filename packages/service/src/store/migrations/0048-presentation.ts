/** A page's requests to the person's wallet app, and the presented values until the page reads them. */
export const presentation = `
create table presentation (
  uuid uuid primary key,
  environment text not null,
  one_click_uuid uuid not null,
  data_key_uuid uuid not null references data_key,
  word_hash bytea not null unique,
  nonce_hash bytea not null,
  -- The code that the wallet app returns to the browser, and only to it.
  code_hash bytea unique,
  -- The name of the page that the wallet app returns to, then the values.
  sealed bytea not null,
  expires_at bigint not null
);
create index presentation_one_click on presentation (one_click_uuid);
create index presentation_data_key on presentation (data_key_uuid);
create index presentation_expiry on presentation (environment, expires_at);
`;
