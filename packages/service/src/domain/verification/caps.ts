/**
 * What no verification can see by itself: how many texts a phone, a block of numbers, a brand or the service had in a
 * while, and how often a phone's codes were guessed at. Counted for all brands together, before anything is done.
 */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { enqueue, enqueueAhead } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { type Failure, refuse } from "../failure.ts";
import type { Cap, Phone } from "../ports.ts";
import { alarmKeptMs, heldTo, raiseAlarms } from "./alarms.ts";
import { blockKey, dayMs, nextPurge, phoneKey, type Texted, textParts, textScopes, windowAt } from "./counters.ts";

type Use = { scope: string; key: Buffer; cap: Cap };

/** Counts a text before it is queued; refuses it with 429 past a cap. The environment's fixed people get none in truth. */
export async function countText(deps: Deps, trx: Trx, about: Texted): Promise<void> {
  if (deps.phones.isFixed(about.phone)) return;
  const { caps } = deps;
  const { phone, brandUuid } = about;
  const held = await heldTo(deps, trx, about);
  const part = Buffer.from([deps.random.integer(textParts)]);
  const shared = (cap: Cap): Cap => ({ ...cap, max: Math.floor(cap.max / textParts) });
  const key = phoneKey(deps, phone);
  const ofBrand = { ...caps.textsOfBrand, max: Math.min(caps.textsOfBrand.max, held.brand) };
  const toBlock = { ...caps.textsToBlock, max: Math.min(caps.textsToBlock.max, held.block) };
  const uses: Use[] = [
    ...caps.textsToPhone.map((cap) => ({ scope: `text.phone.${cap.windowMs}`, key, cap })),
    { scope: textScopes.block, key: blockKey(deps, phone), cap: toBlock },
    ...(brandUuid === null ? [] : [{ scope: textScopes.brand(brandUuid), key: part, cap: shared(ofBrand) }]),
    { scope: "text.all", key: part, cap: shared(caps.textsInAll) },
  ];
  await countAll(deps, trx, uses);
  await raiseAlarms(deps, trx, about);
  await enqueueAhead(trx, nextPurge(deps), deps.clock.now());
}

/**
 * Counts all of them in one statement, and refuses past any cap: the transaction that it throws out of counts nothing then.
 * Always in the same order: two senders that need the same counters never wait for each other in a circle.
 */
async function countAll(deps: Deps, trx: Trx, uses: readonly Use[]): Promise<void> {
  const counted = await trx
    .insertInto("use_count")
    .values(
      uses.map(({ scope, key, cap }) => ({
        environment: deps.environment,
        scope,
        key,
        window_start: windowAt(deps, cap),
        used: 1,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["environment", "scope", "key", "window_start"])
        .doUpdateSet({ used: sql<number>`use_count.used + 1` }),
    )
    .returning(["scope", "used"])
    .execute();
  for (const { scope, cap } of uses) {
    const used = counted.find((one) => one.scope === scope)?.used ?? 0;
    if (used > cap.max) throw tooMany(deps, { scope, cap });
  }
}

/** Counts a guess before it is compared; past the cap nothing is compared any more. */
export async function countGuess(deps: Deps, phone: Phone): Promise<void> {
  if (deps.phones.isFixed(phone)) return;
  const key = phoneKey(deps, phone);
  await count(deps, deps.db, { scope: "code.wrong", key, cap: deps.caps.wrongCodesOfPhone });
}

/** A guess that was right is none. */
export async function uncountGuess(deps: Deps, reader: Reader, phone: Phone): Promise<void> {
  if (deps.phones.isFixed(phone)) return;
  await reader
    .updateTable("use_count")
    .set({ used: sql<number>`used - 1` })
    .where("environment", "=", deps.environment)
    .where("scope", "=", "code.wrong")
    .where("key", "=", phoneKey(deps, phone))
    .where("window_start", "=", windowAt(deps, deps.caps.wrongCodesOfPhone))
    .where("used", ">", 0)
    .execute();
}

async function count(deps: Deps, reader: Reader, { scope, key, cap }: Use): Promise<void> {
  const start = windowAt(deps, cap);
  const counted = await reader
    .insertInto("use_count")
    .values({ environment: deps.environment, scope, key, window_start: start, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["environment", "scope", "key", "window_start"])
        .doUpdateSet({ used: sql<number>`use_count.used + 1` })
        .where("use_count.used", "<", cap.max),
    )
    .executeTakeFirst();
  if (counted.numInsertedOrUpdatedRows === 1n) return;
  throw tooMany(deps, { scope, cap });
}

function tooMany(deps: Deps, { scope, cap }: Pick<Use, "scope" | "cap">): Failure {
  const endsAt = windowAt(deps, cap) + cap.windowMs;
  const seconds = Math.max(1, Math.ceil((endsAt - deps.clock.now()) / 1000));
  const what = scope.startsWith("text.") ? "texts were sent" : "wrong codes were tried";
  return refuse(429, `Too many ${what}; wait and try again.`, { "retry-after": String(seconds) });
}

/** Job: counters of windows that are over are gone, and with them alarms and sightings of the day before. */
export async function purgeCounts(deps: Deps): Promise<void> {
  const { environment } = deps;
  const before = deps.clock.now() - dayMs;
  await deps.db.transaction().execute(async (trx) => {
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
    // Anew, not once: the job that runs now must not take this one with it.
    if (left.rows[0]?.left === true) await enqueue(trx, nextPurge(deps));
  });
}
