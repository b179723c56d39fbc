import type { CredentialType } from "@countersign/contract/credential";
import type { ChallengeInput, ErrorCode } from "@countersign/contract/errors";
import { type RawBuilder, sql } from "kysely";
import { batched } from "../../store/batch.ts";
import type { Reader, Trx } from "../../store/database.ts";
import { type JobRow, jobColumnsOf, jobRow, upsertJobs } from "../../store/queue.ts";
import { type Columns, type ColumnTypes, columnsOf, namesOf, recordsOf } from "../../store/rows.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { DataKey } from "../../store/vault.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { RequestNode } from "../credential/request.ts";
import type { Caller, Deps } from "../deps.ts";
import type { JourneyName } from "../journey.ts";
import type { Person } from "../person.ts";
import type { PersonInputs, Phone, RiskJudgement } from "../ports.ts";
import { type CompactFact, compact, expand } from "./compact-facts.ts";
import { type OneClickState, statesBefore } from "./states.ts";

/** `within`: the host of the brand's page, if our page is a frame in it. */
export type PageWords = {
  title?: string;
  description?: string;
  redirectUrl?: string;
  within?: string;
  /** The person continued without their insurance. */
  insurance?: "skipped";
};

/** The sealed part of a 1-Click. Each read computes the response shape of its API generation from these facts. */
export type OneClickFacts = {
  phone: Phone;
  email?: string;
  deviceIp?: string;
  risk: RiskJudgement | null;
  credentials: CredentialFact[];
  /** Inputs given so far, while more are needed. Removed once the 1-Click is decided. */
  inputs?: PersonInputs;
  /** What the person's page shows, and where it redirects at the end. */
  page?: PageWords;
  /** What the person changed, as reported by the brand. */
  edits?: { type: CredentialType; data: unknown }[];
  /** The inputs in the error that ended the 1-Click: OCE011, OCE012 or OCE019. */
  refusedInputs?: ChallengeInput[];
};
export type PhoneMethod = "otp" | "customer_otp" | "phone_carrier";
export type OneClick = {
  uuid: string;
  personUuid: string;
  state: OneClickState;
  phoneMethod: PhoneMethod;
  refusal: ErrorCode | null;
  requestTree: RequestNode[];
  facts: OneClickFacts;
  journey: JourneyName;
  verificationUuid: string | null;
  createdAt: number;
};

const place = (uuid: string) => ({ table: "one_click", row: uuid });

type ToSave = Pick<OneClick, "uuid" | "state" | "phoneMethod" | "refusal" | "requestTree" | "facts" | "journey"> & {
  person: Person;
  verificationUuid?: string;
  expiresAt: number;
};

/** Creates a 1-Click, or moves an existing one to its new state. Also schedules its erasure. */
export async function saveOneClick(deps: Deps, trx: Trx, caller: Caller, what: ToSave): Promise<void> {
  await saveStatement(trx, savedOf([rowsOf(deps, caller, what)], what.state));
}

/** The row of a 1-Click, and the job that erases it. */
export function rowsOf(deps: Deps, caller: Caller, what: ToSave) {
  const now = deps.clock.now();
  const row = {
    uuid: what.uuid,
    environment: deps.environment,
    brand_uuid: caller.brand.uuid,
    journey: what.journey,
    created_at: now,
    person_uuid: what.person.uuid,
    data_key_uuid: what.person.dataKey.uuid,
    verification_uuid: what.verificationUuid ?? null,
    state: what.state,
    phone_method: what.phoneMethod,
    settings_version: caller.brand.settingsVersion,
    request_tree: what.requestTree,
    refusal: what.refusal,
    sealed: sealFacts(deps, what.person.dataKey, what),
    answered_at: what.state === "released" ? now : null,
    expires_at: what.expiresAt,
    // For analytics: these columns remain after the sealed facts are erased.
    inputs_asked_at: what.state === "awaitingInputs" ? now : null,
    risk_scored: what.facts.risk !== null,
  };
  const erasure = jobRow({
    environment: deps.environment,
    name: "signup.erase",
    subject: what.uuid,
    dueAt: what.expiresAt,
    payload: { oneClickUuid: what.uuid },
  });
  return { row, erasure };
}

