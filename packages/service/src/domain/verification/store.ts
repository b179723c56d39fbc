import type { Reader, Trx } from "../../store/database.ts";
import type { NewJob } from "../../store/queue.ts";
import type { DataKey } from "../../store/vault.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { deleteLooseKey } from "../person.ts";
import type { Phone } from "../ports.ts";
import { type VerificationRow, verificationKeptMs } from "./states.ts";

/** What is sealed of a verification. */
export type VerificationSecrets = { phone?: Phone; deviceIp?: string; redirectUrl?: string };
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

/** The brand's own verification; unknown, foreign and expired ones are one and the same OCV005. */
export async function findVerification(
  deps: Deps,
  reader: Reader,
  caller: Caller,
  uuid: string,
): Promise<Verification> {
  const row = await reader
    .selectFrom("verification")
    .innerJoin("data_key", "data_key.uuid", "verification.data_key_uuid")
    .selectAll("verification")
    .select("data_key.wrapped")
    .where("verification.uuid", "=", uuid)
    .where("verification.brand_uuid", "=", caller.brand.uuid)
    .where("verification.environment", "=", deps.environment)
    .where("verification.kept_until", ">", deps.clock.now())
    .executeTakeFirst();
  if (row === undefined || row.wrapped === null) throw fail("OCV005", {});
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return { row, dataKey, secrets: deps.vault.open<VerificationSecrets>(dataKey, place(row.uuid), row.sealed) };
}

/** A verification that its device or its link has named; whoever holds those acts for the person, not for a brand. */
export async function findVerificationUnbound(deps: Deps, uuid: string): Promise<Verification> {
  const row = await deps.db
    .selectFrom("verification")
    .innerJoin("data_key", "data_key.uuid", "verification.data_key_uuid")
    .selectAll("verification")
    .select("data_key.wrapped")
    .where("verification.uuid", "=", uuid)
    .executeTakeFirst();
  if (row === undefined || row.wrapped === null) throw fail("OCV005", {});
  const dataKey = deps.vault.openDataKey(row.data_key_uuid, row.wrapped);
  return { row, dataKey, secrets: deps.vault.open<VerificationSecrets>(dataKey, place(row.uuid), row.sealed) };
}

/** Its erasure, 24 hours after it began. */
export function erasure({ environment }: Deps, uuid: string, begunAt: number): NewJob {
  const dueAt = begunAt + verificationKeptMs;
  return { environment, name: "verification.erase", subject: uuid, dueAt, payload: { verificationUuid: uuid } };
}

/** The rows alone, whoever owns them: for jobs. */
export async function findVerificationRows(
  reader: Reader,
  uuids: readonly string[],
): Promise<Map<string, VerificationRow>> {
  if (uuids.length === 0) return new Map();
  const rows = await reader.selectFrom("verification").selectAll().where("uuid", "in", uuids).execute();
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** Erases a verification and its texts. What stays is countable, and nobody's. */
export async function eraseVerificationRow(trx: Trx, uuid: string): Promise<void> {
  await trx.deleteFrom("message").where("verification_uuid", "=", uuid).execute();
  const row = await trx.deleteFrom("verification").where("uuid", "=", uuid).returningAll().executeTakeFirst();
  if (row === undefined) return;
  await deleteLooseKey(trx, row.data_key_uuid);
  const { environment, brand_uuid, channel, status, attempts_used, deliveries } = row;
  if (brand_uuid === null) return;
  const { created_at, expires_at, delivered_at } = row;
  const ended = { environment, brand_uuid, channel, status, attempts_used, deliveries };
  await trx
    .insertInto("verification_past")
    .values({ ...ended, created_at, expires_at, delivered_at })
    .execute();
}
