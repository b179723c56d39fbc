/**
 * A state ID on the person's page, after the phone is proven. It answers the page's question, fills in what no source
 * has, or confirms the person if the brand requires that. Nothing is shared before the decision.
 */
import { credentialKey } from "@countersign/contract/credential";
import { schemaLibrary } from "@countersign/contract/schema-library";
import type { StateIdUse } from "@countersign/contract/wallet";
import type { Trx } from "../../../store/database.ts";
import { select } from "../../credential/assemble.ts";
import { stateNameOf } from "../../credential/us-regions.ts";
import type { Deps } from "../../deps.ts";
import { Failure, fail, refuse } from "../../failure.ts";
import { ensurePerson } from "../../person.ts";
import type { PersonInputs } from "../../ports.ts";
import { askForStateId, type StateIdProtocol, type StateIdRequest } from "../../state-id/ask.ts";
import type { StateId, StateIdElement } from "../../state-id/elements.ts";
import { readStateId } from "../../state-id/read.ts";
import { StateIdRefusal } from "../../state-id/refusal.ts";
import type { OneClick, StoredOneClick } from "../one-click.ts";
import { findOneClick, lockOneClick, saveFacts } from "../one-click-rows.ts";
import { saveReview } from "../outcome.ts";
import { phoneCredential } from "../steps.ts";
import { advancePage, type PageStep } from "./advance.ts";
import type { Page } from "./page.ts";
import { canAnswerUnknown, canFillIn, elementsFor, factsWithId } from "./state-id-values.ts";

/** The page with its browser. `session`: the token of the session that proved the phone. */
type Asking = { page: Page; session: string };

/** What a state ID does on this page. Null if it is of no use. Without authorities, no state ID is accepted. */
export async function stateIdOn(
  deps: Deps,
  page: Pick<Page, "caller">,
  oneClick: OneClick,
): Promise<StateIdUse | null> {
  const use = stateIdUse(page, oneClick);
  if (use === null || use.state === "used" || (await deps.vendors.stateIds.authorities()).length > 0) return use;
  return use.state === "required" ? { state: "unavailable" } : null;
}

function stateIdUse({ caller }: Pick<Page, "caller">, oneClick: OneClick): StateIdUse | null {
  const { stateId } = oneClick.facts;
  if (oneClick.state === "refused") return canAnswerUnknown(oneClick) ? { state: "offered" } : null;
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
  const use = await stateIdOn(deps, page, oneClick);
  const elements = use === null ? [] : elementsOf(page, use);
  if (elements.length === 0) throw refuse(404, "A state ID has nothing that this page needs.");
  return await askForStateId(deps, { ...bindingOf(deps, { page, session }), elements });
}

function elementsOf({ caller, oneClick }: Page, { state }: StateIdUse): StateIdElement[] {
  if (state === "used" || state === "unavailable") return [];
  if (oneClick.state !== "awaitingInputs")
    return elementsFor(oneClick, { isRequired: state === "required" || oneClick.state === "refused" });
  const answering = questionOf(oneClick) === "birthDate" ? "birth_date" : "given_name";
  // An ID that the brand requires anyway is asked once, for everything.
  const further = isRequiredOf({ caller }) ? elementsFor(oneClick, { isRequired: true }) : [];
  return [...new Set<StateIdElement>([answering, ...further])];
}

/** What an answer must come from: the same page, session and origin. */
function bindingOf(deps: Deps, { page, session }: Asking) {
  return { subject: page.oneClick.uuid, browser: session, origin: new URL(deps.addresses.walletUrl).origin };
}

/** Where a page can use a state ID: the phone is proven, and the person has not decided. */
const waiting: readonly OneClick["state"][] = ["awaitingInputs", "refused", "awaitingDecision"];

/**
 * Uses the state ID that the browser got. Returns the page with its next step. An answer that comes too late changes
 * nothing, and the page stays as it is.
 */
