/** Journeys: what happened to one signup, verification or health lookup, as a brand's members see it. */
import {
  type Journey,
  type JourneyLine,
  type JourneyOutcome,
  type JourneyReason,
  journeyStepsMax,
  journeysSearchedMax,
  type ListedKind,
} from "@countersign/contract/dashboard-journeys";
import { refuse } from "../failure.ts";
import { journeys as flows } from "../journey.ts";
import { codeAttemptsMax } from "../one-time-code.ts";
import { digitsOf } from "../person-rows.ts";
import { type InCell, ofEach, type ReportingDeps } from "./deps.ts";
import {
  findJourneyLookup,
  findJourneySignup,
  findJourneyVerification,
  type LookupLine,
  listJourneyAttempts,
  listJourneyCalls,
  listJourneyDeliveries,
  listJourneyPeople,
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
  codeUntilLastTry,
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
      ...signups.map((row) => ({ cell, personUuid: personOf(row), line: signupLine(row, now) })),
      ...verifications.map((row) => ({ cell, personUuid: row.person_uuid, line: verificationLine(row, now) })),
      ...lookups.map((row) => ({ cell, personUuid: row.person_uuid, line: lookupLine(row, now) })),
    ];
  });
  const found = lists
    .flat()
    .filter(({ line }) => outcome === undefined || line.outcome === outcome)
    .sort(({ line: a }, { line: b }) => b.began - a.began || (a.uuid < b.uuid ? -1 : 1))
    .slice(0, max);
  // Only of the lines that are shown, because each person's key has to be opened.
  const digits = await Promise.all(
    [...new Set(found.map(({ cell }) => cell))].map((cell) => digitsIn(cell, peopleOf(found, cell))),
  );
  const all = new Map(digits.flatMap((one) => [...one]));
  return found.map(({ line, personUuid }) => ({ ...line, phoneLastFour: all.get(personUuid ?? "") ?? null }));
}

const peopleOf = (lines: readonly { cell: InCell; personUuid: string | null }[], cell: InCell) =>
  lines.flatMap((one) => (one.cell === cell && one.personUuid !== null ? [one.personUuid] : []));

/** A line whose phone was not opened yet. */
type Line = Omit<JourneyLine, "phoneLastFour">;

const signupOutcomes = { released: "shared", declined: "declined", refused: "refused" } as const;

function signupLine(row: SignupLine, now: number): Line {
  const { uuid, created_at: began, state, refusal: errorCode, answered_at: answered, expires_at: expires } = row;
  const isOver = row.erased_at !== null || expires <= now;
  const outcome: JourneyOutcome =
    state === "released" || state === "declined" || state === "refused"
      ? signupOutcomes[state]
      : isOver
        ? "expired"
        : "open";
  const reason = errorCode === null ? signupReason(row, outcome) : null;
  return { uuid, kind: "signup", began, outcome, errorCode, reason, ended: answered ?? endIf(outcome, expires) };
}

/** Whose digits a signup shows. An OpenID client gets the phone only with its tokens, if the person shares it. */
function personOf({ journey, person_uuid: uuid }: Pick<SignupLine, "journey" | "person_uuid">): string | null {
  return flows[journey].readWith === "tokens" ? null : uuid;
}

const endIf = (outcome: JourneyOutcome, expires: number) => (outcome === "expired" ? expires : null);

function signupReason(
  { state, journey, inputs_asked_at: inputsAt }: SignupLine,
  outcome: JourneyOutcome,
): JourneyReason | null {
  if (outcome === "declined") return "declined";
  if (outcome !== "expired") return null;
  if (state === "awaitingDecision") return flows[journey].review === "wallet" ? "left" : null;
  return inputsAt !== null ? "noInputs" : state === "awaitingProof" ? "notProven" : null;
}

