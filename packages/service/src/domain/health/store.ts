import type { HealthPlan } from "@countersign/contract/health";
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import type { DataKey } from "../../store/vault.ts";
import { recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import type { InsuredPerson } from "../ports.ts";
import { finalState, type HealthState, healthLifeMs } from "./states.ts";

/** The question of a lookup, in domain terms. */
export type HealthQuestion = {
  externalReference?: string;
  person: InsuredPerson & { firstName: string; lastName: string; birthDate: string };
  provider: { npi: string; name: string };
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
  held: boolean;
  dataKey: DataKey;
  question: HealthQuestion;
  result: HealthResult | null;
};

const place = (uuid: string) => ({ table: "health_lookup", row: uuid });
const resultPlace = (uuid: string) => ({ table: "health_lookup.result", row: uuid });

/** Stores a question and queues its work; false if the person of this 1-Click has already started a lookup. */
export async function insertLookup(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  what: {
    uuid: string;
    personUuid: string | null;
    oneClickUuid: string | null;
    dataKey: DataKey;
    question: HealthQuestion;
    held: boolean;
  },
): Promise<boolean> {
  const now = deps.clock.now();
  const inserted = await trx
    .insertInto("health_lookup")
    .values({
      uuid: what.uuid,
      environment: deps.environment,
      brand_uuid: caller.brand.uuid,
      api_key_uuid: caller.apiKeyUuid,
      request_id: caller.requestId,
      person_uuid: what.personUuid,
      one_click_uuid: what.oneClickUuid,
      data_key_uuid: what.dataKey.uuid,
      settings_version: caller.brand.settingsVersion,
      state: "pending",
      held: what.held,
      sealed: deps.vault.seal(what.dataKey, place(what.uuid), what.question),
      created_at: now,
    })
    .onConflict((conflict) => conflict.column("one_click_uuid").where(sql<boolean>`held`).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return false;
  await scheduleRun(deps, trx, { uuid: what.uuid, brandUuid: caller.brand.uuid, dueAt: now });
  return true;
}

export async function scheduleRun(
  deps: Deps,
  trx: Trx,
  what: { uuid: string; brandUuid: string; dueAt: number },
): Promise<void> {
  await enqueue(trx, {
    environment: deps.environment,
    name: "health.run",
    subject: what.uuid,
    dueAt: what.dueAt,
    payload: { healthDataUuid: what.uuid },
    concurrencyGroup: `health:${what.brandUuid}`,
  });
}

/** A lookup of any brand; null if the lookup or its person was erased. */
export async function findLookup(deps: Deps, reader: Reader, uuid: string): Promise<HealthLookup | null> {
  const row = await reader
    .selectFrom("health_lookup")
    .innerJoin("data_key", "data_key.uuid", "health_lookup.data_key_uuid")
    .selectAll("health_lookup")
    .select("data_key.wrapped")
    .where("health_lookup.uuid", "=", uuid)
    .where("health_lookup.environment", "=", deps.environment)
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", deps.clock.now())]))
    .executeTakeFirst();
  if (row === undefined || row.sealed === null || row.wrapped === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    brandUuid: row.brand_uuid,
    apiKeyUuid: row.api_key_uuid,
    requestId: row.request_id,
    personUuid: row.person_uuid,
    settingsVersion: row.settings_version,
    state: row.state,
    held: row.held,
    dataKey,
    question: deps.vault.open<HealthQuestion>(dataKey, place(row.uuid), row.sealed),
    result:
      row.sealed_result === null ? null : openResult(deps, dataKey, { uuid: row.uuid, sealed: row.sealed_result }),
  };
}

/** Decrypts the result of a row. */
export function openResult(deps: Deps, dataKey: DataKey, row: { uuid: string; sealed: Buffer }): HealthResult {
  return deps.vault.open<HealthResult>(dataKey, resultPlace(row.uuid), row.sealed);
}

/** Marks a pending lookup as processing. Only the first of several workers changes it. */
export async function markProcessing(deps: Deps, uuid: string): Promise<void> {
  await deps.db
    .updateTable("health_lookup")
    .set({ state: "processing" })
    .where("uuid", "=", uuid)
    .where("state", "=", "pending")
    .execute();
}

/** Stores a result that waits for the person's decision. It expires as late as a final result. */
export async function saveOffer(deps: Deps, trx: Trx, lookup: HealthLookup, result: HealthResult): Promise<void> {
  await keepResult(deps, trx, lookup, { state: "offered", result, after: ["pending", "processing"] });
}

/**
 * Stores the final result with its audit entry. `consent` is the uuid of the person's consent if the person decided.
 * Null if another worker or another answer was first.
 */
export async function saveResult(
  deps: Deps,
  trx: Trx,
  lookup: HealthLookup,
  result: HealthResult,
  consent?: string,
): Promise<HealthLookup | null> {
  const state = finalState({ results: result.results.length, errors: result.errors.length });
  const after = lookup.state === "offered" ? (["offered"] as const) : (["pending", "processing"] as const);
  if (!(await keepResult(deps, trx, lookup, { state, result, after }))) return null;
  const by = { brand: { uuid: lookup.brandUuid }, apiKeyUuid: lookup.apiKeyUuid, requestId: lookup.requestId };
  await recordAudit(deps, trx, by, {
    action: "health.released",
    ...(lookup.personUuid === null ? {} : { personUuid: lookup.personUuid }),
    detail: {
      healthDataUuid: lookup.uuid,
      state,
      plans: String(result.results.length),
      ...(consent === undefined ? {} : { consent }),
    },
  });
  return { ...lookup, state, result };
}

async function keepResult(
  deps: Deps,
  trx: Trx,
  lookup: HealthLookup,
  { state, result, after }: { state: HealthState; result: HealthResult; after: readonly HealthState[] },
): Promise<boolean> {
  const now = deps.clock.now();
  const saved = await trx
    .updateTable("health_lookup")
    .set({
      state,
      sealed_result: deps.vault.seal(lookup.dataKey, resultPlace(lookup.uuid), result),
      finished_at: now,
      expires_at: now + healthLifeMs,
    })
    .where("uuid", "=", lookup.uuid)
    .where("state", "in", after)
    .returning("uuid")
    .executeTakeFirst();
  if (saved === undefined) return false;
  await enqueue(trx, {
    environment: deps.environment,
    name: "health.erase",
    subject: lookup.uuid,
    dueAt: now + healthLifeMs,
    payload: { healthDataUuid: lookup.uuid },
  });
  return true;
}

/** The lookup that the person of a 1-Click started. */
export async function findHeldLookup(deps: Deps, oneClickUuid: string): Promise<HealthLookup | null> {
  const row = await deps.db
    .selectFrom("health_lookup")
    .select("uuid")
    .where("one_click_uuid", "=", oneClickUuid)
    .where(sql<boolean>`held`)
    .executeTakeFirst();
  return row === undefined ? null : await findLookup(deps, deps.db, row.uuid);
}
