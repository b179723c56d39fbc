/**
 * Finds the identity once a phone is proven: risk score, sources, selection of credentials. All API generations and
 * screens use it.
 */
import { recordAudit } from "../audit/record.ts";
import { missingMandatory, multiValuesMax, select } from "../credential/assemble.ts";
import { type Caller, type Deps, sourceDeadlineMs } from "../deps.ts";
import { orUnavailable } from "../failure.ts";
import { type Journey, journeys } from "../journey.ts";
import type { SourcedCredential } from "../ports.ts";
import { givenChallenges } from "./challenges.ts";
import type { OneClick, OneClickFacts, RepeatedRefusal } from "./one-click.ts";
import { riskScoreMax } from "./risk.ts";
import { saveSourced } from "./save-sourced.ts";
import { source } from "./source.ts";
import { withTypableOptional } from "./typing.ts";

export type Identified =
  /** The facts have the credentials to release. */
  | { kind: "found"; oneClick: OneClick }
  /** `code` says why. The facts have the `refusedInputs` or the `missing` types, if the code is about them. */
  | { kind: "notFound"; code: RepeatedRefusal; oneClick: OneClick };

/** Finds the identity. If there is none to release, stores what a later call needs. */
export async function findIdentity(deps: Deps, caller: Caller, oneClick: OneClick): Promise<Identified> {
  const scored = await scoreRisk(deps, caller, oneClick);
  const identified = await identify(deps, caller, { scored, given: oneClick });
  if (identified.kind === "found") return identified;
  const { code, oneClick: refused } = identified;
  if (isFinal(code, journeys[refused.journey])) await saveRefusal(deps, caller, code, refused);
  else if (code === "OCE011") {
    // Keep the inputs given so far; the next call adds the missing ones. A call that adds none gets this refusal again.
    const { inputs = {} } = oneClick.facts;
    const { refusedInputs } = refused.facts;
    const facts = { ...scored.facts, inputs, ...(refusedInputs === undefined ? {} : { refusedInputs }) };
    const waiting: OneClick = { ...scored, state: "awaitingInputs", facts };
    await deps.db.inTransaction((trx) => saveSourced(deps, trx, caller, waiting));
  }
  return identified;
}

/** `scored`: without the inputs, because a 1-Click that was found or refused does not store them. */
async function identify(
  deps: Deps,
  caller: Caller,
  { scored, given }: { scored: OneClick; given: OneClick },
): Promise<Identified> {
  const { risk } = scored.facts;
  type Why = Pick<OneClickFacts, "refusedInputs" | "missing">;
  const notFound = (code: RepeatedRefusal, why: Why = {}): Identified => {
    return { kind: "notFound", code, oneClick: { ...scored, facts: { ...scored.facts, ...why } } };
  };
  if (risk !== null && risk.score > riskScoreMax) return notFound("OCE017");
  if (scored.requestTree.length === 0) return { kind: "found", oneClick: scored };

  const isReused = given.reusedUntil !== undefined;
  if (isReused && givenChallenges(given.facts.inputs ?? {}).length === 0) return reuse(scored, given);
  const sourced = await source(deps, caller, given);
  const isRefuted = sourced.kind === "mismatch" || sourced.kind === "exceeded";
  // A challenge answered before the release is not asked again. A wrong value still counts.
  if (isReused && !isRefuted) return reuse(scored, given);
  if (sourced.kind === "unknown") return notFound("OCE013");
  if (sourced.kind !== "found") return notFound(codeOf[sourced.kind], { refusedInputs: sourced.inputs });
  const credentials = select(scored.requestTree, [phoneCredential(deps, scored), ...sourced.credentials], {
    // Only brands with risk signals get more than one value per credential.
    valuesMax: risk === null ? 1 : multiValuesMax,
    now: deps.clock.now(),
  });
  // On the wallet's page, a person may type missing values if the brand allows it.
  const { review } = journeys[scored.journey];
  const needed = review === "wallet" ? withTypableOptional(scored.requestTree) : scored.requestTree;
  const missing = missingMandatory(needed, credentials);
  if (missing.length > 0) return notFound("OCE007", { missing });
  const { holderUuid } = sourced;
  const found = { ...scored, facts: { ...scored.facts, credentials } };
  return { kind: "found", oneClick: holderUuid === undefined ? found : { ...found, holderUuid } };
}

function reuse(scored: OneClick, { facts: { credentials } }: OneClick): Identified {
  return { kind: "found", oneClick: { ...scored, facts: { ...scored.facts, credentials } } };
}

const codeOf = { needs: "OCE011", mismatch: "OCE012", exceeded: "OCE019" } as const;

/** Whether later reads repeat the refusal. Otherwise, the same 1-Click can be tried again. */
function isFinal(code: RepeatedRefusal, { review, comesBackAs }: Journey): boolean {
  // In redirect flows, the brand reads the refusal after the person returns.
  if (code === "OCE007") return comesBackAs !== null;
  // On the brand's own screens, we cannot ask for other inputs before the person returns.
  if (code === "OCE011" || code === "OCE012") return review === "brand" && comesBackAs !== null;
  return true;
}

/** The 1-Click with its identifiers and risk score, before any source is asked. The other inputs are removed. */
async function scoreRisk(deps: Deps, caller: Caller, oneClick: OneClick): Promise<OneClick> {
  const { phone, page, risk: earlier, inputs, ...known } = oneClick.facts;
  const email = inputs?.email ?? known.email;
  const deviceIp = inputs?.deviceIp ?? known.deviceIp;
  const given = { ...(email === undefined ? {} : { email }), ...(deviceIp === undefined ? {} : { deviceIp }) };
  const isScored = earlier !== null && email === known.email && deviceIp === known.deviceIp;
  const score = () => orUnavailable(deps.risk.score({ phone, ...given, deadlineMs: sourceDeadlineMs }));
  const risk = caller.brand.settings.riskSignals ? (isScored ? earlier : await score()) : null;
  return { ...oneClick, facts: { ...(page === undefined ? {} : { page }), phone, ...given, risk, credentials: [] } };
}

type Phoned = Pick<OneClick, "phoneMethod"> & { facts: Pick<OneClick["facts"], "phone"> };

/** The phone as a credential. It has the same value and verification method as the phone identifier. */
export function phoneCredential(
  deps: Pick<Deps, "random" | "clock" | "identity">,
  { facts, phoneMethod }: Phoned,
): SourcedCredential {
  return {
    id: deps.random.uuid(),
    type: "PhoneCredential",
    verificationMethod: phoneMethod,
    status: "valid",
    issuerUuid: deps.identity.issuerUuid,
    issuanceDate: deps.clock.now(),
    expirationDate: null,
    value: facts.phone,
  };
}

/** Saves a final refusal. */
async function saveRefusal(deps: Deps, caller: Caller, code: RepeatedRefusal, oneClick: OneClick): Promise<void> {
  const refused: OneClick = { ...oneClick, state: "refused", refusal: code };
  await deps.db.inTransaction(async (trx) => {
    const person = await saveSourced(deps, trx, caller, refused);
    await recordAudit(deps, trx, caller, {
      action: "oneClick.refused",
      personUuid: person.uuid,
      oneClickUuid: refused.uuid,
      detail: { code },
    });
  });
}
