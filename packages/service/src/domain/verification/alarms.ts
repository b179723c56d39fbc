/**
 * Texts that nobody answers: whoever earns by being texted never types a code. Looked at by brand and by block of numbers,
 * hour by hour; what is found is held back for the rest of the hour, counted in the figures, and kept for the dashboard.
 */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { enqueueAhead } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import type { Suspicion } from "../ports.ts";
import { blockKey, nextPurge, type Texted, textScopes, windowAt } from "./counters.ts";

/** How long an alarm can be read. */
export const alarmKeptMs = 7 * 24 * 60 * 60_000;
/** How long it counts in the figures, milliseconds. */
const figuresMs = 60 * 60_000;
const listedMax = 200;

export type AlarmKind = "brand" | "block";
/** Instants are Unix milliseconds; it holds texts back until `endsAt`. */
export type Alarm = {
  kind: AlarmKind;
  raisedAt: number;
  endsAt: number;
  sent: number;
  verified: number;
};

type Watched = { kind: AlarmKind; key: Buffer; suspicion: Suspicion; sent: Counter; verified: Counter };
/** Null: all keys of the scope, which are parts of one counter. */
type Counter = { scope: string; key: Buffer | null };

function watchedBy(deps: Deps, { phone, brandUuid }: Texted): Watched[] {
  const { pumping } = deps.caps;
  if (pumping === null) return [];
  const block = blockKey(deps, phone);
  const ofBlock: Watched = {
    kind: "block",
    key: block,
    suspicion: pumping.block,
    sent: { scope: textScopes.block, key: block },
    verified: { scope: textScopes.verifiedInBlock, key: block },
  };
  if (brandUuid === null) return [ofBlock];
  const ofBrand: Watched = {
    kind: "brand",
    key: Buffer.from(brandUuid),
    suspicion: pumping.brand,
    sent: { scope: textScopes.brand(brandUuid), key: null },
    verified: { scope: textScopes.verifiedOfBrand(brandUuid), key: null },
  };
  return [ofBlock, ofBrand];
}

/** How many texts this hour may have, of the brand and to the block, by the alarms that stand. */
export async function heldTo(deps: Deps, reader: Reader, texted: Texted): Promise<Record<AlarmKind, number>> {
  const held = { brand: Number.POSITIVE_INFINITY, block: Number.POSITIVE_INFINITY };
  const watched = watchedBy(deps, texted);
  if (watched.length === 0) return held;
  const standing = await reader
    .selectFrom("conversion_alarm")
    .select(["kind", "key"])
    .where("environment", "=", deps.environment)
    .where("window_start", "=", windowAt(deps, deps.caps.textsToBlock))
    .where(
      "key",
      "in",
      watched.map(({ key }) => key),
    )
    .execute();
  for (const { kind, key, suspicion } of watched)
    if (standing.some((one) => one.kind === kind && one.key.equals(key))) held[kind] = suspicion.heldTo;
  return held;
}

/** Looks at what the text that was just counted adds up to, and writes an alarm down with it. */
export async function raiseAlarms(deps: Deps, trx: Trx, texted: Texted): Promise<void> {
  const { pumping } = deps.caps;
  if (pumping === null) return;
  const start = windowAt(deps, deps.caps.textsToBlock);
  const watched = watchedBy(deps, texted);
  const sentOf = await sums(deps, trx, { start, counters: watched.map(({ sent }) => sent) });
  const many = watched.filter(({ sent, suspicion }) => sentOf(sent) >= suspicion.textsMin);
  if (many.length === 0) return;
  const verifiedOf = await sums(deps, trx, { start, counters: many.map(({ verified }) => verified) });
  for (const { kind, key, ...counters } of many) {
    const [sent, verified] = [sentOf(counters.sent), verifiedOf(counters.verified)];
    if (verified >= sent * pumping.verifiedShareMin) continue;
    await trx
      .insertInto("conversion_alarm")
      .values({
        environment: deps.environment,
        kind,
        key,
        window_start: start,
        brand_uuid: texted.brandUuid,
        raised_at: deps.clock.now(),
        sent,
        verified,
      })
      .onConflict((conflict) =>
        conflict.columns(["environment", "kind", "key", "window_start"]).doUpdateSet({ sent, verified }),
      )
      .execute();
  }
}

/** What counters of different scopes stand at, read together. */
async function sums(
  deps: Deps,
  reader: Reader,
  { start, counters }: { start: number; counters: readonly Counter[] },
): Promise<(counter: Counter) => number> {
  const rows = await reader
    .selectFrom("use_count")
    .select(["scope", sql<number>`sum(used)::int`.as("sum")])
    .where("environment", "=", deps.environment)
    .where("window_start", "=", start)
    .where((eb) => eb.or(counters.map(({ scope, key }) => eb.and({ scope, ...(key === null ? {} : { key }) }))))
    .groupBy("scope")
    .execute();
  return ({ scope }) => rows.find((one) => one.scope === scope)?.sum ?? 0;
}

/** Counts a text that was answered: a right code, or a link that was followed. */
export async function countAnswered(deps: Deps, trx: Trx, texted: Texted): Promise<void> {
  if (deps.phones.isFixed(texted.phone) || deps.caps.pumping === null) return;
  const start = windowAt(deps, deps.caps.textsToBlock);
  await trx
    .insertInto("use_count")
    .values(
      watchedBy(deps, texted).map(({ verified, key }) => ({
        environment: deps.environment,
        scope: verified.scope,
        key: verified.key ?? key,
        window_start: start,
        used: 1,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["environment", "scope", "key", "window_start"])
        .doUpdateSet({ used: sql<number>`use_count.used + 1` }),
    )
    .execute();
  await enqueueAhead(trx, nextPurge(deps), deps.clock.now());
}

/** The alarms that a brand's texts raised within a week, newest first. Which block it was is not kept in words. */
export async function listAlarms(deps: Deps, brandUuid: string): Promise<Alarm[]> {
  const rows = await deps.db
    .selectFrom("conversion_alarm")
    .selectAll()
    .where("environment", "=", deps.environment)
    .where("brand_uuid", "=", brandUuid)
    .orderBy("raised_at", "desc")
    .limit(listedMax)
    .execute();
  return rows.map(({ kind, raised_at, window_start, sent, verified }) => ({
    kind,
    raisedAt: raised_at,
    endsAt: window_start + deps.caps.textsToBlock.windowMs,
    sent,
    verified,
  }));
}

/** How many were raised in the past hour, for the figures. */
export async function countAlarms(deps: Deps): Promise<Record<AlarmKind, number>> {
  const rows = await deps.db
    .selectFrom("conversion_alarm")
    .select(["kind", sql<number>`count(*)::int`.as("count")])
    .where("environment", "=", deps.environment)
    .where("window_start", ">", deps.clock.now() - 2 * figuresMs)
    .where("raised_at", ">", deps.clock.now() - figuresMs)
    .groupBy("kind")
    .execute();
  const of = (kind: AlarmKind) => rows.find((one) => one.kind === kind)?.count ?? 0;
  return { brand: of("brand"), block: of("block") };
}
