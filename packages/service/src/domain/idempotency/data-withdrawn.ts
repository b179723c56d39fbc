import { hasWithdrawnSince, listPeopleOf } from "../audit/audit-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { findPersonKey } from "../person-rows.ts";
import { findErasure } from "../signup/one-click-rows.ts";
import { readVerifications } from "../verification/verification-rows.ts";
import type { AnswerRow } from "./idempotent-answer-rows.ts";

/**
 * Whether a person has withdrawn the data in an answer, or was deleted. Usually the answer was destroyed then. This
 * check also works if the process died before that, because it reads what the person's transaction committed.
 */
export async function isDataWithdrawn(
  deps: HomeDeps,
  brandUuid: string,
  { requestId, subjectUuid }: Pick<AnswerRow, "requestId" | "subjectUuid">,
): Promise<boolean> {
  for (const cell of await cellsOfAnswer(deps, subjectUuid))
    if (await isDataWithdrawnIn(cell, brandUuid, { requestId, subjectUuid })) return true;
  return false;
}

/** The cell of an answer's subject. Without a subject the cell is unknown, so all cells are returned. */
export async function cellsOfAnswer({ cells }: HomeDeps, subjectUuid: string | null): Promise<readonly Deps[]> {
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
