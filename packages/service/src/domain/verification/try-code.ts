import { batched } from "../../store/batch.ts";
import type { Trx } from "../../store/database.ts";
import { type Actor, auditRow, recordAudits } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import type { OpenPage } from "../journey.ts";
import { codeAttemptsMax, compareCode, countAttempts, type OpenCode, readOpenCodes } from "../one-time-code.ts";
import { markProven } from "../person-rows.ts";
import type { Phone } from "../ports.ts";
import { findVerification, findVerificationUnbound } from "./find.ts";
import { countAnswers } from "./limits/alarms.ts";
import { countBrandGuess, isBrandOverLimit, phoneCounterOf, tooManyGuesses } from "./limits/caps.ts";
import type { Texted } from "./limits/counters.ts";
import { countUses, lockUses, readUses, type Use } from "./limits/use-count-rows.ts";
import { attemptsData, statusAt, type Verification, type VerificationRow } from "./verification.ts";
import { lockVerifications } from "./verification-rows.ts";

type SubmittedCode = { uuid: string; code: string };

/** Submits the code that the person typed. */
export async function submitCode(deps: Deps, caller: Caller, { uuid, code }: SubmittedCode): Promise<Verification> {
  const before = await findVerification(deps, deps.db, caller, uuid);
  // Use the row's own spelling of the uuid: encryption and hashes are bound to it.
  const tried = await tryCode(deps, caller, { uuid: before.row.uuid, code, phone: before.secrets.phone });
  if (tried.kind === "right") return { ...before, row: tried.row };
  if (tried.kind === "wrong") {
    throw fail("OCV001", { attemptsRemaining: tried.attemptsRemaining, expiresAt: before.row.expires_at });
  }
  const { row } = await findVerification(deps, deps.db, caller, uuid);
  if (tried.status === "expired") throw fail("OCV007", { ...attemptsData(row), attemptsRemaining: 0 });
  if (tried.status === "failed") throw fail("OCV002", { ...attemptsData(row), attemptsRemaining: 0 });
  // A verification that already succeeded accepts no more codes, and a verification by device has no code.
  throw fail("OCV001", attemptsData(row));
}

/** `result`: what `whenRight` returned. */
export type TriedCode<Result> =
  | { kind: "right"; row: VerificationRow; result: Result }
  | { kind: "wrong"; attemptsRemaining: number }
  /** No code could be tried, because of the verification's status. */
  | { kind: "notTried"; status: "verified" | "expired" | "failed" | "none" };

type CodeToTry = {
  uuid: string;
  code: string;
  phone: Phone | undefined;
  /** The page on which a stranger may have requested the text, without a brand's key. */
  openPage?: OpenPage | null;
  /** The audit action of a correct code. */
  action?: "verification.verified" | "account.signedIn";
};

/**
 * Tries a code: compares it, counts the attempt, and, if it is correct, consumes it and writes the audit record. All of
 * this is one transaction under a lock, so no answer is given for an attempt that was not counted.
 */
export async function tryCode(deps: Deps, by: Actor, code: CodeToTry): Promise<TriedCode<undefined>> {
  return await withinLimits(deps, by, code, (attempt) => tryInBatch(deps, attempt));
}

type WhenRight<Result> = (trx: Trx, row: VerificationRow) => Promise<Result>;

/**
 * Tries a code, and runs `whenRight` in the transaction that accepts it. Both succeed or neither does, because a code
 * works only once.
 */
export async function tryCodeThen<Result>(
  deps: Deps,
  by: Actor,
  code: CodeToTry,
  whenRight: WhenRight<Result>,
): Promise<TriedCode<Result>> {
  return await withinLimits(deps, by, code, (attempt) => tryAlone(deps, attempt, whenRight));
}

