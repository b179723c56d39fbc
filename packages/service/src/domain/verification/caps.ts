/**
 * Limits across verifications: texts per phone, block of numbers, brand and service, and wrong codes per phone. Counts
 * cover all brands together; sign-in texts are counted separately. Texts are counted in the transaction that queues
 * them.
 */
import { sql } from "kysely";
import type { Trx } from "../../store/database.ts";
import { type Ahead, aheadColumnsOf, enqueue, upsertJobsAhead } from "../../store/queue.ts";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { Deps } from "../deps.ts";
import { type Failure, refuse } from "../failure.ts";
import type { Cap, Phone } from "../ports.ts";
import { alarmKeptMs, type Held, heldTo, raiseAlarms } from "./alarms.ts";
import {
  blockKey,
  type CalledFrom,
  callerKey,
  countingUses,
  dayMs,
  nextPurge,
  phoneKey,
  type Texted,
  textParts,
  textScopes,
  type Use,
  useColumnsOf,
  useOf,
  windowAt,
} from "./counters.ts";

const wrongCodes = "code.wrong";

/** A counter and its limit. */
type Capped = { scope: string; key: Buffer; cap: Cap };

/**
 * Counts texts in the transaction that queues them. Throws 429 past a limit. Fixed test people are never texted, so
 * they are not counted.
 */
export async function countTexts(deps: Deps, trx: Trx, all: readonly Texted[]): Promise<void> {
  const texted = all.filter(({ phone }) => !deps.phones.isFixed(phone));
  if (texted.length === 0) return;
  const heldOf = await heldTo(deps, trx, texted);
  await countAll(
    deps,
    trx,
    texted.flatMap((one) => capsOf(deps, one, heldOf(one))),
  );
  await raiseAlarms(deps, trx, texted);
}

/**
 * Counts a request for a sign-in text by the caller's address and network. Throws 429 past a limit. The phone number
 * plays no part, so the refusal reveals nothing about it.
 */
export async function countAsked(deps: Deps, trx: Trx, { address, network }: CalledFrom): Promise<void> {
  const { fromAddress, fromNetwork } = deps.caps.signIns;
  await countAll(deps, trx, [
    { scope: "asked.address", key: callerKey(deps, address), cap: fromAddress },
    { scope: "asked.network", key: callerKey(deps, network), cap: fromNetwork },
  ]);
}

function capsOf(deps: Deps, { phone, brandUuid }: Texted, held: Held): Capped[] {
  const { caps } = deps;
  // Spread texts over counter shards at random so that a burst does not exhaust one shard early.
  const part = Buffer.from([deps.random.integer(textParts)]);
  const shared = (cap: Cap): Cap => ({ ...cap, max: Math.floor(cap.max / textParts) });
  const upTo = (cap: Cap, max: number): Cap => ({ ...cap, max: Math.min(cap.max, max) });
  const key = phoneKey(deps, phone);
  const block = blockKey(deps, phone);
  if (brandUuid === null) {
    const { toPhone, toBlock, inAll } = caps.signIns;
    return [
      ...toPhone.map((cap) => ({ scope: `text.signIn.phone.${cap.windowMs}`, key, cap })),
      { scope: textScopes.signInBlock, key: block, cap: upTo(toBlock, held.signInBlock) },
      { scope: textScopes.signIn, key: part, cap: shared(upTo(inAll, held.signIn)) },
    ];
  }
  return [
    ...caps.textsToPhone.map((cap) => ({ scope: `text.phone.${cap.windowMs}`, key, cap })),
    { scope: textScopes.block, key: block, cap: upTo(caps.textsToBlock, held.block) },
    { scope: textScopes.brand(brandUuid), key: part, cap: shared(upTo(caps.textsOfBrand, held.brand)) },
    { scope: "text.all", key: part, cap: shared(caps.textsInAll) },
  ];
}

/** Counts everything in one statement. Throws past any limit, and the rollback then undoes the counts. */
async function countAll(deps: Deps, trx: Trx, all: readonly Capped[]): Promise<void> {
  const uses = all.map(({ scope, key, cap }) => useOf(deps, { scope, key, window: cap, of: null }));
  const ahead = aheadColumnsOf([nextPurge(deps)], deps.clock.now());
  const { rows } = await countStatement(trx, { ...useColumnsOf("use", uses), ...ahead });
  for (const { scope, key, cap } of all) {
    const used = rows.find((row) => row.scope === scope && row.key.equals(key))?.used ?? 0;
    if (used > cap.max) throw tooMany(deps, { scope, cap });
  }
}
const countStatement = statement((db, columns: Placeholders<Ahead>) =>
  db
    .with("purged", (cte) => upsertJobsAhead(cte, columns))
    .with("counted", (cte) => countingUses(cte, columns).returning(["scope", "key", "used"]))
    .selectFrom("counted")
    .select(["scope", "key", "used"]),
);

/**
 * The count for a guess at a phone's codes, on behalf of the verification `of`. Empty without a phone and for fixed
 * test people.
 */
export function guessOf(deps: Deps, phone: Phone | undefined, of: string): Use[] {
  if (phone === undefined || deps.phones.isFixed(phone)) return [];
  return [useOf(deps, { scope: wrongCodes, key: phoneKey(deps, phone), window: deps.caps.wrongCodesOfPhone, of })];
}

/** The 429 for a phone with too many wrong codes. No code is compared until the window ends. */
export function tooManyGuesses(deps: Deps): Failure {
  return tooMany(deps, { scope: wrongCodes, cap: deps.caps.wrongCodesOfPhone });
}

function tooMany(deps: Deps, { scope, cap }: Pick<Capped, "scope" | "cap">): Failure {
  const endsAt = windowAt(deps, cap) + cap.windowMs;
  const seconds = Math.max(1, Math.ceil((endsAt - deps.clock.now()) / 1000));
  const what = scope === wrongCodes ? "wrong codes were tried" : "texts were sent";
  return refuse(429, `Too many ${what}; wait and try again.`, { "retry-after": String(seconds) });
}

/** Job: deletes counters and risk sightings older than a day, and alarms older than a week. */
export async function purgeCounts(deps: Deps): Promise<void> {
  const { environment } = deps;
  const before = deps.clock.now() - dayMs;
  await deps.db.inTransaction(async (trx) => {
    // A busy day leaves millions of rows, which take longer to delete than the usual timeout.
    await sql`set local statement_timeout = 0`.execute(trx);
    const counts = trx.deleteFrom("use_count").where("environment", "=", environment);
    await counts.where("window_start", "<=", before).execute();
    const sightings = trx.deleteFrom("risk_sighting").where("environment", "=", environment);
    await sightings.where("at", "<=", before).execute();
    const alarms = trx.deleteFrom("conversion_alarm").where("environment", "=", environment);
    await alarms.where("window_start", "<=", deps.clock.now() - alarmKeptMs).execute();
    const left = await sql<{ left: boolean }>`
      select exists (select from use_count where environment = ${environment})
          or exists (select from risk_sighting where environment = ${environment})
          or exists (select from conversion_alarm where environment = ${environment}) as "left"
    `.execute(trx);
    // Use `enqueue` because it resets the lease. Otherwise, finishing the current job would delete the next one.
    if (left.rows[0]?.left === true) await enqueue(trx, nextPurge(deps));
  });
}
