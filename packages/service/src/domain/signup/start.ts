import { isDeepStrictEqual } from "node:util";
import type { BrandSettings } from "@countersign/contract/brand";
import type { CredentialRequest } from "@countersign/contract/credential";
import { type RequestNode, type RequestTree, toRequestTree } from "../credential/request.ts";
import { birthDateProblems } from "../day.ts";
import type { Caller, Deps, HomeDeps } from "../deps.ts";
import { type Failure, fail, invalid, type Problem, refuse } from "../failure.ts";
import { type JourneyName, journeys } from "../journey.ts";
import { phoneMissing, supportedPhone } from "../phone.ts";
import type { PersonInputs } from "../ports.ts";
import { read } from "./api/read.ts";
import { type OneClick, type StoredOneClick, withInputs } from "./one-click.ts";
import { findOneClickForKey } from "./one-click-for-key.ts";
import { requireReleased, saveOutcome } from "./outcome.ts";
import { ofReview, type PhoneProof, readProof } from "./phone-proof.ts";
import { findIdentity } from "./steps.ts";

/** What a brand sends to begin a 1-Click. */
export type NewOneClick = {
  identityUuid?: string;
  verificationUuid?: string;
  phone?: string;
  inputs: PersonInputs;
  credentialRequests?: CredentialRequest[];
};

/** Runs a 1-Click that is answered at once. Our verification proves the phone, or the brand asserts it. */
export async function requestOneClick(
  deps: Deps,
  caller: Caller,
  journey: JourneyName,
  ask: NewOneClick,
): Promise<StoredOneClick> {
  const started = await startOneClick(deps, caller, journey, ask);
  // Without anything new, the call reads what was released.
  if (started.reusedUntil !== undefined && !isNew(ask)) return await read(deps, caller, started.uuid);
  const outcome = await findIdentity.run(deps, caller, started);
  return requireReleased(caller, await saveOutcome(deps, caller, outcome));
}

/** Whether a call that continues a 1-Click brings a proof or an input. */
function isNew({ verificationUuid, inputs }: NewOneClick): boolean {
  return verificationUuid !== undefined || Object.values(inputs).some((one) => one !== undefined);
}

/** Validates a request in the order of the contract, before any source is asked. */
async function startOneClick(deps: Deps, caller: Caller, journey: JourneyName, ask: NewOneClick): Promise<OneClick> {
  const asked = readRequests(deps, caller, ask, journey);
  const earlier = await findEarlier(deps, caller, ask);
  // A continued 1-Click keeps its requests, unless this call has new ones.
  const isSame =
    earlier !== null && (ask.credentialRequests === undefined || isDeepStrictEqual(asked, earlier.requestTree));
  const isReused = isSame && earlier.state === "released" && earlier.requestTree.length > 0;
  const isContinued = isReused || (isSame && earlier.state === "awaitingInputs");
  // What a person reviewed on our page can be read, but a call of the brand does not replace that decision. That also
  // holds if the person was asked for nothing.
  const isReviewed = earlier?.state === "released" && journeys[earlier.journey].review === "wallet";
  if (isReviewed && (!isReused || isNew(ask))) throw ofReview();
  const hasData = earlier?.state === "released" && earlier.requestTree.length > 0;
  // Other requests would ask the sources again, for another hour, and count as the same signup.
  if (hasData && !isReused) throw notContinuable();
  const proof = await proofOfRequest(deps, caller, ask, earlier);
  if (earlier !== null && earlier.facts.phone !== proof.phone) {
    throw fail("ERR001", {}, '"phone" does not match the 1-Click referenced by "identityUuid"');
  }
  const started: OneClick = {
    uuid: earlier?.uuid ?? deps.random.uuid(),
    journey,
    state: earlier?.state ?? "awaitingProof",
    refusal: null,
    phoneMethod: proof.phoneMethod,
    // A call that names no verification keeps the earlier proof.
    verificationUuid: proof.verificationUuid ?? earlier?.verificationUuid ?? null,
    requestTree: isContinued ? earlier.requestTree : asked,
    facts: earlier?.facts ?? { phone: proof.phone, risk: null, credentials: [] },
    ...(isReused ? { reusedUntil: earlier.expiresAt } : {}),
  };
  return withInputs(started, ask.inputs);
}

