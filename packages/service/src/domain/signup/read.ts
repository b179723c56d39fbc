import { isUuid } from "@countersign/contract/primitives";
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import { declaredConsent, recordAudit, recordAuditAlone } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { journeys } from "../journey.ts";
import { throwRefusal } from "./refusal.ts";
import { relayCode } from "./relay-code.ts";
import { release } from "./release.ts";
import { settle } from "./settle.ts";
import { findOneClick, type OneClick } from "./store.ts";
import { subjectOf } from "./subject.ts";

/** A brand reads its 1-Click. Whatever it may not see is one and the same OCE015; each read is recorded. */
export async function readOneClick(
  deps: Deps,
  caller: Caller,
  what: { uuid: string; code?: string },
): Promise<OneClick> {
  const oneClick = await ownOneClick(deps, caller, what.uuid);
  if (journeys[oneClick.journey].proof !== "brandCode") return await readFound(deps, caller, oneClick);
  await relayCode(deps, caller, oneClick, what.code);
  if (oneClick.state !== "awaitingProof" && oneClick.state !== "awaitingInputs")
    return await read(deps, caller, oneClick.uuid);
  const subject = subjectOf(oneClick);
  const facts = await settle(deps, caller, subject);
  return await release(deps, caller, subject, { facts, consent: declaredConsent(caller.brand) });
}

/** The brand's own 1-Click, or OCE015. */
export async function ownOneClick(deps: Deps, caller: Caller, uuid: string): Promise<OneClick> {
  const found = isUuid(uuid) ? await findOneClick(deps, deps.db, caller, uuid) : null;
  if (found === null) throw fail("OCE015", {});
  return found;
}

/** Reads what was decided, under the record of it. */
export async function read(deps: Deps, caller: Caller, uuid: string): Promise<OneClick> {
  return await readFound(deps, caller, await ownOneClick(deps, caller, uuid));
}

/** Nobody is answered before the record is there. */
async function readFound(deps: Deps, caller: Caller, oneClick: OneClick): Promise<OneClick> {
  const { uuid } = oneClick;
  throwRefusal(caller, oneClick);
  if (oneClick.state !== "released" && oneClick.state !== "declined") throw fail("OCE015", {});
  const { readableAfterFirstReadMs } = journeys[oneClick.journey];
  const entry = {
    action: "oneClick.read" as const,
    personUuid: oneClick.personUuid,
    oneClickUuid: uuid,
    detail: { types: oneClick.facts.credentials.map((one) => one.request.type) },
  };
  if (readableAfterFirstReadMs === null) await recordAuditAlone(deps, caller, entry);
  else
    await deps.db.transaction().execute(async (trx) => {
      await recordAudit(deps, trx, caller, entry);
      await startEnding(deps, trx, uuid, readableAfterFirstReadMs);
    });
  return oneClick;
}

/** From the first read on a 1-Click ends sooner. */
async function startEnding(deps: Deps, trx: Trx, uuid: string, readableMs: number): Promise<void> {
  const now = deps.clock.now();
  const first = await trx
    .updateTable("one_click")
    // The five minutes shorten what is left of the sixty; they never lengthen it.
    .set((eb) => ({
      first_read_at: now,
      expires_at: eb.fn<number>("least", [eb.ref("expires_at"), eb.val(now + readableMs)]),
    }))
    .where("uuid", "=", uuid)
    .where("first_read_at", "is", null)
    .returning("expires_at")
    .executeTakeFirst();
  const job = { environment: deps.environment, name: "signup.erase", subject: uuid, payload: { oneClickUuid: uuid } };
  if (first !== undefined) await enqueue(trx, { ...job, dueAt: first.expires_at });
}
