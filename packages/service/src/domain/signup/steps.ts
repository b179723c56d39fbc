/**
 * The steps from a proven phone to an identity. API calls, pages and v1 run the same list, and the row of the journey
 * table decides what differs.
 */

import type { ChallengeInput } from "@countersign/contract/errors";
import { givenChallenges } from "@countersign/contract/errors";
import { missingMandatory, multiValuesMax, select } from "../credential/assemble.ts";
import { type Caller, type Deps, sourceDeadlineMs } from "../deps.ts";
import { orUnavailable } from "../failure.ts";
import { issuedCredentials, issuedNoLonger } from "../issuance/sourced.ts";
import { journeys } from "../journey.ts";
import type { SourceAnswer, SourcedCredential } from "../ports.ts";
import { type End, stepsFrom } from "../steps.ts";
import { isProvenByService } from "../verification/verification-rows.ts";
import { compareChallenges, type GivenChallenge } from "./challenges.ts";
import { riskScoreMax } from "./entity.ts";
import type { IdentifiedOneClick, OneClick, ScoredOneClick, SourcedOneClick } from "./one-click.ts";
import { found, type Outcome, unfound } from "./outcome.ts";
import { withTypableOptional } from "./typing.ts";

/** From a 1-Click as it was asked to its outcome. Stores nothing about the 1-Click: only challenges and sightings for risk are counted. */
export const findIdentity = stepsFrom<OneClick, Outcome>()
  .add(scoreRisk)
  .add(refuseHighRisk)
  .add(reuseRelease)
  .add(askSource)
  .add(addIssued)
  .end(selectCredentials);

/**
 * Scores the risk, and takes the inputs out of the facts, because a 1-Click that was found or refused does not store
 * them.
 */
async function scoreRisk(deps: Deps, caller: Caller, asked: OneClick): Promise<ScoredOneClick> {
  const { phone, page, heldId, risk: earlier, inputs = {}, isBirthDateTyped = false, ...known } = asked.facts;
  const email = inputs.email ?? known.email;
  const deviceIp = inputs.deviceIp ?? known.deviceIp;
  const given = { ...(email === undefined ? {} : { email }), ...(deviceIp === undefined ? {} : { deviceIp }) };
  const isScored = earlier !== null && email === known.email && deviceIp === known.deviceIp;
  const at = deps.clock.now();
  const question = { brandUuid: caller.brand.uuid, phone, ...given, deadlineMs: sourceDeadlineMs };
  const score = () => orUnavailable(deps.vendors.risk.score(question));
  const { riskSignals } = caller.brand.settings;
  const risk = riskSignals ? (isScored ? earlier : await score()) : null;
  const riskMs = riskSignals && !isScored ? deps.clock.now() - at : null;
  const kept = { ...(page === undefined ? {} : { page }), ...(heldId === undefined ? {} : { heldId }) };
  const facts = { ...kept, phone, ...given, risk, credentials: [] };
  const oneClick = { ...asked, facts, asking: { at, riskMs, sourceMs: null } };
  return { oneClick, inputs, isBirthDateTyped, earlier: asked.facts.credentials };
}

function refuseHighRisk(_deps: Deps, _caller: Caller, scored: ScoredOneClick): ScoredOneClick | End<Outcome> {
  const { risk } = scored.oneClick.facts;
  return risk !== null && risk.score > riskScoreMax ? unfound("OCE017", scored) : scored;
}

/**
 * Ends with what was released before, or without data if the brand asks for none. A call with a new challenge continues.
 */
function reuseRelease(_deps: Deps, _caller: Caller, scored: ScoredOneClick): ScoredOneClick | End<Outcome> {
  const { oneClick, inputs, earlier } = scored;
  if (oneClick.requestTree.length === 0) return found(oneClick, []);
  const isReused = oneClick.reusedUntil !== undefined && givenChallenges(inputs).length === 0;
  return isReused ? found(oneClick, earlier) : scored;
}

