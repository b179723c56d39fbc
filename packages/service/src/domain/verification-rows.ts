/** Of rows of verifications: what is read, and how several are locked. */
import { sql } from "kysely";
import type { Database } from "../store/database.ts";

/** By their names, so that a statement can be prepared; the hashes are not among them. */
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
] as const;

/** `held`: verifications that are about to change, locked in everybody's order. */
export function heldVerifications(db: Database, uuids: unknown) {
  return db.with("held", (cte) =>
    cte
      .selectFrom("verification")
      .select("uuid")
      .where(sql<boolean>`uuid = any(${uuids}::uuid[])`)
      .orderBy("uuid")
      .forNoKeyUpdate(),
  );
}