/** Refuses an attempt over a limit of wrong codes, and counts a wrong one. */
async function withinLimits<Result>(
  deps: Deps,
  by: Actor,
  code: CodeToTry,
  tryAttempt: (attempt: Attempt) => Promise<AttemptResult<Result>>,
): Promise<TriedCode<Result>> {
  // Do not count guesses at sign-in codes for the phone. Anyone can begin a sign-in, so a stranger could lock the
  // phone. Guesses stay few, because a code must be texted first and sign-in texts are limited.
  const phoneCounter = by.brand === null ? null : phoneCounterOf(deps, code.phone);
  const guessedBrand =
    by.brand === null || phoneCounter === null ? null : { brandUuid: by.brand.uuid, openPage: code.openPage };
  if (guessedBrand !== null && isBrandOverLimit(deps, guessedBrand)) throw tooManyGuesses(deps);
  const attempt = { ...code, by, phoneCounter };
  const tried = await tryAttempt(attempt);
  if (tried === "capped") throw tooManyGuesses(deps);
  // If this fails, the guess is still counted for its phone and its verification.
  if (guessedBrand !== null && tried?.kind === "wrong") await countBrandGuess(deps, guessedBrand).catch(() => {});
  return tried ?? (await whyNotTried(deps, code.uuid));
}

/** `phoneCounter` counts wrong codes for the phone. Null if this attempt does not count for a phone. */
type Attempt = CodeToTry & { by: Actor; phoneCounter: Use | null };
/** Null if no code could be tried. `capped`: the phone has too many wrong codes across its verifications. */
type AttemptResult<Result = undefined> = TriedCode<Result> | "capped" | null;

const tryInBatch = batched(
  async (deps: Deps, attempts: readonly Attempt[]) => {
    const { results, answered } = await deps.db.inTransaction((trx) => tryLocked(deps, trx, attempts));
    await countAnswers(deps, answered).catch(() => {});
    return results;
  },
  // At most one guess per phone (or per verification without a phone) in a batch, so that each one sees the earlier
  // counts.
  ({ uuid, phoneCounter }) => phoneCounter?.key.toString("base64") ?? uuid,
);

/** Tries a code in a transaction that also runs `whenRight`. */
async function tryAlone<Result>(
  deps: Deps,
  attempt: Attempt,
  whenRight: WhenRight<Result>,
): Promise<AttemptResult<Result>> {
  const { tried, answered } = await deps.db.inTransaction(async (trx) => {
    const { results, answered } = await tryLocked(deps, trx, [attempt]);
    const tried = results[0] ?? null;
    if (tried === null || tried === "capped" || tried.kind !== "right") return { tried, answered };
    return { tried: { ...tried, result: await whenRight(trx, tried.row) }, answered };
  });
  await countAnswers(deps, answered).catch(() => {});
  return tried;
}

/** The result of each attempt, and the texts that were answered. */
type TriedBatch = { results: AttemptResult[]; answered: Texted[] };

/** Tries codes under locks that last until each attempt is counted. */
async function tryLocked(deps: Deps, trx: Trx, attempts: readonly Attempt[]): Promise<TriedBatch> {
  const now = deps.clock.now();
  const judged = (await lockAndRead(trx, attempts, now)).map(
    (locked): JudgedAttempt | null => locked && { ...locked, verdict: judge(deps, locked) },
  );
  const tried = judged.filter((one) => one !== null);
  await saveAttempts(deps, trx, tried, now);
  return { results: judged.map((one) => one && resultOf(one, now)), answered: answeredTexts(tried) };
}

/** An attempt at an open code, and what was read under the locks. `wrongBefore`: the wrong codes for the phone. */
type LockedAttempt = { attempt: Attempt; row: VerificationRow; code: OpenCode; wrongBefore: number | null };

/**
 * Locks verifications, then wrong-code counters, each in key order; `saveAttempts` then locks people. Links and
 * deliveries lock in the same order, to avoid deadlocks. Returns null for an attempt that has no open code.
 */
