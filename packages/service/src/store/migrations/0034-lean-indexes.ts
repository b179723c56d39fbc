import type { Indexes } from "../build-indexes.ts";

/** Partial indexes instead of ones with an entry for every row. Most rows have none of these values. */
export const leanIndexes: Indexes = {
  verification_link: { unique: "verification (link_hash) where link_hash is not null" },
  verification_device: { unique: "verification (device_token_hash) where device_token_hash is not null" },
  verification_carrier: { unique: "verification (carrier_state_hash) where carrier_state_hash is not null" },
  one_click_page: { unique: "one_click (page_hash) where page_hash is not null" },
  one_click_page_session: { unique: "one_click (page_session_hash) where page_session_hash is not null" },
  one_click_proof: "one_click (verification_uuid) where verification_uuid is not null",
  person_by_email: { unique: "person (environment, email_index, generation) where email_index is not null" },
  // The hourly sweep deletes a range of time.
  request_log_age: "request_log using brin (at)",
};
