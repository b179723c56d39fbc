/** The rows of `takeout`: each offer of a credential, and the copies that a wallet got for it. */
import { type ExpressionBuilder, sql } from "kysely";
import type { AnyReader, Trx } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import { isAmong } from "../../store/statements/rows.ts";
import type { Tables } from "../../store/statements/tables.ts";
import type { Deps } from "../deps.ts";
import { codeAttemptsMax } from "../one-time-code.ts";
import type { Person } from "../person.ts";
import { tokenHash } from "../token.ts";
import type { Drawn } from "./status-list-rows.ts";

/** The values of a credential. Only `address` has members of its own. */
export type Claims = Record<string, string | Record<string, string>>;

/** The credential to issue: its kind and, if a brand issued it, the brand and its credential. */
export type Taken = { kind: string; issued: { uuid: string; brandUuid: string } | null };

const place = (uuid: string) => placeOf("takeout", uuid);

export async function insertTakeout(
  deps: Deps,
  trx: Trx,
  input: Taken & {
    uuid: string;
    person: Person;
    sessionUuid: string;
    claims: Claims;
    code: string;
    transactionHash: Buffer;
    expiresAt: number;
  },
): Promise<void> {
  await trx
    .insertInto("takeout")
    .values({
      uuid: input.uuid,
      environment: deps.environment,
      person_uuid: input.person.uuid,
      data_key_uuid: input.person.dataKey.uuid,
      session_uuid: input.sessionUuid,
      kind: input.kind,
      issued_uuid: input.issued?.uuid ?? null,
      brand_uuid: input.issued?.brandUuid ?? null,
      sealed: deps.vault.seal(input.person.dataKey, place(input.uuid), input.claims),
      code_hash: tokenHash(input.code),
      code_hmac: input.transactionHash,
      token_hash: null,
      status_list_uuid: null,
      status_indexes: null,
      created_at: deps.clock.now(),
      issued_at: null,
      ended_at: null,
      ended_by: null,
      expires_at: input.expiresAt,
    })
    .execute();
}

/**
 * The credential of a redeemed offer. `issuerExpiresAt`: when the brand's credential expires; null if never or not a
 * brand's.
 */
export type Redeemed = {
  uuid: string;
  personUuid: string;
  kind: string;
  claims: Claims;
  issuerExpiresAt: number | null;
};

/** An offer of a person. `sessionUuid`: only if this session made it. */
export type OfferOf = { uuid: string; personUuid: string; sessionUuid: string | null };

/** The condition that an offer is this person's and can still be redeemed. */
function isOpen(
  { environment, clock }: Pick<Deps, "environment" | "clock">,
  { uuid, personUuid, sessionUuid }: OfferOf,
) {
  return (row: ExpressionBuilder<Tables, "takeout">) =>
    row.and([
      row("uuid", "=", uuid),
      row("environment", "=", environment),
      row("person_uuid", "=", personUuid),
      row("token_hash", "is", null),
      row("ended_at", "is", null),
      row("attempts_used", "<", codeAttemptsMax),
      row("expires_at", ">", clock.now()),
      ...(sessionUuid === null ? [] : [row("session_uuid", "=", sessionUuid)]),
    ]);
}

/** The credential of an open offer. Null if the offer is not open. */
export async function findWalletOffer(
  deps: Pick<Deps, "db" | "environment" | "clock">,
  offer: OfferOf,
): Promise<Taken | null> {
  const row = await deps.db
    .selectFrom("takeout")
    .select(["kind", "issued_uuid", "brand_uuid"])
    .where(isOpen(deps, offer))
    .executeTakeFirst();
  return row === undefined ? null : { kind: row.kind, issued: issuedOf(row) };
}

/** Replaces the codes of an open offer, and may shorten its life. Returns its kind. Null if the offer is not open. */
export async function setAuthorized(
  deps: Pick<Deps, "environment" | "clock">,
  trx: Trx,
  offer: OfferOf,
  { code, hash, expiresAt }: { code: string; hash: Buffer; expiresAt: number },
): Promise<string | null> {
  const row = await trx
    .updateTable("takeout")
    .set({ code_hash: tokenHash(code), code_hmac: hash, expires_at: sql<number>`least(expires_at, ${expiresAt})` })
    .where(isOpen(deps, offer))
    .returning("kind")
    .executeTakeFirst();
  return row?.kind ?? null;
}

