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

/**
 * Reads a brand's own 1-Click and records the read. Throws the same OCE015 for everything that the brand may not see.
 */
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

/** Finds the brand's own 1-Click, or throws OCE015. */
export async function ownOneClick(deps: Deps, caller: Caller, uuid: string): Promise<OneClick> {
  const found = isUuid(uuid) ? await findOneClick(deps, deps.db, caller, uuid) : null;
  if (found === null) throw fail("OCE015", {});
  return found;
}

/** Reads a 1-Click that is already decided, and records the read. */
export async function read(deps: Deps, caller: Caller, uuid: string): Promise<OneClick> {
  return await readFound(deps, caller, await ownOneClick(deps, caller, uuid));
}

/** Writes the audit record before it returns the data. */
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
    await deps.db.inTransaction(async (trx) => {
      await recordAudit(deps, trx, caller, entry);
      await startEnding(deps, trx, uuid, readableAfterFirstReadMs);
    });
  return oneClick;
}

/** Shortens the lifetime of a 1-Click at its first read. */
async function startEnding(deps: Deps, trx: Trx, uuid: string, readableMs: number): Promise<void> {
  const now = deps.clock.now();
  const first = await trx
    .updateTable("one_click")
    // The five minutes after the first read can shorten the 60-minute lifetime, but never extend it.
    .set((eb) => ({
      first_read_at: now,
      expires_at: eb.fn<number>("least", [eb.ref("expires_at"), eb.val(now + readableMs)]),
    }))
    .where("uuid", "=", uuid)
    .where("first_read_at", "is", null)
    .returning("expires_at")
    .executeTakeFirst();
  const job = {
    environment: deps.environment,
    name: "signup.erase" as const,
    subject: uuid,
    payload: { oneClickUuid: uuid },
  };
  if (first !== undefined) await enqueue(trx, { ...job, dueAt: first.expires_at });
}
