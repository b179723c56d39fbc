import { dayMs } from "@countersign/contract/time";
import { systemClock } from "../packages/service/src/providers/system.ts";
import { query } from "./server.ts";

/** Size of the sealed values. Nothing decrypts them. */
const sealedBytes = 80;

/**
 * Adds `count` verifications that were texted but not verified, with all rows that the service stores for them.
 * `keptUntil`: SQL for the time at which verification n is erased; by default in a day.
 */
export async function fillOurs(url: string, count: number, keptUntil?: string): Promise<void> {
  const id = (kind: string) => `md5('${kind}' || n)::uuid`;
  const from = `from generate_series(1::bigint, ${count}) n`;
  const now = systemClock.now();
  const sealed = `decode(repeat('5a', ${sealedBytes}), 'hex')`;
  const brand = "(select uuid from brand limit 1)";
  await query(
    url,
    "set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0",
    `insert into data_key (uuid, environment, master_key_id, wrapped, created_at)
     select ${id("k")}, 'sandbox', (select master_key_id from service_key limit 1), ${sealed}, ${now} ${from}`,
    `insert into person (uuid, environment, phone_index, index_key_version, generation, data_key_uuid, first_seen_at)
     select ${id("p")}, 'sandbox', sha256(n::text::bytea), 1, 1, ${id("k")}, ${now} ${from}`,
    `insert into verification (uuid, environment, brand_uuid, person_uuid, data_key_uuid, channel, format, status, sealed,
       code_hmac, deliveries, created_at, expires_at, kept_until, delivered_at)
     select ${id("v")}, 'sandbox', ${brand}, ${id("p")}, ${id("k")}, 'sms', 'code', 'delivered', ${sealed},
       sha256(n::text::bytea), 1, ${now}, ${now + dayMs}, ${keptUntil ?? now + dayMs}, ${now} ${from}`,
    `insert into message (uuid, environment, brand_uuid, person_uuid, verification_uuid, data_key_uuid, channel, to_index,
       status, sealed, created_at, sent_at)
     select ${id("m")}, 'sandbox', ${brand}, ${id("p")}, ${id("v")}, ${id("k")}, 'sms', sha256(n::text::bytea), 'sent',
       ${sealed}, ${now}, ${now} ${from}`,
    "vacuum analyze",
    "checkpoint",
  );
}

/** The same for better-auth, which needs one row each. */
export async function fillBetterAuth(url: string, count: number): Promise<void> {
  await query(
    url,
    `insert into verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
     select md5('v' || n), 'phone-number-otp-+1' || (2000000000 + n), '123456:0', now() + interval '1 day', now(), now()
       from generate_series(1::bigint, ${count}) n`,
    "vacuum analyze",
    "checkpoint",
  );
}