/** Checks that every new 1-Click must pass: declared consent, and valid requests. Returns the request tree. */
export function readRequests(
  deps: HomeDeps,
  caller: Caller,
  ask: Pick<NewOneClick, "inputs" | "credentialRequests">,
  journey: JourneyName,
): RequestNode[] {
  // If the service texts the person, our own screen asks for consent.
  if (journeys[journey].sms !== "service" && !caller.brand.settings.consent.declared) {
    throw refuse(403, "The brand's settings do not declare that people consent (consent.declared).");
  }
  const tree =
    ask.credentialRequests === undefined
      ? defaultTreeOf(caller.brand.settings)
      : toRequestTree(ask.credentialRequests, "body.credentialRequests");
  const problems: Problem[] = [
    ...birthDateProblems(deps.clock, ask.inputs.birthDate),
    ...(tree.kind === "problems" ? tree.problems : []),
  ];
  if (problems.length > 0 || tree.kind === "problems") throw invalid(problems);
  return tree.tree;
}

const defaultTrees = new WeakMap<BrandSettings, RequestTree>();

/** The request tree of a brand's default requests. It is made once per version of the settings. */
function defaultTreeOf(settings: BrandSettings): RequestTree {
  const known = defaultTrees.get(settings);
  if (known !== undefined) return known;
  const made = toRequestTree(settings.defaultCredentialRequests, "body.credentialRequests");
  defaultTrees.set(settings, made);
  return made;
}

/** The phone, and what proves it: a verification of ours, the earlier 1-Click, or the brand's word. */
async function proofOfRequest(
  deps: Deps,
  caller: Caller,
  { verificationUuid, phone, inputs }: NewOneClick,
  earlier: OneClick | null,
): Promise<PhoneProof> {
  if (verificationUuid !== undefined) {
    // The phone or the earlier 1-Click selected this cell, but the verification may be in the cell of another phone.
    const isHere = phone === undefined && earlier === null;
    const cell = isHere ? deps : await deps.cells.ofUuid(verificationUuid);
    return await readProof(cell, caller, { verificationUuid, phone });
  }
  if (phone === undefined) {
    if (earlier === null) throw phoneMissing(inputs);
    return { phone: earlier.facts.phone, phoneMethod: earlier.phoneMethod };
  }
  const named = supportedPhone(deps, phone);
  // If we proved this phone before, keep that method even if the brand names the phone again.
  const phoneMethod = earlier?.facts.phone === named ? earlier.phoneMethod : "customer_otp";
  return { phone: named, phoneMethod };
}

async function findEarlier(
  deps: Deps,
  caller: Caller,
  { identityUuid: uuid, phone }: NewOneClick,
): Promise<StoredOneClick | null> {
  if (uuid === undefined) return null;
  // A phone next to it selected this cell, but the 1-Click may be another person's.
  const cell = phone === undefined ? deps : await deps.cells.ofUuid(uuid);
  const earlier = await findOneClickForKey(cell, caller, uuid);
  if (earlier === null) throw fail("ERR001", {}, '"identityUuid" is invalid or expired');
  if (earlier.state === "declined") throw fail("OCE021", {});
  const isPersonsTurn = journeys[earlier.journey].review === "wallet" && earlier.state === "awaitingInputs";
  if (isPersonsTurn) throw fail("ERR001", {}, "The person has not decided yet.");
  if (earlier.state === "released" || earlier.state === "awaitingInputs") return earlier;
  throw notContinuable();
}

function notContinuable(): Failure {
  return fail(
    "ERR001",
    {},
    '"identityUuid" must reference a completed risk-signals-only 1-Click or a 1-Click waiting for additional inputs',
  );
}
