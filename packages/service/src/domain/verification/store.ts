import { batched } from "../../store/batch.ts";
import { deleteKeyWithoutPerson } from "../../store/data-key-rows.ts";
import type { Reader, Trx } from "../../store/database.ts";
import type { NewJob } from "../../store/queue.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { DataKey } from "../../store/vault.ts";
import type { ConsentGiven } from "../audit/consent.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import type { Phone } from "../ports.ts";
import { verificationColumns } from "../verification-rows.ts";
import { type VerificationRow, verificationKeptMs } from "./states.ts";

/** The encrypted part of a verification. `consent`: to a sign-in text, until it is recorded with that text. */
export type VerificationSecrets = { phone?: Phone; deviceIp?: string; redirectUrl?: string; consent?: ConsentGiven };
export type Verification = {
  row: VerificationRow & {
    environment: string;
    person_uuid: string | null;
    brand_uuid: string | null;
    data_key_uuid: string;
    denied_at: number | null;
    redirect_user_after: "phoneVerification" | "infoConfirmation" | null;
  };
  secrets: VerificationSecrets;
  dataKey: DataKey;
};

const place = (uuid: string) => ({ table: "verification", row: uuid });

export function sealVerification(
  deps: Deps,
  dataKey: Parameters<Deps["vault"]["seal"]>[0],
  uuid: string,
  secrets: VerificationSecrets,
): Buffer {
  return deps.vault.seal(dataKey, place(uuid), secrets);
}

const rowsStatement = statement((db, { uuids }: Placeholders<{ uuids: readonly string[] }>) =>
  db
    .selectFrom("verification")
    .innerJoin("data_key", "data_key.uuid", "verification.data_key_uuid")
    .select(verificationColumns)
    .select("data_key.wrapped")
    .where(({ eb, fn }) => eb("verification.uuid", "=", fn.any(uuids))),
);

/** Reads verifications in the order of `uuids`; undefined where there is none. */
async function readRows(reader: Reader, uuids: readonly string[]) {
  const { rows } = await rowsStatement(reader, { uuids });
  return uuids.map((uuid) => rows.find((row) => row.uuid === uuid));
}

const readRowsTogether = batched((deps: Deps, uuids: readonly string[]) => readRows(deps.db, uuids));

function opened({ vault }: Deps, row: Awaited<ReturnType<typeof readRows>>[number]): Verification | null {
  if (row === undefined || row.wrapped === null) return null;
  const dataKey = vault.openDataKey(row.data_key_uuid, row.wrapped);
  return { row, dataKey, secrets: vault.open<VerificationSecrets>(dataKey, place(row.uuid), row.sealed) };
}

/** The brand's own verification. Throws the same OCV005 for unknown, foreign and expired ones. */
export async function findVerification(
  deps: Deps,
  reader: Reader,
  { brand }: Caller,
  uuid: string,
): Promise<Verification> {
  const id = uuid.toLowerCase();
  // Reads inside a transaction use its connection and are not batched.
  const row = reader === deps.db ? await readRowsTogether(deps, id) : (await readRows(reader, [id]))[0];
  const isTheirs = row?.brand_uuid === brand.uuid && row.environment === deps.environment;
  const found = isTheirs && row.kept_until > deps.clock.now() ? opened(deps, row) : null;
  if (found === null) throw fail("OCV005", {});
  return found;
}

/** Finds the verification that a device or a link named. Its caller acts for the person, not for a brand. */
export async function findVerificationUnbound(deps: Deps, uuid: string): Promise<Verification> {
  const found = opened(deps, await readRowsTogether(deps, uuid.toLowerCase()));
  if (found === null) throw fail("OCV005", {});
  return found;
}

/** The job that erases a verification, 24 hours after it began. */
export function erasure({ environment }: Deps, uuid: string, begunAt: number): NewJob {
  const dueAt = begunAt + verificationKeptMs;
  return { environment, name: "verification.erase", subject: uuid, dueAt, payload: { verificationUuid: uuid } };
}

/**
 * Erases a verification and its texts. For a brand's verification, keeps a row for analytics without an id or a person.
 */
export async function eraseVerificationRow(trx: Trx, uuid: string): Promise<void> {
  const texts = await trx.deleteFrom("message").where("verification_uuid", "=", uuid).returning("sent_at").execute();
  const row = await trx.deleteFrom("verification").where("uuid", "=", uuid).returningAll().executeTakeFirst();
  if (row === undefined) return;
  await deleteKeyWithoutPerson(trx, row.data_key_uuid);
  const { environment, brand_uuid, channel, status, attempts_used, deliveries } = row;
  if (brand_uuid === null) return;
  const { created_at, expires_at, delivered_at } = row;
  const texts_sent = texts.filter(({ sent_at }) => sent_at !== null).length;
  const ended = { environment, brand_uuid, channel, status, attempts_used, deliveries, texts_sent };
  await trx
    .insertInto("verification_past")
    .values({ ...ended, created_at, expires_at, delivered_at })
    .execute();
}
