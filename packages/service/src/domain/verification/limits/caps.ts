/**
 * Limits across verifications: texts per phone, block of numbers, brand and service, wrong codes per phone and brand,
 * and questions of each brand to the identity source about a phone.
 *
 * All brands share the counts of phones and blocks. Sign-in texts and texts of open pages are counted separately. A
 * text is counted at home before the transaction that queues it, and for its phone in that transaction.
 */
import { dayMs } from "@countersign/contract/time";
import { type AnyTrx, commitWithoutWaiting, type Home, removeTimeLimit, type Trx } from "../../../store/database.ts";
import type { Deps, HomeDeps } from "../../deps.ts";
import { type Failure, refuse } from "../../failure.ts";
import type { OpenPage } from "../../journey.ts";
import type { Cap, Caps, Phone } from "../../ports.ts";
import { deleteOldSightings } from "../../risk-sighting-rows.ts";
import { type AlarmLimits, alarmKeptMs, alarmLimits, deleteAlarms, raiseAlarms } from "./conversion-alarm-rows.ts";
import {
  blockKey,
  type CalledFrom,
  callerKey,
  countKeptMs,
  countUses,
  deleteUseCounts,
  phoneKey,
  subtractUses,
  sumUses,
  type Texted,
  textParts,
  textScopes,
  type Use,
  useOf,
  windowAt,
} from "./use-count-rows.ts";

/** The scopes of the counters of wrong codes, and of questions to the identity source, per phone. */
const wrongCodes = "code.wrong";
/** Separate for codes that are typed on open pages, so that strangers there cannot lock a phone at brands. */
const wrongCodesOnOpenPages = "code.wrong.open";
/** Wrong codes after the right one, per verification. */
const wrongCodesAfterRight = "code.wrong.after";
const questions = "source.asked";
/** The scope of the counters of authorization requests. */
const authorizations = "openid.asked";

/** A counter and its limit. */
type Capped = { scope: string; key: Buffer; cap: Cap };

/** The texts to count. Texts to fixed test people do not count, because all customers use them. */
function counted(deps: Deps, all: readonly Texted[]): Texted[] {
  return all.filter(({ phone }) => !deps.phones.isFixed(phone));
}

/**
 * Counts texts per block of numbers, per brand and in total, and returns the uses of each text. Throws 429 past a limit.
 */
export async function countAtHome(deps: Deps, all: readonly Texted[]): Promise<Use[][]> {
  const texted = counted(deps, all);
  if (texted.length === 0) return [];
  return await deps.home.inTransaction(async (trx) => {
    // Limits need not be exact: a server crash may lose the last counts.
    const [, limitsOf] = await Promise.all([commitWithoutWaiting(trx), alarmLimits(deps, trx, texted)]);
    const capped = all.map((one) => (texted.includes(one) ? capsAtHome(deps, one, limitsOf(one)) : []));
    await countAll(deps, trx, capped.flat());
    return capped.map((caps) => caps.map((one) => useOf(deps, { ...one, window: one.cap })));
  });
}

/** Takes back uses of texts that were not queued. If this fails, the counts are too high, and the caller's result stays. */
export async function subtractTexts({ home }: Deps, uses: readonly Use[]): Promise<void> {
  if (uses.length > 0) await subtractUses(home, uses).catch(() => {});
}

/** Raises the alarms that these texts cause. If an alarm cannot be stored now, the next text raises it. */
export async function noteQueued(deps: Deps, queued: readonly Texted[]): Promise<void> {
  await raiseAlarms(deps, counted(deps, queued)).catch(() => {});
}

/** Counts texts per phone in the transaction that queues them. Throws 429 past a limit. */
export async function countTextsOfPhones(deps: Deps, trx: Trx, all: readonly Texted[]): Promise<void> {
  await countAll(
    deps,
    trx,
    counted(deps, all).flatMap((one) => capsOfPhone(deps, one)),
  );
}

/**
 * Counts a request for a sign-in text by the caller's address and network. Throws 429 past a limit. The phone is not
 * considered, so the refusal reveals nothing about it.
 */
export async function countTextRequest(deps: Deps, from: CalledFrom): Promise<void> {
  await countCaller(deps, "asked", { from, caps: deps.policy.caps.signIns });
}

