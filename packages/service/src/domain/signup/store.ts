import type { CredentialType } from "@countersign/contract/credential";
import type { ChallengeInput, ErrorCode } from "@countersign/contract/errors";
import { type Insertable, sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { hot } from "../../store/hot.ts";
import { enqueue } from "../../store/queue.ts";
import type { Tables } from "../../store/tables.ts";
import type { DataKey } from "../../store/vault.ts";
import type { CredentialFact } from "../credential/assemble.ts";
import type { RequestNode } from "../credential/request.ts";
import type { Caller, Deps } from "../deps.ts";
import type { JourneyName } from "../journey.ts";
import type { Person } from "../person.ts";
import type { PersonInputs, Phone, RiskJudgement } from "../ports.ts";
import { type OneClickState, statesBefore } from "./states.ts";

/** `within`: host of the brand's page, where ours is a frame in it. */
export type PageWords = {
  title?: string;
  description?: string;
  redirectUrl?: string;
  within?: string;
  /** The person went on without their insurance. */
  insurance?: "skipped";
};

/** What is sealed of a 1-Click: facts, from which every generation's shapes are computed on each read. */
export type OneClickFacts = {
  phone: Phone;
  email?: string;
  deviceIp?: string;
  risk: RiskJudgement | null;
  credentials: CredentialFact[];
  /** What was given, while more is needed; gone once the 1-Click is decided. */
  inputs?: PersonInputs;
  /** What the person's page shows and where it leads in the end. */
  page?: PageWords;
  /** What the person changed of it, as the brand reported. */
  edits?: { type: CredentialType; data: unknown }[];
  /** Only where the 1-Click ended in OCE019. */
  inputAttemptsExceeded?: ChallengeInput[];
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

type Saved = Pick<OneClick, "uuid" | "state" | "phoneMethod" | "refusal" | "requestTree" | "facts" | "journey"> & {
  person: Person;
  verificationUuid?: string;
  expiresAt: number;
};

/** Makes a 1-Click, or brings one that is continued to its new state; its erasure is scheduled with it. */
export async function saveOneClick(deps: Deps, trx: Trx, caller: Caller, what: Saved): Promise<void> {
  const now = deps.clock.now();
  const changing = {
    person_uuid: what.person.uuid,
    data_key_uuid: what.person.dataKey.uuid,
    verification_uuid: what.verificationUuid ?? null,
    state: what.state,
    phone_method: what.phoneMethod,
    settings_version: caller.brand.settingsVersion,
    request_tree: JSON.stringify(what.requestTree),
    refusal: what.refusal,
    sealed: deps.vault.seal(what.person.dataKey, place(what.uuid), what.facts),
    answered_at: what.state === "released" ? now : null,
    expires_at: what.expiresAt,
    // For the figures: what is sealed tells neither once it is erased.
    ...(what.state === "awaitingInputs" ? { inputs_asked_at: now } : {}),
    ...(what.facts.risk === null ? {} : { risk_scored: true }),
  };
  const saved = await upsertOneClick(trx, {
    uuid: what.uuid,
    environment: deps.environment,
    brand_uuid: caller.brand.uuid,
    journey: what.journey,
    created_at: now,
    first_read_at: null,
    erased_at: null,
    ...changing,
    before: statesBefore(what.state),
  });
  // A release that stays as it was keeps its own end.
  if (saved.numAffectedRows === 0n) return;
  await enqueue(trx, {
    environment: deps.environment,
    name: "signup.erase",
    subject: what.uuid,
    dueAt: what.expiresAt,
    payload: { oneClickUuid: what.uuid },
  });
}

/** What is there already keeps these. */
const lasting = ["uuid", "environment", "brand_uuid", "journey", "created_at", "first_read_at", "erased_at"];

const upsertOneClick = hot((db, { before, ...row }: Insertable<Tables["one_click"]> & { before: OneClickState[] }) =>
  db
    .insertInto("one_click")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column("uuid")
        .doUpdateSet(() => {
          const changing = Object.keys(row).filter((name) => !lasting.includes(name));
          return Object.fromEntries(changing.map((name) => [name, sql.ref(`excluded.${name}`)]));
        })
        // What was released stays readable, whatever a continuation of it comes to; what was decided stays decided.
        .where(({ eb, fn, val }) => eb("one_click.state", "=", fn.any(val(before))))
        // What the person took back stays gone, whatever was under way.
        .where("one_click.erased_at", "is", null),
    ),
);

type Which = { uuid: string; brandUuid: string; environment: string; now: number };
const liveOneClick = hot((db, { uuid, brandUuid, environment, now }: Which) =>
  db
    .selectFrom("one_click")
    .innerJoin("data_key", "data_key.uuid", "one_click.data_key_uuid")
    .select(["one_click.uuid", "person_uuid", "data_key_uuid", "verification_uuid", "journey", "state"])
    .select(["phone_method", "refusal", "request_tree", "sealed", "one_click.created_at", "data_key.wrapped"])
    .where("one_click.uuid", "=", uuid)
    .where("one_click.brand_uuid", "=", brandUuid)
    .where("one_click.environment", "=", environment)
    .where("one_click.expires_at", ">", now),
);

/** The brand's own 1-Click while it lives; unknown, foreign, erased and expired ones are the same nothing. */
export async function findOneClick(deps: Deps, reader: Reader, caller: Caller, uuid: string): Promise<OneClick | null> {
  const { rows } = await liveOneClick(reader, {
    uuid,
    brandUuid: caller.brand.uuid,
    environment: deps.environment,
    now: deps.clock.now(),
  });
  const [row] = rows;
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
    facts: deps.vault.open<OneClickFacts>(dataKey, place(row.uuid), row.sealed),
  };
}

/** Puts values in the place of those that were released: what later reads show. */
export async function saveCredentials(
  deps: Deps,
  trx: Trx,
  oneClick: OneClick,
  credentials: CredentialFact[],
): Promise<void> {
  await sealAgain(deps, trx, oneClick, { ...oneClick.facts, credentials });
}

/** Adds what the person changed to what was released. */
export async function saveEdits(
  deps: Deps,
  trx: Trx,
  oneClick: OneClick,
  edits: { type: CredentialType; data: unknown }[],
): Promise<void> {
  await sealAgain(deps, trx, oneClick, { ...oneClick.facts, edits });
}

/** Changes what the person's page shows or where it leads, as long as the phone is not sourced. */
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
    .set({ sealed: deps.vault.seal(dataKey, place(oneClick.uuid), facts) })
    .where("uuid", "=", oneClick.uuid)
    .where("state", "=", oneClick.state)
    .where("sealed", "is not", null)
    .execute();
}
