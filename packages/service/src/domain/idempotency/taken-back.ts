import { hasTakenBack, listPeopleOf } from "../audit/audit-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { findPersonKey } from "../person-rows.ts";
import { findErasure } from "../signup/one-click-rows.ts";
import { readVerifications } from "../verification/verification-rows.ts";
import type { AnswerRow } from "./idempotent-answer-rows.ts";

/**
 * Whether a person took back what an answer says about them. Normally the answer was destroyed then. This check also
 * holds if the process was cut off in between, because it reads what the person's transaction committed.
 */
export async function isTakenBack(
  deps: HomeDeps,
  brandUuid: string,
  { requestId, subjectUuid }: Pick<AnswerRow, "requestId" | "subjectUuid">,
): Promise<boolean> {
  for (const cell of await cellsOfAnswer(deps, subjectUuid))
    if (await isTakenBackIn(cell, brandUuid, { requestId, subjectUuid })) return true;
  return false;
}

/** The cell of an answer's subject. An answer about no single object does not tell its cell, so all of them. */
export async function cellsOfAnswer({ cells }: HomeDeps, subjectUuid: string | null): Promise<readonly Deps[]> {
  return subjectUuid === null ? cells.all() : [await cells.ofUuid(subjectUuid)];
}

async function isTakenBackIn(
  cell: Deps,
  brandUuid: string,
  { requestId, subjectUuid }: Pick<AnswerRow, "requestId" | "subjectUuid">,
): Promise<boolean> {
  if (await hasTakenBack(cell, { requestId, brandUuid })) return true;
  const subject = subjectUuid === null ? null : await findSubject(cell, subjectUuid);
  if (subject?.isErased === true) return true;
  const people = new Set(await listPeopleOf(cell.db, requestId));
  if (typeof subject?.personUuid === "string") people.add(subject.personUuid);
  // A request may have ended after the deletion of its person. The audit log has it after the deletion then.
  for (const personUuid of people) if ((await findPersonKey(cell.db, personUuid))?.wrapped === null) return true;
  return false;
}

/**
 * A 1-Click or a verification. The row of a 1-Click stays, and that of a verification is kept as long as an answer, so
 * a row that is missing was erased.
 */
async function findSubject(deps: Deps, uuid: string): Promise<{ personUuid: string | null; isErased: boolean }> {
  const oneClick = await findErasure(deps.db, uuid);
  if (oneClick !== null) return oneClick;
  const [verification] = await readVerifications(deps.db, [uuid]);
  return { personUuid: verification?.person_uuid ?? null, isErased: verification === undefined };
}
