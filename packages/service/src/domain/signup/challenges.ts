/**
 * Limits attempts at a person's birth date, SSN4 and first name. Each value is counted under a lock on the phone before
 * it is compared, and a correct value is uncounted afterwards. Repeating the same wrong value does not use another
 * attempt.
 */
import { type ChallengeInput, challengeInputs } from "@countersign/contract/errors";
import { sql } from "kysely";
import type { Trx } from "../../store/database.ts";
import { enqueue, enqueueAhead, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import type { PersonInputs, Phone } from "../ports.ts";

/** Distinct wrong values of one input that a brand may try for one phone within `challengeWindowMs`. */
export const challengeAttemptsMax = 3;
export const challengeWindowMs = 30 * 60_000;
/**
 * Distinct wrong values for one phone across all brands within `challengeAllBrandsWindowMs`. Stops guesses that are
 * spread over many brands.
 */
export const challengeAttemptsAllBrandsMax = 10;
export const challengeAllBrandsWindowMs = 24 * 60 * 60_000;

type About = { brandUuid: string; phone: Phone };
export type GivenChallenge = { input: ChallengeInput; value: string };

/** The challenge inputs of a request. First names are trimmed and lowercased. */
export function givenChallenges({ birthDate, ssn4, fullName }: PersonInputs): GivenChallenge[] {
  const values: Record<ChallengeInput, string | undefined> = {
    "fullName.firstName": fullName?.firstName?.trim().toLowerCase(),
    birthDate,
    ssn4,
  };
  return challengeInputs.flatMap((input) => {
    const value = values[input];
    return value === undefined || value === "" ? [] : [{ input, value }];
  });
}

/**
 * Counts each value as an attempt. Returns the inputs that have no attempts left; if there are any, nothing is counted.
 */
export async function countChallenges(deps: Deps, about: About, given: GivenChallenge[]): Promise<ChallengeInput[]> {
  if (given.length === 0) return [];
  const now = deps.clock.now();
  const index = deps.vault.index("phone", deps.environment, about.phone);
  return await deps.db.inTransaction(async (trx) => {
    await lockPhone(trx, index);
    const tried = await trx
      .selectFrom("challenge_attempt")
      .select(["brand_uuid", "input", "value_hmac", "at"])
      .where("environment", "=", deps.environment)
      .where("phone_index", "=", index)
      .where("at", ">", now - challengeAllBrandsWindowMs)
      .execute();
    const ours = tried.filter((one) => one.brand_uuid === about.brandUuid && one.at > now - challengeWindowMs);
    const fresh = given
      .map((one) => ({ ...one, hash: valueHash(deps, about, one) }))
      .filter((one) => !ours.some((old) => old.input === one.input && old.value_hmac.equals(one.hash)));
    const spread = deps.phones.isFixed(about.phone)
      ? 0
      : new Set(tried.map((one) => one.value_hmac.toString("base64"))).size;
    const exceeded = fresh.filter(
      (one) =>
        ours.filter((old) => old.input === one.input).length >= challengeAttemptsMax ||
        spread + fresh.length > challengeAttemptsAllBrandsMax,
    );
    // One input without attempts left rejects the whole request, including values that were tried before.
    if (exceeded.length > 0) return exceeded.map((one) => one.input);
    for (const one of fresh) {
      await trx
        .insertInto("challenge_attempt")
        .values({
          environment: deps.environment,
          phone_index: index,
          brand_uuid: about.brandUuid,
          input: one.input,
          value_hmac: one.hash,
          at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(["environment", "phone_index", "brand_uuid", "input", "value_hmac"])
            .doUpdateSet({ at: now }),
        )
        .execute();
    }
    if (fresh.length > 0) await enqueueAhead(trx, nextPurge(deps), deps.clock.now());
    return [];
  });
}

function nextPurge(deps: Deps): NewJob {
  const dueAt = deps.clock.now() + challengeAllBrandsWindowMs;
  return { environment: deps.environment, name: "signup.purgeAttempts", subject: "all", dueAt, payload: {} };
}

/** Job: deletes attempts that are older than every window. */
export async function purgeAttempts(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const old = now - challengeAllBrandsWindowMs;
    await trx
      .deleteFrom("challenge_attempt")
      .where("environment", "=", deps.environment)
      .where("at", "<=", old)
      .execute();
    const left = await trx
      .selectFrom("challenge_attempt")
      .select("at")
      .where("environment", "=", deps.environment)
      .limit(1)
      .executeTakeFirst();
    // Use `enqueue` because it resets the lease. Otherwise, finishing the current job would delete the next one.
    if (left !== undefined) await enqueue(trx, nextPurge(deps));
  });
}

/** Uncounts the values that the source did not refute. */
export async function uncountChallenges(deps: Deps, about: About, right: GivenChallenge[]): Promise<void> {
  if (right.length === 0) return;
  await deps.db
    .deleteFrom("challenge_attempt")
    .where("environment", "=", deps.environment)
    .where("phone_index", "=", deps.vault.index("phone", deps.environment, about.phone))
    .where("brand_uuid", "=", about.brandUuid)
    .where(
      "value_hmac",
      "in",
      right.map((one) => valueHash(deps, about, one)),
    )
    .execute();
}

// The hash does not include the brand, so the count across brands recognizes the same value.
function valueHash(deps: Deps, about: About, one: GivenChallenge): Buffer {
  return deps.vault.codeHash(`${deps.environment}|${about.phone}|${one.input}`, one.value);
}

async function lockPhone(trx: Trx, index: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(${index.readInt32BE(0)}, ${index.readInt32BE(4)})`.execute(trx);
}
