/** Journeys: what happened to one signup, verification or health lookup, as a brand's members see it. */
import {
  type Journey,
  type JourneyLine,
  type JourneyOutcome,
  journeyStepsMax,
  journeysSearchedMax,
  type ListedKind,
} from "@countersign/contract/dashboard-journeys";
import { refuse } from "../failure.ts";
import { codeAttemptsMax } from "../one-time-code.ts";
import { digitsOf } from "../person-rows.ts";
import { type InCell, ofEach, type ReportingDeps } from "./deps.ts";
import {
  findJourneyLookup,
  findJourneyPerson,
  findJourneySignup,
  findJourneyVerification,
  type LookupLine,
  listJourneyAttempts,
  listJourneyCalls,
  listJourneyDeliveries,
  listJourneyTexts,
  listLookups,
  listLookupsOf,
  listPaidCalls,
  listSignups,
  listSignupsOf,
  listVerifications,
  type SignupLine,
  type VerificationLine,
} from "./journey-rows.ts";
import {
  attemptSteps,
  callSteps,
  inOrder,
  lookupSteps,
  paidCallSteps,
  type Step,
  signupSteps,
  textSteps,
  verificationSteps,
} from "./journey-steps.ts";

type Wanted = {
  brandUuid: string;
  kind?: ListedKind | undefined;
  outcome?: JourneyOutcome | undefined;
  max: number;
};

/** The newest journeys of a brand in all cells, newest first: all, or those of one kind or outcome. */
export async function listJourneys(
  deps: ReportingDeps,
  { brandUuid, kind, outcome, max }: Wanted,
): Promise<JourneyLine[]> {
  const isWanted = (one: ListedKind) => kind === undefined || kind === one;
  // Outcomes depend on the clock, so they are computed.
  const read = outcome === undefined ? max : journeysSearchedMax;
  const now = deps.clock.now();
  const lists = await ofEach(deps, async (db) => {
    const cell = { ...deps, db };
    const [signups, verifications, lookups] = await Promise.all([
      isWanted("signup") ? listSignups(cell, brandUuid, read) : [],
      isWanted("verification") ? listVerifications(cell, brandUuid, read) : [],
      isWanted("health") ? listLookups(cell, brandUuid, read) : [],
    ]);
    return [
      ...signups.map((row) => signupLine(row, now)),
      ...verifications.map((row) => verificationLine(row, now)),
      ...lookups.map((row) => lookupLine(row, now)),
    ];
  });
  return lists
    .flat()
    .filter((line) => outcome === undefined || line.outcome === outcome)
    .sort((a, b) => b.began - a.began || (a.uuid < b.uuid ? -1 : 1))
    .slice(0, max);
}

const signupOutcomes = { released: "shared", declined: "declined", refused: "refused" } as const;

function signupLine(row: SignupLine, now: number): JourneyLine {
  const { uuid, created_at: began, state, refusal: errorCode } = row;
  const isOver = row.erased_at !== null || row.expires_at <= now;
  const outcome: JourneyOutcome =
    state === "released" || state === "declined" || state === "refused"
      ? signupOutcomes[state]
      : isOver
        ? "expired"
        : "open";
  return { uuid, kind: "signup", began, outcome, errorCode };
}

function verificationLine(row: VerificationLine, now: number): JourneyLine {
  const { uuid, created_at: began, status } = row;
  const outcome: JourneyOutcome =
    status === "verified"
      ? "verified"
      : status === "failed" || row.attempts_used >= codeAttemptsMax
        ? "failed"
        : row.expires_at <= now
          ? "expired"
          : "open";
  return { uuid, kind: "verification", began, outcome, errorCode: null };
}

function lookupLine(row: LookupLine, now: number): JourneyLine {
  const { uuid, created_at: began, state } = row;
  const isOver = row.erased_at !== null || (row.expires_at !== null && row.expires_at <= now);
  const outcome: JourneyOutcome =
    state === "succeeded" || state === "partial" || state === "failed" ? state : isOver ? "expired" : "open";
  return { uuid, kind: "health", began, outcome, errorCode: null };
}

type OfBrand = { uuid: string; brandUuid: string };
/** What the row of a journey tells. */
type Root = {
  line: JourneyLine;
  ended: number | null;
  flow: string | null;
  personUuid: string | null;
  steps: Step[];
  cut: Journey["cut"];
  related: Journey["related"];
  /** Further uuids whose calls are part of the journey. */
  subjects: string[];
};

/** One journey of a brand. Refuses with 404 if the brand has neither a record nor a call with this uuid. */
export async function openJourney(deps: ReportingDeps, brandUuid: string, uuid: string): Promise<Journey> {
  const of = { uuid, brandUuid };
  const found = await ofEach(deps, async (db) => {
    const cell = { ...deps, db };
    const root = (await signupRoot(cell, of)) ?? (await verificationRoot(cell, of)) ?? (await lookupRoot(cell, of));
    return { cell, root };
  });
  const journeys = await Promise.all(
    found.map(({ cell, root }, at) => {
      // Without its row, a journey may still have calls, and they may be in any cell.
      const isWanted = root !== null || found.every((one) => one.root === null);
      return isWanted ? journeyOf(cell, deps.cells[at]?.number ?? 0, of, root) : null;
    }),
  );
  const journey = journeys.find((one) => one !== null);
  if (journey === undefined || journey === null) throw refuse(404, "No such journey.");
  return journey;
}

