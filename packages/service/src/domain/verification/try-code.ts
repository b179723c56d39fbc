import { sql } from "kysely";
import { batched } from "../../store/batch.ts";
import type { Reader, Trx } from "../../store/database.ts";
import { type Ahead, aheadColumnsOf, upsertJobsAhead } from "../../store/queue.ts";
import type { Columns } from "../../store/rows.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import { auditColumnsOf, auditInsert } from "../audit/audit-rows.ts";
import { type Actor, auditRow } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import {
  codeAttemptsMax,
  compareCode,
  consumingColumnsOf,
  countingColumnsOf,
  withConsumed,
  withCounted,
} from "../one-time-code.ts";
import type { Phone } from "../ports.ts";
import { verificationColumns } from "../verification-rows.ts";
import { answeredUses } from "./alarms.ts";
import { guessOf, tooManyGuesses } from "./caps.ts";
import { countingUses, nextPurge, type Use, uncountingGuesses, useColumnsOf } from "./counters.ts";
import { statusAt } from "./states.ts";
import { findVerificationUnbound, type Verification } from "./store.ts";

export type Tried =
  | { kind: "right"; row: Verification["row"] }
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
  open?(trx: Trx, row: Verification["row"]): Promise<void>;
};

/**
 * Tries a code: counts the attempt, compares the code, and, if it is correct, consumes it and writes the audit record.
 */
