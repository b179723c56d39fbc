/**
 * Detects SMS pumping: fraudsters earn money by receiving texts and never type the codes.
 *
 * Texts and answers are counted per hour. Brands' texts are counted per brand and per block of numbers; each open page
 * has its own such counts. Sign-in texts are counted per block and in total. An alarm limits texts for the rest of the
 * hour and appears in the metrics; a brand's alarm is also shown on its dashboard.
 *
 * Every statement about the table `conversion_alarm`.
 */
import { dayMs, hourMs } from "@countersign/contract/time";
import { type Selectable, sql } from "kysely";
import type { HomeReader, HomeTrx } from "../../../store/database.ts";
import { type Placeholders, statement } from "../../../store/statements/statement.ts";
import type { Tables } from "../../../store/statements/tables.ts";
import type { Deps, HomeDeps } from "../../deps.ts";
import type { Suspicion } from "../../ports.ts";
import {
  blockKey,
  brandKey,
  type Counter,
  countUses,
  sumUses,
  type Texted,
  textScopes,
  useOf,
  windowAt,
} from "./use-count-rows.ts";

type Stored = Selectable<Tables["conversion_alarm"]>;
export type AlarmKind = Stored["kind"];

/** How long an alarm can be read, milliseconds. */
export const alarmKeptMs = 7 * dayMs;
/** How long an alarm counts in the metrics, milliseconds. */
const figuresMs = hourMs;
const listedMax = 200;

type BrandAlarmKind = Extract<AlarmKind, "brand" | "block">;
/** An alarm about a brand's texts. Instants are Unix milliseconds. Texts are limited until `endsAt`. */
export type Alarm = {
  kind: BrandAlarmKind;
  raisedAt: number;
  endsAt: number;
  sent: number;
  verified: number;
};

/** A counter of texts, and the counter of their answers. `key`: by which the alarm is found. */
type Watched = { kind: AlarmKind; key: Buffer; suspicion: Suspicion; sent: Counter; verified: Counter };

function watchedBy(deps: Deps, texted: Texted): Watched[] {
  const { pumping } = deps.policy.caps;
  if (pumping === null) return [];
  const { brandUuid } = texted;
  const block = blockKey(deps, texted);
  if (brandUuid === null)
    return [
      {
        kind: "signInBlock",
        key: block,
        suspicion: pumping.signInBlock,
        sent: { scope: textScopes.signInBlock, key: block },
        verified: { scope: textScopes.verifiedSignInBlock, key: block },
      },
      {
        kind: "signIn",
        key: Buffer.from("signIn"),
        suspicion: pumping.signIn,
        sent: { scope: textScopes.signIn, key: null },
        verified: { scope: textScopes.verifiedSignIn, key: null },
      },
    ];
  const ofBlock: Watched = {
    kind: "block",
    key: block,
    suspicion: pumping.block,
    sent: { scope: textScopes.block(texted), key: block },
    verified: { scope: textScopes.verifiedInBlock(texted), key: block },
  };
  const ofBrand: Watched = {
    kind: "brand",
    key: brandKey(texted),
    suspicion: pumping.brand,
    sent: { scope: textScopes.brand(texted), key: null },
    verified: { scope: textScopes.verifiedOfBrand(texted), key: null },
  };
  return [ofBlock, ofBrand];
}

/** The hourly limit on texts that each kind of alarm sets; infinite without an alarm. */
export type AlarmLimits = Record<AlarmKind, number>;

/** Returns the limits of each text, from the alarms of this hour. */
export async function alarmLimits(
  deps: Deps,
  trx: HomeTrx,
  all: readonly Texted[],
): Promise<(texted: Texted) => AlarmLimits> {
  const keys = all.flatMap((texted) => watchedBy(deps, texted).map(({ key }) => key));
  const start = windowAt(deps, deps.policy.caps.textsToBlock);
  const alarms = await findAlarms(trx, { environment: deps.environment, start, keys });
  return (texted) => {
    const none = Number.POSITIVE_INFINITY;
    const limits: AlarmLimits = { brand: none, block: none, signIn: none, signInBlock: none };
    for (const { kind, key, suspicion } of watchedBy(deps, texted))
      if (alarms.some((one) => one.kind === kind && one.key.equals(key))) limits[kind] = suspicion.textsMax;
    return limits;
  };
}

/** Sums the counters of texts that were just queued, and stores new alarms. */
export async function raiseAlarms(deps: Deps, all: readonly Texted[]): Promise<void> {
  const { pumping } = deps.policy.caps;
  if (pumping === null || all.length === 0) return;
  const { environment, home } = deps;
  const start = windowAt(deps, deps.policy.caps.textsToBlock);
  const watched = all.flatMap((texted) => watchedBy(deps, texted).map((one) => ({ ...one, texted })));
  const sentOf = await sumUses(home, { environment, start, counters: watched.map(({ sent }) => sent) });
  const frequent = watched.filter(({ sent, suspicion }) => sentOf(sent) >= suspicion.textsMin);
  if (frequent.length === 0) return;
  const verifiedOf = await sumUses(home, { environment, start, counters: frequent.map(({ verified }) => verified) });
  const suspects = new Map(frequent.map((one) => [`${one.kind} ${one.key.toString("hex")}`, one]));
  for (const { kind, key, texted, ...counters } of suspects.values()) {
    const [sent, verified] = [sentOf(counters.sent), verifiedOf(counters.verified)];
    if (verified >= sent * pumping.verifiedShareMin) continue;
    const figures = { brand_uuid: texted.brandUuid, raised_at: deps.clock.now(), sent, verified };
    await saveAlarm(home, { environment, kind, key, window_start: start, ...figures });
  }
}

