/**
 * Finds the identity once a phone is proven: risk score, sources, selection of credentials. All API generations and
 * screens use it.
 */
import { recordAudit } from "../audit/record.ts";
import { missingMandatory, multiValuesMax, select } from "../credential/assemble.ts";
import { type Caller, type Deps, sourceDeadlineMs } from "../deps.ts";
import { answerOf, type Failure } from "../failure.ts";
import { journeys } from "../journey.ts";
import type { SourcedCredential } from "../ports.ts";
import type { OneClick, RepeatedRefusal } from "./one-click.ts";
import { refusalOf } from "./refusal.ts";
import { riskScoreMax } from "./risk.ts";
import { saveSourced } from "./save-sourced.ts";
import { type Sourced, source } from "./source.ts";
import { withoutTyped } from "./typing.ts";

/** Returns the 1-Click with the facts to release. Otherwise, stores what a later call needs and throws the error. */
export async function findIdentity(deps: Deps, caller: Caller, oneClick: OneClick): Promise<OneClick> {
  const scored = await scoreRisk(deps, caller, oneClick);
  const { risk } = scored.facts;
  if (risk !== null && risk.score > riskScoreMax) throw await saveRefusal(deps, caller, scored, "OCE017");
  if (scored.requestTree.length === 0) return scored;

  const sourced = await source(deps, caller, oneClick);
  if (sourced.kind !== "found") throw await notFound(deps, caller, oneClick, { scored, sourced });
  const credentials = select(scored.requestTree, [phoneCredential(deps, scored), ...sourced.credentials], {
    // Only brands with risk signals get more than one value per credential.
    valuesMax: risk === null ? 1 : multiValuesMax,
    now: deps.clock.now(),
  });
  // On the wallet's page, a person may type missing values if the brand allows it.
  const { review, comesBackAs } = journeys[scored.journey];
  const needed = review === "wallet" ? withoutTyped(scored.requestTree) : scored.requestTree;
  const missing = missingMandatory(needed, credentials);
  if (missing.length > 0) {
    const refused = { ...scored, facts: { ...scored.facts, missing } };
    // Save the refusal only for redirect flows; the brand reads it after the person returns.
    throw await (comesBackAs === null
      ? refusalOf(caller.brand, "OCE007", refused)
      : saveRefusal(deps, caller, refused, "OCE007"));
  }
  const { holderUuid } = sourced;
  return { ...scored, facts: { ...scored.facts, credentials }, ...(holderUuid === undefined ? {} : { holderUuid }) };
}

/** The 1-Click with its identifiers and risk score, before any source is asked. The other inputs are removed. */
async function scoreRisk(deps: Deps, caller: Caller, oneClick: OneClick): Promise<OneClick> {
  const { phone, page, risk: earlier, inputs, ...known } = oneClick.facts;
  const email = inputs?.email ?? known.email;
  const deviceIp = inputs?.deviceIp ?? known.deviceIp;
  const given = { ...(email === undefined ? {} : { email }), ...(deviceIp === undefined ? {} : { deviceIp }) };
  const isScored = earlier !== null && email === known.email && deviceIp === known.deviceIp;
  const score = () => answerOf(deps.risk.score({ phone, ...given, deadlineMs: sourceDeadlineMs }));
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

type NotFound = { scored: OneClick; sourced: Exclude<Sourced, { kind: "found" }> };

async function notFound(
  deps: Deps,
  caller: Caller,
  oneClick: OneClick,
  { scored, sourced }: NotFound,
): Promise<Failure> {
  if (sourced.kind === "unknown") return await saveRefusal(deps, caller, scored, "OCE013");
  const refused = { ...scored, facts: { ...scored.facts, refusedInputs: sourced.inputs } };
  if (sourced.kind === "exceeded") return await saveRefusal(deps, caller, refused, "OCE019");
  const code = sourced.kind === "needs" ? "OCE011" : "OCE012";
  const { review, comesBackAs } = journeys[scored.journey];
  // In redirect flows with the brand's own screens, we cannot ask for more inputs. Save the refusal; the brand reads it
  // after the person returns.
  if (review === "brand" && comesBackAs !== null) return await saveRefusal(deps, caller, refused, code);
  if (sourced.kind === "needs") {
    // Keep the inputs given so far; the next call only adds the missing ones.
    const facts = { ...scored.facts, inputs: oneClick.facts.inputs ?? {} };
    const waiting: OneClick = { ...scored, state: "awaitingInputs", facts };
    await deps.db.inTransaction((trx) => saveSourced(deps, trx, caller, waiting));
  }
  return refusalOf(caller.brand, code, refused);
}

/** Saves a final refusal, which later reads repeat, and returns its error. */
async function saveRefusal(deps: Deps, caller: Caller, oneClick: OneClick, code: RepeatedRefusal): Promise<Failure> {
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
  return refusalOf(caller.brand, code, refused);
}
