import type { CredentialRequest } from "@countersign/contract/credential";
import type { Reader } from "../../store/database.ts";
import { declaredConsent } from "../audit/consent.ts";
import { type RequestNode, toRequestTree } from "../credential/request.ts";
import { birthDateProblems } from "../day.ts";
import type { Caller, Deps, HomeDeps } from "../deps.ts";
import { fail, invalid, type Problem, refuse } from "../failure.ts";
import { type JourneyName, journeyNames, journeys } from "../journey.ts";
import type { PersonInputs, Phone } from "../ports.ts";
import { findVerification } from "../verification/find.ts";
import { statusAt } from "../verification/verification.ts";
import { findIdentity } from "./find-identity.ts";
import { type OneClick, type StoredOneClick, withInputs } from "./one-click.ts";
import { findOneClick, findUndecidedState } from "./one-click-rows.ts";
import { release } from "./release.ts";

/** What a brand sends to begin a 1-Click. */
export type OneClickAsk = {
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
  ask: OneClickAsk,
): Promise<StoredOneClick> {
  const started = await startOneClick(deps, caller, journey, ask);
  const found = await findIdentity(deps, caller, started);
  return await release(deps, caller, found, declaredConsent(caller.brand));
}

/** Validates a request in the order of the contract, before any source is asked. */
async function startOneClick(deps: Deps, caller: Caller, journey: JourneyName, ask: OneClickAsk): Promise<OneClick> {
  const asked = readRequests(deps, caller, ask, journey);
  const earlier = await findEarlier(deps, caller, ask.identityUuid);
  // A continued 1-Click keeps its requests, unless this call has new ones.
  const isContinued = ask.credentialRequests === undefined && earlier?.state === "awaitingInputs";
  const proof = await proofOf(deps, caller, ask, earlier);
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
  };
  return withInputs(started, ask.inputs);
}

/** Checks that every new 1-Click must pass: declared consent, and valid requests. Returns the request tree. */
export function readRequests(
  deps: HomeDeps,
  caller: Caller,
  ask: Pick<OneClickAsk, "inputs" | "credentialRequests">,
  journey: JourneyName,
): RequestNode[] {
  // If the service texts the person, our own screen asks for consent.
  if (journeys[journey].sms !== "service" && !caller.brand.settings.consent.declared) {
    throw refuse(403, "The brand's settings do not declare that people consent (consent.declared).");
  }
  const tree = toRequestTree(
    ask.credentialRequests ?? caller.brand.settings.defaultCredentialRequests,
    "body.credentialRequests",
  );
  const problems: Problem[] = [
    ...birthDateProblems(deps.clock, ask.inputs.birthDate),
    ...(tree.kind === "problems" ? tree.problems : []),
  ];
  if (problems.length > 0 || tree.kind === "problems") throw invalid(problems);
  return tree.tree;
}

type PhoneProof = Pick<OneClick, "phoneMethod"> & { phone: Phone; verificationUuid?: string };

/** The phone, and how it is proven. */
async function proofOf(deps: Deps, caller: Caller, ask: OneClickAsk, earlier: OneClick | null): Promise<PhoneProof> {
  if (ask.verificationUuid !== undefined) {
    // The earlier 1-Click selected this cell, but the verification may be in the cell of another phone.
    const cell = earlier === null ? deps : await deps.cells.ofUuid(ask.verificationUuid);
    const { row, secrets } = await findVerification(cell, cell.db, caller, ask.verificationUuid);
    if (secrets.phone === undefined || statusAt(row, deps.clock.now()) !== "verified")
      throw fail("ERR001", {}, '"verificationUuid" is not verified');
    if (ask.phone !== undefined && ask.phone !== secrets.phone)
      throw fail("ERR001", {}, '"phone" is not the phone of "verificationUuid"');
    await checkUndecided(cell.db, row.uuid);
    return {
      phone: secrets.phone,
      phoneMethod: row.channel === "sms" ? "otp" : "phone_carrier",
      verificationUuid: row.uuid,
    };
  }
  if (ask.phone === undefined) {
    if (earlier === null) throw fail("OCE003", {});
    return { phone: earlier.facts.phone, phoneMethod: earlier.phoneMethod };
  }
  const judged = deps.phones.judge(ask.phone);
  if (judged.kind !== "supported") throw fail("OCE002", {});
  // If we proved this phone before, keep that method even if the brand names the phone again.
  const phoneMethod = earlier?.facts.phone === judged.phone ? earlier.phoneMethod : "customer_otp";
  return { phone: judged.phone, phoneMethod };
}

async function findEarlier(deps: Deps, caller: Caller, uuid: string | undefined): Promise<OneClick | null> {
  if (uuid === undefined) return null;
  const earlier = await findOneClick(deps, deps.db, caller, uuid);
  if (earlier === null) throw fail("ERR001", {}, '"identityUuid" is invalid or expired');
  if (earlier.state === "declined") throw fail("OCE021", {});
  if (earlier.state === "released" || earlier.state === "awaitingInputs") return earlier;
  throw fail(
    "ERR001",
    {},
    '"identityUuid" must reference a completed risk-signals-only 1-Click or a 1-Click waiting for additional inputs',
  );
}

const reviewedInWallet = journeyNames.filter((name) => journeys[name].review === "wallet");

/**
 * A verification from our own page is reserved for the decision made there. Throws OCE021 if the person declined, and
 * ERR001 while the person is still deciding.
 */
export async function checkUndecided(reader: Reader, verificationUuid: string): Promise<void> {
  const state = await findUndecidedState(reader, { verificationUuid, journeys: reviewedInWallet });
  if (state === "declined") throw fail("OCE021", {});
  if (state !== null) throw fail("ERR001", {}, "the person of this verification is still deciding");
}
