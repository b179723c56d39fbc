import type { HealthPlan } from "@countersign/contract/health";
import { hourMs } from "@countersign/contract/time";
import type { NewJob } from "../../store/queue.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Deps } from "../deps.ts";
import type { DirectoryPayer, InsuredPerson } from "../ports.ts";

/** The question of a lookup, in domain terms. */
export type HealthQuestion = {
  externalReference?: string;
  person: InsuredPerson & { firstName: string; lastName: string; birthDate: string };
  /** The name and birth date are the phone holder's. Otherwise someone typed them, and may have named a stranger. */
  isHolder?: true;
  provider: { npi: string; name: string; type?: "individual" | "organization" };
  /** Whether plans from discovery are checked with their payers. */
  checks: boolean;
  memberId?: string;
  payer?: { id?: string; name?: string };
  serviceTypeCodes: string[];
  procedureCodes: { code: string; qualifier: string; modifiers: string[] }[];
};
export type HealthResult = { results: HealthPlan[]; errors: { message: string }[] };
export type HealthLookup = {
  uuid: string;
  brandUuid: string;
  apiKeyUuid: string | null;
  requestId: string;
  personUuid: string | null;
  settingsVersion: number;
  state: HealthState;
  /** The person started it on a page. The result is offered to them, and they decide what the brand gets. */
  startedByPerson: boolean;
  dataKey: DataKey;
  /** Unix milliseconds. */
  createdAt: number;
  question: HealthQuestion;
  result: HealthResult | null;
};

/** The job that does the work of a lookup. Only a few lookups of a brand run at the same time. */
export function lookupJob(
  { environment }: Pick<Deps, "environment">,
  { uuid, brandUuid, dueAt }: { uuid: string; brandUuid: string; dueAt: number },
): NewJob {
  const payload = { healthDataUuid: uuid };
  return { environment, name: "health.run", subject: uuid, dueAt, payload, concurrencyGroup: `health:${brandUuid}` };
}

/** How long a lookup can be read after its final state, in milliseconds. */
export const healthLifeMs = hourMs;

/** `offered`: the result waits for the decision of the person who started the lookup. */
export type HealthState = "pending" | "processing" | "offered" | "succeeded" | "partial" | "failed";

/** The allowed transitions. Final states have none. */
const healthEdges: Record<HealthState, readonly HealthState[]> = {
  pending: ["processing", "offered", "failed"],
  processing: ["offered", "succeeded", "partial", "failed"],
  offered: ["succeeded", "partial", "failed"],
  succeeded: [],
  partial: [],
  failed: [],
};

export function isFinal(state: HealthState): boolean {
  return healthEdges[state].length === 0;
}

/** Whether a worker still has work to do. */
export function isAtWork(state: HealthState): boolean {
  return state === "pending" || state === "processing";
}

/** `succeeded`: plans without errors; `partial`: plans with errors; `failed`: no plan. */
export function finalState(counts: { results: number; errors: number }): HealthState {
  if (counts.results === 0) return "failed";
  return counts.errors === 0 ? "succeeded" : "partial";
}

/** Maximum number of payers that a message names. */
const candidatesMax = 5;

/** The message for a name of several payers. */
export function ambiguousPayer(payers: readonly Pick<DirectoryPayer, "name" | "vendorId">[]): string {
  const named = payers.slice(0, candidatesMax).map(({ name, vendorId }) => `${name} (${vendorId})`);
  return `${messages.payerAmbiguous}${named.length === 0 ? "" : `, such as ${named.join(", ")}`}`;
}

/** Messages of lookups without a complete result. They never contain personal values. */
export const messages = {
  noCoverage: "No coverage found",
  payerUnknown: "Payer not found",
  payerAmbiguous: "Payer ambiguous: several payers match equally well; use the payer's id",
  payerUnsupported: "The payer does not answer eligibility checks",
  payerUnavailable: "Payer unavailable: the eligibility check was not answered",
  checkLost: "The eligibility check was interrupted and will not be repeated",
  discoveryUnavailable: "Insurance discovery is unavailable",
  discoveryLost: "Insurance discovery was interrupted and will not be repeated",
  otherPerson: "The payer's answer was about another person and was withheld",
  unfinished: "The lookup could not be completed",
} as const;