type CompactFacts = Omit<OneClickFacts, "credentials"> & { credentials: CompactFact[] };

function sealFacts(
  { vault }: Deps,
  dataKey: DataKey,
  { uuid, facts, requestTree }: Pick<OneClick, "uuid" | "facts" | "requestTree">,
): Buffer {
  const sealed: CompactFacts = { ...facts, credentials: compact(facts.credentials, requestTree) };
  return vault.seal(dataKey, place(uuid), sealed);
}

function openFacts(
  { vault }: Deps,
  dataKey: DataKey,
  { uuid, sealed, request_tree }: { uuid: string; sealed: Buffer; request_tree: RequestNode[] },
): OneClickFacts {
  const { credentials, ...facts } = vault.open<CompactFacts>(dataKey, place(uuid), sealed);
  return { ...facts, credentials: expand(credentials, request_tree) };
}

type Row = ReturnType<typeof rowsOf>["row"];
const rowTypes: ColumnTypes<Row> = {
  uuid: "uuid",
  environment: "text",
  brand_uuid: "uuid",
  journey: "text",
  created_at: "bigint",
  person_uuid: "uuid",
  data_key_uuid: "uuid",
  verification_uuid: "uuid",
  state: "text",
  phone_method: "text",
  settings_version: "integer",
  request_tree: "jsonb",
  refusal: "text",
  sealed: "bytea",
  answered_at: "bigint",
  expires_at: "bigint",
  inputs_asked_at: "bigint",
  risk_scored: "boolean",
};
/** Columns that an update never changes. */
const lasting: readonly string[] = ["uuid", "environment", "brand_uuid", "journey", "created_at"];
/** Columns that an update may set, but never clears. */
const noted = ["inputs_asked_at", "risk_scored"];
const changing = namesOf(rowTypes).filter((name) => ![...lasting, ...noted].includes(name));

export type SavedRows = { row: Row; erasure: JobRow };
export type Saved = Columns & {
  /** The states that may change to the new state. */
  before: readonly OneClickState[];
};

/** The column values of 1-Clicks that all change to the same state. */
export function savedOf(all: readonly SavedRows[], state: OneClickState): Saved {
  return {
    before: statesBefore(state),
    ...columnsOf(
      "one_click",
      rowTypes,
      all.map(({ row }) => row),
    ),
    ...jobColumnsOf(all.map(({ erasure }) => erasure)),
  };
}

/**
 * Upserts 1-Clicks, or only those that match `which`, as the CTE `saved`, and schedules their erasure. A row that is
 * not changed keeps its erasure time.
 */
export function withSaved(db: Reader, saved: Placeholders<Saved>, which?: RawBuilder<unknown>) {
  return db
    .with("saved", (cte) =>
      cte
        .insertInto("one_click")
        .columns(namesOf(rowTypes))
        .expression(recordsOf("one_click", rowTypes, saved, which))
        .onConflict((conflict) =>
          conflict
            .column("uuid")
            .doUpdateSet(({ ref, fn }) => ({
              ...Object.fromEntries(changing.map((name) => [name, ref(`excluded.${name}`)])),
              inputs_asked_at: fn.coalesce("excluded.inputs_asked_at", "one_click.inputs_asked_at"),
              risk_scored: sql<boolean>`excluded.risk_scored or one_click.risk_scored`,
            }))
            // Allow only valid state changes: a released 1-Click stays readable, and a decided one stays decided.
            .where(({ eb, fn }) => eb("one_click.state", "=", fn.any(saved.before)))
            // Never restore an erased 1-Click, for example one that the person deleted during this request.
            .where("one_click.erased_at", "is", null),
        )
        .returning("one_click.uuid"),
    )
    .with("scheduled", (cte) => upsertJobs(cte, saved, sql`select uuid::text from saved`));
}

const saveStatement = statement((db, saved: Placeholders<Saved>) =>
  withSaved(db, saved).selectFrom("saved").select("uuid"),
);

