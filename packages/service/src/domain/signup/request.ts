import type { ChallengeInput } from "@countersign/contract/errors";
import { recordAudit, recordDeclaredConsent } from "../audit/record.ts";
import { missingMandatory, multiValuesMax, select } from "../credential/assemble.ts";
import { type Caller, type Deps, sourceDeadlineMs } from "../deps.ts";
import { type Failure, fail } from "../failure.ts";
import { type JourneyName, journeys } from "../journey.ts";
import { ensurePerson } from "../person.ts";
import type { RiskJudgement, SourcedCredential } from "../ports.ts";
import { errorFacts } from "./entity.ts";
import { mismatchMessage, refusalOf } from "./refusal.ts";
import { riskScoreMax } from "./risk.ts";
import { type Sourced, source } from "./source.ts";
import { type OneClickAsk, type Started, startOneClick } from "./start.ts";
import { type OneClickState, oneClickLifeMs, type RepeatedRefusal } from "./states.ts";
import { type OneClick, type OneClickFacts, saveOneClick } from "./store.ts";

/** A 1-Click of a journey that answers at once. */
export async function requestOneClick(
  deps: Deps,
  caller: Caller,
  journey: JourneyName,
  ask: OneClickAsk,
): Promise<OneClick> {
  const started = await startOneClick(deps, caller, ask);
  const facts = await gather(deps, caller, started, ask);
  const end = { deps, caller, journey, started, facts, uuid: started.earlier?.uuid ?? deps.random.uuid() };

  if (facts.risk !== null && facts.risk.score > riskScoreMax) throw await refused(end, "OCE017");
  if (started.requestTree.length === 0) return await released(end, facts);

  const sourced = await source(deps, caller, { phone: started.phone, inputs: ask.inputs, journey: journeys[journey] });
  if (sourced.kind !== "found") throw await notFound(end, sourced);
  const credentials = select(started.requestTree, [phoneCredential(end), ...sourced.credentials], {
    // More than one value of a kind is offered only to brands that look at the risk.
    valuesMax: facts.risk === null ? 1 : multiValuesMax,
    now: deps.clock.now(),
  });
  if (missingMandatory(started.requestTree, credentials).length > 0) throw fail("OCE007", {});
  return await released(end, { ...facts, credentials });
}

type End = { deps: Deps; caller: Caller; journey: JourneyName; started: Started; facts: OneClickFacts; uuid: string };

/** Identifiers and risk: what is known before any source is asked. */
async function gather(deps: Deps, caller: Caller, started: Started, ask: OneClickAsk): Promise<OneClickFacts> {
  const { phone, earlier } = started;
  const email = ask.inputs.email ?? earlier?.facts.email;
  const deviceIp = ask.inputs.deviceIp ?? earlier?.facts.deviceIp;
  const given = { ...(email === undefined ? {} : { email }), ...(deviceIp === undefined ? {} : { deviceIp }) };
  const same = email === earlier?.facts.email && deviceIp === earlier?.facts.deviceIp;
  const known: RiskJudgement | null = same ? (earlier?.facts.risk ?? null) : null;
  const wanted = caller.brand.settings.riskSignals;
  const risk = wanted ? (known ?? (await deps.risk.score({ phone, ...given, deadlineMs: sourceDeadlineMs }))) : null;
  return { phone, ...given, risk, credentials: [] };
}

/** The phone as a credential: its value is the identifier, its method the identifier's. */
function phoneCredential({ deps, started }: End): SourcedCredential {
  return {
    id: deps.random.uuid(),
    type: "PhoneCredential",
    verificationMethod: started.phoneMethod,
    status: "valid",
    issuerUuid: deps.identity.issuerUuid,
    issuanceDate: deps.clock.now(),
    expirationDate: null,
    value: started.phone,
  };
}

/** Gives the data away: the row, the reason and the record of it are one transaction. */
async function released(end: End, facts: OneClickFacts): Promise<OneClick> {
  const { deps, caller, started, uuid } = end;
  return await deps.db.transaction().execute(async (trx) => {
    const person = await ensurePerson(deps, trx, started.phone);
    const state: OneClickState = "released";
    const oneClick = {
      uuid,
      state,
      phoneMethod: started.phoneMethod,
      refusal: null,
      requestTree: started.requestTree,
      facts,
    };
    await saveOneClick(deps, trx, caller, { ...oneClick, ...saved(end, person) });
    await recordDeclaredConsent(deps, trx, caller, {
      phone: started.phone,
      personUuid: person.uuid,
      oneClickUuid: uuid,
    });
    await recordAudit(deps, trx, caller, {
      action: "oneClick.released",
      personUuid: person.uuid,
      oneClickUuid: uuid,
      detail: { types: facts.credentials.map((one) => one.request.type) },
    });
    return { ...oneClick, personUuid: person.uuid };
  });
}

/** The error that says why no credentials were found, after keeping what a later call needs. */
async function notFound(end: End, sourced: Exclude<Sourced, { kind: "found" }>): Promise<Failure> {
  const { deps, caller, started, facts, uuid } = end;
  const about = errorFacts(caller.brand, facts, started.phoneMethod);
  if (sourced.kind === "unknown") return await refused(end, "OCE013");
  if (sourced.kind === "mismatch") return fail("OCE012", about, mismatchMessage(sourced.inputs));
  if (sourced.kind === "exceeded") return await refused(end, "OCE019", sourced.inputs);
  await deps.db.transaction().execute(async (trx) => {
    const person = await ensurePerson(deps, trx, started.phone);
    await saveOneClick(deps, trx, caller, {
      uuid,
      state: "awaitingInputs",
      phoneMethod: started.phoneMethod,
      refusal: null,
      requestTree: started.requestTree,
      facts,
      ...saved(end, person),
    });
  });
  return fail(
    "OCE011",
    { additionalInputs: sourced.inputs, identityUuid: uuid, ...about },
    `Additional information is required to source data for user: ${sourced.inputs.join(", ")}`,
  );
}

/** An end that a later read repeats. */
async function refused(
  end: End,
  code: Exclude<RepeatedRefusal, "OCE018">,
  exceeded: ChallengeInput[] = [],
): Promise<Failure> {
  const { deps, caller, started, facts, uuid } = end;
  const kept = exceeded.length === 0 ? facts : { ...facts, inputAttemptsExceeded: exceeded };
  await deps.db.transaction().execute(async (trx) => {
    const person = await ensurePerson(deps, trx, started.phone);
    await saveOneClick(deps, trx, caller, {
      uuid,
      state: "refused",
      phoneMethod: started.phoneMethod,
      refusal: code,
      requestTree: started.requestTree,
      facts: kept,
      ...saved(end, person),
    });
    await recordAudit(deps, trx, caller, {
      action: "oneClick.refused",
      personUuid: person.uuid,
      oneClickUuid: uuid,
      detail: { code },
    });
  });
  return refusalOf(caller.brand, code, kept, started.phoneMethod);
}

function saved(end: End, person: { uuid: string; dataKey: Parameters<Deps["vault"]["seal"]>[0] }) {
  const { deps, journey, started } = end;
  return {
    journey,
    person,
    expiresAt: deps.clock.now() + oneClickLifeMs,
    ...(started.verificationUuid === undefined ? {} : { verificationUuid: started.verificationUuid }),
  };
}