/** The credential of a token. Null if the token was used or has expired. */
export async function findRedeemed(deps: Deps, token: string): Promise<Redeemed | null> {
  const row = await deps.db
    .selectFrom("takeout")
    .innerJoin("data_key", "data_key.uuid", "takeout.data_key_uuid")
    .leftJoin("issued_credential", (join) =>
      join
        .onRef("issued_credential.environment", "=", "takeout.environment")
        .onRef("issued_credential.uuid", "=", "takeout.issued_uuid"),
    )
    .select(["takeout.uuid", "takeout.person_uuid", "kind", "takeout.sealed", "takeout.data_key_uuid"])
    .select(["data_key.wrapped", "issued_credential.expires_at as issuer_expires_at"])
    .where("token_hash", "=", tokenHash(token))
    .where("takeout.environment", "=", deps.environment)
    .where("takeout.issued_at", "is", null)
    .where("ended_at", "is", null)
    .where("takeout.expires_at", ">", deps.clock.now())
    .executeTakeFirst();
  if (row === undefined || row.wrapped === null || row.sealed === null) return null;
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  const claims = deps.vault.open<Claims>(dataKey, place(row.uuid), row.sealed);
  const { uuid, person_uuid: personUuid, kind, issuer_expires_at: issuerExpiresAt } = row;
  return { uuid, personUuid, kind, claims, issuerExpiresAt };
}

