/**
 * Finds the identity once a phone is proven: risk score, sources, selection of credentials. Every API generation and
 * every screen uses this.
 */
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

/** A 1-Click that is ready for the identity lookup. */
export type Subject = {
  uuid: string;
  journey: JourneyName;
  phone: Phone;
  phoneMethod: PhoneMethod;
  verificationUuid?: string;
  requestTree: RequestNode[];
  inputs: PersonInputs;
  /** The facts stored so far, if a 1-Click is continued. */
  known: OneClickFacts | null;
};

/** Returns the facts to release. Otherwise, stores what a later call needs and throws the error. */
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
    // Only brands that use risk signals get more than one value of a kind.
    valuesMax: facts.risk === null ? 1 : multiValuesMax,
    now: deps.clock.now(),
  });
  // On the wallet's page, a person may type missing values if the brand allows it.
  const { review, comesBackAs } = journeys[subject.journey];
  const needed = review === "wallet" ? withoutTyped(subject.requestTree) : subject.requestTree;
  if (missingMandatory(needed, credentials).length > 0) {
    // Save the refusal only for redirect flows; the brand reads it after the person returns.
    throw comesBackAs === null ? fail("OCE007", {}) : await refused(deps, caller, subject, { facts, code: "OCE007" });
  }
  return { ...facts, credentials };
}

/** Collects the identifiers and the risk score, before any source is asked. */
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

/** The phone as a credential. It has the same value and verification method as the phone identifier. */
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
  // In redirect flows without our screens, nobody can be asked for more inputs. Save the refusal; the brand reads it
  // after the person returns.
  if (review === "brand" && comesBackAs !== null) return await refused(deps, caller, subject, { facts, code, inputs });
  const error = refusalOf(caller.brand, code, { ...subject, facts: { ...facts, refusedInputs: inputs } });
  if (sourced.kind === "mismatch") return error;
  // Keep the inputs given so far; the next call only adds the missing ones.
  const waiting = { ...facts, inputs: subject.inputs };
  await deps.db.inTransaction(async (trx) => {
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

/** Saves a final refusal, which later reads repeat, and returns its error. */
async function refused(
  deps: Deps,
  caller: Caller,
  subject: Subject,
  { facts, code, inputs }: Refused,
): Promise<Failure> {
  const kept = inputs === undefined ? facts : { ...facts, refusedInputs: inputs };
  await deps.db.inTransaction(async (trx) => {
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
