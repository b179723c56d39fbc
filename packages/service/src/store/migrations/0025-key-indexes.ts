import type { Indexes } from "../build-indexes.ts";

/** Without these indexes, deleting a data key would scan whole tables for references to it. */
export const keyIndexes: Indexes = {
  person_key: "person (data_key_uuid)",
  verification_key: "verification (data_key_uuid)",
  message_key: "message (data_key_uuid)",
  one_click_key: "one_click (data_key_uuid)",
  health_lookup_key: "health_lookup (data_key_uuid)",
  issued_credential_key: "issued_credential (data_key_uuid)",
  idempotent_answer_key: "idempotent_answer (data_key_uuid)",
  mail_key: "mail (data_key_uuid)",
  session_one_click: "session (one_click_uuid) where one_click_uuid is not null",
};
