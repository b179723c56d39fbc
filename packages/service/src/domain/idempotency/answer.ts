/**
 * Idempotent requests. The first request with a key runs, and its answer is stored encrypted for a day. A repeated
 * request with the same body gets that answer and changes nothing.
 */

import { isUuid } from "@countersign/contract/primitives";
import { dayMs, minuteMs } from "@countersign/contract/time";
import type { Keyed, Reader } from "../../store/database.ts";
import {
  findGivenBy,
  type Given,
  hasRecorded,
  hasWithdrawnSince,
  listPeopleOf,
  listRequestIds,
  listRequestIdsOf,
} from "../audit/audit-rows.ts";
import { entryDetail, recordAuditAlone } from "../audit/record.ts";
import type { Caller, Deps, HomeDeps } from "../deps.ts";
import { fail } from "../failure.ts";
import { findPersonKey } from "../person-rows.ts";
import { read } from "../signup/api/read.ts";
import { findErasure, listOneClicksOf } from "../signup/one-click-rows.ts";
import { listVerificationsOf, readVerifications } from "../verification/verification-rows.ts";
import {
  type Answer,
  type AnswerKey,
  type AnswerRef,
  type AnswerRow,
  type AnswerSelection,
  answerSelector,
  deleteAnswers,
  deleteOldAnswers,
  destroyAnswers,
  findAnswer,
  findAnswerIn,
  findRunning,
  insertAnswer,
  setAnswer,
} from "./idempotent-answer-rows.ts";

/** How long an answer is kept, in milliseconds. */
export const answerKeptMs = dayMs;

/** A request that has no answer after this time was cut off, because the process that ran it died. */
const abandonedMs = minuteMs;

/** A call with an idempotency key: the caller, the endpoint, the caller's key, and the body as text. */
export type IdempotentCall = { caller: Caller; endpoint: string; key: string; body: string };
export type AnswerClaim =
  /** The key is new: the caller runs the request now. */
  | { kind: "ours"; claimed: AnswerRef }
  | { kind: "answered"; answer: Answer }
  /** The same key was used with another body. */
  | { kind: "otherBody" }
  /** The first request is still running. */
  | { kind: "inFlight" };

/** Claims a key for a request, or returns the state of the request that already claimed it. */
export async function claimAnswer(deps: Deps, call: IdempotentCall): Promise<AnswerClaim> {
  const uuid = deps.random.uuid();
  const bodyHash = bodyHashOf(deps, call);
  const { requestId } = call.caller;
  const key = keyOf(call);
  const selector = answerSelector(key);
  const former = deps.keyed.formerly(selector);
  if (former !== null && (await findAnswerIn(deps, former, key)) !== null)
    return (await earlierAnswer(deps, call)) ?? { kind: "inFlight" };
  const keyed = deps.keyed.of(selector);
  const isOurs = await keyed.inTransaction((trx) => insertAnswer(deps, trx, { uuid, key, bodyHash, requestId }));
  return isOurs
    ? { kind: "ours", claimed: { uuid, keyed } }
    : ((await earlierAnswer(deps, call)) ?? { kind: "inFlight" });
}

const keyOf = ({ caller, endpoint, key }: IdempotentCall): AnswerKey => ({
  brandUuid: caller.brand.uuid,
  endpoint,
  idempotencyKey: key,
});

function bodyHashOf({ vault }: Deps, { caller, endpoint, body }: IdempotentCall): Buffer {
  return vault.keyedHash(`idempotency|${caller.brand.uuid}|${endpoint}`, body);
}

