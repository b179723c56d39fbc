/**
 * What no verification can see by itself: how many texts a phone, a block of numbers, a brand or the service had in a
 * while, and how often a phone's codes were guessed at. Counted for all brands together, before anything is done.
 */
import { sql } from "kysely";
import type { Reader, Trx } from "../../store/database.ts";
import { enqueue, enqueueOnce, type NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import type { Cap, Phone } from "../ports.ts";

const day = 24 * 60 * 60_000;

/** Characters of a number that name its block. */
const blockLength = 9;
/** Counters that everybody uses are kept in parts, so that senders do not wait for one another. */
const parts = 16;

type Use = { scope: string; key: Buffer; cap: Cap };

/** Counts a text before it is queued; refuses it with 429 past a cap. The environment's fixed people get none in truth. */
export async function countText(
  deps: Deps,
  trx: Trx,
  { phone, brandUuid }: { phone: Phone; brandUuid: string | null },
) {
  if (deps.phones.isFixed(phone)) return;
  const { caps } = deps;
  const part = Buffer.from([deps.random.integer(parts)]);
  const shared = (cap: Cap): Cap => ({ ...cap, max: Math.floor(cap.max / parts) });
  const key = phoneKey(deps, phone);
  const block = deps.vault.codeHash("caps", phone.slice(0, blockLength));
  const uses: Use[] = [
    ...caps.textsToPhone.map((cap) => ({ scope: `text.phone.${cap.windowMs}`, key, cap })),
    { scope: "text.block", key: block, cap: caps.textsToBlock },
    ...(brandUuid === null ? [] : [{ scope: `text.brand.${brandUuid}`, key: part, cap: shared(caps.textsOfBrand) }]),
    { scope: "text.all", key: part, cap: shared(caps.textsInAll) },
  ];
  // Always in this order: two senders that need the same counters never wait for each other in a circle.
  for (const use of uses) await count(deps, trx, use);
  await enqueueOnce(trx, nextPurge(deps));
}

/** Counts a guess before it is compared; past the cap nothing is compared any more. */
export async function countGuess(deps: Deps, phone: Phone): Promise<void> {
  if (deps.phones.isFixed(phone)) return;
  const key = phoneKey(deps, phone);
  await count(deps, deps.db, { scope: "code.wrong", key, cap: deps.caps.wrongCodesOfPhone });
}

/** A guess that was right is none. */
export async function uncountGuess(deps: Deps, phone: Phone): Promise<void> {
  if (deps.phones.isFixed(phone)) return;
  await deps.db
    .updateTable("use_count")
    .set({ used: sql<number>`used - 1` })
    .where("environment", "=", deps.environment)
    .where("scope", "=", "code.wrong")
    .where("key", "=", phoneKey(deps, phone))
    .where("window_start", "=", windowAt(deps, deps.caps.wrongCodesOfPhone))
    .where("used", ">", 0)
    .execute();
}

/** Not the index by which a person is found: a counter outlives a deletion by a day, and leads to nobody. */
const phoneKey = (deps: Deps, phone: Phone) => deps.vault.codeHash("caps", phone);
const windowAt = (deps: Deps, { windowMs }: Cap) => Math.floor(deps.clock.now() / windowMs) * windowMs;

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
  const seconds = Math.max(1, Math.ceil((start + cap.windowMs - deps.clock.now()) / 1000));
  const what = scope.startsWith("text.") ? "texts were sent" : "wrong codes were tried";
  throw refuse(429, `Too many ${what}; wait and try again.`, { "retry-after": String(seconds) });
}

function nextPurge(deps: Deps): NewJob {
  const dueAt = deps.clock.now() + day;
  return { environment: deps.environment, name: "verification.purgeCounts", subject: "all", dueAt, payload: {} };
}

/** Job: counters of windows that are over are gone. */
export async function purgeCounts(deps: Deps): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const own = trx.selectFrom("use_count").select("used").where("environment", "=", deps.environment);
    await trx
      .deleteFrom("use_count")
      .where("environment", "=", deps.environment)
      .where("window_start", "<=", deps.clock.now() - day)
      .execute();
    if ((await own.limit(1).executeTakeFirst()) !== undefined)
      // Anew, not once: the job that runs now must not take this one with it.
      await enqueue(trx, nextPurge(deps));
  });
}
