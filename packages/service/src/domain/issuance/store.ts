import type { CredentialType } from "@countersign/contract/credential";
import type { Trx } from "../../store/database.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Caller, Deps } from "../deps.ts";
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
  what: { to: Recipient; consentUuid: string; brandUuid: string; credentials: IssuedCredential[] },
): Promise<boolean> {
  const { to, credentials } = what;
  const { number } = await trx
    .insertInto("issuance")
    .values({
      environment: deps.environment,
      at: deps.clock.now(),
      brand_uuid: what.brandUuid,
      consent_uuid: what.consentUuid,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  const rows = credentials.map((one, position) => ({
    environment: deps.environment,
    uuid: one.id,
    issuance: number,
    position,
    brand_uuid: what.brandUuid,
    person_uuid: to.person.uuid,
    data_key_uuid: to.person.dataKey.uuid,
    phone_index: to.phoneIndex,
    email_index: to.emailIndex,
    fixed_person: to.fixed,
    type: one.type,
    status: one.status,
    sealed: deps.vault.seal(to.person.dataKey, place(one.id), one.data),
    issued_at: one.issuedAt,
    updated_at: one.updatedAt,
    expires_at: one.expiresAt,
  }));
  const made = await trx
    .insertInto("issued_credential")
    // Sort by uuid: two calls with the same ids then wait for each other instead of deadlocking.
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
  what: { id: string; lock: boolean },
): Promise<{ credential: IssuedCredential; dataKey: DataKey } | null> {
  const query = trx
    .selectFrom("issued_credential")
    .innerJoin("data_key", "data_key.uuid", "issued_credential.data_key_uuid")
    .selectAll("issued_credential")
    .select("data_key.wrapped")
    .where("issued_credential.environment", "=", deps.environment)
    .where("issued_credential.uuid", "=", what.id)
    .where("issued_credential.brand_uuid", "=", caller.brand.uuid);
  const row = await (what.lock ? query.forUpdate("issued_credential") : query).executeTakeFirst();
  if (row === undefined || row.wrapped === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return {
    dataKey,
    credential: {
      id: row.uuid,
      type: row.type,
      data: deps.vault.open<IssuedData>(dataKey, place(row.uuid), row.sealed),
      status: row.status,
      issuerUuid: row.brand_uuid,
      personUuid: row.person_uuid,
      issuedAt: row.issued_at,
      updatedAt: row.updated_at,
      expiresAt: row.expires_at,
    },
  };
}

/** Stores the new state of a credential that `findIssued` locked. */
export async function updateIssued(deps: Deps, trx: Trx, changed: IssuedCredential, dataKey: DataKey): Promise<void> {
  await trx
    .updateTable("issued_credential")
    .set({
      status: changed.status,
      sealed: deps.vault.seal(dataKey, place(changed.id), changed.data),
      updated_at: changed.updatedAt,
      expires_at: changed.expiresAt,
    })
    .where("environment", "=", deps.environment)
    .where("uuid", "=", changed.id)
    .execute();
}

/** Decrypts the data of a row. */
export function openIssued(deps: Deps, dataKey: DataKey, row: { uuid: string; sealed: Buffer }): IssuedData {
  return deps.vault.open<IssuedData>(dataKey, place(row.uuid), row.sealed);
}
