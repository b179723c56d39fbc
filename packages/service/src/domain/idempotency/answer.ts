/**
 * Idempotent requests. The first request with a key runs, and its answer is stored encrypted for a day. A repeated
 * request with the same body gets that answer and changes nothing.
 */

import { isUuid } from "@countersign/contract/primitives";
import type { Trx } from "../../store/database.ts";
import { findReleasedBy, hasRecorded, listRequestIds } from "../audit/audit-rows.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { read } from "../signup/api/read.ts";
import { listOneClicksOf } from "../signup/one-click-rows.ts";
import { listVerificationsOf } from "../verification/verification-rows.ts";
import {
  type Answer,
  type AnswerKey,
  deleteAnswers,
  deleteOldAnswers,
  destroyAnswers,
  findAnswer,
  insertAnswer,
  lockRunning,
  setAnswer,
} from "./idempotent-answer-rows.ts";

/** How long an answer is kept, in milliseconds. */
export const answerKeptMs = 24 * 60 * 60_000;

/** A request without an answer for this long was cut off: the process that ran it is gone. */
const abandonedMs = 60_000;

/** A request: the caller, the endpoint, the caller's key, and the body as text. */
export type Asked = { caller: Caller; endpoint: string; key: string; body: string };
export type Claim =
  /** The key is new: the caller runs the request now. */
  | { kind: "ours"; uuid: string }
  | { kind: "answered"; answer: Answer }
  /** The same key was used with another body. */
  | { kind: "otherBody" }
  /** The first request is still running. */
  | { kind: "inFlight" };

/** Claims a key for a request, or returns the state of the request that already claimed it. */
export async function claimAnswer(deps: Deps, asked: Asked): Promise<Claim> {
  const uuid = deps.random.uuid();
  const bodyHash = bodyHashOf(deps, asked);
  const { requestId } = asked.caller;
  const isOurs = await deps.db.inTransaction((trx) =>
    insertAnswer(deps, trx, { uuid, of: keyOf(asked), bodyHash, requestId }),
  );
  return isOurs ? { kind: "ours", uuid } : ((await earlierAnswer(deps, asked)) ?? { kind: "inFlight" });
}

const keyOf = ({ caller, endpoint, key }: Asked): AnswerKey => ({ brandUuid: caller.brand.uuid, endpoint, key });

function bodyHashOf({ vault }: Deps, { caller, endpoint, body }: Asked): Buffer {
  return vault.codeHash(`idempotency|${caller.brand.uuid}|${endpoint}`, body);
}

/** The state of the request that claimed the key, read without a write; null if the key is free. */
export async function earlierAnswer(deps: Deps, asked: Asked): Promise<Claim | null> {
  const row = await findAnswer(deps, keyOf(asked));
  if (row === null) return null;
  const { answer } = row;
  if (!row.bodyHash.equals(bodyHashOf(deps, asked))) return { kind: "otherBody" };
  // The person withdrew, or the 1-Click ended, so the answer is gone. Do not run the request a second time.
  if (answer === "destroyed") throw fail("OCE015", {});
  if (answer === "running") {
    const isAbandoned = deps.clock.now() - row.createdAt >= abandonedMs;
    return isAbandoned && (await giveUpAnswer(deps, row.uuid)) ? null : { kind: "inFlight" };
  }
  await readAgain(deps, asked.caller, row.requestId);
  return { kind: "answered", answer };
}

/** Frees the key of a request that was cut off before it changed anything. A change would be in the audit log. */
export async function giveUpAnswer(deps: Deps, uuid: string): Promise<boolean> {
  return await deps.db.inTransaction(async (trx) => {
    const requestId = await lockRunning(trx, uuid);
    if (requestId === null || (await hasRecorded(trx, requestId))) return false;
    await deleteAnswers(trx, [uuid]);
    return true;
  });
}

/**
 * Checks that the data in a stored answer is still readable, and records the replay as a read. The person sees the
 * read, v1's five minutes start with it, and withdrawn or ended data is OCE015.
 */
async function readAgain(deps: Deps, caller: Caller, requestId: string): Promise<void> {
  const uuid = await findReleasedBy(deps.db, requestId);
  if (uuid !== null) await read(deps, caller, uuid);
}

/** Stores the answer, before it is sent to the caller. */
export async function keepAnswer(deps: Deps, uuid: string, answer: Answer): Promise<void> {
  await setAnswer(deps, uuid, { answer, subjectUuid: subjectOf(answer) });
}

/** The uuid of the created object. Answers about a single object have it as `uuid`. */
function subjectOf({ body }: Answer): string | null {
  const told: unknown = body === "" ? null : JSON.parse(body);
  const uuid = typeof told === "object" && told !== null && "uuid" in told ? told.uuid : null;
  return typeof uuid === "string" && isUuid(uuid) ? uuid : null;
}

/**
 * Destroys the answers that released data of 1-Clicks, because they must not outlive that data. The rows stay, so the
 * requests do not run again.
 */
export async function destroyAnswersOf(
  trx: Trx,
  oneClicks: readonly { uuid: string; personUuid: string | null }[],
  now: number,
): Promise<void> {
  const since = now - answerKeptMs;
  const requestIds = await Promise.all(
    oneClicks.map(({ uuid, personUuid }) =>
      personUuid === null ? [] : listRequestIds(trx, { personUuid, oneClickUuid: uuid, since }),
    ),
  );
  await destroyAnswers(trx, { requestIds: requestIds.flat(), subjectUuids: [], brands: null }, now);
}

/** Frees the key of a request that changed nothing, so it can be retried. */
export async function releaseAnswer(deps: Deps, uuid: string): Promise<void> {
  await deps.db.inTransaction((trx) => deleteAnswers(trx, [uuid]));
}

/** Erases answers after a day. Returns how many there were, at most `max`. */
export async function eraseOldAnswers({ db, environment, clock }: Deps, max: number): Promise<number> {
  const now = clock.now() - answerKeptMs;
  return await db.inTransaction((trx) => deleteOldAnswers(trx, { environment, now, max }));
}

/**
 * Destroys the answers given to brands (null: all brands) about a person. The rows stay for the rest of the day, so a
 * repeated request does not run again. Answers are found by the audit log's request ids, or by the subject of an answer
 * that is not in the audit log yet.
 */
export async function destroyAnswersAbout(
  trx: Trx,
  { personUuid, brands, now }: { personUuid: string; brands: readonly string[] | null; now: number },
): Promise<void> {
  const [requestIds, verifications, oneClicks] = await Promise.all([
    listRequestIds(trx, { personUuid, since: now - answerKeptMs }),
    listVerificationsOf(trx, personUuid),
    listOneClicksOf(trx, personUuid),
  ]);
  await destroyAnswers(trx, { requestIds, subjectUuids: [...verifications, ...oneClicks], brands }, now);
}
