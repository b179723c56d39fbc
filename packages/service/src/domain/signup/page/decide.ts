import { sharedDetails } from "@countersign/contract/consent";
import { credentialKey } from "@countersign/contract/credential";
import { consentTo, findConsent, recordConsent } from "../../audit/consent.ts";
import { recordAudit } from "../../audit/record.ts";
import { type CredentialFact, isFromId, missingMandatory } from "../../credential/assemble.ts";
import type { RequestNode } from "../../credential/request.ts";
import type { Deps } from "../../deps.ts";
import { fail, invalid, type Problem } from "../../failure.ts";
import { journeys } from "../../journey.ts";
import { ensurePerson } from "../../person.ts";
import { requiredWords } from "../../problem-words.ts";
import { publishSignup, signupReceivers } from "../events.ts";
import type { OneClick, StoredOneClick } from "../one-click.ts";
import { findOneClick, lockOneClick, saveOneClick } from "../one-click-rows.ts";
import { purposeOf, release } from "../release.ts";
import { endedValues } from "../steps.ts";
import { type Typed, typedFact, typingInputs, withParts } from "../typing.ts";
import { advancePage, forgetFound, type PageStep } from "./advance.ts";
import { anywayGets, type Page } from "./page.ts";
import { deletePresentationsOf } from "./presentation-rows.ts";
import { foundValues, namedDetail, sharingOf, withFoundMandatory } from "./sharing.ts";
import { type ConsentOnView, changedSince, shownOn } from "./shown.ts";
import { requireStateId } from "./state-id.ts";

/** What the person decided, and the text that they saw. */
export type Decision = {
  share: boolean;
  /** The index of the chosen value, by credential key. */
  choices: Record<string, number>;
  /** What the person typed, by credential key. */
  edits: Record<string, Typed>;
  /** The keys of optional credentials that the person does not share. */
  leftOut: readonly string[];
  consent: ConsentOnView;
};

/**
 * Carries out the person's decision on what the page shows. If there is an earlier decision, it stays. The person may
 * also decline before the review.
 */
export async function decidePage(deps: Deps, page: Page, decision: Decision): Promise<PageStep> {
  const { caller, oneClick } = page;
  const mayShare = oneClick.state === "awaitingDecision";
  const mayDecline = mayShare || oneClick.state === "awaitingInputs";
  if (decision.share ? !mayShare : !mayDecline) return await advancePage(deps, page);
  // Everything below uses what was read for this comparison. A change after it can neither be released nor recorded.
  if (decision.consent.shown !== (await shownOn(deps, page))) throw changedSince();
  const after = decision.share ? await share(deps, page, decision) : await decline(deps, page, decision);
  return await advancePage(deps, { caller, oneClick: after });
}

/** Releases what the person chose, and returns what is stored. Throws if a value of it counts no longer. */
async function share(deps: Deps, { caller, oneClick }: Page, decision: Decision): Promise<StoredOneClick> {
  const { requestTree, facts } = oneClick;
  requireStateId({ caller, oneClick });
  const ended = await endedValues(deps, caller, oneClick);
  const chosen = chosenOf(oneClick, decision);
  if (chosen.some(({ values }) => values.some(({ id }) => ended.has(id)))) {
    // If another tab has decided meanwhile, the new view shows that.
    await forgetFound(deps, { caller, oneClick });
    throw changedSince();
  }
  const credentials = decided(deps, { oneClick, chosen }, decision);
  const details = credentials.map(({ request }) => namedDetail(request.type));
  const hasId = credentials.some(({ values }) => values.some(isFromId));
  const names = sharedDetails(details, decision.consent.language, { hasId });
  const consent = consentTo("share", decision.consent, caller.brand.settings.externalName, names);
  // If the brand asks for no data, the SDK's frame has no review. The person then only agreed to the text below the phone.
  const hasReview = requestTree.length > 0 || journeys[oneClick.journey].openPage !== "sdk";
  const proving = hasReview ? null : await findConsent(deps, oneClick, "prove");
  const toRelease = { ...oneClick, facts: { ...facts, credentials } };
  return await release(deps, caller, toRelease, proving ?? consent);
}

/** The value of each request that the person chose, before what they typed, without those that they left out. */
function chosenOf(oneClick: OneClick, { choices, leftOut }: Decision): CredentialFact[] {
  return oneClick.requestTree.flatMap((request): CredentialFact[] => {
    const key = credentialKey(request.type);
    const values = foundValues(oneClick, request);
    const chosen = values[choices[key] ?? 0] ?? values[0];
    return chosen === undefined || leftOut.includes(key) ? [] : [{ request, values: [chosen] }];
  });
}

