/**
 * Creates, compares, counts and consumes one-time codes. No other file does.
 *
 * A verification is locked before its code is read, until the transaction that counts the attempt ends. So two hundred
 * parallel guesses share three comparisons, only one of several right answers wins, and no answer is given for an
 * uncounted attempt. Comparing takes constant time.
 */

import { timingSafeEqual } from "node:crypto";
import { minuteMs } from "@countersign/contract/time";
import { sql } from "kysely";
import type { Home, HomeTrx, Trx } from "../store/database.ts";
import type { ColumnTypes } from "../store/statements/column-types.ts";
import { type ColumnPlaceholders, columnsOf, recordsOf } from "../store/statements/rows.ts";
import { type Placeholders, statement } from "../store/statements/statement.ts";
import type { Deps } from "./deps.ts";
import type { Phone } from "./ports.ts";

/** Attempts per code: three for a verification, and three for a sign-in by email. A resend does not add attempts. */
export const codeAttemptsMax = 3;
/** Lifetime of a verification and of every code in it, in milliseconds from the verification's creation. */
export const codeLifeMs = 5 * minuteMs;

/** Lifetime of a sign-in code that a member gets by email, in milliseconds. */
export const mailCodeLifeMs = 10 * minuteMs;

/** The states of a verification in which a code can still be accepted. */
export const openVerificationStates = ["pending", "sending", "delivered"] as const;

/** How a text writes a code: 123456, or 123-456 in v1. */
export type CodeStyle = "plain" | "hyphen";

/** Hides the digits from logs and JSON. Only `forText` returns them. */
export class OneTimeCode {
  readonly #digits: string;
  constructor(digits: string) {
    this.#digits = digits;
  }
  forText(style: CodeStyle = "plain"): string {
    return style === "plain" ? this.#digits : `${this.#digits.slice(0, 3)}-${this.#digits.slice(3)}`;
  }
  toString(): string {
    return "***";
  }
  toJSON(): string {
    return "***";
  }
}

/** Makes a code for a verification, and the keyed hash to store. */
export function makeCode(deps: Deps, verificationUuid: string, phone: Phone): { code: OneTimeCode; hash: Buffer } {
  const digits = deps.codes.make(phone);
  return { code: new OneTimeCode(digits), hash: deps.vault.keyedHash(verificationUuid, digits) };
}

/** A code that accepts an attempt. `attemptsUsed` includes that attempt. */
export type OpenCode = { uuid: string; hash: Buffer; attemptsUsed: number; personUuid: string | null };

/**
 * Reads the codes of verifications that accept another attempt. The caller has locked the verifications, and counts the
 * attempts with `countAttempts` in the same transaction.
 */
export async function readOpenCodes(trx: Trx, uuids: readonly string[], now: number): Promise<OpenCode[]> {
  const { rows } = await openStatement(trx, { uuids, now });
  return rows.flatMap(({ uuid, code_hmac: hash, attempts_used, person_uuid }) =>
    hash === null ? [] : [{ uuid, hash, attemptsUsed: attempts_used + 1, personUuid: person_uuid }],
  );
}

const openStatement = statement((db, { uuids, now }: Placeholders<{ uuids: readonly string[]; now: number }>) =>
  db
    .selectFrom("verification")
    .select(["uuid", "code_hmac", "attempts_used", "person_uuid"])
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids)))
    .where("status", "in", openVerificationStates)
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", now),
);

/** Whether the typed code matches the hash that was read. */
export function compareCode(deps: Pick<Deps, "vault">, uuid: string, typed: string, hash: Buffer): boolean {
  return timingSafeEqual(deps.vault.keyedHash(uuid, typed), hash);
}

/** An attempt at a code that was open. */
export type Attempted = { uuid: string; is_right: boolean };

/** Counts attempts, and marks verifications whose code was right as verified. The caller holds their locks. */
export async function countAttempts(trx: Trx, attempts: readonly Attempted[], now: number): Promise<void> {
  if (attempts.length > 0) await countStatement(trx, { ...columnsOf("attempt", attemptTypes, attempts), now });
}

const attemptTypes: ColumnTypes<Attempted> = { uuid: "uuid", is_right: "boolean" };
const countStatement = statement((db, columns: ColumnPlaceholders & Placeholders<{ now: number }>) =>
  db
    .updateTable("verification")
    .from(sql<Attempted>`(${recordsOf("attempt", attemptTypes, columns)})`.as("attempt"))
    // Keep the hash: a brand that relays codes sends the accepted code again with each read.
    .set(({ ref }) => ({
      attempts_used: sql<number>`attempts_used + 1`,
      status: sql<"verified">`case when ${ref("attempt.is_right")} then 'verified' else ${ref("verification.status")} end`,
      verified_at: sql<
        number | null
      >`case when ${ref("attempt.is_right")} then ${columns.now}::bigint else ${ref("verification.verified_at")} end`,
    }))
    .whereRef("verification.uuid", "=", "attempt.uuid"),
);

