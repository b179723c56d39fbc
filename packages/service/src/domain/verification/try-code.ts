import { batched } from "../../store/batch.ts";
import type { Trx } from "../../store/database.ts";
import { type Actor, auditRow, recordAudits } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import type { OpenPage } from "../journey.ts";
import { codeAttemptsMax, compareCode, countAttempts, readOpenCodes } from "../one-time-code.ts";
import { markProven } from "../person-rows.ts";
import type { Phone } from "../ports.ts";
import { findVerification, findVerificationUnbound } from "./find.ts";
import { countAnswers } from "./limits/alarms.ts";
import { countBrandGuess, isBrandOverLimit, phoneCounterOf, tooManyGuesses } from "./limits/caps.ts";
import type { Texted } from "./limits/counters.ts";
import { countUses, lockUses, readUses, type Use } from "./limits/use-count-rows.ts";
import { attemptsData, statusAt, type Verification, type VerificationRow } from "./verification.ts";
import { lockVerifications, type StoredVerification } from "./verification-rows.ts";

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

export type Outcome =
  | { kind: "right"; row: VerificationRow }
  | { kind: "wrong"; attemptsRemaining: number }
  /** No code could be tried, because of the verification's status. */
  | { kind: "over"; status: "verified" | "expired" | "failed" | "none" };

type CodeToTry = {
  uuid: string;
  code: string;
  phone: Phone | undefined;
  /** The page on which a stranger may have requested the text, without a brand's key. */
  openPage?: OpenPage | null;
  /** The audit action of a correct code. */
  action?: "verification.verified" | "account.signedIn";
  /** Runs in the transaction that accepts the code: both succeed or neither does, because a code works only once. */
  whenRight?(trx: Trx, row: VerificationRow): Promise<void>;
};

/**
 * Tries a code: compares it, counts the attempt, and, if it is correct, consumes it and writes the audit record. All of
 * this is one transaction under a lock, so no answer is given for an attempt that was not counted.
 */
export async function tryCode(deps: Deps, by: Actor, what: CodeToTry): Promise<Outcome> {
  // Do not count guesses at sign-in codes for the phone. Anyone can begin a sign-in, so a stranger could lock the
  // phone. Guesses stay few, because a code must be texted first and sign-in texts are limited.
  const phoneCounter = by.brand === null ? null : phoneCounterOf(deps, what.phone);
  const guessedBrand =
    by.brand === null || phoneCounter === null ? null : { brandUuid: by.brand.uuid, openPage: what.openPage };
  if (guessedBrand !== null && isBrandOverLimit(deps, guessedBrand)) throw tooManyGuesses(deps);
  const attempt = { ...what, by, phoneCounter };
  const tried = what.whenRight === undefined ? await tryInBatch(deps, attempt) : await tryAlone(deps, attempt);
  if (tried === "capped") throw tooManyGuesses(deps);
  // If this fails, the guess is still counted for its phone and its verification.
  if (guessedBrand !== null && tried?.kind === "wrong") await countBrandGuess(deps, guessedBrand).catch(() => {});
  return tried ?? (await whyNotTried(deps, what.uuid));
}

/** `phoneCounter` counts wrong codes for the phone. Null if this attempt does not count for a phone. */
type Attempt = CodeToTry & { by: Actor; phoneCounter: Use | null };
/** Null if no code could be tried. `capped`: the phone has too many wrong codes across its verifications. */
type OutcomeInBatch = Outcome | "capped" | null;

const tryInBatch = batched(
  async (deps: Deps, all: readonly Attempt[]) => {
    const { results, answered } = await deps.db.inTransaction((trx) => tryLocked(deps, trx, all));
    await countAnswers(deps, answered).catch(() => {});
    return results;
  },
  // At most one guess per phone (or per verification without a phone) in a batch, so that each one sees the earlier
  // counts.
  ({ uuid, phoneCounter }) => phoneCounter?.key.toString("base64") ?? uuid,
);

/** Tries a code in a transaction that also runs `whenRight`. */
async function tryAlone(deps: Deps, attempt: Attempt): Promise<OutcomeInBatch> {
  const { results, answered } = await deps.db.inTransaction(async (trx) => {
    const done = await tryLocked(deps, trx, [attempt]);
    for (const tried of done.results)
      if (tried !== null && tried !== "capped" && tried.kind === "right") await attempt.whenRight?.(trx, tried.row);
    return done;
  });
  await countAnswers(deps, answered).catch(() => {});
  return results[0] ?? null;
}

