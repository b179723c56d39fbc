/** The rows of `issued_credential`, except the lists of `issued-list-rows.ts`, and of `issuance`: one per call that issued credentials. */
import type { CredentialType } from "@countersign/contract/credential";
import { type Selectable, sql } from "kysely";
import type { AnyReader, Trx } from "../../store/database.ts";
import { largeBytes, smallOnly } from "../../store/statements/large-columns.ts";
import { isAmong } from "../../store/statements/rows.ts";
import { type Placeholders, statement } from "../../store/statements/statement.ts";
import type { Tables } from "../../store/statements/tables.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Caller, Deps } from "../deps.ts";
import { holdLarge } from "../large-values.ts";
import type { Person } from "../person.ts";

/** The encrypted part of an issued credential. Children of a composite are credentials with their own ids. */
export type IssuedData = { values: Record<string, string> } | { children: IssuedChild[] };
export type IssuedChild = { id: string; type: CredentialType } & IssuedData;

export type IssuedCredential = {
  id: string;
  type: CredentialType;
  data: IssuedData;
  status: "valid" | "revoked";
  issuerUuid: string;
  personUuid: string;
  /** Unix milliseconds. */
  issuedAt: number;
  updatedAt: number;
  expiresAt: number | null;
};

/** The person that credentials are issued to, with the identifiers that the brand gave. */
export type Recipient = {
  person: Person;
  phoneIndex: Buffer | null;
  emailIndex: Buffer | null;
  /** Whether this is one of the environment's fixed test people. */
  fixed: boolean;
};

const place = (id: string) => ({ table: "issued_credential", row: id });

