/**
 * Limits attempts at a person's birth date, SSN4 and first name. Each value is counted under a lock on the phone before
 * it is compared, and a correct value is subtracted from the count afterwards. Repeating the same wrong value does not
 * use another attempt.
 */

import type { ChallengeInput, givenChallenges } from "@countersign/contract/errors";
import { dayMs, minuteMs } from "@countersign/contract/time";
import type { Deps } from "../deps.ts";
import type { Phone, SourceAnswer } from "../ports.ts";
import {
  deleteAttempts,
  deleteOldAttempts,
  listChallengeAttempts,
  lockAttempts,
  upsertAttempts,
} from "./challenge-attempt-rows.ts";

/** Distinct wrong values of one input that a brand may try for one phone within `challengeWindowMs`. */
export const challengeAttemptsMax = 3;
const challengeWindowMs = 30 * minuteMs;
/**
 * Distinct wrong values for one phone across all brands within `challengeAllBrandsWindowMs`. Stops guesses that are
 * spread over many brands. It is higher than what one brand can use with `challengeAttemptsMax` per input. A person's
 * own page has this limit of its own, because a brand could otherwise keep them from deleting their data.
 */
export const challengeAttemptsAllBrandsMax = 10;
export const challengeAllBrandsWindowMs = dayMs;

export type GivenChallenge = ReturnType<typeof givenChallenges>[number];
type HashedChallenge = GivenChallenge & { hash: Buffer };
/** `brandUuid`: who tries the values. On a person's own page, this is the service itself. */
export type Attempting = { brandUuid: string; phone: Phone; given: readonly GivenChallenge[] };

/**
 * Counts each value as an attempt, asks the source to compare them, and subtracts those that the source did not reject.
 * If inputs have no attempts left, nothing is counted and the source is not asked.
 */
export async function compareChallenges(
  deps: Deps,
  { brandUuid, phone, given }: Attempting,
  ask: (compare: ChallengeInput[]) => Promise<SourceAnswer>,
): Promise<SourceAnswer | { kind: "exceeded"; inputs: ChallengeInput[] }> {
  const hashed = hashValues(deps, phone, given);
  const of = attemptsOf(deps, phone);
  const exceeded = hashed.length === 0 ? [] : await count(deps, of, { brandUuid, phone, hashed });
  if (exceeded.length > 0) return { kind: "exceeded", inputs: exceeded };
  const answer = await ask(given.map(({ input }) => input));
  const refuted = answer.kind === "mismatch" ? answer.inputs : [];
  const right = hashed.filter(({ input }) => !refuted.includes(input));
  await deleteAttempts(deps.db, of, { brandUuid, hashes: right.map(({ hash }) => hash) });
  return answer;
}

/**
 * Counts values that are used without being compared with a source's, because what follows may tell whether they are
 * right. Returns the inputs that have no attempts left; if there are any, nothing is counted.
 */
export async function countUncompared(deps: Deps, { brandUuid, phone, given }: Attempting): Promise<ChallengeInput[]> {
  const hashed = hashValues(deps, phone, given);
  if (hashed.length === 0) return [];
  return await count(deps, attemptsOf(deps, phone), { brandUuid, phone, hashed });
}

const attemptsOf = ({ vault, environment }: Deps, phone: Phone) => ({
  environment,
  phoneIndex: vault.index("phone", environment, phone),
});

/** The hash does not include the brand, so that the count across brands recognizes the same value. */
function hashValues({ vault, environment }: Deps, phone: Phone, given: readonly GivenChallenge[]): HashedChallenge[] {
  return given.map((one) => ({ ...one, hash: vault.keyedHash(`${environment}|${phone}|${one.input}`, one.value) }));
}

type Counting = { brandUuid: string; phone: Phone; hashed: readonly HashedChallenge[] };

/** Counts each value. Returns the inputs that have no attempts left; if there are any, nothing is counted. */
async function count(
  deps: Deps,
  of: { environment: string; phoneIndex: Buffer },
  { brandUuid, phone, hashed }: Counting,
): Promise<ChallengeInput[]> {
  const now = deps.clock.now();
  return await deps.db.inTransaction(async (trx) => {
    await lockAttempts(trx, of);
    const tried = await listChallengeAttempts(trx, of, now - challengeAllBrandsWindowMs);
    const ours = tried.filter((one) => one.brand_uuid === brandUuid && one.at > now - challengeWindowMs);
    const fresh = hashed.filter(
      ({ input, hash }) => !ours.some((old) => old.input === input && old.value_hmac.equals(hash)),
    );
    const ownPage = deps.vendors.identity.issuerUuid;
    const counted = tried.filter((one) => (one.brand_uuid === ownPage) === (brandUuid === ownPage));
    const values = new Set(counted.map((one) => one.value_hmac.toString("base64")));
    const spread = deps.phones.isFixed(phone) ? 0 : values.size;
    const exceeded = fresh.filter(
      ({ input }) =>
        ours.filter((old) => old.input === input).length >= challengeAttemptsMax ||
        spread + fresh.length > challengeAttemptsAllBrandsMax,
    );
    // One input without attempts left rejects the whole request, even if its other values were tried before.
    if (exceeded.length > 0) return exceeded.map(({ input }) => input);
    if (fresh.length === 0) return [];
    const attempts = fresh.map(({ input, hash }) => ({ brand_uuid: brandUuid, input, value_hmac: hash, at: now }));
    await upsertAttempts(trx, of, attempts);
    return [];
  });
}

/** Deletes attempts that are older than every window. */
export async function purgeAttempts({ db, environment, clock }: Deps): Promise<void> {
  await deleteOldAttempts(db, environment, clock.now() - challengeAllBrandsWindowMs);
}
