import { batched } from "../../store/batch.ts";
import type { Reader, Trx } from "../../store/database.ts";
import { jobColumnsOf, jobRow, upsertJobs } from "../../store/queue.ts";
import { type ColumnPlaceholders, type ColumnTypes, columnsOf, namesOf, recordsOf } from "../../store/rows.ts";
import { statement } from "../../store/statement.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail, invalid, refuse } from "../failure.ts";
import { codeLifeMs, makeCode, type OneTimeCode } from "../one-time-code.ts";
import { findPeople, type Person } from "../person.ts";
import type { Phone } from "../ports.ts";
import { mayUse, noTexts } from "./channels.ts";
import { verificationKeptMs } from "./states.ts";
import { erasure, sealVerification, type Verification, type VerificationSecrets } from "./store.ts";

export type BeginVerification = { phone?: string; deviceIp?: string };

/** Begins a verification by text. Creates a code, but sends nothing before `deliverText`. */
export async function beginVerification(deps: Deps, caller: Caller, what: BeginVerification): Promise<Verification> {
  if (!mayUse(caller.brand, "sms")) throw refuse(403, "The brand has switched the channel sms off.");
  if (!deps.offers.texts) throw noTexts();
  if (what.phone === undefined) throw invalid([{ path: "body.phone", message: "is required" }]);
  const judged = deps.phones.judge(what.phone);
  if (judged.kind === "foreign") throw fail("OCV009", {});
  if (judged.kind !== "supported")
    throw invalid([{ path: "body.phone", message: "must be a US phone number in E.164" }]);
  const secrets = { phone: judged.phone, ...(what.deviceIp === undefined ? {} : { deviceIp: what.deviceIp }) };
  return await insertBegun(deps, { brandUuid: caller.brand.uuid, secrets });
}

type Begun = { brandUuid: string; secrets: { phone: Phone; deviceIp?: string } };

/**
 * Verifications that begin at the same moment are batched into one statement. A transaction is needed only if a person
 * is new.
 */
const insertBegun = batched(async (deps: Deps, all: readonly Begun[]): Promise<Verification[]> => {
  const people = await findPeople(
    deps,
    all.map(({ secrets }) => secrets.phone),
  );
  if (people.known !== null) return await insertFor(deps, deps.db, all, people.known);
  return await deps.db.inTransaction(async (trx) => insertFor(deps, trx, all, await people.ensure(trx)));
});

async function insertFor(
  deps: Deps,
  reader: Reader,
  all: readonly Begun[],
  people: Map<Phone, Person>,
): Promise<Verification[]> {
  const made = all.map(({ brandUuid, secrets }) => {
    const person = people.get(secrets.phone);
    if (person === undefined) throw new Error("a phone without a person");
    return { ...rowOf(deps, brandUuid, { person, secrets }), dataKey: person.dataKey, secrets };
  });
  await insertAll(
    deps,
    reader,
    made.map(({ values }) => values),
  );
  return made.map(({ values, dataKey, secrets }) => ({ row: { ...values, ...begun }, dataKey, secrets }));
}

/**
 * The person of a verification, and the key that encrypts it. `uuid`: null while the holder of the phone is unknown.
 */
type Holder = { uuid: string | null; dataKey: Person["dataKey"] };

/** The initial data of a verification by text. */
type NewVerification = {
  person: Holder;
  secrets: VerificationSecrets & { phone: Phone };
  /** The brand receives the code and texts it itself. */
  codeShownToBrand?: boolean;
};

/**
 * Inserts a verification by text and returns its code for the text. `brandUuid`: null for the service's own sign-ins.
 */
export async function insertVerification(
  deps: Deps,
  trx: Trx,
  brandUuid: string | null,
  what: NewVerification,
): Promise<{ uuid: string; code: OneTimeCode }> {
  const { values, code } = rowOf(deps, brandUuid, what);
  await insertAll(deps, trx, [values]);
  return { uuid: values.uuid, code };
}

type Values = ReturnType<typeof rowOf>["values"];
/** The other columns of a new verification. */
const begun = {
  attempts_used: 0,
  deliveries: 0,
  format: null,
  delivered_at: null,
  verified_at: null,
  denied_at: null,
  redirect_user_after: null,
} as const;

/** Inserts the rows and schedules their erasure. */
async function insertAll(deps: Deps, reader: Reader, rows: readonly Values[]): Promise<void> {
  await insertStatement(reader, {
    ...columnsOf("verification", valueTypes, rows),
    ...jobColumnsOf(rows.map(({ uuid, created_at }) => jobRow(erasure(deps, uuid, created_at)))),
  });
}

const valueTypes: ColumnTypes<Values> = {
  uuid: "uuid",
  environment: "text",
  brand_uuid: "uuid",
  person_uuid: "uuid",
  data_key_uuid: "uuid",
  channel: "text",
  status: "text",
  sealed: "bytea",
  code_hmac: "bytea",
  code_shown_to_brand: "boolean",
  created_at: "bigint",
  expires_at: "bigint",
  kept_until: "bigint",
};
const insertStatement = statement((db, columns: ColumnPlaceholders) =>
  db
    .with("begun", (cte) =>
      cte
        .insertInto("verification")
        .columns(namesOf(valueTypes))
        .expression(recordsOf("verification", valueTypes, columns))
        .returning("uuid"),
    )
    .with("scheduled", (cte) => upsertJobs(cte, columns))
    .selectFrom("begun")
    .select("uuid"),
);

function rowOf(deps: Deps, brandUuid: string | null, { person, secrets, codeShownToBrand = false }: NewVerification) {
  const uuid = deps.random.uuid();
  const now = deps.clock.now();
  const { code, hash } = makeCode(deps, uuid, secrets.phone);
  const values = {
    uuid,
    environment: deps.environment,
    brand_uuid: brandUuid,
    person_uuid: person.uuid,
    data_key_uuid: person.dataKey.uuid,
    channel: "sms" as const,
    status: "pending" as const,
    sealed: sealVerification(deps, person.dataKey, uuid, secrets),
    code_hmac: hash,
    code_shown_to_brand: codeShownToBrand,
    created_at: now,
    expires_at: now + codeLifeMs,
    kept_until: now + verificationKeptMs,
  };
  return { values, code };
}
