import type { Indexes } from "../build-indexes.ts";

/** Indexes of tables that already have rows. */
export const indexes: Indexes = {
  request_log_line: "request_log (brand_uuid, environment, id)",
  request_log_subject: "request_log (subject_uuid, brand_uuid, environment, id) where subject_uuid is not null",
  request_log_person: "request_log (person_uuid, brand_uuid, environment, id) where person_uuid is not null",
  request_log_at: "request_log (environment, at)",
  challenge_attempt_phone: "challenge_attempt (environment, phone_index, at)",
  data_key_master: "data_key (master_key_id, uuid) where wrapped is not null",
  // Finds the stored answers that contain a 1-Click's data. These answers are destroyed together with that data.
  idempotent_answer_request: "idempotent_answer (request_id)",
  // Counts failed jobs without scanning the jobs that wait.
  job_failed: "job (environment) where failed_at is not null",
};
