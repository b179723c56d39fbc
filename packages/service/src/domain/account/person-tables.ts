/**
 * Every table that stores something about people, and what four operations do to its rows: a deletion of the person, a
 * withdrawal from a brand, a new holder of the number, and a reset of the sandbox. The operations run the steps below,
 * in this order. The types list the tables, and `person-tables.test.ts` compares them with real rows.
 */

import type { TableOf } from "../../store/cells/store-kinds.ts";
import { deleteDataKeys, deleteKeysWithoutPerson, destroyDataKeys } from "../../store/data-key-rows.ts";
import type { Trx } from "../../store/database.ts";
import { type BrandTable, deleteOfBrands } from "../../store/statements/deletes.ts";
import { unlinkConsents } from "../audit/consent-rows.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { eraseLookupsAbout } from "../health/lookup-rows.ts";
import { deletePaidCalls } from "../health/paid-call-rows.ts";
import { endAnswers } from "../idempotency/answer.ts";
import type { AnswerSelection } from "../idempotency/idempotent-answer-rows.ts";
import { deleteIssuedTo, unlinkIssued } from "../issuance/issued-credential-rows.ts";
import { deleteArtifactsAbout } from "../openid/openid-artifact-rows.ts";
import { clearPerson } from "../person-rows.ts";
import { endSdkSessions } from "../session/session.ts";
import { deleteAttemptsOfPhone } from "../signup/challenge-attempt-rows.ts";
import { eraseOneClicks, listOneClicksOf } from "../signup/one-click-rows.ts";
import { deletePresentationsOfBrands } from "../signup/page/presentation-rows.ts";
import { deleteStateIdRequestsOfBrands } from "../state-id/request-rows.ts";
import { queueRevocations } from "../takeout/status.ts";
import { deleteTakeoutsOf, endTakeouts } from "../takeout/takeout-rows.ts";
import { eraseVerifications } from "../verification/erase.ts";
import { listVerificationsOf } from "../verification/verification-rows.ts";
import { endDeliveries } from "../webhook/delivery-rows.ts";
import { deleteAccountSessionsOf } from "./account-session-rows.ts";
import type { VisibleBrands } from "./shown-brands.ts";

export type PersonOperation = "delete" | "withdraw" | "handOver";

/**
 * The person whose data ends. `brands`: only the data of these brands, for a withdrawal or a fixed test person; null
 * for all data.
 */
type PersonScope = {
  environment: string;
  personUuid: string;
  dataKeyUuid: string;
  phoneIndex: Buffer;
  evidenceHash: Buffer;
  sessionUuid: string | null;
  brands: VisibleBrands;
  now: number;
};
/** The same for rows that may be in another database than the person. `before`: only rows created earlier. */
export type PersonScopeElsewhere = Pick<PersonScope, "personUuid" | "brands"> & {
  before: number | undefined;
  answers: AnswerSelection;
  oneClickUuids: readonly string[];
};
/** The brands whose data a reset deletes. */
type BrandScope = { environment: string; brands: readonly string[] };
/** `keys` collects the data keys of the rows that a reset deletes. */
type BrandScopeInCell = BrandScope & { keys: Set<string> };

type CellStep = (deps: Deps, trx: Trx, scope: PersonScope) => Promise<unknown>;
type StepElsewhere = (deps: Deps, scope: PersonScopeElsewhere) => Promise<unknown>;
/** Both return how many rows they deleted. */
type CellReset = (deps: Deps, trx: Trx, scope: BrandScopeInCell) => Promise<number>;
type ResetElsewhere = (deps: HomeDeps, scope: BrandScope) => Promise<number>;

type CellTable = TableOf<"cell" | "each">;

/** What an operation does to the rows of a table. */
type TableRule<Step> =
  | { kind: "erase"; run: Step }
  | { kind: "withTable"; table: CellTable }
  | { kind: "stays"; reason: string };
type TableRules<Step, Reset> = Record<PersonOperation, TableRule<Step>> & { reset: TableRule<Reset> };

/** `run` deletes the rows, or removes from them what leads to the person. */
const erase = <Step>(run: Step) => ({ kind: "erase", run }) as const;
/** The step of another table also ends these rows. */
const withTable = (table: CellTable) => ({ kind: "withTable", table }) as const;
const stays = (reason: string) => ({ kind: "stays", reason }) as const;
const everyOperation = <Rule>(rule: Rule) => ({ delete: rule, withdraw: rule, handOver: rule, reset: rule });