/** The values to release: the chosen ones, changed by what the person typed, without those that they left out. */
function decided(
  deps: Deps,
  { oneClick, chosen }: { oneClick: OneClick; chosen: readonly CredentialFact[] },
  decision: Decision,
): CredentialFact[] {
  const { requestTree } = oneClick;
  const { edits, leftOut } = decision;
  const problems = [
    ...notRequested(requestTree, Object.keys(edits)).map((key) => ({ path: `body.edits.${key}`, message: unasked })),
    ...leavingProblems(oneClick, decision),
  ];
  const credentials = requestTree.flatMap((request): CredentialFact[] => {
    const key = credentialKey(request.type);
    if (leftOut.includes(key)) return [];
    const path = `body.edits.${key}`;
    const values = chosen.find((fact) => fact.request === request)?.values ?? [];
    const typed = edits[key];
    const facts =
      typed !== undefined
        ? typedFact({ deps, problems, path }, request, { chosen: values[0], typed })
        : values.length === 0
          ? []
          : [{ request, values }];
    const missing = missingOf(withFoundMandatory(request, values), facts);
    problems.push(...missing.filter((one) => !problems.some(({ path }) => path === one.path)));
    return facts;
  });
  if (leftOut.length > 0 && credentials.length === 0 && problems.length === 0)
    problems.push({ path: "body.leftOut", message: "Share at least one detail, or decline." });
  if (problems.length > 0) throw invalid(problems);
  return credentials;
}

const unasked = "This was not requested.";

function notRequested(tree: RequestNode[], keys: readonly string[]): string[] {
  return keys.filter((key) => !tree.some((request) => credentialKey(request.type) === key));
}

/** A problem for each detail that the person cannot leave out, or that they both left out and typed. */
function leavingProblems(oneClick: OneClick, { edits, leftOut }: Decision): Problem[] {
  const problemOf = (key: string) => {
    const request = oneClick.requestTree.find(({ type }) => credentialKey(type) === key);
    if (request === undefined) return unasked;
    if (sharingOf(oneClick, request) !== "optional") return "The person cannot leave this out.";
    return edits[key] === undefined ? null : "Leave this out or enter it, not both.";
  };
  return leftOut.flatMap((key, at) => {
    const message = problemOf(key);
    return message === null ? [] : [{ path: `body.leftOut.${at}`, message }];
  });
}

/** A problem for each mandatory value (or essential part of one) that the person may type but left out. */
function missingOf(request: RequestNode, facts: CredentialFact[]): Problem[] {
  const missing = missingMandatory([withParts(request)], facts);
  const path = `body.edits.${credentialKey(request.type)}`;
  const inputs = typingInputs(request);
  return missing.flatMap((type) => {
    if (type === request.type) return [{ path, message: requiredWords }];
    const input = inputs.find((one) => one.type === type);
    return input === undefined ? [] : [{ path: `${path}.${input.key}`, message: requiredWords }];
  });
}

/** Records that the person declined, and returns what is stored. */
async function decline(deps: Deps, { caller, oneClick }: Page, decision: Decision): Promise<StoredOneClick> {
  const kind = oneClick.state === "awaitingInputs" ? "leave" : "decline";
  const consent = consentTo(kind, decision.consent, caller.brand.settings.externalName);
  const { phone, email, deviceIp, risk, page } = oneClick.facts;
  const event = "1-click.signup.declined";
  const receivers = await signupReceivers(deps, [caller.brand], event);
  return await deps.db.inTransaction(async (trx) => {
    // Lock the person before the 1-Click, as a withdrawal and a deletion do.
    const person = await ensurePerson(deps, trx, phone);
    // Of two concurrent answers, the first one counts, and the second one leaves no record.
    await lockOneClick(trx, oneClick.uuid);
    const now = await findOneClick(deps, trx, caller, oneClick.uuid);
    if (now === null) throw fail("OCE015", {});
    const facts = { phone, email, deviceIp, risk, page, credentials: [] };
    const declined: StoredOneClick = { ...oneClick, state: "declined", facts };
    if (!(await saveOneClick(deps, trx, { brand: caller.brand, oneClick: declined, person }))) return now;
    // A wallet app may still answer, and nothing would use what it presents.
    await deletePresentationsOf(trx, [oneClick.uuid]);
    const subject = { phone, personUuid: person.uuid, oneClickUuid: oneClick.uuid };
    const given = await recordConsent(deps, trx, caller, { ...subject, action: "decline", given: consent });
    await recordAudit(deps, trx, caller, {
      action: "oneClick.declined",
      personUuid: person.uuid,
      oneClickUuid: oneClick.uuid,
      detail: {
        consent: given,
        word: purposeOf(caller, facts),
        anyway: anywayGets({ caller, oneClick }),
        brandName: caller.brand.settings.externalName,
      },
    });
    const about = { brandUuid: caller.brand.uuid, uuid: oneClick.uuid, dataKey: person.dataKey };
    await publishSignup(deps, trx, receivers, { event, ...about });
    return declined;
  });
}
