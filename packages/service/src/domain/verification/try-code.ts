import { batched } from "../../store/batch.ts";
import type { Trx } from "../../store/database.ts";
import { type Actor, auditRow, recordAudits } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { type CountedCode, codeAttemptsMax, compareCode, consumeCodes, countAttempts } from "../one-time-code.ts";
import { markProven } from "../person-rows.ts";
import type { Phone } from "../ports.ts";
import { findVerification, findVerificationUnbound } from "./find.ts";
import { countAnswers } from "./limits/alarms.ts";
import { guessOf, tooManyGuesses } from "./limits/caps.ts";
import { countUsesBelow, takeBackUses, type Use } from "./limits/use-count-rows.ts";
import { attemptsData, statusAt, type Verification, type VerificationRow } from "./verification.ts";
import { lockVerifications } from "./verification-rows.ts";

/** Submits the code that the person typed. */
export async function submitCode(
  deps: Deps,
  caller: Caller,
  what: { uuid: string; code: string },
): Promise<Verification> {
  const before = await findVerification(deps, deps.db, caller, what.uuid);
  // Use the row's own spelling of the uuid: encryption and hashes are bound to it.
  const tried = await tryCode(deps, caller, { uuid: before.row.uuid, code: what.code, phone: before.secrets.phone });
  if (tried.kind === "right") return { ...before, row: tried.row };
  if (tried.kind === "wrong") {
    throw fail("OCV001", { attemptsRemaining: tried.attemptsRemaining, expiresAt: before.row.expires_at });
  }
  const { row } = await findVerification(deps, deps.db, caller, what.uuid);
  if (tried.status === "expired") throw fail("OCV007", { ...attemptsData(row), attemptsRemaining: 0 });
  if (tried.status === "failed") throw fail("OCV002", { ...attemptsData(row), attemptsRemaining: 0 });
  // A verification that already succeeded accepts no more codes, and a verification by device has no code.
  throw fail("OCV001", attemptsData(row));
}

export type Tried =
  | { kind: "right"; row: VerificationRow }
  | { kind: "wrong"; attemptsRemaining: number }
  /** No code could be tried. `status`: the reason. */
  | { kind: "over"; status: "verified" | "expired" | "failed" | "none" };

type Trying = {
  uuid: string;
  code: string;
  phone: Phone | undefined;
  /** The audit action of a correct code. */
  action?: "verification.verified" | "account.signedIn";
  /** Runs in the transaction that accepts the code: both succeed or neither does, because a code works only once. */
  open?(trx: Trx, row: VerificationRow): Promise<void>;
};

/**
 * Tries a code: counts the attempt, compares the code, and, if it is correct, consumes it and writes the audit record.
 */
export async function tryCode(deps: Deps, by: Actor, what: Trying): Promise<Tried> {
  const { uuid, phone, open } = what;
  // Do not count guesses at sign-in codes for the phone: anyone can begin a sign-in, so a stranger could lock the
  // phone. A sign-in code works only after it is texted, and few sign-in texts are sent.
  const guess = by.brand === null ? null : guessOf(deps, phone);
  const counted = await countTogether(deps, { uuid, guess });
  if (counted === null) return await whyNot(deps, uuid);
  if (counted.isCapped) throw tooManyGuesses(deps);
  const wrong: Tried = { kind: "wrong", attemptsRemaining: codeAttemptsMax - counted.attemptsUsed };
  if (!compareCode(deps, uuid, what.code, counted.hash)) return wrong;
  // The verification has no person yet, so no text was sent and the code was guessed.
  if (counted.personUuid === null) return wrong;
  const right = { ...what, by, guess, hash: counted.hash };
  const row =
    open === undefined
      ? await acceptTogether(deps, right)
      : await deps.db.inTransaction(async (trx) => {
          const [accepted = null] = await accept(deps, trx, [right]);
          if (accepted !== null) await open(trx, accepted);
          return accepted;
        });
  return row === null ? wrong : { kind: "right", row };
}