/** Counts a stranger's authorization request, because it is stored. Throws 429 past a limit. */
export async function countAuthorization(deps: HomeDeps, from: CalledFrom): Promise<void> {
  await countCaller(deps, authorizations, { from, caps: deps.policy.caps.authorizations });
}

async function countCaller(
  deps: HomeDeps,
  scope: string,
  { from, caps }: { from: CalledFrom; caps: Caps["authorizations"] },
): Promise<void> {
  await deps.home.inTransaction((trx) =>
    countAll(deps, trx, [
      { scope: `${scope}.address`, key: callerKey(deps, from.address), cap: caps.fromAddress },
      { scope: `${scope}.network`, key: callerKey(deps, from.network), cap: caps.fromNetwork },
    ]),
  );
}

/**
 * Counts a question to the identity source that the phone's holder causes, because each question costs money. Throws
 * 429 past the limit. Each brand's pages have their own count, and so has the person's own page (`null`), so that no
 * brand can keep a person from others' pages or from their own. Brands' own calls are not counted.
 */
export async function countHoldersQuestion(deps: Deps, phone: Phone, brandUuid: string | null): Promise<void> {
  if (deps.phones.isFixed(phone)) return;
  const key = callerKey(deps, `${questions} ${brandUuid ?? "own"} ${phone}`);
  const capped = { scope: questions, key, cap: deps.policy.caps.questionsAboutPhone };
  await deps.home.inTransaction((trx) => countAll(deps, trx, [capped]));
}

function capsOfPhone(deps: Deps, texted: Texted): Capped[] {
  const {
    policy: { caps },
  } = deps;
  const key = phoneKey(deps, texted.phone);
  if (texted.brandUuid === null)
    return caps.signIns.toPhone.map((cap) => ({ scope: `text.signIn.phone.${cap.windowMs}`, key, cap }));
  return caps.textsToPhone.map((cap) => ({ scope: textScopes.phone(texted, cap.windowMs), key, cap }));
}

function capsAtHome(deps: Deps, texted: Texted, alarms: AlarmLimits): Capped[] {
  const {
    policy: { caps },
  } = deps;
  const { brandUuid } = texted;
  // Spread texts over counter shards at random so that a burst does not exhaust one shard early.
  const part = Buffer.from([deps.random.integer(textParts)]);
  const shared = (cap: Cap): Cap => ({ ...cap, max: Math.floor(cap.max / textParts) });
  const upTo = (cap: Cap, max: number): Cap => ({ ...cap, max: Math.min(cap.max, max) });
  const block = blockKey(deps, texted);
  if (brandUuid === null) {
    const { toBlock, inAll } = caps.signIns;
    return [
      { scope: textScopes.signInBlock, key: block, cap: upTo(toBlock, alarms.signInBlock) },
      { scope: textScopes.signIn, key: part, cap: shared(upTo(inAll, alarms.signIn)) },
    ];
  }
  return [
    { scope: textScopes.block(texted), key: block, cap: upTo(caps.textsToBlock, alarms.block) },
    { scope: textScopes.brand(texted), key: part, cap: shared(upTo(caps.textsOfBrand, alarms.brand)) },
    { scope: textScopes.all(texted), key: part, cap: shared(caps.textsInAll) },
  ];
}

/** Counts everything in one statement. Past any limit it throws, and the rollback undoes the counts. */
async function countAll(deps: HomeDeps, trx: AnyTrx, all: readonly Capped[]): Promise<void> {
  const uses = all.map(({ scope, key, cap }) => useOf(deps, { scope, key, window: cap }));
  const counts = await countUses(trx, uses);
  for (const { scope, key, cap } of all) {
    const used = counts.find((count) => count.scope === scope && count.key.equals(key))?.used ?? 0;
    if (used > cap.max) throw tooMany(deps, { scope, cap });
  }
}

/**
 * The counter of wrong codes for a phone: all open pages share one, and all other calls another. Null without a phone
 * and for fixed test people, who are not counted.
 */
export function phoneCounterOf(
  deps: Deps,
  { phone, openPage }: { phone: Phone | undefined; openPage?: OpenPage | null },
): Use | null {
  if (phone === undefined || deps.phones.isFixed(phone)) return null;
  const scope = openPage ? wrongCodesOnOpenPages : wrongCodes;
  return useOf(deps, { scope, key: phoneKey(deps, phone), window: deps.policy.caps.wrongCodesOfPhone });
}