/** The journey in one cell. Null if the cell has neither a row nor a call. */
async function journeyOf(cell: InCell, number: number, of: OfBrand, root: Root | null): Promise<Journey | null> {
  const subjects = [of.uuid, ...(root?.subjects ?? [])];
  const [lists, deliveries, person] = await Promise.all([
    Promise.all(subjects.map((uuid) => listJourneyCalls(cell, { ...of, uuid }, journeyStepsMax + 1))),
    listJourneyDeliveries(cell, of, journeyStepsMax),
    root === null || root.personUuid === null ? undefined : findJourneyPerson(cell, root.personUuid),
  ]);
  const calls = lists.flat().sort((a, b) => a.id - b.id);
  const [first] = calls;
  if (root === null && first === undefined) return null;
  const attempts = await listJourneyAttempts(cell, deliveries, journeyStepsMax + 1);
  const shown = { calls: calls.slice(0, journeyStepsMax), attempts: attempts.slice(0, journeyStepsMax) };
  const steps = inOrder([
    ...(root?.steps ?? []),
    ...callSteps(number, shown.calls),
    ...attemptSteps(deliveries, shown.attempts),
  ]);
  const cut: Journey["cut"] = [
    ...(root?.cut ?? []),
    ...(calls.length > journeyStepsMax ? (["calls"] as const) : []),
    ...(attempts.length > journeyStepsMax || deliveries.length === journeyStepsMax ? (["attempts"] as const) : []),
  ];
  const began = first === undefined ? 0 : first.at - first.latency_ms;
  const unknown = { uuid: of.uuid, kind: "calls", began, outcome: "unknown", errorCode: null } as const;
  return {
    ...(root?.line ?? unknown),
    ended: root?.ended ?? null,
    flow: root?.flow ?? null,
    phoneLastFour: digitsIn(cell, person),
    steps,
    cut,
    related: root?.related ?? [],
  };
}

function digitsIn(cell: InCell, person: Awaited<ReturnType<typeof findJourneyPerson>>): string | null {
  if (person === undefined || person.person_uuid === null || person.data_key_uuid === null) return null;
  const { person_uuid: uuid, data_key_uuid, sealed, wrapped } = person;
  return digitsOf(cell, { uuid, data_key_uuid, sealed, wrapped });
}

async function signupRoot(cell: InCell, of: OfBrand): Promise<Root | null> {
  const row = await findJourneySignup(cell, of);
  if (row === undefined) return null;
  const now = cell.clock.now();
  const line = signupLine(row, now);
  const proofUuid = row.verification_uuid;
  const [proof, lookups] = await Promise.all([
    proofUuid === null ? null : verificationRoot(cell, { ...of, uuid: proofUuid }),
    listLookupsOf(cell, of),
  ]);
  return {
    line,
    ended: row.answered_at ?? (line.outcome === "expired" ? row.expires_at : null),
    flow: row.journey,
    personUuid: row.person_uuid,
    steps: signupSteps(row, line.outcome, proof === null ? null : { began: proof.line.began, steps: proof.steps }),
    cut: proof?.cut ?? [],
    related: [
      ...(proofUuid === null || proof === null ? [] : [{ uuid: proofUuid, kind: "verification" as const }]),
      ...lookups.map(({ uuid }) => ({ uuid, kind: "health" as const })),
    ],
    subjects: proofUuid === null ? [] : [proofUuid],
  };
}

async function verificationRoot(cell: InCell, of: OfBrand): Promise<Root | null> {
  const row = await findJourneyVerification(cell, of);
  if (row === undefined) return null;
  const line = verificationLine(row, cell.clock.now());
  const [texts, signups] = await Promise.all([
    listJourneyTexts(cell, of.uuid, journeyStepsMax + 1),
    listSignupsOf(cell, of),
  ]);
  const shown = texts.slice(0, journeyStepsMax);
  return {
    line,
    ended: row.verified_at ?? row.denied_at ?? (line.outcome === "expired" ? row.expires_at : null),
    flow: row.channel,
    personUuid: row.person_uuid,
    steps: [...textSteps(shown), ...verificationSteps(row, line.outcome, shown)],
    cut: texts.length > journeyStepsMax ? ["texts"] : [],
    related: signups.map(({ uuid }) => ({ uuid, kind: "signup" })),
    subjects: [],
  };
}

async function lookupRoot(cell: InCell, of: OfBrand): Promise<Root | null> {
  const row = await findJourneyLookup(cell, of);
  if (row === undefined) return null;
  const line = lookupLine(row, cell.clock.now());
  const paid = await listPaidCalls(cell, of.uuid, journeyStepsMax + 1);
  return {
    line,
    ended: row.finished_at,
    flow: null,
    personUuid: row.person_uuid,
    steps: [...lookupSteps(row, line.outcome), ...paidCallSteps(paid.slice(0, journeyStepsMax))],
    cut: paid.length > journeyStepsMax ? ["payers"] : [],
    related: row.one_click_uuid === null ? [] : [{ uuid: row.one_click_uuid, kind: "signup" }],
    subjects: [],
  };
}