/** `guess`: the counter of wrong codes for the phone. Null if it does not count. */
type Counting = { uuid: string; guess: Use | null };
/** `isCapped`: too many wrong codes were tried for the phone, across all its verifications. */
type Counted = CountedCode & { isCapped: boolean };

/** Uses one attempt, and counts a guess for the phone, before any comparison. Null if there is nothing to try. */
const countTogether = batched(
  async (deps: Deps, all: readonly Counting[]): Promise<(Counted | null)[]> =>
    await deps.db.inTransaction(async (trx) => {
      const uuids = all.map(({ uuid }) => uuid);
      const [, codes] = await Promise.all([lockVerifications(trx, uuids), countAttempts(trx, uuids, deps.clock.now())]);
      const codeOf = new Map(codes.map((code) => [code.uuid, code]));
      const guesses = all.flatMap(({ uuid, guess }) => (guess !== null && codeOf.has(uuid) ? [guess] : []));
      const below = await countUsesBelow(trx, guesses, deps.caps.wrongCodesOfPhone.max);
      return all.map(({ uuid, guess }) => {
        const code = codeOf.get(uuid);
        const isCapped = guess !== null && !below.some(({ key }) => key.equals(guess.key));
        return code === undefined ? null : { ...code, isCapped };
      });
    }),
  // A batch has one guess per phone (or per verification without a phone), so that each guess counts separately.
  ({ uuid, guess }) => guess?.key.toString("base64") ?? uuid,
);

/** A right code and its verification. */
type Right = Trying & { by: Actor; guess: Use | null; hash: Buffer };

/**
 * Marks verifications as verified, with all related changes. Null for a verification that has ended in the meantime.
 *
 * Locks verifications, then people, then counters, each in the order of their keys, as a link and a delivery do. A
 * different order could deadlock.
 */
async function accept(deps: Deps, trx: Trx, all: readonly Right[]): Promise<(VerificationRow | null)[]> {
  const now = deps.clock.now();
  const uuids = all.map(({ uuid }) => uuid);
  const [locked, consumed] = await Promise.all([lockVerifications(trx, uuids), consumeCodes(trx, all, now)]);
  const accepted = all.map((right) => {
    const row = consumed.has(right.uuid) ? locked.find(({ uuid }) => uuid === right.uuid) : undefined;
    return row === undefined ? null : { right, row: { ...row, status: "verified" as const, verified_at: now } };
  });
  const done = accepted.filter((one) => one !== null);
  const people = done.flatMap(({ row }) => row.person_uuid ?? []);
  // Count only answers to texts that we sent. Otherwise, a brand that texts its own codes could improve its answer rate.
  const answers = done.flatMap(({ right: { phone }, row }) =>
    phone === undefined || row.deliveries === 0 || row.code_shown_to_brand
      ? []
      : [{ phone, brandUuid: row.brand_uuid }],
  );
  const guesses = all.flatMap(({ guess }) => guess ?? []);
  await Promise.all([
    markProven(trx, people, now),
    recordAudits(
      trx,
      done.map(({ right: { by, action = "verification.verified" }, row }) =>
        auditRow(deps, by, { action, personUuid: row.person_uuid ?? undefined, verificationUuid: row.uuid }),
      ),
    ),
    countAnswers(deps, trx, answers),
    takeBackUses(trx, guesses),
  ]);
  return accepted.map((one) => one?.row ?? null);
}

/** Calls made at the same moment are batched; each verification is in a batch only once. */
const acceptTogether = batched(
  (deps: Deps, all: readonly Right[]) => deps.db.inTransaction((trx) => accept(deps, trx, all)),
  ({ uuid }) => uuid,
);

async function whyNot(deps: Deps, uuid: string): Promise<Tried> {
  const { row } = await findVerificationUnbound(deps, uuid);
  const status = statusAt(row, deps.clock.now());
  return {
    kind: "over",
    status: status === "verified" || status === "expired" || status === "failed" ? status : "none",
  };
}
