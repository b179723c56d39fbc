import { credentialKey } from "@countersign/contract/credential";
import { consentTo, type Shown } from "../audit/consent.ts";
import { type ConsentGiven, findConsent, recordAudit, recordConsent } from "../audit/record.ts";
import { type CredentialFact, missingMandatory } from "../credential/assemble.ts";
import type { RequestNode } from "../credential/request.ts";
import type { Deps } from "../deps.ts";
import { fail, invalid, type Problem } from "../failure.ts";
import { ensurePerson } from "../person.ts";
import { advancePage, type PageStep } from "./advance-page.ts";
import { endOf, outcomeOf, type Page } from "./page.ts";
import { release, wordOf } from "./release.ts";
import { oneClickLifeMs } from "./states.ts";
import { findOneClick, type OneClick, saveOneClick } from "./store.ts";
import { subjectOf } from "./subject.ts";
import { type Typed, typedFact, typingInputs } from "./typing.ts";

/** What the person decided, and the text that they saw. */
export type Decision = {
  share: boolean;
  /** Which of several values, by credential key. */
  choices: Record<string, number>;
  /** What they typed, by credential key. */
  edits: Record<string, Typed>;
  consent: Shown;
};

/** The person's decision. What was decided before stays decided; declining is possible before all is known, too. */
export async function decidePage(deps: Deps, page: Page, what: Decision): Promise<PageStep> {
  const { caller, oneClick } = page;
  const declining = oneClick.state === "awaitingInputs" ? "leave" : "decline";
  const consent = consentTo(what.share ? "share" : declining, what.consent, caller.brand.settings.externalName);
  const mayShare = oneClick.state === "awaitingDecision";
  const mayDecline = mayShare || oneClick.state === "awaitingInputs";
  if (what.share ? !mayShare : !mayDecline) return await advancePage(deps, page);
  const state = what.share ? await share(deps, page, { ...what, consent }) : await decline(deps, page, consent);
  const decided = { ...oneClick, state };
  return { step: "done", outcome: outcomeOf(decided), redirectUrl: endOf(deps, { caller, oneClick: decided }) };
}

type Decided = Omit<Decision, "consent"> & { consent: ConsentGiven };

async function share(deps: Deps, { caller, oneClick }: Page, what: Decided): Promise<"released" | "declined"> {
  const credentials = decided(deps, oneClick, what);
  // Where nothing was asked for, a frame has no review: the text below the phone was all that the person agreed to.
  const proving = oneClick.requestTree.length === 0 ? await findConsent(deps, oneClick, "prove") : null;
  const after = await release(deps, caller, subjectOf(oneClick), {
    facts: { ...oneClick.facts, credentials },
    consent: proving ?? what.consent,
  });
  return after.state === "declined" ? "declined" : "released";
}

/** The values to give away: those chosen, with what was typed over them. */
function decided(deps: Deps, { requestTree, facts }: OneClick, what: Decided): CredentialFact[] {
  const problems: Problem[] = Object.keys(what.edits)
    .filter((key) => !requestTree.some((request) => credentialKey(request.type) === key))
    .map((key) => ({ path: `body.edits.${key}`, message: "was not asked for" }));
  const credentials = requestTree.flatMap((request): CredentialFact[] => {
    const key = credentialKey(request.type);
    const path = `body.edits.${key}`;
    const values = facts.credentials.find((fact) => fact.request.type === request.type)?.values ?? [];
    const chosen = values[what.choices[key] ?? 0] ?? values[0];
    const typed = what.edits[key];
    if (typed !== undefined) return typedFact({ deps, problems, path }, request, { chosen, typed });
    return chosen === undefined ? [] : [{ request, values: [chosen] }];
  });
  problems.push(...demanded(requestTree, credentials));
  if (problems.length > 0) throw invalid(problems);
  return credentials;
}

/** What is mandatory, may be typed, and was not. */
function demanded(tree: RequestNode[], facts: CredentialFact[]): Problem[] {
  return tree.flatMap((request) => {
    const missing = missingMandatory([request], facts);
    const path = `body.edits.${credentialKey(request.type)}`;
    const inputs = typingInputs(request);
    return missing.flatMap((type) => {
      if (type === request.type) return [{ path, message: "is required" }];
      const input = inputs.find((one) => one.type === type);
      return input === undefined ? [] : [{ path: `${path}.${input.key}`, message: "is required" }];
    });
  });
}

async function decline(
  deps: Deps,
  { caller, oneClick }: Page,
  consent: ConsentGiven,
): Promise<"released" | "declined"> {
  const { phone, email, deviceIp, risk, page } = oneClick.facts;
  const subject = subjectOf(oneClick);
  return await deps.db.inTransaction(async (trx) => {
    // Of two answers at once the first counts; the second is told so and leaves no record of its own.
    await trx.selectFrom("one_click").select("uuid").where("uuid", "=", oneClick.uuid).forUpdate().execute();
    const now = await findOneClick(deps, trx, caller, oneClick.uuid);
    if (now === null) throw fail("OCE015", {});
    if (now.state === "released" || now.state === "declined") return now.state;
    const person = await ensurePerson(deps, trx, phone);
    const expiresAt = deps.clock.now() + oneClickLifeMs;
    const facts = { phone, email, deviceIp, risk, page, credentials: [] };
    await saveOneClick(deps, trx, caller, { ...subject, state: "declined", refusal: null, facts, person, expiresAt });
    const about = { phone, personUuid: person.uuid, oneClickUuid: oneClick.uuid };
    const given = await recordConsent(deps, trx, caller, { ...about, action: "decline", given: consent });
    await recordAudit(deps, trx, caller, {
      action: "oneClick.declined",
      personUuid: person.uuid,
      oneClickUuid: oneClick.uuid,
      detail: { consent: given, word: wordOf(caller, facts) },
    });
    return "declined";
  });
}