type Which = { uuid: string; brandUuid: string };

/** Reads each 1-Click that belongs to its brand and has not expired, in the order of `all`. */
async function readLive({ environment, clock }: Deps, reader: Reader, all: readonly Which[]) {
  const uuids = all.map(({ uuid }) => uuid);
  const { rows } = await liveStatement(reader, { environment, uuids, now: clock.now() });
  return all.map((one) => rows.find((row) => row.uuid === one.uuid && row.brand_uuid === one.brandUuid));
}

const liveStatement = statement(
  (db, { environment, uuids, now }: Placeholders<{ environment: string; uuids: string[]; now: number }>) =>
    db
      .selectFrom("one_click")
      .innerJoin("data_key", "data_key.uuid", "one_click.data_key_uuid")
      .select(["one_click.uuid", "brand_uuid", "person_uuid", "data_key_uuid", "verification_uuid", "journey", "state"])
      .select(["phone_method", "refusal", "request_tree", "sealed", "one_click.created_at", "data_key.wrapped"])
      .where(({ eb, fn }) => eb("one_click.uuid", "=", fn.any(uuids)))
      .where("one_click.environment", "=", environment)
      .where("one_click.expires_at", ">", now),
);

const readLiveTogether = batched((deps: Deps, all: readonly Which[]) => readLive(deps, deps.db, all));

/**
 * The brand's own 1-Click until it expires. Null for unknown, foreign, erased and expired ones, so that callers cannot
 * tell them apart.
 */
export async function findOneClick(deps: Deps, reader: Reader, caller: Caller, uuid: string): Promise<OneClick | null> {
  const which = { uuid: uuid.toLowerCase(), brandUuid: caller.brand.uuid };
  // Reads inside a transaction use its connection and are not batched.
  const row = reader === deps.db ? await readLiveTogether(deps, which) : (await readLive(deps, reader, [which]))[0];
  if (row === undefined || row.sealed === null || row.wrapped === null || row.person_uuid === null) return null;
  const dataKey: DataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    uuid: row.uuid,
    personUuid: row.person_uuid,
    state: row.state,
    phoneMethod: row.phone_method ?? "customer_otp",
    refusal: row.refusal,
    requestTree: row.request_tree,
    journey: row.journey,
    verificationUuid: row.verification_uuid,
    createdAt: row.created_at,
    facts: openFacts(deps, dataKey, { ...row, sealed: row.sealed }),
  };
}

/** Replaces the released values. Later reads show the new ones. */
export async function saveCredentials(
  deps: Deps,
  trx: Trx,
  oneClick: OneClick,
  credentials: CredentialFact[],
): Promise<void> {
  await sealAgain(deps, trx, oneClick, { ...oneClick.facts, credentials });
}

/** Adds the person's edits to the released data. */
export async function saveEdits(
  deps: Deps,
  trx: Trx,
  oneClick: OneClick,
  edits: { type: CredentialType; data: unknown }[],
): Promise<void> {
  await sealAgain(deps, trx, oneClick, { ...oneClick.facts, edits });
}

/** Changes what the person's page shows or where it redirects, unless the state has changed in the meantime. */
export async function savePage(deps: Deps, trx: Trx, oneClick: OneClick, page: OneClickFacts["page"]): Promise<void> {
  await sealAgain(deps, trx, oneClick, { ...oneClick.facts, page });
}

async function sealAgain(deps: Deps, trx: Trx, oneClick: OneClick, facts: OneClickFacts): Promise<void> {
  const row = await trx
    .selectFrom("one_click")
    .innerJoin("data_key", "data_key.uuid", "one_click.data_key_uuid")
    .select(["one_click.data_key_uuid", "data_key.wrapped"])
    .where("one_click.uuid", "=", oneClick.uuid)
    .executeTakeFirstOrThrow();
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  await trx
    .updateTable("one_click")
    .set({ sealed: sealFacts(deps, dataKey, { ...oneClick, facts }) })
    .where("uuid", "=", oneClick.uuid)
    .where("state", "=", oneClick.state)
    .where("sealed", "is not", null)
    .execute();
}
