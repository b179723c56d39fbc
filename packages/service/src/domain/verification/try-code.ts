import { digitsIn } from "@countersign/contract/typed-text";
import type { Trx } from "../../store/database.ts";
import { batched } from "../../store/statements/batch.ts";
import { type Actor, auditRow, recordAudits } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { type Failure, fail, invalid } from "../failure.ts";
import type { OpenPage } from "../journey.ts";
import { compareCode, countAttempts, isAcceptedCode, readOpenCodes } from "../one-time-code.ts";
import { markProven } from "../person-rows.ts";
import type { Phone } from "../ports.ts";
import { sixDigits } from "../problem-words.ts";
import { findVerificationForKey, findVerificationUnbound } from "./find.ts";
import { acceptedCounterOf, countBrandGuess, isBrandOverLimit, phoneCounterOf, tooManyGuesses } from "./limits/caps.ts";
import { countAnswers } from "./limits/conversion-alarm-rows.ts";
import { countUses, lockUses, readUses, type Texted, type Use } from "./limits/use-count-rows.ts";
import { attemptsData, attemptsRemaining, statusAt, type Verification, type VerificationRow } from "./verification.ts";
import { lockVerifications } from "./verification-rows.ts";

const codeLength = 6;

type SubmittedCode = { uuid: string; code: string };

/** Submits the code that the person typed. */
export async function submitCode(deps: Deps, caller: Caller, { uuid, code }: SubmittedCode): Promise<Verification> {
  const before = await findVerificationForKey(deps, caller, uuid);
  // Another number of digits uses no attempt.
  if (digitsIn(code).length !== codeLength) throw invalid([{ path: "body.code", message: sixDigits }]);
  // Use the row's own spelling of the uuid: encryption and hashes are bound to it.
  const tried = await tryCode(deps, caller, { uuid: before.row.uuid, code, phone: before.secrets.phone });
  if (tried.kind === "right") return { ...before, row: tried.row };
  throw refusalOfCode(tried, attemptsRemaining(tried.row));
}

/** `result`: what `whenRight` returned. */
export type TriedCode<Result> =
  | { kind: "right"; row: VerificationRow; result: Result }
  | { kind: "wrong"; row: VerificationRow }
  /** No code could be tried, because of the verification's status. */
  | { kind: "notTried"; row: VerificationRow; status: "verified" | "expired" | "failed" | "none" };

/**
 * The error of a code that was not accepted. A verification that succeeded accepts no more codes, and a verification by
 * device has no code: `left` is what their error says about the remaining attempts.
 */
export function refusalOfCode(tried: Exclude<TriedCode<never>, { kind: "right" }>, left = 0): Failure {
  const data = attemptsData(tried.row);
  if (tried.kind === "wrong") return fail("OCV001", data);
  if (tried.status === "expired") return fail("OCV007", { ...data, attemptsRemaining: 0 });
  if (tried.status === "failed") return fail("OCV002", { ...data, attemptsRemaining: 0 });
  return fail("OCV001", { ...data, attemptsRemaining: left });
}

/** `code`: as it was typed, also with separators. */
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
async function tryCode(deps: Deps, by: Actor, code: CodeToTry): Promise<TriedCode<undefined>> {
  return await withinLimits(deps, by, code, (attempt) => tryTogether(deps, attempt));
}

/** Tries a code that a brand sends again with each read. The code that was accepted stays right. */
export async function tryCodeAgain(deps: Deps, by: Actor, code: CodeToTry): Promise<TriedCode<undefined>> {
  const tried = await tryCode(deps, by, code);
  if (tried.kind !== "notTried" || tried.status !== "verified") return tried;
  const isAccepted = await compareAccepted(deps, code);
  return isAccepted ? { kind: "right", row: tried.row, result: undefined } : tried;
}

/**
 * Compares a code with the accepted one. A wrong code counts for this verification alone, because the accepted code must
 * keep working whatever is typed for other verifications of the phone.
 */
async function compareAccepted(deps: Deps, code: CodeToTry): Promise<boolean> {
  const counter = acceptedCounterOf(deps, code);
  return await deps.db.inTransaction(async (trx) => {
    await lockUses(trx, [counter]);
    const usedOf = await readUses(trx, [counter]);
    if (usedOf(counter) >= deps.policy.caps.wrongCodesOfPhone.max) throw tooManyGuesses(deps);
    const isAccepted = await isAcceptedCode(deps, trx, { uuid: code.uuid, code: digitsIn(code.code) });
    if (!isAccepted) await countUses(trx, [counter]);
    return isAccepted;
  });
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
  return await withinLimits(deps, by, code, async (attempt) => {
    const [tried = null] = await tryLocked(deps, [attempt], { whenRight });
    return tried;
  });
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
  const phoneCounter = by.brand === null ? null : phoneCounterOf(deps, code);
  const guessedBrand =
    by.brand === null || phoneCounter === null ? null : { brandUuid: by.brand.uuid, openPage: code.openPage };
  if (guessedBrand !== null && isBrandOverLimit(deps, guessedBrand)) throw tooManyGuesses(deps);
  const attempt = { ...code, code: digitsIn(code.code), by, phoneCounter };
  const tried = await tryAttempt(attempt);
  if (tried === "capped") throw tooManyGuesses(deps);
  // If this fails, the guess is still counted for its phone and its verification.
  if (guessedBrand !== null && tried?.kind === "wrong") await countBrandGuess(deps, guessedBrand).catch(() => {});
  return tried ?? (await whyNotTried(deps, code.uuid));
}