/** The state of the request that claimed the key, read without a write; null if the key is free. */
export async function earlierAnswer(deps: Deps, call: IdempotentCall): Promise<AnswerClaim | null> {
  const row = await findAnswer(deps, keyOf(call));
  if (row === null) return null;
  const { answer } = row;
  if (!row.bodyHash.equals(bodyHashOf(deps, call))) return { kind: "otherBody" };
  // The answer was destroyed, because the person withdrew or the 1-Click ended. Do not run the request a second time.
  if (answer === "destroyed") throw fail("OCE015", {});
  if (answer === "running") {
    const isAbandoned = deps.clock.now() - row.createdAt >= abandonedMs;
    return isAbandoned && (await giveUpAnswer(deps, row)) ? null : { kind: "inFlight" };
  }
  if (await isDataWithdrawn(deps, call.caller.brand.uuid, row)) {
    // The process that ran the withdrawal died before it destroyed this answer.
    await destroyAnswers(row.keyed, { requestIds: [row.requestId], subjectUuids: [], brands: null }, deps.clock.now());
    throw fail("OCE015", {});
  }
  await readAgain(deps, call.caller, row);
  return { kind: "answered", answer };
}

/** Ends a request that was refused after its work: its repeats get OCE015 and do not do the work again. */
export async function endAnswer(deps: Deps, claimed: AnswerRef): Promise<void> {
  const requestId = await findRunning(claimed);
  if (requestId === null) return;
  const which = { requestIds: [requestId], subjectUuids: [], brands: null };
  await destroyAnswers(claimed.keyed, which, deps.clock.now());
}

/**
 * Frees the key of a request that was cut off before it changed anything. Changes are in the audit log, which is read
 * first. Keeps the key if an answer has been stored in the meantime.
 */
export async function giveUpAnswer(deps: Deps, claimed: AnswerRef): Promise<boolean> {
  const requestId = await findRunning(claimed);
  if (requestId === null) return false;
  // The request may have named nobody, so its audit entry may be in any cell.
  for (const { db } of deps.cells.all()) if (await hasRecorded(db, requestId)) return false;
  const { uuid, keyed } = claimed;
  const deleted = await keyed.inTransaction((trx) => deleteAnswers(trx, [uuid], { runningOnly: true }));
  return deleted > 0;
}

/**
 * Checks that the data in a stored answer is still readable, and records the replay as a read of the person's data.
 * Starts v1's five minutes. Throws OCE015 if the data was withdrawn or has expired.
 */
async function readAgain(
  deps: HomeDeps,
  caller: Caller,
  { requestId, subjectUuid }: Pick<AnswerRow, "requestId" | "subjectUuid">,
): Promise<void> {
  for (const cell of await cellsOfAnswer(deps, subjectUuid)) {
    const given = await findGivenBy(cell.db, requestId);
    if (given !== null) return await recordAgain(cell, caller, given);
  }
}

async function recordAgain(
  cell: Deps,
  caller: Caller,
  { action, personUuid, oneClickUuid, detail }: Given,
): Promise<void> {
  if (action !== "credential.issued") return void (await read(cell, caller, oneClickUuid ?? ""));
  const { types } = entryDetail(detail);
  await recordAuditAlone(cell, caller, {
    action: "credential.read",
    ...(personUuid === null ? {} : { personUuid }),
    detail: { types },
  });
}

/**
 * Stores the answer, before it is sent to the caller. `about` is the 1-Click that the call named, for an answer without
 * a uuid.
 */
export async function keepAnswer(
  deps: Deps,
  claimed: AnswerRef,
  answer: Answer,
  about: string | null = null,
): Promise<void> {
  await setAnswer(deps, claimed, { answer, subjectUuid: subjectOf(answer) ?? about });
}

/** The uuid of the created object. Answers about a single object have it as `uuid`. */
function subjectOf({ body }: Answer): string | null {
  const parsed: unknown = body === "" ? null : JSON.parse(body);
  const uuid = typeof parsed === "object" && parsed !== null && "uuid" in parsed ? parsed.uuid : null;
  return typeof uuid === "string" && isUuid(uuid) ? uuid : null;
}

/** Frees the key of a request that changed nothing, so it can be retried. */
export async function releaseAnswer({ uuid, keyed }: AnswerRef): Promise<void> {
  await keyed.inTransaction((trx) => deleteAnswers(trx, [uuid]));
}

/** Erases answers after a day. Returns how many there were, at most `max`. */
export async function eraseOldAnswers({ environment, clock }: Deps, keyed: Keyed, max: number): Promise<number> {
  const now = clock.now() - answerKeptMs;
  return await keyed.inTransaction((trx) => deleteOldAnswers(trx, { environment, now, max }));
}