/** Stores the credentials of one call. Returns false if an id is taken; the caller must then roll back. */
export async function insertIssued(
  deps: Deps,
  trx: Trx,
  input: { to: Recipient; consentUuid: string; brandUuid: string; credentials: IssuedCredential[] },
): Promise<boolean> {
  const { to, credentials } = input;
  const { number } = await trx
    .insertInto("issuance")
    .values({
      environment: deps.environment,
      at: deps.clock.now(),
      brand_uuid: input.brandUuid,
      consent_uuid: input.consentUuid,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  const rows = credentials.map((one, position) => ({
    environment: deps.environment,
    uuid: one.id,
    issuance: number,
    position,
    brand_uuid: input.brandUuid,
    person_uuid: to.person.uuid,
    data_key_uuid: to.person.dataKey.uuid,
    phone_index: to.phoneIndex,
    email_index: to.emailIndex,
    fixed_person: to.fixed,
    type: one.type,
    status: one.status,
    sealed: deps.vault.sealListed(to.person.dataKey, place(one.id), one.data),
    issued_at: one.issuedAt,
    updated_at: one.updatedAt,
    expires_at: one.expiresAt,
  }));
  const made = await trx
    .insertInto("issued_credential")
    // Sort by uuid, so that two calls with the same ids wait for each other instead of deadlocking.
    .values(rows.sort((a, b) => (a.uuid < b.uuid ? -1 : 1)))
    .onConflict((conflict) => conflict.columns(["environment", "uuid"]).doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === BigInt(rows.length);
}

/** A credential that this brand issued; null if it is unknown or another brand's. `lock` locks the row for a change. */
export async function findIssued(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  input: { id: string; lock: boolean },
): Promise<{ credential: IssuedCredential; dataKey: DataKey } | null> {
  const query = trx
    .selectFrom("issued_credential")
    .innerJoin("data_key", "data_key.uuid", "issued_credential.data_key_uuid")
    .select(issuedColumns)
    .select("data_key.wrapped")
    .where("issued_credential.environment", "=", deps.environment)
    .where("issued_credential.uuid", "=", input.id)
    .where("issued_credential.brand_uuid", "=", caller.brand.uuid);
  const [row] = await withLarge(deps, trx, await (input.lock ? query.forUpdate("issued_credential") : query).execute());
  if (row === undefined || row.wrapped === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  const credential = { ...opened(deps, dataKey, row), personUuid: row.person_uuid, updatedAt: row.updated_at };
  return { dataKey, credential };
}

/** Stores the new state of a credential that `findIssued` locked. */
export async function updateIssued(deps: Deps, trx: Trx, changed: IssuedCredential, dataKey: DataKey): Promise<void> {
  await trx
    .updateTable("issued_credential")
    .set({
      status: changed.status,
      sealed: deps.vault.sealListed(dataKey, place(changed.id), changed.data),
      updated_at: changed.updatedAt,
      expires_at: changed.expiresAt,
    })
    .where("environment", "=", deps.environment)
    .where("uuid", "=", changed.id)
    .execute();
}

export type UsableCredential = Omit<IssuedCredential, "personUuid" | "updatedAt">;
type UsableRow = Pick<
  Selectable<Tables["issued_credential"]>,
  "uuid" | "type" | "sealed" | "status" | "brand_uuid" | "issued_at" | "expires_at"
>;

/** The columns of a row that is read alone, without a large value. */
const issuedColumns = [
  ...(["type", "status", "brand_uuid", "person_uuid", "issued_at", "updated_at"] as const),
  ...(["issued_credential.uuid", "issued_credential.data_key_uuid", "issued_credential.expires_at"] as const),
  smallOnly("issued_credential.sealed").as("sealed"),
  largeBytes("issued_credential.sealed").as("large_bytes"),
] as const;

type Sparse = { uuid: string; sealed: Buffer | null; large_bytes: number };

/** Adds the large values of a row that is read alone, if it was not deleted meanwhile. */
async function withLarge<Row extends Sparse>(deps: Deps, trx: Trx, rows: readonly Row[]) {
  await holdLarge(rows[0]?.large_bytes ?? 0, { mayWait: false });
  return await addLarge(deps, trx, rows);
}

/** Adds the large values of rows, for which the caller holds memory. Leaves out rows that were deleted meanwhile. */
export async function addLarge<Row extends Sparse>(
  { environment }: Pick<Deps, "environment">,
  reader: AnyReader,
  rows: readonly Row[],
): Promise<(Row & { sealed: Buffer })[]> {
  const uuids = rows.filter((row) => row.large_bytes > 0).map((row) => row.uuid);
  const large = uuids.length === 0 ? [] : (await largeStatement(reader, { environment, uuids })).rows;
  return rows.flatMap((row) => {
    const sealed = row.sealed ?? large.find(({ uuid }) => uuid === row.uuid)?.sealed;
    return sealed === undefined ? [] : [{ ...row, sealed }];
  });
}

// Issuers choose the uuids, so one uuid may be in both environments.
const largeStatement = statement((db, { environment, uuids }: Placeholders<{ environment: string; uuids: string[] }>) =>
  db
    .selectFrom("issued_credential")
    .select(["uuid", "sealed"])
    .where("environment", "=", environment)
    .where(({ eb, fn }) => eb("uuid", "=", fn.any(uuids))),
);

export function opened({ vault }: Deps, dataKey: DataKey, row: UsableRow): UsableCredential {
  return {
    id: row.uuid,
    type: row.type,
    data: vault.open<IssuedData>(dataKey, place(row.uuid), row.sealed),
    status: row.status,
    issuerUuid: row.brand_uuid,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
  };
}

/** Reads a credential that was issued to a person, and locks it against changes by its issuer. */
export async function lockIssuedTo(
  deps: Deps,
  trx: Trx,
  { person, uuid }: { person: Person; uuid: string },
): Promise<UsableCredential | null> {
  const rows = await trx
    .selectFrom("issued_credential")
    .select(issuedColumns)
    .where("environment", "=", deps.environment)
    .where("uuid", "=", uuid)
    .where("person_uuid", "=", person.uuid)
    .forShare()
    .execute();
  const [row] = await withLarge(deps, trx, rows);
  return row === undefined ? null : opened(deps, person.dataKey, row);
}

/** Deletes what these brands issued to a person. */
export async function deleteIssuedTo(trx: Trx, personUuid: string, brands: readonly string[] | null): Promise<void> {
  await trx
    .deleteFrom("issued_credential")
    .where("person_uuid", "=", personUuid)
    .where(isAmong("brand_uuid", brands))
    .execute();
}

/** Removes the hashes by which a phone or an email address leads to what was issued to a person. */
export async function unlinkIssued(trx: Trx, personUuid: string): Promise<void> {
  await trx
    .updateTable("issued_credential")
    .set({ phone_index: null, email_index: null })
    .where("person_uuid", "=", personUuid)
    .execute();
}

/**
 * Deletes what was issued to fixed test people before `before`, and what has a date in the future. Returns what was
 * deleted.
 */
export async function deleteIssuedToFixedPeople(
  trx: Trx,
  { environment, before, now }: { environment: string; before: number; now: number },
): Promise<string[]> {
  const deleted = await trx
    .deleteFrom("issued_credential")
    .where("environment", "=", environment)
    .where(sql<boolean>`fixed_person`)
    // A future `issued_at` means that the clock was set back since.
    .where(({ or, eb }) => or([eb("issued_at", "<", before), eb("issued_at", ">", now)]))
    .returning("uuid")
    .execute();
  return deleted.map(({ uuid }) => uuid);
}
