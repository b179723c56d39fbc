/**
 * Make, count, compare, consume: the only file that touches one-time codes.
 *
 * The order is the rule. An attempt is counted in one statement before the code is compared, so two hundred parallel
 * guesses share three comparisons. Comparing takes the same time whatever was typed. Consuming is conditional on the
 * state and on the very code that was compared, so of many right answers one wins. Running out of attempts is computed,
 * never stored: a right code that was counted in time still succeeds beside wrong ones that used up the rest.
 */
import { timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import type { Database, Trx } from "../store/database.ts";
import { type Columns, type ColumnTypes, columnsOf, recordsOf } from "../store/records.ts";
import type { Deps } from "./deps.ts";
import type { Phone } from "./ports.ts";
import { heldVerifications, verificationColumns } from "./verification-rows.ts";

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

/** A try at a verification's code. */
export type Counting = { uuid: string; now: number };
const countingTypes: ColumnTypes<Counting> = { uuid: "uuid", now: "bigint" };
export const countingColumnsOf = (all: readonly Counting[]) => columnsOf("tried", countingTypes, all);

/** `counted`: verifications that are open, with one attempt used; none that has nothing left to try. */
export function withCounted(db: Database, columns: Columns) {
  return heldVerifications(db, columns["tried.uuid"]).with("counted", (cte) =>
    cte
      .updateTable("verification")
      .from("held")
      .from(sql<Counting>`(${recordsOf("tried", countingTypes, columns)})`.as("tried"))
      .set({ attempts_used: sql<number>`attempts_used + 1` })
      .whereRef("verification.uuid", "=", "held.uuid")
      .whereRef("verification.uuid", "=", "tried.uuid")
      .where("status", "in", openStates)
      .where("attempts_used", "<", codeAttemptsMax)
      .whereRef("expires_at", ">", "tried.now")
      .where("code_hmac", "is not", null)
      .returning(["verification.uuid", "code_hmac", "attempts_used", "person_uuid", "brand_uuid"]),
  );
}

/** Whether this is the code that was counted for. */
export function compareCode(deps: Pick<Deps, "vault">, uuid: string, typed: string, hash: Buffer): boolean {
  return timingSafeEqual(deps.vault.codeHash(uuid, typed), hash);
}

/** A code that was compared and found right, and when. */
export type Consuming = { uuid: string; hash: Buffer; now: number };
const consumingTypes: ColumnTypes<Consuming> = { uuid: "uuid", hash: "bytea", now: "bigint" };
export const consumingColumnsOf = (all: readonly Consuming[]) => columnsOf("right", consumingTypes, all);

/** `consumed`: verifications that end with success; none that another answer ended, or whose code a newer one replaced. */
export function withConsumed(db: Database, columns: Columns) {
  return heldVerifications(db, columns["right.uuid"]).with("consumed", (cte) =>
    cte
      .updateTable("verification")
      .from("held")
      .from(sql<Consuming>`(${recordsOf("right", consumingTypes, columns)})`.as("right"))
      // The hash stays: a brand that relays codes shows the accepted one again with each read.
      .set((eb) => ({ status: "verified", verified_at: eb.ref("right.now") }))
      .whereRef("verification.uuid", "=", "held.uuid")
      .whereRef("verification.uuid", "=", "right.uuid")
      .where("status", "in", openStates)
      .whereRef("code_hmac", "=", "right.hash")
      .returning(verificationColumns),
  );
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
): Promise<{ hash: Buffer; attemptsUsed: number } | null> {
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
