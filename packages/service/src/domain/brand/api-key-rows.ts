/** API keys of brands. Only the hash of a key is stored. */

import type { Environment } from "@countersign/contract/brand";
import { minuteMs } from "@countersign/contract/time";
import { type Selectable, sql } from "kysely";
import type { HomeReader, HomeTrx } from "../../store/database.ts";
import type { Tables } from "../../store/statements/tables.ts";
import type { Deps } from "../deps.ts";
import { hashApiKey } from "./api-key.ts";

export type KeyLine = {
  uuid: string;
  name: string;
  lastFour: string;
  ipRanges: string[];
  createdAt: number;
  /** The member who created the key; null for the operator and for sandbox control. */
  createdBy: string | null;
  lastUsedAt: number | null;
  endsAt: number | null;
  revokedAt: number | null;
};

/** Maximum number of keys that the dashboard lists. Working keys come first, so only ended ones are cut. */
const listedMax = 200;
const isWorkingAt = (now: number) => sql<boolean>`revoked_at is null and (ends_at is null or ends_at > ${now})`;

/** A brand's keys: the working ones first, then the ended ones, both newest first. */
export async function listKeys(
  reader: HomeReader,
  environment: Environment,
  brandUuid: string,
  now: number,
): Promise<KeyLine[]> {
  const rows = await keysOf(reader, { environment, brandUuid, now }).limit(listedMax).execute();
  return rows.map(lineOf);
}

/** Also the oldest ended keys. */
export async function listEveryKey(reader: HomeReader, which: KeysOf): Promise<KeyLine[]> {
  return (await keysOf(reader, which).execute()).map(lineOf);
}

type KeysOf = { environment: Environment; brandUuid: string; now: number };

function keysOf(reader: HomeReader, { environment, brandUuid, now }: KeysOf) {
  return reader
    .selectFrom("api_key")
    .selectAll()
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .orderBy(isWorkingAt(now), "desc")
    .orderBy("created_at", "desc")
    .orderBy("uuid");
}

/** The number of a brand's keys that work at an instant. */
export async function countWorkingKeys(
  trx: HomeTrx,
  environment: Environment,
  brandUuid: string,
  now: number,
): Promise<number> {
  const { count } = await trx
    .selectFrom("api_key")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where(isWorkingAt(now))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Locks a key of a brand until the transaction ends. Undefined if there is none, or if it was revoked. */
export async function lockKey(
  trx: HomeTrx,
  environment: Environment,
  { brandUuid, keyUuid }: { brandUuid: string; keyUuid: string },
): Promise<KeyLine | undefined> {
  const row = await trx
    .selectFrom("api_key")
    .selectAll()
    .where("uuid", "=", keyUuid)
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .where("revoked_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : lineOf(row);
}

function lineOf(row: Selectable<Tables["api_key"]>): KeyLine {
  return {
    uuid: row.uuid,
    name: row.name,
    lastFour: row.last_four,
    ipRanges: row.ip_ranges,
    createdAt: row.created_at,
    createdBy: row.created_by,
    lastUsedAt: row.last_used_at,
    endsAt: row.ends_at,
    revokedAt: row.revoked_at,
  };
}

/** Stores a key and returns its uuid. A key that is stored already stays, and the uuid then belongs to no key. */
export async function insertKey(
  { environment, clock, random }: Pick<Deps, "environment" | "clock" | "random">,
  trx: HomeTrx,
  input: { brandUuid: string; apiKey: string; name: string; ipRanges?: string[]; createdBy: string | null },
): Promise<string> {
  const uuid = random.uuid();
  await trx
    .insertInto("api_key")
    .values({
      uuid,
      brand_uuid: input.brandUuid,
      environment,
      name: input.name,
      hash: hashApiKey(input.apiKey),
      last_four: input.apiKey.slice(-4),
      ip_ranges: input.ipRanges ?? [],
      created_at: clock.now(),
      created_by: input.createdBy,
      last_used_at: null,
      revoked_at: null,
    })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  return uuid;
}

/** Changes the given members of a key. `endsAt` and `revokedAt` use the environment's clock. */
export async function updateKey(
  trx: HomeTrx,
  uuid: string,
  { name, ipRanges, endsAt, revokedAt }: Partial<Pick<KeyLine, "name" | "ipRanges" | "endsAt" | "revokedAt">>,
): Promise<void> {
  await trx
    .updateTable("api_key")
    .set({ name, ip_ranges: ipRanges, ends_at: endsAt, revoked_at: revokedAt })
    .where("uuid", "=", uuid)
    .execute();
}

/** Whether a key is stored, also a revoked one. */
export async function hasKey(reader: HomeReader, apiKey: string): Promise<boolean> {
  const found = reader.selectFrom("api_key").select("uuid").where("hash", "=", hashApiKey(apiKey));
  return (await found.executeTakeFirst()) !== undefined;
}

/**
 * Ends the working keys of brands in all environments. Deletes those of `reopened`, also revoked ones, so that a start can
 * seed them again, and revokes the others. Returns how many worked.
 */
export async function endKeysOf(
  { clock }: Pick<Deps, "clock">,
  trx: HomeTrx,
  { brands, reopened }: { brands: readonly string[]; reopened: readonly string[] },
): Promise<number> {
  const deleted = await trx
    .deleteFrom("api_key")
    .where(({ eb, fn }) => eb("hash", "=", fn.any(sql.val(reopened.map(hashApiKey)))))
    .returning("revoked_at")
    .execute();
  const revoked = await trx
    .updateTable("api_key")
    .set({ revoked_at: clock.now() })
    .where("brand_uuid", "in", brands)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return deleted.filter((key) => key.revoked_at === null).length + Number(revoked.numUpdatedRows);
}

/** A use that is closer than this to the stored one is not stored, so that busy keys cause few writes. */
const usePrecisionMs = minuteMs;

/** Stores the last use of keys, by their uuid, to the minute. An older time never replaces a newer one. */
export async function noteKeyUse(reader: HomeReader, lastUses: ReadonlyMap<string, number>): Promise<void> {
  if (lastUses.size === 0) return;
  await sql`
    update api_key set last_used_at = used.at
      from unnest(${[...lastUses.keys()]}::uuid[], ${[...lastUses.values()]}::bigint[]) as used (uuid, at)
     where api_key.uuid = used.uuid and coalesce(last_used_at + ${usePrecisionMs} <= used.at, true)`.execute(reader);
}

/** When a key of each of these brands was last used. Brands without a call are left out. */
export async function lastUsesOf(reader: HomeReader, brands: readonly string[]): Promise<Map<string, number>> {
  if (brands.length === 0) return new Map();
  const rows = await reader
    .selectFrom("api_key")
    .select(({ fn }) => ["brand_uuid", fn.max("last_used_at").as("lastUsedAt")])
    .where("brand_uuid", "in", brands)
    .where("last_used_at", "is not", null)
    .groupBy("brand_uuid")
    .execute();
  return new Map(rows.map(({ brand_uuid, lastUsedAt }) => [brand_uuid, Number(lastUsedAt)]));
}
