/** A 1-Click: one request of a brand for a person's data. Its states and its stored content. */

import type { CredentialType } from "@countersign/contract/credential";
import type { ChallengeInput, ErrorCode } from "@countersign/contract/errors";
import { hourMs } from "@countersign/contract/time";
import type { CredentialFact } from "../credential/assemble.ts";
import type { RequestNode } from "../credential/request.ts";
import type { JourneyName } from "../journey.ts";
import type { Authority, PersonInputs, Phone, RiskJudgment, SourcedCredential } from "../ports.ts";
import type { StateId } from "../state-id/elements.ts";

/** How long a 1-Click can be read after its release or decision, and continued after its last OCE011, milliseconds. */
export const oneClickLifeMs = hourMs;

/** The stored state of a 1-Click. Expiry is not a state; it is computed from `expires_at`. */
export type OneClickState =
  | "awaitingProof"
  | "awaitingInputs"
  | "awaitingDecision"
  | "released"
  | "declined"
  | "refused";

/** The allowed state changes, enforced by `one-click-rows.ts`. `docs/how/states.md` has the diagram. */
export const oneClickEdges: Record<OneClickState, readonly OneClickState[]> = {
  awaitingProof: ["awaitingInputs", "awaitingDecision", "released", "refused"],
  awaitingInputs: ["awaitingInputs", "awaitingDecision", "released", "declined", "refused"],
  // Back to the inputs if a required value of the review counts no longer.
  awaitingDecision: ["awaitingInputs", "released", "declined"],
  released: ["released"],
  declined: [],
  // After OCE013, a state ID can still answer.
  refused: ["awaitingDecision"],
};

/** The states in which the person or the brand can still do something. */
export const openOneClickStates = ["awaitingProof", "awaitingInputs", "awaitingDecision"] as const;
const oneClickStates: readonly OneClickState[] = [...openOneClickStates, "released", "declined", "refused"];

/** The states from which this one can be reached. */
export function oneClickStatesBefore(state: OneClickState): OneClickState[] {
  return oneClickStates.filter((one) => oneClickEdges[one].includes(state));
}

/**
 * The refusals that a read repeats after the phone is proven. OCE011 and OCE012 are stored only in journeys where
 * nobody can be asked for more inputs.
 */
export const repeatedRefusals = ["OCE007", "OCE011", "OCE012", "OCE013", "OCE017", "OCE019"] as const;
export type RepeatedRefusal = (typeof repeatedRefusals)[number];

/** What the person's page shows, and where it redirects at the end. */
export type PageContent = {
  title?: string;
  description?: string;
  redirectUrl?: string;
  /** The path on the wallet to which the page returns, instead of a redirect to the brand. */
  returnTo?: string;
  /** The host of the brand's page, if our page is a frame in it. */
  within?: string;
  /** The person skipped the insurance. */
  insurance?: "skipped";
};

/** A state ID that was used. Its values are among the credentials. */
export type UsedStateId = { authority: Authority; conflicts: StateIdConflict[] };
/** A detail in which the ID differs from a source. `kept`: which of the two values the brand gets. */
export type StateIdConflict = { type: CredentialType; kept: "source" | "id" };

/** The sealed part of a 1-Click. Each read computes the response shape of its API generation from these facts. */
export type OneClickFacts = {
  phone: Phone;
  email?: string;
  deviceIp?: string;
  risk: RiskJudgment | null;
  credentials: CredentialFact[];
  /** Inputs given so far, while more are needed. Removed once the identity is found. */
  inputs?: PersonInputs;
  /** Whether the person gave the birth date among the inputs on our page. */
  isBirthDateTyped?: true;
  page?: PageContent;
  /** The state ID that the person used on the page. */
  stateId?: UsedStateId;
  /** A state ID that answered a question, and that the brand also requires. It is used once the identity is found. */
  heldId?: StateId;
  /** After OCE013: whether a state ID may still answer, because no input had to be compared with records. */
  mayUseId?: true;
  /** What the person changed, as reported by the brand. */
  edits?: { type: CredentialType; data: unknown }[];
  /** The inputs in the last OCE011, or in the error that ended the 1-Click: OCE011, OCE012 or OCE019. */
  refusedInputs?: ChallengeInput[];
  /** The required types without a value, after OCE007. */
  missing?: CredentialType[];
};
export type PhoneMethod = "otp" | "customer_otp" | "phone_carrier";

export type OneClick = {
  uuid: string;
  journey: JourneyName;
  state: OneClickState;
  /** The error code of state `refused`. */
  refusal: ErrorCode | null;
  phoneMethod: PhoneMethod;
  /** Null if the brand proved the phone itself. */
  verificationUuid: string | null;
  requestTree: RequestNode[];
  facts: OneClickFacts;
  /** Whose issued credentials were just found. It is not stored. */
  holderUuid?: string;
  /** When the brand made the session that opened it. Stored once. */
  sessionAt?: number;
  /** When the sources were asked, and how long they took, until the 1-Click is stored. */
  asking?: Asking;
  /** Until when the credentials of an earlier release are used again, instead of asking the sources. It is not stored. */
  reusedUntil?: number;
};
/** Durations in milliseconds. Null: not asked. */
export type Asking = { at: number; riskMs: number | null; sourceMs: number | null };
/** A 1-Click with its risk score. `inputs`: those given so far. `earlier`: the credentials of an earlier release. */
export type ScoredOneClick = {
  oneClick: OneClick;
  inputs: PersonInputs;
  isBirthDateTyped: boolean;
  earlier: CredentialFact[];
};
/** Also what the source answered. Null: it does not know the person. */
export type SourcedOneClick = ScoredOneClick & { sourced: readonly SourcedCredential[] | null; isCompared: boolean };
/** Also every value that may be selected. `holderUuid`: whose issued credentials are among them. */
export type IdentifiedOneClick = ScoredOneClick & { available: readonly SourcedCredential[]; holderUuid?: string };
export type StoredOneClick = OneClick & { personUuid: string; createdAt: number; expiresAt: number };

/** Whether issued credentials were found whose holder is not this person: the phone has got a new holder since. */
export function isOfFormerHolder({ holderUuid }: OneClick, person: { uuid: string }): boolean {
  return holderUuid !== undefined && holderUuid !== person.uuid;
}

/** Adds inputs to those given before. An undefined member leaves the earlier value. */
export function withInputs(oneClick: OneClick, inputs: PersonInputs): OneClick {
  const given = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
  return { ...oneClick, facts: { ...oneClick.facts, inputs: { ...oneClick.facts.inputs, ...given } } };
}
