import { recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { codeAttemptsMax, compareCode, consumeCode, countAttempt } from "../one-time-code.ts";
import { attemptsData, statusAt } from "./states.ts";
import { findVerification, type Verification } from "./store.ts";

/** Submits the code that the person typed. */
export async function submitCode(
  deps: Deps,
  caller: Caller,
  what: { uuid: string; code: string },
): Promise<Verification> {
  const before = await findVerification(deps, deps.db, caller, what.uuid);
  const counted = await countAttempt(deps.db, what.uuid, deps.clock.now());
  if (counted === null) throw await refusal(deps, caller, what.uuid);
  const wrong = () =>
    fail("OCV001", { attemptsRemaining: codeAttemptsMax - counted.attemptsUsed, expiresAt: counted.expiresAt });
  if (!compareCode(deps, what.uuid, what.code, counted.hash)) throw wrong();

  const now = deps.clock.now();
  const consumed = await deps.db.transaction().execute(async (trx) => {
    if (!(await consumeCode(trx, what.uuid, counted.hash, now))) return false;
    const personUuid = before.row.person_uuid;
    if (personUuid === null) return true;
    await trx.updateTable("person").set({ last_proven_at: now }).where("uuid", "=", personUuid).execute();
    await recordAudit(deps, trx, caller, { action: "verification.verified", personUuid, verificationUuid: what.uuid });
    return true;
  });
  if (!consumed) throw wrong();
  return await findVerification(deps, deps.db, caller, what.uuid);
}

/** Why no attempt was left to count. */
async function refusal(deps: Deps, caller: Caller, uuid: string): Promise<Error> {
  const { row } = await findVerification(deps, deps.db, caller, uuid);
  const status = statusAt(row, deps.clock.now());
  // One that was verified has no code left, and one by device never had any.
  const hasAttempts = status !== "failed" && status !== "expired";
  if (hasAttempts) return fail("OCV001", attemptsData(row));
  if (status === "expired") return fail("OCV007", { ...attemptsData(row), attemptsRemaining: 0 });
  return fail("OCV002", { ...attemptsData(row), attemptsRemaining: 0 });
}