export async function tryCode(deps: Deps, by: Actor, what: Trying): Promise<Tried> {
  const { uuid, phone, open } = what;
  // Do not count guesses at sign-in codes for the phone: anyone can begin a sign-in, so a stranger could lock the
  // phone. A sign-in code works only after it is texted, and few sign-in texts are sent.
  const guesses = by.brand === null ? [] : guessOf(deps, phone, uuid);
  const counted = await countTogether(deps, { uuid, guesses });
  if (counted === null) return await whyNot(deps, uuid);
  if (counted.isCapped) throw tooManyGuesses(deps);
  const wrong: Tried = { kind: "wrong", attemptsRemaining: codeAttemptsMax - counted.attemptsUsed };
  if (!compareCode(deps, uuid, what.code, counted.hash)) return wrong;
  // The verification has no person yet, so no text was sent and the code was guessed.
  if (counted.personUuid === null) return wrong;
  const right = rightOf(deps, by, { ...what, ...counted, guesses });
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

type Counted = {
  hash: Buffer;
  attemptsUsed: number;
  personUuid: string | null;
  brandUuid: string | null;
  /** Whether the phone's codes were guessed too often, across all its verifications. */
  isCapped: boolean;
};

/** Uses one attempt, and counts a guess for the phone, before any comparison. Null if there is nothing to try. */
const countTogether = batched(
  async (deps: Deps, all: readonly { uuid: string; guesses: Use[] }[]): Promise<(Counted | null)[]> => {
    const now = deps.clock.now();
    const { rows } = await countStatement(deps.db, {
      ...countingColumnsOf(all.map(({ uuid }) => ({ uuid, now }))),
      ...useColumnsOf(
        "use",
        all.flatMap(({ guesses }) => guesses),
      ),
      max: deps.caps.wrongCodesOfPhone.max,
    });
    return all.map(({ uuid, guesses }) => {
      const row = rows.find((one) => one.uuid === uuid);
      if (row === undefined || row.code_hmac === null) return null;
      const { code_hmac: hash, attempts_used: attemptsUsed, person_uuid: personUuid, brand_uuid: brandUuid } = row;
      return { hash, attemptsUsed, personUuid, brandUuid, isCapped: row.guesses < guesses.length };
    });
  },
  // A batch has one guess per phone (or per verification without a phone), so that each guess counts separately.
  ({ uuid, guesses }) => guesses[0]?.key.toString("base64") ?? uuid,
);

const isTried = sql`"of" in (select uuid from counted)`;
const countStatement = statement((db, columns: Placeholders<Columns & { max: number }>) =>
  withCounted(db, columns)
    .with("guessed", (cte) => countingUses(cte, columns, { which: isTried, max: columns.max }).returning("key"))
    .selectFrom("counted")
    .select(["uuid", "code_hmac", "attempts_used", "person_uuid", "brand_uuid"])
    .select(
      sql<number>`(
        select count(key)::int from guessed where key in (
          select guess.key from unnest(${columns["use.key"]}::bytea[], ${columns["use.of"]}::uuid[]) as guess (key, "of")
           where guess."of" = counted.uuid))`.as("guesses"),
    ),
);

type Right = ReturnType<typeof rightOf>;

/** The rows that a correct code changes. */
function rightOf(
  deps: Deps,
  by: Actor,
  {
    uuid,
    hash,
    phone,
    personUuid,
    brandUuid,
    action = "verification.verified",
    guesses,
  }: Trying & Counted & { guesses: Use[] },
) {
  const about = { ...(personUuid === null ? {} : { personUuid }), verificationUuid: uuid };
  return {
    consuming: { uuid, hash, now: deps.clock.now() },
    guesses,
    answered: phone === undefined ? [] : answeredUses(deps, { phone, brandUuid }, uuid),
    audit: auditRow(deps, by, { action, ...about }),
  };
}

/**
 * Marks verifications as verified, with all related changes, in one statement. Null for one that has ended in the
 * meantime.
 */
async function accept(deps: Deps, reader: Reader, all: readonly Right[]): Promise<(Verification["row"] | null)[]> {
  const answered = all.flatMap((one) => one.answered);
  const { rows } = await acceptStatement(reader, {
    ...consumingColumnsOf(all.map(({ consuming }) => consuming)),
    ...useColumnsOf(
      "guess",
      all.flatMap(({ guesses }) => guesses),
    ),
    ...useColumnsOf("use", answered),
    ...aheadColumnsOf(answered.length === 0 ? [] : [nextPurge(deps)], deps.clock.now()),
    ...auditColumnsOf(all.map(({ audit }) => audit)),
  });
  const accepted = new Map(rows.map((row) => [row.uuid, row]));
  return all.map(({ consuming }) => accepted.get(consuming.uuid) ?? null);
}

// Count only answers to texts that we sent. Otherwise, a brand that texts its own codes could improve its answer rate.
const isAnswered = sql`"of" in (select uuid from consumed where deliveries > 0 and not code_shown_to_brand)`;
const isTheirs = sql`(verification_uuid, person_uuid) in (select uuid, person_uuid from consumed)`;
const lastProven = sql<number>`(select max(verified_at) from consumed where person_uuid = person.uuid)`;
const proven = sql<{ uuid: string }>`(
  select uuid from person where uuid in (select person_uuid from consumed) order by uuid for no key update)`;
/**
 * PostgreSQL runs the CTEs that nothing else reads from last to first. Lock people before counters, the order every
 * other caller uses, to avoid deadlocks.
 */
const acceptStatement = statement((db, columns: Placeholders<Ahead>) =>
  withConsumed(db, columns)
    .with("uncounted", (cte) => uncountingGuesses(cte, columns))
    .with("answered", (cte) => countingUses(cte, columns, { which: isAnswered }))
    .with("purged", (cte) => upsertJobsAhead(cte, columns))
    .with("proven", (cte) =>
      cte
        .updateTable("person")
        .from(proven.as("locked"))
        .set({ last_proven_at: lastProven })
        .whereRef("person.uuid", "=", "locked.uuid"),
    )
    .with("noted", (cte) => auditInsert(cte, columns, isTheirs))
    .selectFrom("consumed as verification")
    .select(verificationColumns),
);

/** Calls made at the same moment are batched; each verification is in a batch only once. */
const acceptTogether = batched(
  (deps: Deps, all: readonly Right[]) => accept(deps, deps.db, all),
  ({ consuming }) => consuming.uuid,
);

/** Whether this is the code that was accepted. Compares in constant time. False before acceptance. */
export async function isAcceptedCode(deps: Deps, what: { uuid: string; code: string }): Promise<boolean> {
  const row = await deps.db
    .selectFrom("verification")
    .select("code_hmac")
    .where("uuid", "=", what.uuid)
    .where("status", "=", "verified")
    .executeTakeFirst();
  const hash = row?.code_hmac ?? null;
  return hash !== null && compareCode(deps, what.uuid, what.code, hash);
}

async function whyNot(deps: Deps, uuid: string): Promise<Tried> {
  const { row } = await findVerificationUnbound(deps, uuid);
  const status = statusAt(row, deps.clock.now());
  return {
    kind: "over",
    status: status === "verified" || status === "expired" || status === "failed" ? status : "none",
  };
}
