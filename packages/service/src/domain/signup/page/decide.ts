import { credentialKey } from "@countersign/contract/credential";
import { type ConsentGiven, type ConsentOnScreen, consentTo, findConsent, recordConsent } from "../../audit/consent.ts";
import { recordAudit } from "../../audit/record.ts";
import { type CredentialFact, missingMandatory } from "../../credential/assemble.ts";
import type { RequestNode } from "../../credential/request.ts";
import type { Deps } from "../../deps.ts";
import { fail, invalid, type Problem } from "../../failure.ts";
import { ensurePerson } from "../../person.ts";
import { requiredWords } from "../../problem-words.ts";
import type { OneClick } from "../one-click.ts";
import { findOneClick, lockOneClick, saveOneClick } from "../one-click-rows.ts";
import { purposeOf, release } from "../release.ts";
import { type Typed, typedFact, typingInputs, withParts } from "../typing.ts";
import { advancePage, type PageStep } from "./advance.ts";
import { endOf, outcomeOf, type Page } from "./page.ts";
import { deletePresentationsOf } from "./presentation-rows.ts";

/** What the person decided, and the text that they saw. */
export type Decision = {
  share: boolean;
  /** The index of the chosen value, by credential key. */
  choices: Record<string, number>;
  /** What the person typed, by credential key. */
  edits: Record<string, Typed>;
  consent: ConsentOnScreen;
};

/**
 * Carries out the person's decision. If there is an earlier decision, it stays. The person may also decline before the
 * review.
 */
export async function decidePage(deps: Deps, page: Page, decision: Decision): Promise<PageStep> {
  const { caller, oneClick } = page;
  const declining = oneClick.state === "awaitingInputs" ? "leave" : "decline";
  const consent = consentTo(decision.share ? "share" : declining, decision.consent, caller.brand.settings.externalName);
  const mayShare = oneClick.state === "awaitingDecision";
  const mayDecline = mayShare || oneClick.state === "awaitingInputs";
  if (decision.share ? !mayShare : !mayDecline) return await advancePage(deps, page);
  const state = decision.share ? await share(deps, page, { ...decision, consent }) : await decline(deps, page, consent);
  const decided = { ...oneClick, state };
  return { step: "done", outcome: outcomeOf(decided), redirectUrl: endOf(deps, { caller, oneClick: decided }) };
}

type Decided = Omit<Decision, "consent"> & { consent: ConsentGiven };

async function share(deps: Deps, { caller, oneClick }: Page, decision: Decided): Promise<"released" | "declined"> {
  const credentials = decided(deps, oneClick, decision);
  // If the brand asks for no data, a frame has no review. The person then only agreed to the text below the phone.
  const proving = oneClick.requestTree.length === 0 ? await findConsent(deps, oneClick, "prove") : null;
  const chosen = { ...oneClick, facts: { ...oneClick.facts, credentials } };
  const after = await release(deps, caller, chosen, proving ?? decision.consent);
  return after.state === "declined" ? "declined" : "released";
}

/** The values to release: the chosen ones, changed by what the person typed. */
function decided(deps: Deps, { requestTree, facts }: OneClick, decision: Decided): CredentialFact[] {
  const problems: Problem[] = Object.keys(decision.edits)
    .filter((key) => !requestTree.some((request) => credentialKey(request.type) === key))
    .map((key) => ({ path: `body.edits.${key}`, message: "This was not requested." }));
  const credentials = requestTree.flatMap((request): CredentialFact[] => {
    const key = credentialKey(request.type);
    const path = `body.edits.${key}`;
    const values = facts.credentials.find((fact) => fact.request.type === request.type)?.values ?? [];
    const chosen = values[decision.choices[key] ?? 0] ?? values[0];
    const typed = decision.edits[key];
    if (typed !== undefined) return typedFact({ deps, problems, path }, request, { chosen, typed });
    return chosen === undefined ? [] : [{ request, values: [chosen] }];
  });
  const missing = missingOf(requestTree, credentials);
  problems.push(...missing.filter(({ path }) => !problems.some((one) => one.path === path)));
  if (problems.length > 0) throw invalid(problems);
  return credentials;
}

/** A problem for each mandatory value (or essential part of one) that the person may type but left out. */
function missingOf(tree: RequestNode[], facts: CredentialFact[]): Problem[] {
  return tree.flatMap((request) => {
    const missing = missingMandatory([withParts(request)], facts);
    const path = `body.edits.${credentialKey(request.type)}`;
    const inputs = typingInputs(request);
    return missing.flatMap((type) => {
      if (type === request.type) return [{ path, message: requiredWords }];
      const input = inputs.find((one) => one.type === type);
      return input === undefined ? [] : [{ path: `${path}.${input.key}`, message: requiredWords }];
    });
  });
}

async function decline(
  deps: Deps,
  { caller, oneClick }: Page,
  consent: ConsentGiven,
): Promise<"released" | "declined"> {
  const { phone, email, deviceIp, risk, page } = oneClick.facts;
  return await deps.db.inTransaction(async (trx) => {
    // Lock the person before the 1-Click, as a withdrawal and a deletion do.
    const person = await ensurePerson(deps, trx, phone);
    // Of two concurrent answers, the first one counts, and the second one leaves no record.
    await lockOneClick(trx, oneClick.uuid);
    const now = await findOneClick(deps, trx, caller, oneClick.uuid);
    if (now === null) throw fail("OCE015", {});
    if (now.state === "released" || now.state === "declined") return now.state;
    const facts = { phone, email, deviceIp, risk, page, credentials: [] };
    const declined: OneClick = { ...oneClick, state: "declined", facts };
    await saveOneClick(deps, trx, { brand: caller.brand, oneClick: declined, person });
    // A wallet app may still answer, and nothing would use what it presents.
    await deletePresentationsOf(trx, [oneClick.uuid]);
    const subject = { phone, personUuid: person.uuid, oneClickUuid: oneClick.uuid };
    const given = await recordConsent(deps, trx, caller, { ...subject, action: "decline", given: consent });
    await recordAudit(deps, trx, caller, {
      action: "oneClick.declined",
      personUuid: person.uuid,
      oneClickUuid: oneClick.uuid,
      detail: { consent: given, word: purposeOf(caller, facts) },
    });
    return "declined";
  });
}