/** Selects the credentials that the brand asked for. */
function selectCredentials(deps: Deps, _caller: Caller, identified: IdentifiedOneClick): End<Outcome> {
  const { oneClick, available, holderUuid } = identified;
  const { requestTree, facts, journey } = oneClick;
  const credentials = select(requestTree, [phoneCredential(deps, oneClick), ...available], {
    // Only brands with risk signals get more than one value per credential.
    valuesMax: facts.risk === null ? 1 : multiValuesMax,
    now: deps.clock.now(),
  });
  // On the wallet's page, a person may type missing values if the brand allows it.
  const needed = journeys[journey].review === "wallet" ? withTypableOptional(requestTree) : requestTree;
  const missing = missingMandatory(needed, credentials);
  if (missing.length > 0) return unfound("OCE007", identified, { missing });
  return found(holderUuid === undefined ? oneClick : { ...oneClick, holderUuid }, credentials);
}

type Phoned = Pick<OneClick, "phoneMethod"> & { facts: Pick<OneClick["facts"], "phone"> };

/** The phone as a credential. It has the same value and verification method as the phone identifier. */
export function phoneCredential(
  deps: Pick<Deps, "random" | "clock" | "vendors">,
  { facts, phoneMethod }: Phoned,
): SourcedCredential {
  return {
    id: deps.random.uuid(),
    type: "PhoneCredential",
    verificationMethod: phoneMethod,
    status: "valid",
    issuerUuid: deps.vendors.identity.issuerUuid,
    issuanceDate: deps.clock.now(),
    expirationDate: null,
    value: facts.phone,
  };
}

/** `compare`: challenges to compare with the records. `narrow`: challenges that only help to find the person. */
type Challenges = { compare: GivenChallenge[]; narrow: GivenChallenge[] };

/** Asks the source for the person, and compares the challenges. */
async function askSource(deps: Deps, caller: Caller, asked: ScoredOneClick): Promise<SourcedOneClick | End<Outcome>> {
  const { inputs, earlier } = asked;
  const given = givenChallenges(inputs);
  const at = deps.clock.now();
  const { answer, isCompared } = await lookUp(deps, caller, asked, given);
  const scored = { ...asked, oneClick: withSourceTime(asked.oneClick, deps.clock.now() - at) };
  const { oneClick } = scored;
  const required = withRequired(answer, caller, given);
  const isRefuted = required.kind === "mismatch" || required.kind === "exceeded";
  // A challenge answered before the release is not asked again. A wrong value still counts.
  if (oneClick.reusedUntil !== undefined && !isRefuted) return found(oneClick, earlier);
  if (required.kind === "unknown") return { ...scored, sourced: null, isCompared };
  if (required.kind === "found") return { ...scored, sourced: required.credentials, isCompared };
  return unfound(codeOf[required.kind], scored, { refusedInputs: required.inputs });
}

function withSourceTime(oneClick: OneClick, sourceMs: number): OneClick {
  const { asking } = oneClick;
  return asking === undefined ? oneClick : { ...oneClick, asking: { ...asking, sourceMs } };
}

const codeOf = { needs: "OCE011", mismatch: "OCE012", exceeded: "OCE019" } as const;

type SourceReply = SourceAnswer | { kind: "exceeded"; inputs: ChallengeInput[] };

/**
 * A given birth date or SSN4 is compared with the records, except that v1 uses a birth date from the brand only to find
 * the person. One that the person gives on our page is always compared.
 * A first name is compared if the brand's settings name it. If not, it is compared in a second call, and only if the
 * source needs it to identify the person.
 */
