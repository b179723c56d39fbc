/**
 * A state ID on the person's page, after the phone is proven. It answers the page's question, fills in what no source
 * has, or confirms the person if the brand requires that. Nothing is shared before the decision.
 */
import { credentialKey } from "@countersign/contract/credential";
import { schemaLibrary } from "@countersign/contract/schema-library";
import type { StateIdUse } from "@countersign/contract/wallet";
import type { Trx } from "../../../store/database.ts";
import { stateNameOf } from "../../credential/us-regions.ts";
import type { Caller, Deps } from "../../deps.ts";
import { Failure, fail, refuse } from "../../failure.ts";
import type { PersonInputs } from "../../ports.ts";
import { askForStateId, type StateIdProtocol, type StateIdRequest } from "../../state-id/ask.ts";
import type { StateId, StateIdElement } from "../../state-id/elements.ts";
import { readStateId } from "../../state-id/read.ts";
import { StateIdRefusal } from "../../state-id/refusal.ts";
import type { OneClick, StateIdConflict } from "../one-click.ts";
import { findOneClick, lockOneClick, saveFacts } from "../one-click-rows.ts";
import { advancePage, type PageStep } from "./advance.ts";
import type { Page } from "./page.ts";
import { canFillIn, contradictions, elementsFor, isOtherPersons, withStateId } from "./state-id-values.ts";

/** The page with its browser. `session`: the token of the session that proved the phone. */
type Asking = { page: Page; session: string };

/** What a state ID does on this page. Null if it is of no use, or if no authority's IDs are accepted. */
export async function stateIdOn(
  deps: Deps,
  page: Pick<Page, "caller">,
  oneClick: OneClick,
): Promise<StateIdUse | null> {
  const use = stateIdUse(page, oneClick);
  if (use === null || use.state !== "offered") return use;
  return (await deps.vendors.stateIds.authorities()).length === 0 ? null : use;
}

function stateIdUse({ caller }: Pick<Page, "caller">, oneClick: OneClick): StateIdUse | null {
  const { stateId } = oneClick.facts;
  if (oneClick.state === "awaitingInputs") return questionOf(oneClick) === null ? null : { state: "offered" };
  if (oneClick.state !== "awaitingDecision") return null;
  if (stateId !== undefined) {
    const { authority, conflicts } = stateId;
    const shown = conflicts.map(({ type, kept }) => ({
      key: credentialKey(type),
      title: schemaLibrary[type]?.title ?? type,
      kept,
    }));
    return { state: "used", issuedBy: stateNameOf(authority), conflicts: shown };
  }
  if (isRequiredOf({ caller })) return { state: "required" };
  return canFillIn(oneClick) ? { state: "offered" } : null;
}

const isRequiredOf = ({ caller }: Pick<Page, "caller">) => caller.brand.settings.governmentId.required;

/** The question of the page that an ID answers. A birth date has only one spelling, so it is preferred. */
function questionOf({ facts }: OneClick): "birthDate" | "fullName.firstName" | null {
  const asked = facts.refusedInputs ?? [];
  if (asked.includes("birthDate")) return "birthDate";
  return asked.includes("fullName.firstName") ? "fullName.firstName" : null;
}

/** Begins a request for a state ID. An earlier request of this page ends. */
export async function askStateId(deps: Deps, { page, session }: Asking): Promise<StateIdRequest> {
  const { oneClick } = page;
  const use = stateIdUse(page, oneClick);
  const elements = use === null ? [] : elementsOf(oneClick, use);
  if (elements.length === 0) throw refuse(404, "A state ID has nothing that this page needs.");
  return await askForStateId(deps, { ...bindingOf(deps, { page, session }), elements });
}

function elementsOf(oneClick: OneClick, { state }: StateIdUse): StateIdElement[] {
  if (state === "used") return [];
  if (oneClick.state === "awaitingInputs") return [questionOf(oneClick) === "birthDate" ? "birth_date" : "given_name"];
  return elementsFor(oneClick, { isRequired: state === "required" });
}

/** What an answer must come from: the same page, session and origin. */
function bindingOf(deps: Deps, { page, session }: Asking) {
  return { subject: page.oneClick.uuid, browser: session, origin: new URL(deps.addresses.walletUrl).origin };
}

/** Uses the state ID that the browser got. Returns the page with its next step. */
export async function answerStateId(
  deps: Deps,
  { page, session }: Asking,
  answer: { requestUuid: string; protocol: StateIdProtocol; data: unknown },
): Promise<{ page: Page; step: PageStep }> {
  const id = await readStateId(deps, { ...answer, ...bindingOf(deps, { page, session }) });
  if (page.oneClick.state === "awaitingInputs") return { page, step: await answerQuestion(deps, page, id) };
  const after = await deps.db.inTransaction((trx) => addToReview(deps, trx, page, id));
  return { page: after, step: await advancePage(deps, after) };
}

/** Adds the ID's values to the review. Of two answers at once, the second one is refused. */
async function addToReview(deps: Deps, trx: Trx, { caller, oneClick: { uuid } }: Page, id: StateId): Promise<Page> {
  await lockOneClick(trx, uuid);
  const now = await findOneClick(deps, trx, caller, uuid);
  if (now === null || now.state !== "awaitingDecision" || now.facts.stateId !== undefined) throw fail("OCE015", {});
  const oneClick = { ...now, facts: factsWith(deps, caller, now, id) };
  await saveFacts(deps, trx, oneClick);
  return { caller, oneClick };
}

/** Answers the page's question, which is compared as if the person had typed the answer. */
async function answerQuestion(deps: Deps, page: Page, { elements }: StateId): Promise<PageStep> {
  const [firstName] = (elements.given_name ?? "").split(/\s/);
  const isBirthDate = questionOf(page.oneClick) === "birthDate";
  const further: PersonInputs = isBirthDate
    ? { birthDate: elements.birth_date }
    : { fullName: firstName === undefined ? {} : { firstName } };
  try {
    return await advancePage(deps, page, further);
  } catch (error) {
    if (error instanceof Failure && error.data.errorCode === "OCE012") throw new StateIdRefusal("otherPerson");
    throw error;
  }
}

/** The facts with the ID's values. Throws if it is another person's, or if the brand refuses a contradiction. */
function factsWith(deps: Deps, { brand }: Caller, oneClick: OneClick, id: StateId): OneClick["facts"] {
  if (isOtherPersons(oneClick, id)) throw new StateIdRefusal("otherPerson");
  const { onConflict } = brand.settings.governmentId;
  const differing = contradictions(oneClick, id);
  if (differing.length > 0 && onConflict === "refuse") throw new StateIdRefusal("contradicts");
  const [replaced, kept] = onConflict === "preferId" ? [differing, []] : [[], differing];
  const credentials = withStateId(deps, oneClick, { id, replaced, kept });
  const conflicts = differing.map(
    ({ type }): StateIdConflict => ({ type, kept: onConflict === "preferId" ? "id" : "source" }),
  );
  return { ...oneClick.facts, credentials, stateId: { authority: id.authority, conflicts } };
}

/** Throws if the brand requires a state ID that the person has not used. */
export function requireStateId({ caller, oneClick }: Page): void {
  if (isRequiredOf({ caller }) && oneClick.facts.stateId === undefined)
    throw refuse(409, "The brand requires a state ID before the person shares.");
}
