import type { Indexes } from "../build-indexes.ts";

/** The sweeps look for expired rows every few seconds. */
export const expiryIndexes: Indexes = {
  verification_kept: "verification (environment, kept_until)",
  one_click_expires: "one_click (environment, expires_at) where erased_at is null",
  health_lookup_expires: "health_lookup (environment, expires_at) where erased_at is null",
  session_expires: "session (environment, expires_at)",
  account_session_expires: "account_session (environment, expires_at)",
  idempotent_answer_created: "idempotent_answer (environment, created_at)",
  webhook_delivery_finished:
    "webhook_delivery (environment, status, finished_at) where status = 'deadLettered' or sealed is not null",
  // Keys of erased lookups without a person. A webhook delivery may still need such a key.
  health_lookup_erased: "health_lookup (environment, erased_at) where person_uuid is null",
};