/** Records the copies of a take-out, and erases its values. False if it has ended, or if another request was first. */
export async function setIssued(
  deps: Deps,
  trx: Trx,
  { uuid, drawn, expiresAt }: { uuid: string; drawn: Drawn; expiresAt: number },
): Promise<boolean> {
  const updated = await trx
    .updateTable("takeout")
    .set({
      sealed: null,
      status_list_uuid: drawn.listUuid,
      status_indexes: drawn.indexes,
      issued_at: deps.clock.now(),
      expires_at: expiresAt,
    })
    .where("uuid", "=", uuid)
    .where("issued_at", "is", null)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** An ended take-out, and the status indexes of its copies. */
export type Ended = { uuid: string; drawn: Drawn | null };
type EndedRow = { uuid: string; status_list_uuid: string | null; status_indexes: number[] | null };

const endedOf = ({ uuid, status_list_uuid: listUuid, status_indexes: indexes }: EndedRow): Ended => ({
  uuid,
  drawn: listUuid === null || indexes === null ? null : { listUuid, indexes },
});

type Which =
  | { personUuid: string; uuid: string; sessionUuid: string | null }
  | { issuedUuids: readonly string[] }
  | { brands: readonly string[] };

/** Permanently ends credentials and open offers. The caller queues their revocation. */
export async function endTakeouts(
  { environment, clock }: Pick<Deps, "environment" | "clock">,
  trx: Trx,
  which: Which,
): Promise<Ended[]> {
  const query = trx
    .updateTable("takeout")
    .set({ ended_at: clock.now(), ended_by: "uuid" in which ? "person" : "issuer", sealed: null })
    .where("environment", "=", environment)
    .where("ended_at", "is", null);
  const chosen =
    "issuedUuids" in which
      ? query.where(isAmong("issued_uuid", which.issuedUuids))
      : "brands" in which
        ? query.where(isAmong("brand_uuid", which.brands))
        : query.where("person_uuid", "=", which.personUuid).where("uuid", "=", which.uuid);
  const rows = await ("uuid" in which && which.sessionUuid !== null
    ? chosen.where("session_uuid", "=", which.sessionUuid)
    : chosen
  )
    .returning(["uuid", "status_list_uuid", "status_indexes"])
    .execute();
  return rows.map(endedOf);
}

/**
 * Deletes a person's take-outs. `only`: those of one session, or those of credentials that some brands issued. Returns
 * the ones whose copies were still valid.
 */
export async function deleteTakeoutsOf(
  trx: Trx,
  personUuid: string,
  only: { sessionUuid: string | null; brands: readonly string[] } | null = null,
): Promise<Ended[]> {
  const ofPerson = trx.selectFrom("takeout").select("uuid").where("person_uuid", "=", personUuid);
  const chosen =
    only === null
      ? ofPerson
      : ofPerson.where((row) =>
          row.or([
            ...(only.sessionUuid === null ? [] : [row("session_uuid", "=", only.sessionUuid)]),
            isAmong("brand_uuid", only.brands),
          ]),
        );
  // Lock them first, because a wallet may be getting copies.
  const locked = await chosen.orderBy("uuid").forUpdate().execute();
  if (locked.length === 0) return [];
  const rows = await trx
    .deleteFrom("takeout")
    .where(
      isAmong(
        "uuid",
        locked.map(({ uuid }) => uuid),
      ),
    )
    .returning(["uuid", "status_list_uuid", "status_indexes", "ended_at"])
    .execute();
  return rows.filter(({ ended_at }) => ended_at === null).map(endedOf);
}

const issuedOf = (row: { issued_uuid: string | null; brand_uuid: string | null }): Taken["issued"] =>
  row.issued_uuid === null || row.brand_uuid === null ? null : { uuid: row.issued_uuid, brandUuid: row.brand_uuid };

export type ListedTakeout = Taken & {
  uuid: string;
  copies: number;
  issuedAt: number;
  endedAt: number | null;
  endedBy: "person" | "issuer" | null;
  expiresAt: number;
};

/**
 * What wallets got and has not expired, newest first. `sessionUuid`: only of one session. `uuid`: only this take-out.
 */
export async function listTakeouts(
  deps: Pick<Deps, "environment" | "clock">,
  reader: AnyReader,
  input: { personUuid: string; sessionUuid: string | null; uuid?: string; max: number },
): Promise<ListedTakeout[]> {
  const listed = reader
    .selectFrom("takeout")
    .selectAll()
    .where("environment", "=", deps.environment)
    .where("person_uuid", "=", input.personUuid)
    .where("issued_at", "is not", null)
    .where("expires_at", ">", deps.clock.now());
  const query = input.uuid === undefined ? listed : listed.where("uuid", "=", input.uuid);
  const rows = await (input.sessionUuid === null ? query : query.where("session_uuid", "=", input.sessionUuid))
    .orderBy("issued_at", "desc")
    .orderBy("uuid")
    .limit(input.max)
    .execute();
  return rows.map((row) => ({
    uuid: row.uuid,
    kind: row.kind,
    issued: issuedOf(row),
    copies: row.status_indexes?.length ?? 0,
    issuedAt: row.issued_at ?? row.created_at,
    endedAt: row.ended_at,
    endedBy: row.ended_by,
    expiresAt: row.expires_at,
  }));
}

/** The brands whose credentials were taken out, without ended take-outs. */
export async function listTakenBrands({ db, environment }: Pick<Deps, "db" | "environment">): Promise<string[]> {
  const rows = await db
    .selectFrom("takeout")
    .select("brand_uuid")
    .distinct()
    .where("environment", "=", environment)
    .where("brand_uuid", "is not", null)
    .where("ended_at", "is", null)
    .execute();
  return rows.flatMap(({ brand_uuid }) => (brand_uuid === null ? [] : [brand_uuid]));
}

/** How many offers of a person are unused and have not expired. */
export async function countOpen(deps: Pick<Deps, "clock">, trx: Trx, personUuid: string): Promise<number> {
  const rows = await trx
    .selectFrom("takeout")
    .select("uuid")
    .where("person_uuid", "=", personUuid)
    .where("issued_at", "is", null)
    .where("expires_at", ">", deps.clock.now())
    .execute();
  return rows.length;
}

/** Deletes offers and copies that have expired. Returns how many rows there were. */
export async function deleteExpiredTakeouts(trx: Trx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "takeout", "expires_at", expired);
  if (uuids.length > 0) await trx.deleteFrom("takeout").where("uuid", "in", uuids).execute();
  return uuids.length;
}