const oneClicks: CellStep = (_deps, trx, scope) => eraseOneClicks(trx, scope, scope.now);
const openOneClicks: CellStep = (_deps, trx, { personUuid, now }) =>
  eraseOneClicks(trx, { personUuid, openOnly: true }, now);
const lookups: CellStep = async (_deps, trx, scope) => deletePaidCalls(trx, await eraseLookupsAbout(trx, scope));
const deliveries: CellStep = (_deps, trx, scope) => endDeliveries(trx, scope, scope.now);
const verifications: CellStep = async (_deps, trx, { personUuid, brands }) =>
  eraseVerifications(trx, await listVerificationsOf(trx, personUuid, brands));
const issuedCredentials: CellStep = (_deps, trx, { personUuid, brands }) => deleteIssuedTo(trx, personUuid, brands);
const holdersOfIssued: CellStep = (_deps, trx, { personUuid }) => unlinkIssued(trx, personUuid);
const takeouts: CellStep = async (deps, trx, { personUuid, sessionUuid, brands }) => {
  const only = brands === null ? null : { sessionUuid, brands };
  await queueRevocations(deps, trx, await deleteTakeoutsOf(trx, personUuid, only));
};
const accountSessions: CellStep = (_deps, trx, scope) => deleteAccountSessionsOf(trx, scope);
const challengeAttempts: CellStep = (_deps, trx, scope) => deleteAttemptsOfPhone(trx, scope);
/** A consent stays as evidence, with a hash that the next holder of the phone does not share. */
const phonesInConsents: CellStep = (_deps, trx, scope) => unlinkConsents(trx, scope.personUuid, scope.evidenceHash);
/** The row of a person stays, because others refer to it. */
const valuesOfPerson: CellStep = (_deps, trx, { personUuid }) => clearPerson(trx, personUuid);
const dataKey: CellStep = (_deps, trx, { dataKeyUuid, now }) => destroyDataKeys(trx, [dataKeyUuid], now);

/**
 * Erases only if all of the person's data ends. A fixed test person keeps these rows, because all customers use it: its
 * deletion is limited to brands.
 */
const eraseUnlessTestPerson = (step: CellStep) =>
  erase<CellStep>(async (deps, trx, scope) => {
    if (scope.brands === null) await step(deps, trx, scope);
  });

const answers: StepElsewhere = (deps, scope) => endAnswers(deps, scope.answers);
/** Artifacts about the 1-Clicks that the transaction erased. */
const artifacts: StepElsewhere = async (deps, { personUuid }) =>
  deleteArtifactsAbout(deps, await listOneClicksOf(deps.db, personUuid, { erased: true }));

const eraseBrandRows = (table: BrandTable) =>
  erase<CellReset>(async (_deps, trx, { keys, ...scope }) => {
    const deleted = await deleteOfBrands(trx, table, scope);
    for (const key of deleted) if (key !== null) keys.add(key);
    return deleted.length;
  });
const presentationsOfBrands: CellReset = (_deps, trx, scope) => deletePresentationsOfBrands(trx, scope);
const stateIdRequestsOfBrands: CellReset = (_deps, trx, scope) => deleteStateIdRequestsOfBrands(trx, scope);
/** Ended take-outs stay until they expire, so verifiers see the new status. */
const takeoutsOfBrands: CellReset = async (deps, trx, scope) => {
  await queueRevocations(deps, trx, await endTakeouts(deps, trx, scope));
  return 0;
};
const keysOfDeletedRows: CellReset = (_deps, trx, { keys }) => deleteKeysWithoutPerson(trx, [...keys]);
const artifactsOfBrands: ResetElsewhere = async ({ home }, scope) =>
  (await home.inTransaction((trx) => deleteOfBrands(trx, "openid_artifact", scope))).length;
const eraseKeyedBrandRows = (table: BrandTable) =>
  erase<ResetElsewhere>(async ({ keyed: stores }, scope) => {
    let count = 0;
    for (const keyed of stores.every())
      count += await keyed.inTransaction(async (trx) => {
        const deleted = await deleteOfBrands(trx, table, scope);
        await deleteDataKeys(
          trx,
          deleted.filter((key) => key !== null),
        );
        return deleted.length;
      });
    return count;
  });

const staysAsEvidence = stays("evidence, without values");
const staysForBilling = stays("bills and analytics need it, without values");
const staysForLimits = stays("limits need it: hashes, for a day");
const staysWithBrand = stays("brands can read what they received until it expires");
const staysWithPerson = stays("the person continues to use it");