/** Counts the wrong codes of a verification whose code was accepted. */
export function acceptedCounterOf(deps: Deps, { uuid }: { uuid: string }): Use {
  const window = deps.policy.caps.wrongCodesOfPhone;
  return useOf(deps, { scope: wrongCodesAfterRight, key: callerKey(deps, uuid), window });
}

/** The 429 for a phone or brand with too many wrong codes. No code is compared until the window ends. */
export function tooManyGuesses(deps: Deps): Failure {
  return tooMany(deps, { scope: wrongCodes, cap: deps.policy.caps.wrongCodesOfPhone });
}

/**
 * The verifications of a brand, separate per open page: strangers there must not block the brand's other verifications.
 */
export type GuessedBrand = { brandUuid: string; openPage?: OpenPage | null };
const wrongCodesOf = ({ brandUuid, openPage }: GuessedBrand) =>
  [wrongCodes, ...(openPage ? [openPage] : []), "brand", brandUuid].join(".");

/**
 * Per database: the brands with too many wrong codes, and the window in which they reached the limit. A process learns
 * it when it counts a wrong code, so right codes need no query.
 */
const brandsOverLimit = new WeakMap<Home, Map<string, number>>();

/** Whether a brand has reached the limit of wrong codes. Each process may compare a few more before it notices. */
export function isBrandOverLimit(deps: Deps, guessedBrand: GuessedBrand): boolean {
  const since = brandsOverLimit.get(deps.home)?.get(`${deps.environment}.${wrongCodesOf(guessedBrand)}`);
  return since === windowAt(deps, deps.policy.caps.wrongCodesOfBrand);
}

/** Counts a wrong code for its brand. */
export async function countBrandGuess(deps: Deps, guessedBrand: GuessedBrand): Promise<void> {
  const {
    environment,
    home,
    policy: { caps },
  } = deps;
  const scope = wrongCodesOf(guessedBrand);
  const key = Buffer.from([deps.random.integer(textParts)]);
  const use = useOf(deps, { scope, key, window: caps.wrongCodesOfBrand });
  await countUses(home, [use]);
  const all = { scope, key: null };
  const sumOf = await sumUses(home, { environment, start: use.window_start, counters: [all] });
  if (sumOf(all) < caps.wrongCodesOfBrand.max) return;
  const known = brandsOverLimit.get(home) ?? new Map<string, number>();
  brandsOverLimit.set(home, known.set(`${environment}.${scope}`, use.window_start));
}

/** What is counted, in the message of a 429. All other counters count texts. */
const whatOf: Record<string, string> = {
  [wrongCodes]: "wrong codes were tried",
  [questions]: "lookups were made",
  [`${authorizations}.address`]: "sign-ins were begun",
  [`${authorizations}.network`]: "sign-ins were begun",
};

function tooMany(deps: HomeDeps, { scope, cap }: Pick<Capped, "scope" | "cap">): Failure {
  const endsAt = windowAt(deps, cap) + cap.windowMs;
  const seconds = Math.max(1, Math.ceil((endsAt - deps.clock.now()) / 1000));
  return refuse(429, `Too many ${whatOf[scope] ?? "texts were sent"}; wait and try again.`, {
    "retry-after": String(seconds),
  });
}

/**
 * Deletes home's counters older than a day, and alarms older than a week. A busy hour leaves millions of rows, so this
 * takes longer than the usual timeout.
 */
export async function purgeHomeCounts({ home, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  await home.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteUseCounts(trx, environment, now - countKeptMs);
    await deleteAlarms(trx, environment, now - alarmKeptMs);
  });
}

/** Deletes a cell's counters and risk sightings older than a day. */
export async function purgeCounts({ db, ownKeyed, environment, clock }: Deps): Promise<void> {
  const now = clock.now();
  await db.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteUseCounts(trx, environment, now - countKeptMs);
  });
  await ownKeyed.inTransaction(async (trx) => {
    await removeTimeLimit(trx);
    await deleteOldSightings(trx, environment, now - dayMs);
  });
}