export async function answerStateId(
  deps: Deps,
  { page, session }: Asking,
  answer: { requestUuid: string; protocol: StateIdProtocol; data: unknown },
): Promise<{ page: Page; step: PageStep }> {
  if (!waiting.includes(page.oneClick.state)) return { page, step: await advancePage(deps, page) };
  const id = await readStateId(deps, { ...answer, ...bindingOf(deps, { page, session }) });
  if (page.oneClick.state === "awaitingInputs") return { page, step: await answerQuestion(deps, page, id) };
  const add = page.oneClick.state === "refused" ? openReview : addToReview;
  const after = await deps.db.inTransaction((trx) => add(deps, trx, page, id));
  return { page: after, step: await advancePage(deps, after) };
}

/** Adds the ID's values to the review. Of two answers at once, the second one adds nothing. */
async function addToReview(deps: Deps, trx: Trx, { caller, oneClick: { uuid } }: Page, id: StateId): Promise<Page> {
  await lockOneClick(trx, uuid);
  const now = await findOneClick(deps, trx, caller, uuid);
  if (now === null) throw fail("OCE015", {});
  if (now.state !== "awaitingDecision" || now.facts.stateId !== undefined) return { caller, oneClick: now };
  const oneClick = { ...now, facts: factsWithId(deps, caller.brand, now, id) };
  await saveFacts(deps, trx, oneClick);
  return { caller, oneClick };
}

/** Begins the review of a person whom no source knows, with the ID's values and the proven phone. */
async function openReview(deps: Deps, trx: Trx, { caller, oneClick: before }: Page, id: StateId): Promise<Page> {
  // Lock the person before the 1-Click, as a withdrawal and a deletion do.
  await ensurePerson(deps, trx, before.facts.phone);
  await lockOneClick(trx, before.uuid);
  const now = await findOneClick(deps, trx, caller, before.uuid);
  if (now === null) throw fail("OCE015", {});
  if (!canAnswerUnknown(now)) return { caller, oneClick: now };
  const { mayUseId: _, ...facts } = now.facts;
  const own = select(now.requestTree, [phoneCredential(deps, now)], { valuesMax: 1, now: deps.clock.now() });
  const known: StoredOneClick = {
    ...now,
    state: "awaitingDecision",
    refusal: null,
    facts: { ...facts, credentials: own },
  };
  const oneClick = { ...known, facts: factsWithId(deps, caller.brand, known, id) };
  const { isSaved } = await saveReview(deps, trx, caller, { oneClick });
  if (!isSaved) throw fail("OCE015", {});
  return { caller, oneClick };
}

/** Answers the page's question, which is compared as if the person had typed the answer. */
async function answerQuestion(deps: Deps, { caller, oneClick }: Page, id: StateId): Promise<PageStep> {
  const { elements } = id;
  const isRequired = isRequiredOf({ caller });
  const page = isRequired
    ? { caller, oneClick: { ...oneClick, facts: { ...oneClick.facts, heldId: id } } }
    : { caller, oneClick };
  const [firstName] = (elements.given_name ?? "").split(/\s/);
  const isBirthDate = questionOf(page.oneClick) === "birthDate";
  const further: PersonInputs = isBirthDate
    ? { birthDate: elements.birth_date }
    : { fullName: firstName === undefined ? {} : { firstName } };
  const step = await advancePage(deps, page, further).catch((error: unknown) => {
    if (error instanceof Failure && error.data.errorCode === "OCE012") throw new StateIdRefusal("otherPerson");
    throw error;
  });
  // It answered the question but is refused for the review. This says why.
  if (isRequired && step.step === "review" && step.oneClick.facts.stateId === undefined)
    factsWithId(deps, caller.brand, step.oneClick, id);
  return step;
}

/** Throws if the brand requires a state ID that the person has not used. */
export function requireStateId({ caller, oneClick }: Page): void {
  if (isRequiredOf({ caller }) && oneClick.facts.stateId === undefined)
    throw refuse(409, "The brand requires a state ID before the person shares.");
}
