import type { Trx } from "../../store/database.ts";
import { recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { codeAttemptsMax, compareCode, consumeCode, countAttempt } from "../one-time-code.ts";
import type { Phone } from "../ports.ts";
import { countAnswered } from "./alarms.ts";
import { countGuess, uncountGuess } from "./caps.ts";
import { statusAt } from "./states.ts";
import { findVerificationUnbound, type Verification } from "./store.ts";

export type Tried =
  | { kind: "right"; row: Verification["row"] }
  | { kind: "wrong"; attemptsRemaining: number }
  /** Nothing could be tried: `status` says why. */
  | { kind: "over"; status: "verified" | "expired" | "failed" | "none" };

type Trying = {
  uuid: string;
  code: string;
  phone: Phone | undefined;
  /** What a right code opens: with the code, or neither, since the code is right only once. */
  open?(trx: Trx): Promise<void>;
};

/** Tries a code: counted, compared, and, when right, consumed with the record of it. */
export async function tryCode(deps: Deps, caller: Caller, what: Trying): Promise<Tried> {
  const counted = await countAttempt(deps.db, what.uuid, deps.clock.now());
  if (counted === null) return await whyNot(deps, what.uuid);
  if (what.phone !== undefined) await countGuess(deps, what.phone);
  const wrong: Tried = { kind: "wrong", attemptsRemaining: codeAttemptsMax - counted.attemptsUsed };
  if (!compareCode(deps, what.uuid, what.code, counted.hash)) return wrong;
  const now = deps.clock.now();
  const consumed = await deps.db.transaction().execute(async (trx) => {
    if (what.phone !== undefined) await uncountGuess(deps, trx, what.phone);
    const row = await consumeCode(trx, what.uuid, counted.hash, now);
    if (row === null) return null;
    await what.open?.(trx);
    // Only what we texted can be answered: a brand that texts its codes itself must not better its own figures.
    if (what.phone !== undefined && row.deliveries > 0)
      await countAnswered(deps, trx, { phone: what.phone, brandUuid: row.brand_uuid });
    const personUuid = row.person_uuid;
    if (personUuid === null) return row;
    await trx.updateTable("person").set({ last_proven_at: now }).where("uuid", "=", personUuid).execute();
    await recordAudit(deps, trx, caller, { action: "verification.verified", personUuid, verificationUuid: what.uuid });
    return row;
  });
  return consumed === null ? wrong : { kind: "right", row: consumed };
}

/** Whether this is the code that was accepted; compared in constant time, and worth nothing before acceptance. */
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