/** The result of each attempt, and the texts that were answered. */
type BatchOutcome = { results: OutcomeInBatch[]; answered: Texted[] };

/**
 * Locks verifications, then wrong-code counters, then people, each in key order. Links and deliveries lock in the same
 * order, to avoid deadlocks.
 */
async function tryLocked(deps: Deps, trx: Trx, all: readonly Attempt[]): Promise<BatchOutcome> {
  const now = deps.clock.now();
  const uuids = all.map(({ uuid }) => uuid);
  const counters = all.flatMap(({ phoneCounter }) => phoneCounter ?? []);
  // The locks come before any comparison, and last until each attempt is counted.
  const [locked, codes, , wrongBefore] = await Promise.all([
    lockVerifications(trx, uuids),
    readOpenCodes(trx, uuids, now),
    lockUses(trx, counters),
    readUses(trx, counters),
  ]);
  const tried = all.flatMap((attempt) => {
    const code = codes.find(({ uuid }) => uuid === attempt.uuid);
    const row = locked.find(({ uuid }) => uuid === attempt.uuid);
    if (code === undefined || row === undefined) return [];
    const isCapped =
      attempt.phoneCounter !== null && wrongBefore(attempt.phoneCounter) >= deps.caps.wrongCodesOfPhone.max;
    // A verification without a person has sent no text, so its code must have been guessed.
    const isReadable = code.personUuid !== null && wasShown(deps, attempt, row);
    const isRight = !isCapped && isReadable && compareCode(deps, attempt.uuid, attempt.code, code.hash);
    return [{ attempt, code, row: { ...row, attempts_used: code.attemptsUsed }, isCapped, isRight }];
  });
  const right = tried.filter(({ isRight }) => isRight);
  const wrong = tried.filter(({ isRight, isCapped }) => !isRight && !isCapped);
  await Promise.all([
    countAttempts(
      trx,
      tried.map(({ attempt: { uuid }, isRight }) => ({ uuid, is_right: isRight })),
      now,
    ),
    countUses(
      trx,
      wrong.flatMap(({ attempt: { phoneCounter } }) => phoneCounter ?? []),
    ),
    recordProofs(deps, trx, right),
  ]);
  const results = all.map((attempt): OutcomeInBatch => {
    const done = tried.find((one) => one.attempt === attempt);
    if (done === undefined) return null;
    if (done.isCapped) return "capped";
    if (!done.isRight) return { kind: "wrong", attemptsRemaining: codeAttemptsMax - done.code.attemptsUsed };
    return { kind: "right", row: { ...done.row, status: "verified", verified_at: now } };
  });
  return { results, answered: answeredTexts(right) };
}

/**
 * Whether someone can know the code, because it was texted or given to the brand. Otherwise a right code is a guess.
 * The code of fixed test people is public. For a sign-in, the caller checks that it has a person, and so a text.
 */
function wasShown({ phones }: Deps, { by, phone }: Attempt, row: StoredVerification): boolean {
  if (by.brand === null || row.deliveries > 0 || row.code_shown_to_brand) return true;
  return phone !== undefined && phones.isFixed(phone);
}

/** Counts only answers to texts that we sent. Otherwise a brand that texts its own codes could improve its rate. */
function answeredTexts(done: readonly CorrectAttempt[]): Texted[] {
  return done.flatMap(({ attempt: { phone, openPage = null }, row }) =>
    phone === undefined || row.deliveries === 0 || row.code_shown_to_brand
      ? []
      : [{ phone, brandUuid: row.brand_uuid, openPage }],
  );
}

/** An attempt with a right code, and its locked verification. */
type CorrectAttempt = { attempt: Attempt; row: StoredVerification };

/** Records that people proved their phones. */
async function recordProofs(deps: Deps, trx: Trx, right: readonly CorrectAttempt[]): Promise<void> {
  await Promise.all([
    markProven(
      trx,
      right.flatMap(({ row }) => row.person_uuid ?? []),
      deps.clock.now(),
    ),
    recordAudits(
      trx,
      right.map(({ attempt: { by, action = "verification.verified" }, row }) =>
        auditRow(deps, by, { action, personUuid: row.person_uuid ?? undefined, verificationUuid: row.uuid }),
      ),
    ),
  ]);
}

async function whyNotTried(deps: Deps, uuid: string): Promise<Outcome> {
  const { row } = await findVerificationUnbound(deps, uuid);
  const status = statusAt(row, deps.clock.now());
  return {
    kind: "over",
    status: status === "verified" || status === "expired" || status === "failed" ? status : "none",
  };
}