/** Whether this is the code that was accepted. Compares in constant time. False if no code was accepted yet. */
export async function isAcceptedCode(
  deps: Pick<Deps, "vault">,
  trx: Trx,
  input: { uuid: string; code: string },
): Promise<boolean> {
  const row = await trx
    .selectFrom("verification")
    .select("code_hmac")
    .where("uuid", "=", input.uuid)
    .where("status", "=", "verified")
    .executeTakeFirst();
  const hash = row?.code_hmac ?? null;
  return hash !== null && compareCode(deps, input.uuid, input.code, hash);
}

/** Makes a sign-in code to email to a member, and the keyed hash to store. */
export function makeMailCode(
  deps: Pick<Deps, "vault" | "random">,
  signInUuid: string,
): { code: OneTimeCode; hash: Buffer } {
  const digits = String(deps.random.integer(1_000_000)).padStart(6, "0");
  return { code: new OneTimeCode(digits), hash: deps.vault.keyedHash(signInUuid, digits) };
}

/** Counts an attempt at an open sign-in; null if no attempts are left or the sign-in has ended. */
export async function countMailAttempt(
  home: Home,
  uuid: string,
  now: number,
): Promise<{ hash: Buffer; attemptsUsed: number; memberUuid: string | null } | null> {
  const row = await home
    .updateTable("sign_in")
    .set({ attempts_used: sql<number>`attempts_used + 1` })
    .where("uuid", "=", uuid)
    .where("used_at", "is", null)
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", now)
    .where("code_hmac", "is not", null)
    .returning(["code_hmac", "attempts_used", "member_uuid"])
    .executeTakeFirst();
  if (row === undefined || row.code_hmac === null) return null;
  return { hash: row.code_hmac, attemptsUsed: row.attempts_used, memberUuid: row.member_uuid };
}

/** Marks the sign-in as used, once, and returns its member's uuid. Null if it was used before or has no member. */
export async function consumeMailCode(trx: HomeTrx, uuid: string, hash: Buffer, now: number): Promise<string | null> {
  const row = await trx
    .updateTable("sign_in")
    .set({ used_at: now })
    .where("uuid", "=", uuid)
    .where("used_at", "is", null)
    .where("code_hmac", "=", hash)
    .returning("member_uuid")
    .executeTakeFirst();
  return row?.member_uuid ?? null;
}

/** Makes the transaction code of a credential offer, and the keyed hash to store. */
export function makeTransactionCode(
  deps: Pick<Deps, "vault" | "random">,
  takeoutUuid: string,
): { code: OneTimeCode; hash: Buffer } {
  const digits = String(deps.random.integer(1_000_000)).padStart(6, "0");
  return { code: new OneTimeCode(digits), hash: deps.vault.keyedHash(takeoutUuid, digits) };
}

/** Counts an attempt at an open offer, which is found by its code; null if no attempts are left or it has ended. */
export async function countOfferAttempt(
  { db, environment, clock }: Pick<Deps, "db" | "environment" | "clock">,
  keyedHash: Buffer,
): Promise<{ uuid: string; hash: Buffer } | null> {
  const row = await db
    .updateTable("takeout")
    .set({ attempts_used: sql<number>`attempts_used + 1` })
    .where("code_hash", "=", keyedHash)
    .where("environment", "=", environment)
    .where("token_hash", "is", null)
    .where("ended_at", "is", null)
    .where("expires_at", ">", clock.now())
    .where("attempts_used", "<", codeAttemptsMax)
    .returning(["uuid", "code_hmac"])
    .executeTakeFirst();
  return row === undefined ? null : { uuid: row.uuid, hash: row.code_hmac };
}

/** Exchanges an offer for a token, once, after its code was right. False if it ended or another request was first. */
export async function consumeOffer(
  { db }: Pick<Deps, "db">,
  { uuid, hash }: { uuid: string; hash: Buffer },
  token: { hash: Buffer; expiresAt: number },
): Promise<boolean> {
  const used = await db
    .updateTable("takeout")
    .set({ token_hash: token.hash, expires_at: token.expiresAt })
    .where("uuid", "=", uuid)
    .where("code_hmac", "=", hash)
    .where("token_hash", "is", null)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}
