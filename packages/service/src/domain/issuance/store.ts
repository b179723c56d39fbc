import type { CredentialType } from "@countersign/contract/credential";
import type { Trx } from "../../store/database.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Caller, Deps } from "../deps.ts";
import type { Person } from "../person.ts";

/** What is sealed of an issued credential. Children of a composite are credentials with ids of their own. */
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

/** To whom a call issues: the person, and the identifiers that the brand named. */
export type Recipient = {
  person: Person;
  phoneIndex: Buffer | null;
  emailIndex: Buffer | null;
  /** Whether this is one of the environment's fixed people. */
  fixed: boolean;
};

const place = (id: string) => ({ table: "issued_credential", row: id });

/** Stores what one call issued; false where one of the ids is taken, and then the transaction is to be given up. */
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
    // In one order for everybody: two calls with the same ids wait for each other instead of both failing.
    .values(rows.sort((a, b) => (a.uuid < b.uuid ? -1 : 1)))
    .onConflict((conflict) => conflict.columns(["environment", "uuid"]).doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === BigInt(rows.length);
}

/** A credential that this brand issued; unknown and foreign ones are the same nothing. Locked where it is to be changed. */
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

/** Brings a credential that was found and locked to its new state. */
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

/** Opens what a row of the table has sealed. */
export function openIssued(deps: Deps, dataKey: DataKey, row: { uuid: string; sealed: Buffer }): IssuedData {
  return deps.vault.open<IssuedData>(dataKey, place(row.uuid), row.sealed);
}
