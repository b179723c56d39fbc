import type { Indexes } from "../build-indexes.ts";

/** Of tables that have rows already. */
export const indexes: Indexes = {
  request_log_line: "request_log (brand_uuid, environment, id)",
  request_log_subject: "request_log (subject_uuid, brand_uuid, environment, id) where subject_uuid is not null",
  request_log_person: "request_log (person_uuid, brand_uuid, environment, id) where person_uuid is not null",
  request_log_at: "request_log (environment, at)",
  challenge_attempt_phone: "challenge_attempt (environment, phone_index, at)",
  data_key_master: "data_key (master_key_id, uuid) where wrapped is not null",
  // The answers that gave a 1-Click's data away, which end with it.
  idempotent_answer_request: "idempotent_answer (request_id)",
  // Failed jobs are counted among all that wait for a later time.
  job_failed: "job (environment) where failed_at is not null",
};