/** `phoneCounter` counts wrong codes for the phone. Null if this attempt does not count for a phone. */
type Attempt = CodeToTry & { by: Actor; phoneCounter: Use | null };
/** Null if no code could be tried. `capped`: the phone has too many wrong codes across its verifications. */
type AttemptResult<Result> = TriedCode<Result> | "capped" | null;

const tryTogether = batched(
  (deps: Deps, attempts: readonly Attempt[]) =>
    tryLocked(deps, attempts, { whenRight: async () => undefined, endsWithCounts: true }),
  // At most one guess per phone (or per verification without a phone) in a batch, so that each one sees the earlier
  // counts. Both counters of a phone have the same key.
  ({ uuid, phoneCounter }) => phoneCounter?.key.toString("base64") ?? uuid,
);

/**
 * Tries codes in one transaction, under locks that last until each attempt is counted. `endsWithCounts`: `whenRight`
 * runs no statements.
 */
async function tryLocked<Result>(
  deps: Deps,
  attempts: readonly Attempt[],
  { whenRight, endsWithCounts = false }: { whenRight: WhenRight<Result>; endsWithCounts?: boolean },
): Promise<AttemptResult<Result>[]> {
  const { results, answered } = await deps.db.inTransaction(async (trx) => {
    const now = deps.clock.now();
    const judged = await lockAndJudge(deps, trx, attempts, now);
    const tried = judged.filter((one) => one !== null);
    const save = () => saveAttempts(deps, trx, tried, now);
    await (endsWithCounts ? trx.last(save) : save());
    const results: AttemptResult<Result>[] = [];
    for (const one of judged) {
      if (one === null) results.push(null);
      else if (one.verdict === "capped") results.push("capped");
      else if (one.verdict === "wrong") results.push({ kind: "wrong", row: one.row });
      else {
        const row: VerificationRow = { ...one.row, status: "verified", verified_at: now };
        results.push({ kind: "right", row, result: await whenRight(trx, row) });
      }
    }
    return { results, answered: answeredTexts(tried) };
  });
  await countAnswers(deps, answered).catch(() => {});
  return results;
}

/** `capped`: the phone has too many wrong codes, so the code was not compared. */
type JudgedAttempt = { attempt: Attempt; row: VerificationRow; verdict: "right" | "wrong" | "capped" };

/**
 * Compares codes, using only what is read under locks. Null for an attempt that has no open code.
 *
 * Locks verifications, then wrong-code counters, each in key order; `saveAttempts` then locks people. Links and
 * deliveries lock in the same order, to avoid deadlocks.
 */
async function lockAndJudge(
  deps: Deps,
  trx: Trx,
  attempts: readonly Attempt[],
  now: number,
): Promise<(JudgedAttempt | null)[]> {
  const uuids = attempts.map(({ uuid }) => uuid);
  const counters = attempts.flatMap(({ phoneCounter }) => phoneCounter ?? []);
  const [rows, codes, , usedOf] = await Promise.all([
    lockVerifications(trx, uuids),
    readOpenCodes(trx, uuids, now),
    lockUses(trx, counters),
    readUses(trx, counters),
  ]);
  return attempts.map((attempt) => {
    const locked = rows.find(({ uuid }) => uuid === attempt.uuid);
    const code = codes.find(({ uuid }) => uuid === attempt.uuid);
    if (locked === undefined || code === undefined) return null;
    const row = { ...locked, attempts_used: code.attemptsUsed };
    const wrongBefore = attempt.phoneCounter && usedOf(attempt.phoneCounter);
    if (wrongBefore !== null && wrongBefore >= deps.policy.caps.wrongCodesOfPhone.max)
      return { attempt, row, verdict: "capped" };
    // A verification without a person has sent no text, so its code must have been guessed.
    const canBeKnown = code.personUuid !== null && wasShown(deps, attempt, row);
    const isRight = canBeKnown && compareCode(deps, attempt.uuid, attempt.code, code.hash);
    return { attempt, row, verdict: isRight ? "right" : "wrong" };
  });
}

/** Counts the attempts and the wrong codes of phones, and records that people proved their phones. */
async function saveAttempts(deps: Deps, trx: Trx, tried: readonly JudgedAttempt[], now: number): Promise<void> {
  const wrong = tried.filter(({ verdict }) => verdict === "wrong");
  const right = tried.filter(isRight);
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
    markProven(
      trx,
      right.flatMap(({ row }) => row.person_uuid ?? []),
      now,
    ),
    recordAudits(
      trx,
      right.map(({ attempt: { by, action = "verification.verified" }, row }) =>
        auditRow(deps, by, { action, personUuid: row.person_uuid ?? undefined, verificationUuid: row.uuid }),
      ),
    ),
  ]);
}

const isRight = ({ verdict }: JudgedAttempt) => verdict === "right";

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

async function whyNotTried(deps: Deps, uuid: string): Promise<TriedCode<never>> {
  const { row } = await findVerificationUnbound(deps, uuid);
  const status = statusAt(row, deps.clock.now());
  return {
    kind: "notTried",
    row,
    status: status === "verified" || status === "expired" || status === "failed" ? status : "none",
  };
}