function verificationLine(row: VerificationLine, now: number): Line {
  const { uuid, created_at: began, status, verified_at: verified, denied_at: denied, expires_at: expires } = row;
  const outcome: JourneyOutcome =
    status === "verified"
      ? "verified"
      : status === "failed" || row.attempts_used >= codeAttemptsMax
        ? "failed"
        : expires <= now
          ? "expired"
          : "open";
  const reason =
    outcome === "failed" ? (denied === null ? "codes" : "denied") : outcome === "expired" ? "noCode" : null;
  const ended = verified ?? denied ?? endIf(outcome, expires);
  return { uuid, kind: "verification", began, outcome, errorCode: null, reason, ended };
}

function lookupLine(row: LookupLine, now: number): Line {
  const { uuid, created_at: began, state, finished_at: ended } = row;
  const isOver = row.erased_at !== null || (row.expires_at !== null && row.expires_at <= now);
  const outcome: JourneyOutcome =
    state === "succeeded" || state === "partial" || state === "failed" ? state : isOver ? "expired" : "open";
  const isWhole = outcome !== "failed" && outcome !== "partial";
  return { uuid, kind: "health", began, outcome, errorCode: null, reason: isWhole ? null : lookupReason(row), ended };
}

/** Erasing a lookup deletes what its payers answered. */
function lookupReason({ erased_at: erased, asked, unanswered }: LookupLine): JourneyReason {
  if (erased !== null) return "erased";
  return asked === 0 ? "noPayer" : unanswered > 0 ? "noAnswer" : "noPlan";
}

type OfBrand = { uuid: string; brandUuid: string };
/** What the row of a journey tells. */
type Root = {
  line: Line;
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
  const personUuid = root?.personUuid ?? null;
  const [lists, deliveries, digits] = await Promise.all([
    Promise.all(subjects.map((uuid) => listJourneyCalls(cell, { ...of, uuid }, journeyStepsMax + 1))),
    listJourneyDeliveries(cell, of, journeyStepsMax),
    personUuid === null ? null : digitsIn(cell, [personUuid]),
  ]);
  const calls = lists.flat().sort((a, b) => a.id - b.id);
  const [first] = calls;
  if (root === null && first === undefined) return null;
  const attempts = await listJourneyAttempts(cell, deliveries, journeyStepsMax + 1);
  const shown = { calls: calls.slice(0, journeyStepsMax), attempts: attempts.slice(0, journeyStepsMax) };
  const steps = inOrder([
    ...codeUntilLastTry(root?.steps ?? [], shown.calls),
    ...callSteps(number, shown.calls),
    ...attemptSteps(deliveries, shown.attempts),
  ]);
  const cut: Journey["cut"] = [
    ...(root?.cut ?? []),
    ...(calls.length > journeyStepsMax ? (["calls"] as const) : []),
    ...(attempts.length > journeyStepsMax || deliveries.length === journeyStepsMax ? (["attempts"] as const) : []),
  ];
  const began = first === undefined ? 0 : first.at - first.latency_ms;
  const unknown = { uuid: of.uuid, kind: "calls", began, outcome: "unknown" } as const;
  return {
    ...(root?.line ?? { ...unknown, errorCode: null, reason: null, ended: null }),
    flow: root?.flow ?? null,
    phoneLastFour: digits?.get(personUuid ?? "") ?? null,
    steps,
    cut,
    related: root?.related ?? [],
  };
}

/** The last four digits of people who were not deleted. */
async function digitsIn(cell: InCell, uuids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const people = await listJourneyPeople(cell, [...new Set(uuids)]);
  return new Map(
    people.map(({ uuid, data_key_uuid, sealed, wrapped }) => [
      uuid,
      data_key_uuid === null ? null : digitsOf(cell, { uuid, data_key_uuid, sealed, wrapped }),
    ]),
  );
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
    flow: row.journey,
    personUuid: personOf(row),
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
    flow: row.channel,
    personUuid: signups.some(({ journey }) => flows[journey].readWith === "tokens") ? null : row.person_uuid,
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
    flow: null,
    personUuid: row.person_uuid,
    steps: [...lookupSteps(row, line.outcome), ...paidCallSteps(paid.slice(0, journeyStepsMax))],
    cut: paid.length > journeyStepsMax ? ["payers"] : [],
    related: row.one_click_uuid === null ? [] : [{ uuid: row.one_click_uuid, kind: "signup" }],
    subjects: [],
  };
}
