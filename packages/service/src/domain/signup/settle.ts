/** What happens once a phone is held: risk, sources, selection. Every generation and every screen ends here. */
import type { ChallengeInput } from "@countersign/contract/errors";
import { recordAudit } from "../audit/record.ts";
import { missingMandatory, multiValuesMax, select } from "../credential/assemble.ts";
import type { RequestNode } from "../credential/request.ts";
import { type Caller, type Deps, sourceDeadlineMs } from "../deps.ts";
import { answerOf, type Failure, fail } from "../failure.ts";
import { type JourneyName, journeys } from "../journey.ts";
import { ensurePerson } from "../person.ts";
import type { PersonInputs, Phone, RiskJudgement, SourcedCredential } from "../ports.ts";
import { refusalOf } from "./refusal.ts";
import { riskScoreMax } from "./risk.ts";
import { type Sourced, source } from "./source.ts";
import { oneClickLifeMs, type RepeatedRefusal } from "./states.ts";
import { type OneClickFacts, type PhoneMethod, saveOneClick } from "./store.ts";
import { withoutTyped } from "./typing.ts";
import { withIssued } from "./with-issued.ts";

/** A 1-Click that may be sourced: who, on which proof, for what, and what is known of it already. */
export type Subject = {
  uuid: string;
  journey: JourneyName;
  phone: Phone;
  phoneMethod: PhoneMethod;
  verificationUuid?: string;
  requestTree: RequestNode[];
  inputs: PersonInputs;
  /** What was sealed of it before, when it is gone on with. */
  known: OneClickFacts | null;
};

/** The facts to give away; otherwise throws the error that says why there are none, after keeping what a later call needs. */
export async function settle(deps: Deps, caller: Caller, subject: Subject): Promise<OneClickFacts> {
  const facts = await gather(deps, caller, subject);
  if (facts.risk !== null && facts.risk.score > riskScoreMax)
    throw await refused(deps, caller, subject, { facts, code: "OCE017" });
  if (subject.requestTree.length === 0) return facts;

  const { phone, inputs } = subject;
  const answer = await source(deps, caller, { phone, inputs, journey: journeys[subject.journey] });
  const sourced = await withIssued(deps, caller, subject, answer);
  if (sourced.kind !== "found") throw await notFound(deps, caller, subject, { facts, sourced });
  const credentials = select(subject.requestTree, [phoneCredential(deps, subject), ...sourced.credentials], {
    // More than one value of a kind is offered only to brands that look at the risk.
    valuesMax: facts.risk === null ? 1 : multiValuesMax,
    now: deps.clock.now(),
  });
  // On the wallet's page a person types what no source has, where the brand lets them.
  const { review, comesBackAs } = journeys[subject.journey];
  const needed = review === "wallet" ? withoutTyped(subject.requestTree) : subject.requestTree;
  if (missingMandatory(needed, credentials).length > 0) {
    // Kept only where the brand was not there to hear it: it reads once the person is back.
    throw comesBackAs === null ? fail("OCE007", {}) : await refused(deps, caller, subject, { facts, code: "OCE007" });
  }
  return { ...facts, credentials };
}

/** Identifiers and risk: what is known before any source is asked. */
async function gather(deps: Deps, caller: Caller, { phone, inputs, known }: Subject): Promise<OneClickFacts> {
  const email = inputs.email ?? known?.email;
  const deviceIp = inputs.deviceIp ?? known?.deviceIp;
  const given = { ...(email === undefined ? {} : { email }), ...(deviceIp === undefined ? {} : { deviceIp }) };
  const same = email === known?.email && deviceIp === known?.deviceIp;
  const judged: RiskJudgement | null = same ? (known?.risk ?? null) : null;
  const wanted = caller.brand.settings.riskSignals;
  const risk = wanted
    ? (judged ?? (await answerOf(deps.risk.score({ phone, ...given, deadlineMs: sourceDeadlineMs }))))
    : null;
  return { ...(known?.page === undefined ? {} : { page: known.page }), phone, ...given, risk, credentials: [] };
}

/** The phone as a credential: its value is the identifier, its method the identifier's. */
function phoneCredential(deps: Deps, { phone, phoneMethod }: Subject): SourcedCredential {
  return {
    id: deps.random.uuid(),
    type: "PhoneCredential",
    verificationMethod: phoneMethod,
    status: "valid",
    issuerUuid: deps.identity.issuerUuid,
    issuanceDate: deps.clock.now(),
    expirationDate: null,
    value: phone,
  };
}

type NotFound = { facts: OneClickFacts; sourced: Exclude<Sourced, { kind: "found" }> };

async function notFound(deps: Deps, caller: Caller, subject: Subject, { facts, sourced }: NotFound): Promise<Failure> {
  if (sourced.kind === "unknown") return await refused(deps, caller, subject, { facts, code: "OCE013" });
  const { inputs } = sourced;
  if (sourced.kind === "exceeded") return await refused(deps, caller, subject, { facts, code: "OCE019", inputs });
  const code = sourced.kind === "needs" ? "OCE011" : "OCE012";
  const { review, comesBackAs } = journeys[subject.journey];
  // The brand is not there, and no page asks: it reads the refusal once the person is back.
  if (review === "brand" && comesBackAs !== null) return await refused(deps, caller, subject, { facts, code, inputs });
  const error = refusalOf(caller.brand, code, { ...subject, facts: { ...facts, refusedInputs: inputs } });
  if (sourced.kind === "mismatch") return error;
  // What was given so far stays given: the next input completes it.
  const waiting = { ...facts, inputs: subject.inputs };
  await deps.db.transaction().execute(async (trx) => {
    const person = await ensurePerson(deps, trx, subject.phone);
    const expiresAt = deps.clock.now() + oneClickLifeMs;
    await saveOneClick(deps, trx, caller, {
      ...subject,
      state: "awaitingInputs",
      refusal: null,
      facts: waiting,
      person,
      expiresAt,
    });
  });
  return error;
}

type Refused = { facts: OneClickFacts; code: RepeatedRefusal; inputs?: ChallengeInput[] };

/** Keeps an end that a later read repeats, and answers its error. */
async function refused(
  deps: Deps,
  caller: Caller,
  subject: Subject,
  { facts, code, inputs }: Refused,
): Promise<Failure> {
  const kept = inputs === undefined ? facts : { ...facts, refusedInputs: inputs };
  await deps.db.transaction().execute(async (trx) => {
    const person = await ensurePerson(deps, trx, subject.phone);
    const expiresAt = deps.clock.now() + oneClickLifeMs;
    await saveOneClick(deps, trx, caller, {
      ...subject,
      state: "refused",
      refusal: code,
      facts: kept,
      person,
      expiresAt,
    });
    await recordAudit(deps, trx, caller, {
      action: "oneClick.refused",
      personUuid: person.uuid,
      oneClickUuid: subject.uuid,
      detail: { code },
    });
  });
  return refusalOf(caller.brand, code, { ...subject, facts: kept });
}