async function lockAndRead(trx: Trx, attempts: readonly Attempt[], now: number): Promise<(LockedAttempt | null)[]> {
  const uuids = attempts.map(({ uuid }) => uuid);
  const counters = attempts.flatMap(({ phoneCounter }) => phoneCounter ?? []);
  const [rows, codes, , usedOf] = await Promise.all([
    lockVerifications(trx, uuids),
    readOpenCodes(trx, uuids, now),
    lockUses(trx, counters),
    readUses(trx, counters),
  ]);
  return attempts.map((attempt) => {
    const row = rows.find(({ uuid }) => uuid === attempt.uuid);
    const code = codes.find(({ uuid }) => uuid === attempt.uuid);
    if (row === undefined || code === undefined) return null;
    const wrongBefore = attempt.phoneCounter && usedOf(attempt.phoneCounter);
    return { attempt, row: { ...row, attempts_used: code.attemptsUsed }, code, wrongBefore };
  });
}

/** `capped`: the phone has too many wrong codes, so the code was not compared. */
type Verdict = "right" | "wrong" | "capped";
type JudgedAttempt = LockedAttempt & { verdict: Verdict };

/** Compares a code, if someone can know it. Uses only what was read under the locks. */
function judge(deps: Deps, { attempt, row, code, wrongBefore }: LockedAttempt): Verdict {
  if (wrongBefore !== null && wrongBefore >= deps.caps.wrongCodesOfPhone.max) return "capped";
  // A verification without a person has sent no text, so its code must have been guessed.
  const canBeKnown = code.personUuid !== null && wasShown(deps, attempt, row);
  return canBeKnown && compareCode(deps, attempt.uuid, attempt.code, code.hash) ? "right" : "wrong";
}

/** Counts the attempts, counts wrong codes for their phones, and records proofs. */
async function saveAttempts(deps: Deps, trx: Trx, tried: readonly JudgedAttempt[], now: number): Promise<void> {
  const wrong = tried.filter(({ verdict }) => verdict === "wrong");
  await Promise.all([
    countAttempts(
      trx,
      tried.map(({ attempt: { uuid }, verdict }) => ({ uuid, is_right: verdict === "right" })),
      now,
    ),
    countUses(
      trx,
      wrong.flatMap(({ attempt: { phoneCounter } }) => phoneCounter ?? []),
    ),
    recordProofs(deps, trx, tried.filter(isRight)),
  ]);
}

const isRight = ({ verdict }: JudgedAttempt) => verdict === "right";

function resultOf({ verdict, row, code }: JudgedAttempt, now: number): AttemptResult {
  if (verdict === "capped") return "capped";
  if (verdict === "wrong") return { kind: "wrong", attemptsRemaining: codeAttemptsMax - code.attemptsUsed };
  return { kind: "right", row: { ...row, status: "verified", verified_at: now }, result: undefined };
}

/**
 * Whether someone can know the code, because it was texted or given to the brand. Otherwise a right code is a guess.
 * The code of fixed test people is public. For a sign-in, the caller checks that it has a person, and so a text.
 */
function wasShown({ phones }: Deps, { by, phone }: Attempt, row: VerificationRow): boolean {
  if (by.brand === null || row.deliveries > 0 || row.code_shown_to_brand) return true;
  return phone !== undefined && phones.isFixed(phone);
}

/** Counts only answers to texts that we sent. Otherwise a brand that texts its own codes could improve its rate. */
function answeredTexts(tried: readonly JudgedAttempt[]): Texted[] {
  return tried
    .filter(isRight)
    .flatMap(({ attempt: { phone, openPage = null }, row }) =>
      phone === undefined || row.deliveries === 0 || row.code_shown_to_brand
        ? []
        : [{ phone, brandUuid: row.brand_uuid, openPage }],
    );
}

/** Records that people proved their phones. */
async function recordProofs(deps: Deps, trx: Trx, right: readonly JudgedAttempt[]): Promise<void> {
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

async function whyNotTried(deps: Deps, uuid: string): Promise<TriedCode<never>> {
  const { row } = await findVerificationUnbound(deps, uuid);
  const status = statusAt(row, deps.clock.now());
  return {
    kind: "notTried",
    status: status === "verified" || status === "expired" || status === "failed" ? status : "none",
  };
}
