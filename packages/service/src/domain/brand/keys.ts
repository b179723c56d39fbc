import type { Environment } from "@countersign/contract/brand";
import type { Reader, Trx } from "../../store/database.ts";
import { invalid, refuse } from "../failure.ts";
import { makeApiKey } from "./api-key.ts";
import { ipRangeProblems } from "./ip-range.ts";
import { type Alongside, insertKey, type Ledger } from "./manage.ts";
import { announceBrandChange } from "./store.ts";

const hourMs = 60 * 60_000;
/** Maximum number of working keys per brand and environment. */
const keysMax = 50;

export type KeyLine = {
  uuid: string;
  name: string;
  lastFour: string;
  ipRanges: string[];
  createdAt: number;
  lastUsedAt: number | null;
  endsAt: number | null;
  revokedAt: number | null;
};
type Which = { brandUuid: string; keyUuid: string };

/** A brand's keys, newest first, including ended ones. */
export async function listKeys(reader: Reader, environment: Environment, brandUuid: string): Promise<KeyLine[]> {
  const rows = await reader
    .selectFrom("api_key")
    .selectAll()
    .where("brand_uuid", "=", brandUuid)
    .where("environment", "=", environment)
    .orderBy("created_at", "desc")
    .orderBy("uuid")
    .limit(keysMax * 4)
    .execute();
  return rows.map((row) => ({
    uuid: row.uuid,
    name: row.name,
    lastFour: row.last_four,
    ipRanges: row.ip_ranges,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    endsAt: row.ends_at,
    revokedAt: row.revoked_at,
  }));
}

/** Adds a key, limited to the given IP ranges. */
export async function addKey(
  ledger: Ledger,
  what: { brandUuid: string; name: string; ipRanges: string[] },
  alongside: Alongside,
): Promise<{ uuid: string; apiKey: string }> {
  const problems = ipRangeProblems(what.ipRanges);
  if (problems.length > 0) throw invalid(problems);
  const apiKey = makeApiKey(ledger.random, ledger.environment);
  const uuid = await changed(ledger, async (trx) => {
    await makeRoom(ledger, trx, what.brandUuid);
    const made = await insertKey(ledger, trx, { ...what, apiKey });
    await alongside(trx);
    return made;
  });
  return { uuid, apiKey };
}

export async function editKey(
  ledger: Ledger,
  what: Which & { name: string; ipRanges: string[] },
  alongside: Alongside<KeyLine>,
): Promise<void> {
  const problems = ipRangeProblems(what.ipRanges);
  if (problems.length > 0) throw invalid(problems);
  await changed(ledger, async (trx) => {
    const before = await lockKey(ledger, trx, what);
    await trx
      .updateTable("api_key")
      .set({ name: what.name, ip_ranges: what.ipRanges })
      .where("uuid", "=", before.uuid)
      .execute();
    await alongside(trx, before);
  });
}

/** Creates a successor of a key. The old key keeps working for `overlapHours`. */
export async function rollKey(
  ledger: Ledger,
  what: Which & { overlapHours: number },
  alongside: Alongside<KeyLine>,
): Promise<{ uuid: string; apiKey: string }> {
  const apiKey = makeApiKey(ledger.random, ledger.environment);
  const uuid = await changed(ledger, async (trx) => {
    const old = await lockKey(ledger, trx, what);
    if (old.endsAt !== null) throw refuse(409, "This key was rolled already.");
    await makeRoom(ledger, trx, what.brandUuid);
    const made = await insertKey(ledger, trx, { ...what, name: old.name, ipRanges: old.ipRanges, apiKey });
    await trx
      .updateTable("api_key")
      .set({ ends_at: ledger.clock.now() + what.overlapHours * hourMs })
      .where("uuid", "=", old.uuid)
      .execute();
    await alongside(trx, old);
    return made;
  });
  return { uuid, apiKey };
}

/** Revokes a key. Every process refuses it as soon as the change is committed. */
export async function revokeKey(ledger: Ledger, what: Which, alongside: Alongside<KeyLine>): Promise<void> {
  await changed(ledger, async (trx) => {
    const key = await lockKey(ledger, trx, what);
    await trx.updateTable("api_key").set({ revoked_at: ledger.clock.now() }).where("uuid", "=", key.uuid).execute();
    await alongside(trx, key);
  });
}

async function changed<Result>(ledger: Ledger, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const result = await ledger.db.inTransaction(async (trx) => {
    const answer = await work(trx);
    await announceBrandChange(trx);
    return answer;
  });
  ledger.changed();
  return result;
}

async function lockKey({ environment }: Ledger, trx: Trx, { brandUuid, keyUuid }: Which): Promise<KeyLine> {
  await trx.selectFrom("api_key").select("uuid").where("uuid", "=", keyUuid).forUpdate().execute();
  const found = (await listKeys(trx, environment, brandUuid)).find(({ uuid }) => uuid === keyUuid);
  if (found === undefined || found.revokedAt !== null) throw refuse(404, "There is no such key.");
  return found;
}

async function makeRoom({ environment, clock }: Ledger, trx: Trx, brandUuid: string): Promise<void> {
  const now = clock.now();
  const working = (await listKeys(trx, environment, brandUuid)).filter(
    ({ revokedAt, endsAt }) => revokedAt === null && (endsAt === null || endsAt > now),
  );
  if (working.length >= keysMax) throw refuse(409, `A brand has ${keysMax} keys at most; revoke one first.`);
}
