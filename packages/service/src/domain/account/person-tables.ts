/**
 * Every table that stores something about people, and what four operations do to its rows: a deletion of the person, a
 * withdrawal from a brand, a new holder of the number, and a reset of the sandbox. The operations run the steps below,
 * in this order. A text says why rows stay. The types list the tables, and `person-tables.test.ts` compares them with
 * real rows.
 */
import { deleteDataKeys, deleteKeysWithoutPerson, destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { type BrandTable, deleteOfBrands } from "../../store/delete-of-brands.ts";
import type { TableOf } from "../../store/store-kinds.ts";
import { unlinkConsents } from "../audit/consent-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { eraseLookupsAbout } from "../health/lookup-rows.ts";
import { deleteSteps } from "../health/step-rows.ts";
import { endAnswers } from "../idempotency/answer.ts";
import type { AnswersAbout } from "../idempotency/idempotent-answer-rows.ts";
import { deleteIssuedTo, unlinkIssued } from "../issuance/issued-credential-rows.ts";
import { deleteArtifactsAbout } from "../openid/openid-artifact-rows.ts";
import { clearPerson } from "../person-rows.ts";
import { endSessions } from "../session/end.ts";
import { deleteAttemptsOfPhone } from "../signup/challenge-attempt-rows.ts";
import { eraseOneClicks, listOneClicksOf } from "../signup/one-click-rows.ts";
import { deletePresentationsOfBrands } from "../signup/page/presentation-rows.ts";
import { queueRevocations } from "../takeout/status.ts";
import { deleteTakeoutsOf, endTakeouts } from "../takeout/takeout-rows.ts";
import { eraseVerifications } from "../verification/erase.ts";
import { listVerificationsOf } from "../verification/verification-rows.ts";
import { endDeliveries } from "../webhook/delivery-rows.ts";
import { deleteAccountSessionsOf } from "./account-session-rows.ts";
import type { Shown } from "./shown-brands.ts";

export type PersonOperation = "delete" | "withdraw" | "handOver";

/**
 * The person whose rows end. `brands`: only these brands' rows, for a withdrawal or a fixed test person. Null: all
 * rows.
 */
type Ending = {
  environment: string;
  personUuid: string;
  dataKeyUuid: string;
  phoneIndex: Buffer;
  evidenceHash: Buffer;
  sessionUuid: string;
  brands: Shown;
  now: number;
};
/** The same for rows that may be in another database than the person. `before`: only rows created earlier. */
export type EndingElsewhere = Pick<Ending, "personUuid" | "brands"> & {
  before: number | undefined;
  answers: AnswersAbout;
  oneClickUuids: readonly string[];
};
type Reset = { environment: string; brands: readonly string[] };
/** `keys` collects the data keys of the rows that a reset deletes. */
type ResetInCell = Reset & { keys: Set<string> };

type Step = (deps: Deps, trx: Trx, of: Ending) => Promise<unknown>;
type StepElsewhere = (deps: Deps, of: EndingElsewhere) => Promise<unknown>;
/** Both return how many rows they deleted. */
type ResetStep = (deps: Deps, trx: Trx, of: ResetInCell) => Promise<number>;
type ResetElsewhere = (deps: HomeDeps, of: Reset) => Promise<number>;

const oneClicks: Step = (_deps, trx, of) => eraseOneClicks(trx, of, of.now);
const openOneClicks: Step = (_deps, trx, { personUuid, now }) =>
  eraseOneClicks(trx, { personUuid, openOnly: true }, now);
const lookups: Step = async (_deps, trx, of) => deleteSteps(trx, await eraseLookupsAbout(trx, of));
const deliveries: Step = (_deps, trx, of) => endDeliveries(trx, of, of.now);
const verifications: Step = async (_deps, trx, { personUuid, brands }) =>
  eraseVerifications(trx, await listVerificationsOf(trx, personUuid, brands));
const takeouts: Step = async (deps, trx, { personUuid, sessionUuid, brands }) => {
  const only = brands === null ? null : { sessionUuid, brands };
  await queueRevocations(deps, trx, await deleteTakeoutsOf(trx, personUuid, only));
};
const signOut: Step = (_deps, trx, of) => deleteAccountSessionsOf(trx, of);
/** A consent stays as evidence, with a hash that the next holder of the phone does not share. */
const unlinkConsent: Step = (_deps, trx, of) => unlinkConsents(trx, of.personUuid, of.evidenceHash);
/** The row of a person stays, because others refer to it. */
const clear: Step = (_deps, trx, { personUuid }) => clearPerson(trx, personUuid);
/**
 * Runs a step only if all of the person's rows end. A fixed test person keeps these rows, because all customers use it.
 */
const whole =
  (step: Step): Step =>
  async (deps, trx, of) =>
    of.brands === null ? await step(deps, trx, of) : undefined;

const answers: StepElsewhere = (deps, of) => endAnswers(deps, of.answers);
/** Artifacts about the 1-Clicks that the transaction erased. */
const artifacts: StepElsewhere = async (deps, { personUuid }) =>
  deleteArtifactsAbout(deps, await listOneClicksOf(deps.db, personUuid, { erasedOnly: true }));

const rowsOf =
  (table: BrandTable): ResetStep =>
  async (_deps, trx, { keys, ...of }) => {
    const deleted = await deleteOfBrands(trx, table, of);
    for (const key of deleted) if (key !== null) keys.add(key);
    return deleted.length;
  };
const presentationsOfBrands: ResetStep = (_deps, trx, of) => deletePresentationsOfBrands(trx, of);
/** Ended take-outs stay until they expire, so verifiers see the new status. */
const takeoutsOfBrands: ResetStep = async (deps, trx, of) => {
  await queueRevocations(deps, trx, await endTakeouts(deps, trx, of));
  return 0;
};
const artifactsOfBrands: ResetElsewhere = async ({ home }, of) =>
  (await home.inTransaction((trx) => deleteOfBrands(trx, "openid_artifact", of))).length;
const keyedRowsOf =
  (table: BrandTable): ResetElsewhere =>
  async ({ everyKeyed }, of) => {
    let count = 0;
    for (const keyed of everyKeyed())
      count += await keyed.inTransaction(async (trx) => {
        const deleted = await deleteOfBrands(trx, table, of);
        await deleteDataKeys(
          trx,
          deleted.filter((key) => key !== null),
        );
        return deleted.length;
      });
    return count;
  };

type CellTable = TableOf<"cell" | "each">;
/** A step that ends the rows, the table (`with`) whose step also ends them, or the reason why they stay. */
type Fate<Does> = Does | { with: CellTable } | string;
type Fates<Does, Resets> = Record<PersonOperation, Fate<Does>> & { reset: Fate<Resets> };

const always = <const One>(fate: One) => ({ delete: fate, withdraw: fate, handOver: fate, reset: fate });
const evidence = "evidence, without values";
const billing = "bills and analytics need it, without values";
const counters = "limits need it: hashes, for a day";
const received = "brands can read what they received until it expires";
const own = "the person goes on using it";

/** The tables of the person's cell. An operation runs the steps in one transaction, in this order. */
export const inCell: Record<CellTable, Fates<Step, ResetStep>> = {
  presentation: { ...always({ with: "one_click" }), reset: presentationsOfBrands },
  one_click: { delete: oneClicks, withdraw: oneClicks, handOver: openOneClicks, reset: rowsOf("one_click") },
  health_step: always({ with: "health_lookup" }),
  health_lookup: { delete: lookups, withdraw: lookups, handOver: received, reset: rowsOf("health_lookup") },
  listener_offer: {
    ...always("an attempt needs it for a minute, without values"),
    reset: { with: "webhook_delivery" },
  },
  webhook_attempt: always({ with: "webhook_delivery" }),
  webhook_delivery: { delete: deliveries, withdraw: deliveries, handOver: received, reset: rowsOf("webhook_delivery") },
  verification: { ...always(verifications), reset: rowsOf("verification") },
  message: { ...always({ with: "verification" }), reset: rowsOf("message") },
  verification_past: { ...always(billing), reset: rowsOf("verification_past") },
  issued_credential: {
    delete: (_deps, trx, { personUuid, brands }) => deleteIssuedTo(trx, personUuid, brands),
    withdraw: "its issuer can change it",
    handOver: (_deps, trx, { personUuid }) => unlinkIssued(trx, personUuid),
    reset: rowsOf("issued_credential"),
  },
  issuance: { ...always(billing), reset: rowsOf("issuance") },
  ledger_entry: { ...always(billing), reset: rowsOf("ledger_entry") },
  takeout: { delete: takeouts, withdraw: own, handOver: takeouts, reset: takeoutsOfBrands },
  account_session: { delete: whole(signOut), withdraw: own, handOver: signOut, reset: own },
  challenge_attempt: {
    delete: whole((_deps, trx, of) => deleteAttemptsOfPhone(trx, of)),
    withdraw: counters,
    handOver: "a new holder must not reset the limit of guesses",
    reset: rowsOf("challenge_attempt"),
  },
  text_stop: always("STOP stays with the number"),
  use_count: always(counters),
  request_log: always("ids only, for 30 days"),
  job: always("ids only, until it has run"),
  audit: always(evidence),
  consent: { delete: whole(unlinkConsent), withdraw: evidence, handOver: unlinkConsent, reset: evidence },
  person: { delete: whole(clear), withdraw: own, handOver: clear, reset: "customers share numbers" },
  data_key: {
    delete: whole((_deps, trx, { dataKeyUuid, now }) => destroyDataKeys(trx, [dataKeyUuid], now)),
    withdraw: own,
    handOver: received,
    reset: (_deps, trx, { keys }) => deleteKeysWithoutPerson(trx, [...keys]),
  },
};

/** Tables of other databases. An operation runs the steps before and after its transaction, and once more by a job. */
export const elsewhere: Record<TableOf<"keyed"> | "openid_artifact", Fates<StepElsewhere, ResetElsewhere>> = {
  idempotent_answer: {
    delete: answers,
    withdraw: answers,
    handOver: received,
    reset: keyedRowsOf("idempotent_answer"),
  },
  session: { ...always(endSessions), reset: keyedRowsOf("session") },
  openid_artifact: { delete: artifacts, withdraw: artifacts, handOver: received, reset: artifactsOfBrands },
  risk_sighting: always(counters),
};