/** The answers about 1-Clicks, by the audit log and by their subject. They must not outlive the 1-Clicks' data. */
export async function answersOf(
  reader: Reader,
  oneClicks: readonly { uuid: string; personUuid: string | null }[],
  now: number,
): Promise<AnswerSelection> {
  const requestIds = await listRequestIdsOf(reader, { oneClicks, since: now - answerKeptMs });
  return { requestIds, subjectUuids: oneClicks.map(({ uuid }) => uuid), brands: null };
}

/**
 * The answers to brands (null: all brands) about a person. They are found by the request ids in the audit log, and by
 * their subject if the audit log does not have the request yet.
 */
export async function answersAbout(
  reader: Reader,
  { personUuid, brands, now }: { personUuid: string; brands: readonly string[] | null; now: number },
): Promise<AnswerSelection> {
  if (brands?.length === 0) return { requestIds: [], subjectUuids: [], brands };
  const [requestIds, verifications, oneClicks] = await Promise.all([
    listRequestIds(reader, { personUuid, since: now - answerKeptMs }),
    listVerificationsOf(reader, personUuid),
    listOneClicksOf(reader, personUuid),
  ]);
  return { requestIds, subjectUuids: [...verifications, ...oneClicks], brands };
}

/**
 * Makes answers unreadable. Their rows stay for the rest of the day, so a repeated request does not run again. Call it
 * outside of transactions, because answers may be in other databases. It can be repeated.
 */
export async function endAnswers(deps: Deps, which: AnswerSelection): Promise<void> {
  for (const keyed of deps.keyed.every()) await destroyAnswers(keyed, which, deps.clock.now());
}

/**
 * Whether a person has withdrawn the data in an answer, or was deleted. Usually the answer was destroyed then. This
 * check also works if the process died before that, because it reads what the person's transaction committed.
 */
async function isDataWithdrawn(
  deps: HomeDeps,
  brandUuid: string,
  { requestId, subjectUuid }: Pick<AnswerRow, "requestId" | "subjectUuid">,
): Promise<boolean> {
  for (const cell of await cellsOfAnswer(deps, subjectUuid))
    if (await isDataWithdrawnIn(cell, brandUuid, { requestId, subjectUuid })) return true;
  return false;
}

/** The cell of an answer's subject. Without a subject the cell is unknown, so all cells are returned. */
async function cellsOfAnswer({ cells }: HomeDeps, subjectUuid: string | null): Promise<readonly Deps[]> {
  return subjectUuid === null ? cells.all() : [await cells.ofUuid(subjectUuid)];
}

async function isDataWithdrawnIn(
  cell: Deps,
  brandUuid: string,
  { requestId, subjectUuid }: Pick<AnswerRow, "requestId" | "subjectUuid">,
): Promise<boolean> {
  if (await hasWithdrawnSince(cell, { requestId, brandUuid })) return true;
  const subject = subjectUuid === null ? null : await findSubject(cell, subjectUuid);
  if (subject?.isErased === true) return true;
  const people = new Set(await listPeopleOf(cell.db, requestId));
  if (typeof subject?.personUuid === "string") people.add(subject.personUuid);
  // A request may have ended after its person was deleted. Its audit entry is then later than the deletion.
  for (const personUuid of people) if ((await findPersonKey(cell.db, personUuid))?.wrapped === null) return true;
  return false;
}

/**
 * A 1-Click or a verification. Rows of 1-Clicks are never deleted, and verifications are kept as long as answers, so a
 * missing row was erased.
 */
async function findSubject(deps: Deps, uuid: string): Promise<{ personUuid: string | null; isErased: boolean }> {
  const oneClick = await findErasure(deps.db, uuid);
  if (oneClick !== null) return oneClick;
  const [verification] = await readVerifications(deps.db, [uuid]);
  return { personUuid: verification?.person_uuid ?? null, isErased: verification === undefined };
}