/**
 * Counts texts that were answered by a correct code or a followed link. Runs after the transaction that accepted the
 * answer. Callers ignore a failure, because a missing count only makes an alarm more likely.
 */
export async function countAnswers(deps: Deps, all: readonly Texted[]): Promise<void> {
  if (deps.policy.caps.pumping === null) return;
  const window = deps.policy.caps.textsToBlock;
  const uses = all
    .filter(({ phone }) => !deps.phones.isFixed(phone))
    .flatMap((texted) => watchedBy(deps, texted))
    .map(({ verified, key }) => useOf(deps, { scope: verified.scope, key: verified.key ?? key, window }));
  if (uses.length === 0) return;
  await countUses(deps.home, uses);
}

/**
 * The brand's alarms of the last week, newest first. The block of numbers is stored only as a hash, so it is not shown.
 */
export async function listAlarms(deps: HomeDeps, brandUuid: string): Promise<Alarm[]> {
  const rows = await listAlarmsOf(deps.home, { environment: deps.environment, brandUuid, max: listedMax });
  return rows.map(({ kind, raised_at, window_start, sent, verified }) => ({
    kind: kind === "brand" ? "brand" : "block",
    raisedAt: raised_at,
    endsAt: window_start + deps.policy.caps.textsToBlock.windowMs,
    sent,
    verified,
  }));
}

/** The number of alarms raised in the last hour, by kind, for the metrics. */
export async function countAlarms(deps: Deps): Promise<Record<AlarmKind, number>> {
  const now = deps.clock.now();
  const since = { start: now - 2 * figuresMs, raisedAfter: now - figuresMs };
  const rows = await countAlarmsByKind(deps.home, { environment: deps.environment, ...since });
  const countOf = (kind: AlarmKind) => rows.find((one) => one.kind === kind)?.count ?? 0;
  return {
    brand: countOf("brand"),
    block: countOf("block"),
    signIn: countOf("signIn"),
    signInBlock: countOf("signInBlock"),
  };
}

/** The share of this hour's sign-in texts that is used, for the metrics: 0 to 1. */
export async function shareOfSignInsUsed(deps: Deps): Promise<number> {
  const { inAll } = deps.policy.caps.signIns;
  const counter = { scope: textScopes.signIn, key: null };
  const start = windowAt(deps, inAll);
  const sumOf = await sumUses(deps.home, { environment: deps.environment, start, counters: [counter] });
  return sumOf(counter) / inAll.max;
}

type AlarmQuery = { environment: string; start: number; keys: readonly Buffer[] };

/** The alarms of the hour that begins at `start`. */
async function findAlarms(reader: HomeReader, query: AlarmQuery): Promise<Pick<Stored, "kind" | "key">[]> {
  return (await findStatement(reader, query)).rows;
}

const findStatement = statement((db, { environment, start, keys }: Placeholders<AlarmQuery>) =>
  db
    .selectFrom("conversion_alarm")
    .select(["kind", "key"])
    .where("environment", "=", environment)
    .where("window_start", "=", start)
    .where(({ eb, fn }) => eb("key", "=", fn.any(keys))),
);

/** Inserts an alarm, or updates its figures. */
async function saveAlarm(home: HomeReader, alarm: Stored): Promise<void> {
  const { sent, verified } = alarm;
  await home
    .insertInto("conversion_alarm")
    .values(alarm)
    .onConflict((conflict) =>
      conflict.columns(["environment", "kind", "key", "window_start"]).doUpdateSet({ sent, verified }),
    )
    .execute();
}

/** The brand's alarms, newest first. */
async function listAlarmsOf(
  reader: HomeReader,
  { environment, brandUuid, max }: { environment: string; brandUuid: string; max: number },
): Promise<Stored[]> {
  return await reader
    .selectFrom("conversion_alarm")
    .selectAll()
    .where("environment", "=", environment)
    .where("brand_uuid", "=", brandUuid)
    .orderBy("raised_at", "desc")
    .limit(max)
    .execute();
}

/** The number of alarms by kind, of windows that began after `start` and raised after `raisedAfter`. */
async function countAlarmsByKind(
  reader: HomeReader,
  { environment, start, raisedAfter }: { environment: string; start: number; raisedAfter: number },
): Promise<{ kind: AlarmKind; count: number }[]> {
  return await reader
    .selectFrom("conversion_alarm")
    .select(["kind", sql<number>`count(*)::int`.as("count")])
    .where("environment", "=", environment)
    .where("window_start", ">", start)
    .where("raised_at", ">", raisedAfter)
    .groupBy("kind")
    .execute();
}

/** Deletes the alarms whose window began at `before` or earlier. */
export async function deleteAlarms(home: HomeReader, environment: string, before: number): Promise<void> {
  await home
    .deleteFrom("conversion_alarm")
    .where("environment", "=", environment)
    .where("window_start", "<=", before)
    .execute();
}
