/** Dashboard endpoints for journeys: what happened to one signup, verification or health lookup, step by step. */

import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { anyOf, Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { LineId } from "./reporting.ts";
import { forRole, ofEnvironment } from "./shapes.ts";

const forViewer = forRole("viewer", { refusals: [404] });
const Count = t.Integer({ minimum: 0 });

/** Maximum journeys of a list. */
export const journeysMax = 50;
/** Journeys of each kind among which a list looks for an outcome. */
export const journeysSearchedMax = 1_000;
/** Maximum calls, texts, deliveries and attempts of a journey, each. Later ones are left out. */
export const journeyStepsMax = 100;

/** `calls`: the record was deleted or is about something else, so only the log's calls are left. */
const JourneyKind = stringEnum("signup", "verification", "health", "calls");
export type JourneyKind = Static<typeof JourneyKind>;

/** The kinds that a list has. */
const ListedKind = stringEnum("signup", "verification", "health");
export type ListedKind = Static<typeof ListedKind>;

/** How a journey ended. `open`: it can still continue. Expired signups and verifications were not finished in time. */
const JourneyOutcome = stringEnum(
  "open",
  "shared",
  "declined",
  "refused",
  "expired",
  "verified",
  "failed",
  "succeeded",
  "partial",
  "unknown",
);
export type JourneyOutcome = Static<typeof JourneyOutcome>;

/** Why a journey did not succeed, where no error code says it. `erased`: the reason was erased with the data. */
const JourneyReason = stringEnum(
  "declined",
  "denied",
  "codes",
  "noCode",
  "left",
  "noInputs",
  "notProven",
  "noPayer",
  "noAnswer",
  "noPlan",
  "erased",
);
export type JourneyReason = Static<typeof JourneyReason>;

const journeyLine = {
  /** UUID of the 1-Click, verification or lookup. */
  uuid: Uuid,
  kind: JourneyKind,
  began: Millis,
  outcome: JourneyOutcome,
  /** The error code that ended it. Null without one. */
  errorCode: anyOf(t.String(), t.Null()),
  /** Null with an error code, while it is open, and if it succeeded. */
  reason: anyOf(JourneyReason, t.Null()),
  /** When it ended. Null while it is open, or if the time was not kept. */
  ended: anyOf(Millis, t.Null()),
  /** The last four digits. Null without a person, or after the person was deleted. */
  phoneLastFour: anyOf(t.String(), t.Null()),
};
const JourneyLine = t.Object(journeyLine);
export type JourneyLine = Static<typeof JourneyLine>;

export const listJourneys = forViewer("listJourneys", "GET /api/brands/:brand/:environment/journeys", {
  summary: "A brand's newest signups, verifications and health lookups, newest first",
  description:
    "A verification that belongs to a signup is part of that signup's journey and is not listed. An outcome is looked " +
    `for among the newest ${journeysSearchedMax} of each kind in each database.`,
  params: ofEnvironment,
  query: t.Object({
    max: t.Optional(t.String({ pattern: "^([1-9]|[1-4][0-9]|50)$", description: "Default: 20" })),
    kind: t.Optional(ListedKind),
    outcome: t.Optional(JourneyOutcome),
  }),
  reply: t.Object({
    data: t.Array(JourneyLine),
    /** The environment's time. */
    now: Millis,
  }),
});

/**
 * session     the brand made a key for the SDK, until the person began
 * began       the signup, verification or lookup was stored
 * text        a text waited for the gateway, until it was sent; `count` texts if they were deleted
 * delivered   the carrier delivered the newest text
 * code        the person had the text, until the phone was verified or denied; `count` tries
 * verified, denied   how the proof of the phone ended
 * risk, sources      the risk score and the identity sources were asked
 * inputs      more inputs were needed, until they were given
 * review      the person reviewed the data
 * shared, declined, refused, failed   the decision
 * payer       a payer or a clearinghouse was asked
 * found       the lookup had a result
 * call, read  a call of the brand; a read is a GET that succeeded
 * attempt     an attempt to deliver a webhook; `count`: which one
 * waiting     a webhook delivery waits for its next attempt
 * expired     the time ran out
 * erased      the data was erased
 */
export const journeySteps = [
  "session",
  "began",
  "text",
  "delivered",
  "code",
  "verified",
  "denied",
  "risk",
  "sources",
  "inputs",
  "review",
  "shared",
  "declined",
  "refused",
  "failed",
  "payer",
  "found",
  "call",
  "read",
  "attempt",
  "waiting",
  "expired",
  "erased",
] as const;

const JourneyStep = t.Object({
  name: stringEnum(...journeySteps),
  from: Millis,
  /** The same as `from` for a moment. Null if the step has not ended. */
  to: anyOf(Millis, t.Null()),
  tone: stringEnum("plain", "good", "warn", "bad"),
  count: anyOf(Count, t.Null()),
  /** The call in the log. */
  call: anyOf(
    t.Object({
      line: LineId,
      method: t.String(),
      route: t.String(),
      status: t.Integer(),
      errorCode: anyOf(t.String(), t.Null()),
    }),
    t.Null(),
  ),
  /** The webhook delivery of an attempt. Status and error: of its answer. */
  delivery: anyOf(
    t.Object({
      uuid: Uuid,
      event: t.String(),
      status: anyOf(t.Integer(), t.Null()),
      error: anyOf(t.String(), t.Null()),
    }),
    t.Null(),
  ),
});
export type JourneyStep = Static<typeof JourneyStep>;

const Journey = t.Object({
  ...journeyLine,
  /** The flow of a signup, such as v21Sdk, or the channel of a verification. */
  flow: anyOf(t.String(), t.Null()),
  /** In the order in which they began. */
  steps: t.Array(JourneyStep),
  /** What was left out, because there were more than `journeyStepsMax`. */
  cut: t.Array(stringEnum("calls", "texts", "attempts", "payers")),
  /** The verification of a signup, lookups that it led to, or signups that a verification proved. */
  related: t.Array(t.Object({ uuid: Uuid, kind: JourneyKind })),
});
export type Journey = Static<typeof Journey>;

export const readJourney = forViewer("readJourney", "GET /api/brands/:brand/:environment/journeys/:uuid", {
  summary: "One journey with the times of its steps",
  params: t.Object({ brand: Uuid, environment: Environment, uuid: Uuid }),
  reply: Journey,
});
