/**
 * The kind of database that stores each table. Home has customers, brands and what belongs to them; cells have what is
 * about people. A keyed row is found by its own key, such as the hash of a token; that key selects its database, which
 * may differ from the person's. Jobs, counters and data keys are in every database.
 */
import type { Tables } from "../statements/tables.ts";

export type StoreKind = "home" | "cell" | "keyed";

export const storeKinds = {
  account_audit: "home",
  account_session: "cell",
  api_key: "home",
  approval_request: "home",
  audit: "cell",
  brand: "home",
  brand_approval: "home",
  brand_logo: "home",
  brand_mode: "home",
  brand_settings: "home",
  cell: "home",
  cell_home: "cell",
  challenge_attempt: "cell",
  consent: "cell",
  conversion_alarm: "home",
  customer: "home",
  data_key: "each",
  environment_clock: "home",
  home_sweep: "home",
  health_lookup: "cell",
  health_call: "cell",
  idempotent_answer: "keyed",
  issuance: "cell",
  issued_credential: "cell",
  job: "each",
  ledger_entry: "cell",
  listener_offer: "cell",
  mail: "home",
  master_key: "each",
  member: "home",
  member_session: "home",
  message: "cell",
  name_request: "home",
  one_click: "cell",
  openid_artifact: "home",
  openid_key: "home",
  passkey: "home",
  passkey_challenge: "home",
  operator: "home",
  operator_passkey: "home",
  operator_session: "home",
  payer: "home",
  state_id_authority: "home",
  person: "cell",
  presentation: "cell",
  state_id_request: "cell",
  rate_limit: "home",
  request_log: "cell",
  risk_sighting: "keyed",
  service_key: "home",
  session: "keyed",
  sign_in: "home",
  status_list: "home",
  sweep_result: "home",
  takeout: "cell",
  takeout_key: "home",
  takeout_nonce: "home",
  text_result: "cell",
  text_stop: "cell",
  use_count: "each",
  verification: "cell",
  verification_past: "cell",
  webhook_attempt: "cell",
  webhook_delivery: "cell",
  webhook_endpoint: "home",
} as const satisfies Record<keyof Tables, StoreKind | "each">;

/** The tables in these kinds of stores. */
export type TableOf<Which extends StoreKind | "each"> = {
  [Name in keyof Tables]: (typeof storeKinds)[Name] extends Which ? Name : never;
}[keyof Tables];