async function lookUp(
  deps: Deps,
  caller: Caller,
  scored: ScoredOneClick,
  given: readonly GivenChallenge[],
): Promise<{ answer: SourceReply; isCompared: boolean }> {
  const { comparesBirthDate } = journeys[scored.oneClick.journey];
  const isNamed = caller.brand.settings.challenges.some(({ input }) => input === "fullName.firstName");
  const narrow = given.filter(({ input }) => input === "birthDate" && !comparesBirthDate && !scored.isBirthDateTyped);
  const comparable = given.filter((one) => !narrow.includes(one));
  const compare = comparable.filter(({ input }) => input !== "fullName.firstName" || isNamed);
  const answer = await ask(deps, caller, scored, { compare, narrow });
  const left = comparable.filter((one) => !compare.includes(one));
  if (answer.kind !== "needs" || !left.some(({ input }) => answer.inputs.includes(input)))
    return { answer, isCompared: compare.length + narrow.length > 0 };
  return { answer: await ask(deps, caller, scored, { compare: comparable, narrow }), isCompared: true };
}

async function ask(
  deps: Deps,
  caller: Caller,
  { oneClick, inputs }: ScoredOneClick,
  { compare, narrow }: Challenges,
): Promise<SourceReply> {
  const { phone } = oneClick.facts;
  return await compareChallenges(deps, { brandUuid: caller.brand.uuid, phone, given: compare }, async (compared) =>
    orUnavailable(
      deps.vendors.identity.lookUp({
        phone,
        inputs,
        compare: compared,
        narrow: narrow.map((one) => one.input),
        deadlineMs: sourceDeadlineMs,
      }),
    ),
  );
}

/** Returns `needs` if a challenge is missing that the brand's settings require, even if the source found the person. */
function withRequired(answer: SourceReply, caller: Caller, given: GivenChallenge[]): SourceReply {
  if (answer.kind === "mismatch" || answer.kind === "exceeded") return answer;
  const missing = caller.brand.settings.challenges
    .filter((one) => one.when === "always" && !given.some((other) => other.input === one.input))
    .map((one) => one.input);
  if (missing.length === 0) return answer;
  const needed = answer.kind === "needs" ? answer.inputs : [];
  return { kind: "needs", inputs: [...new Set([...needed, ...missing])] };
}

/**
 * Puts credentials issued by brands before those from the source, if the phone is proven. If no source knows the
 * person, only issued credentials count. They answer no challenge, so a person whose inputs had to be compared stays
 * unknown.
 */
async function addIssued(
  deps: Deps,
  caller: Caller,
  { sourced, isCompared, ...scored }: SourcedOneClick,
): Promise<IdentifiedOneClick | End<Outcome>> {
  const { oneClick } = scored;
  const mayAdd = (sourced !== null || !isCompared) && (await mayAddIssued(deps, caller, oneClick));
  const issued = mayAdd
    ? await issuedCredentials(deps, oneClick.facts.phone, {
        types: oneClick.requestTree.map(({ type }) => type),
        customerUuid: caller.brand.customerUuid,
      })
    : null;
  if (issued !== null)
    return { ...scored, available: [...issued.credentials, ...(sourced ?? [])], holderUuid: issued.holderUuid };
  if (sourced !== null) return { ...scored, available: sourced };
  return unfound("OCE013", scored, isCompared ? {} : { mayUseId: true });
}

/**
 * The ids of the values of a review that count no longer at a new view or at the decision. The operator may have revoked
 * the brand's approval since they were found.
 */
export async function endedValues(deps: Deps, caller: Caller, oneClick: OneClick): Promise<ReadonlySet<string>> {
  const { phone, credentials } = oneClick.facts;
  return await issuedNoLonger(deps, phone, {
    values: credentials.flatMap(({ values }) => values),
    customerUuid: caller.brand.customerUuid,
    mayCount: () => mayAddIssued(deps, caller, oneClick),
  });
}

/**
 * Whether issued credentials may be added: the service proved the phone, or the operator lets the brand assert it
 * (approval `barePhone`). A code that the brand texts itself proves nothing, because the brand could enter it.
 */
async function mayAddIssued(deps: Deps, { brand }: Caller, { verificationUuid }: OneClick): Promise<boolean> {
  if (brand.approvals.has("barePhone")) return true;
  if (verificationUuid === null) return false;
  return await isProvenByService(deps.db, verificationUuid);
}