/** The tables of the person's cell. An operation runs the steps in one transaction, in this order. */
export const tablesInCell: Record<CellTable, TableRules<CellStep, CellReset>> = {
  presentation: { ...everyOperation(withTable("one_click")), reset: erase(presentationsOfBrands) },
  state_id_request: { ...everyOperation(withTable("one_click")), reset: erase(stateIdRequestsOfBrands) },
  one_click: {
    delete: erase(oneClicks),
    withdraw: erase(oneClicks),
    handOver: erase(openOneClicks),
    reset: eraseBrandRows("one_click"),
  },
  health_call: everyOperation(withTable("health_lookup")),
  health_lookup: {
    delete: erase(lookups),
    withdraw: erase(lookups),
    handOver: staysWithBrand,
    reset: eraseBrandRows("health_lookup"),
  },
  listener_offer: {
    ...everyOperation(stays("an attempt needs it for a minute, without values")),
    reset: withTable("webhook_delivery"),
  },
  webhook_attempt: everyOperation(withTable("webhook_delivery")),
  webhook_delivery: {
    delete: erase(deliveries),
    withdraw: erase(deliveries),
    handOver: staysWithBrand,
    reset: eraseBrandRows("webhook_delivery"),
  },
  verification: { ...everyOperation(erase(verifications)), reset: eraseBrandRows("verification") },
  message: { ...everyOperation(withTable("verification")), reset: eraseBrandRows("message") },
  verification_past: { ...everyOperation(staysForBilling), reset: eraseBrandRows("verification_past") },
  issued_credential: {
    delete: erase(issuedCredentials),
    withdraw: stays("its issuer can change it"),
    handOver: erase(holdersOfIssued),
    reset: eraseBrandRows("issued_credential"),
  },
  issuance: { ...everyOperation(staysForBilling), reset: eraseBrandRows("issuance") },
  ledger_entry: { ...everyOperation(staysForBilling), reset: eraseBrandRows("ledger_entry") },
  takeout: {
    delete: erase(takeouts),
    withdraw: staysWithPerson,
    handOver: erase(takeouts),
    reset: erase(takeoutsOfBrands),
  },
  account_session: {
    delete: eraseUnlessTestPerson(accountSessions),
    withdraw: staysWithPerson,
    handOver: erase(accountSessions),
    reset: staysWithPerson,
  },
  challenge_attempt: {
    delete: eraseUnlessTestPerson(challengeAttempts),
    withdraw: staysForLimits,
    handOver: stays("a new holder must not reset the limit of guesses"),
    reset: eraseBrandRows("challenge_attempt"),
  },
  master_key: everyOperation(stays("fingerprints of the service's own keys")),
  cell_home: everyOperation(stays("it names a database, and no person")),
  text_result: everyOperation(stays("counts of a day, without a way to a phone")),
  text_stop: everyOperation(stays("STOP stays with the number")),
  use_count: everyOperation(staysForLimits),
  request_log: everyOperation(stays("ids only, for 30 days")),
  job: everyOperation(stays("ids only, until it has run")),
  audit: everyOperation(staysAsEvidence),
  consent: {
    delete: eraseUnlessTestPerson(phonesInConsents),
    withdraw: staysAsEvidence,
    handOver: erase(phonesInConsents),
    reset: staysAsEvidence,
  },
  person: {
    delete: eraseUnlessTestPerson(valuesOfPerson),
    withdraw: staysWithPerson,
    handOver: erase(valuesOfPerson),
    reset: stays("customers share numbers"),
  },
  data_key: {
    delete: eraseUnlessTestPerson(dataKey),
    withdraw: staysWithPerson,
    handOver: staysWithBrand,
    reset: erase(keysOfDeletedRows),
  },
};

/** Tables of other databases. An operation runs the steps before and after its transaction, and once more by a job. */
export const tablesElsewhere: Record<
  TableOf<"keyed"> | "openid_artifact",
  TableRules<StepElsewhere, ResetElsewhere>
> = {
  idempotent_answer: {
    delete: erase(answers),
    withdraw: erase(answers),
    handOver: staysWithBrand,
    reset: eraseKeyedBrandRows("idempotent_answer"),
  },
  session: { ...everyOperation(erase(endSdkSessions)), reset: eraseKeyedBrandRows("session") },
  openid_artifact: {
    delete: erase(artifacts),
    withdraw: erase(artifacts),
    handOver: staysWithBrand,
    reset: erase(artifactsOfBrands),
  },
  risk_sighting: everyOperation(staysForLimits),
};
