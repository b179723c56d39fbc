/**
 * Make, count, compare, consume: the only file that touches one-time codes.
 *
 * The order is the rule. An attempt is counted in one statement before the code is compared, so two hundred parallel
 * guesses share three comparisons. Comparing takes the same time whatever was typed. Consuming is conditional on the
 * state and on the very code that was compared, so of many right answers one wins. Running out of attempts is computed,
 * never stored: a right code that was counted in time still succeeds beside wrong ones that used up the rest.
 */
import { timingSafeEqual } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Database, Trx } from "../store/database.ts";
import type { Tables } from "../store/tables.ts";
import type { Deps } from "./deps.ts";
import type { Phone } from "./ports.ts";

/** Codes that may be tried for one verification; a resend refills nothing. */
export const codeAttemptsMax = 3;
/** Life of a verification, and so of every code in it, from its creation. */
export const codeLifeMs = 5 * 60_000;

/** Life of a code that a member gets by e-mail. */
export const mailCodeLifeMs = 10 * 60_000;

const openStates = ["pending", "sending", "delivered"] as const;

/** How a text writes a code: 123456 or, as v1 does, 123-456. */
export type CodeStyle = "plain" | "hyphen";

/** Printing it shows nothing; only a text to the person takes the digits out. */
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

/** A fresh code for a verification, and the keyed hash that is stored of it. */
export function makeCode(deps: Deps, verificationUuid: string, phone: Phone): { code: OneTimeCode; hash: Buffer } {
  const digits = deps.codes.make(phone);
  return { code: new OneTimeCode(digits), hash: deps.vault.codeHash(verificationUuid, digits) };
}

type Counted = { hash: Buffer; attemptsUsed: number; expiresAt: number };

/** Uses one attempt of a verification that is open; null where there is nothing left to try. */
export async function countAttempt(db: Database, uuid: string, now: number): Promise<Counted | null> {
  const row = await db
    .updateTable("verification")
    .set({ attempts_used: sql<number>`attempts_used + 1` })
    .where("uuid", "=", uuid)
    .where("status", "in", openStates)
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", now)
    .where("code_hmac", "is not", null)
    .returning(["code_hmac", "attempts_used", "expires_at"])
    .executeTakeFirst();
  if (row === undefined || row.code_hmac === null) return null;
  return { hash: row.code_hmac, attemptsUsed: row.attempts_used, expiresAt: row.expires_at };
}

/** Whether this is the code that was counted for. */
export function compareCode(deps: Pick<Deps, "vault">, uuid: string, typed: string, hash: Buffer): boolean {
  return timingSafeEqual(deps.vault.codeHash(uuid, typed), hash);
}

/** Ends the verification with success; null when another answer did, or a newer code replaced this one. */
export async function consumeCode(
  trx: Trx,
  uuid: string,
  hash: Buffer,
  now: number,
): Promise<Selectable<Tables["verification"]> | null> {
  const row = await trx
    .updateTable("verification")
    // The hash stays: a brand that relays codes shows the accepted one again with each read.
    .set({ status: "verified", verified_at: now })
    .where("uuid", "=", uuid)
    .where("status", "in", openStates)
    .where("code_hmac", "=", hash)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** A fresh code by which a member signs in, for an e-mail, and the keyed hash that is stored of it. */
export function makeMailCode(
  deps: Pick<Deps, "vault" | "random">,
  signInUuid: string,
): { code: OneTimeCode; hash: Buffer } {
  const digits = String(deps.random.integer(1_000_000)).padStart(6, "0");
  return { code: new OneTimeCode(digits), hash: deps.vault.codeHash(signInUuid, digits) };
}

/** Uses one attempt of a sign-in that is open; null where there is nothing left to try. */
export async function countMailAttempt(
  db: Database,
  uuid: string,
  now: number,
): Promise<Omit<Counted, "expiresAt"> | null> {
  const row = await db
    .updateTable("sign_in")
    .set({ attempts_used: sql<number>`attempts_used + 1` })
    .where("uuid", "=", uuid)
    .where("used_at", "is", null)
    .where("attempts_used", "<", codeAttemptsMax)
    .where("expires_at", ">", now)
    .where("code_hmac", "is not", null)
    .returning(["code_hmac", "attempts_used"])
    .executeTakeFirst();
  if (row === undefined || row.code_hmac === null) return null;
  return { hash: row.code_hmac, attemptsUsed: row.attempts_used };
}

/** Ends the sign-in with success, once; answers whose it is, or null where another answer came first or nobody's. */
export async function consumeMailCode(trx: Trx, uuid: string, hash: Buffer, now: number): Promise<string | null> {
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
