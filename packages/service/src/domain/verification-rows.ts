/** Reads and locks rows of verifications. */
import { sql } from "kysely";
import type { Reader } from "../store/database.ts";

/** Listed by name so that the statement can be prepared. The hashes are left out. */
export const verificationColumns = [
  "verification.uuid",
  "verification.environment",
  "verification.brand_uuid",
  "verification.person_uuid",
  "verification.data_key_uuid",
  "verification.channel",
  "verification.format",
  "verification.status",
  "verification.sealed",
  "verification.attempts_used",
  "verification.deliveries",
  "verification.created_at",
  "verification.expires_at",
  "verification.kept_until",
  "verification.delivered_at",
  "verification.verified_at",
  "verification.redirect_user_after",
  "verification.denied_at",
  "verification.code_shown_to_brand",
] as const;

/** Locks the given verifications as `held`, in uuid order, the order every other caller uses, to avoid deadlocks. */
export function heldVerifications(db: Reader, uuids: unknown) {
  return db.with("held", (cte) =>
    cte
      .selectFrom("verification")
      .select("uuid")
      .where(sql<boolean>`uuid = any(${uuids}::uuid[])`)
      .orderBy("uuid")
      .forNoKeyUpdate(),
  );
}
