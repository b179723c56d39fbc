/**
 * Limits across verifications: texts per phone, block of numbers, brand and service, and wrong codes per phone. Counts
 * cover all brands together; sign-in texts are counted separately. Texts are counted in the transaction that queues
 * them.
 */
import type { Trx } from "../../../store/database.ts";
import type { Deps } from "../../deps.ts";
import { type Failure, refuse } from "../../failure.ts";
import type { Cap, Phone } from "../../ports.ts";
import { type AlarmLimits, alarmLimits, raiseAlarms } from "./alarms.ts";
import {
  blockKey,
  type CalledFrom,
  callerKey,
  phoneKey,
  type Texted,
  textParts,
  textScopes,
  useOf,
  windowAt,
} from "./counters.ts";
import { countUses, type Use } from "./use-count-rows.ts";

/** The scope of the counters of wrong codes per phone. */
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
  const limitsOf = await alarmLimits(deps, trx, texted);
  await countAll(
    deps,
    trx,
    texted.flatMap((one) => capsOf(deps, one, limitsOf(one))),
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

function capsOf(deps: Deps, { phone, brandUuid }: Texted, alarms: AlarmLimits): Capped[] {
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
      { scope: textScopes.signInBlock, key: block, cap: upTo(toBlock, alarms.signInBlock) },
      { scope: textScopes.signIn, key: part, cap: shared(upTo(inAll, alarms.signIn)) },
    ];
  }
  return [
    ...caps.textsToPhone.map((cap) => ({ scope: `text.phone.${cap.windowMs}`, key, cap })),
    { scope: textScopes.block, key: block, cap: upTo(caps.textsToBlock, alarms.block) },
    { scope: textScopes.brand(brandUuid), key: part, cap: shared(upTo(caps.textsOfBrand, alarms.brand)) },
    { scope: "text.all", key: part, cap: shared(caps.textsInAll) },
  ];
}

/** Counts everything at once. Throws past any limit, and the rollback then undoes the counts. */
async function countAll(deps: Deps, trx: Trx, all: readonly Capped[]): Promise<void> {
  const uses = all.map(({ scope, key, cap }) => useOf(deps, { scope, key, window: cap }));
  const counts = await countUses(trx, uses);
  for (const { scope, key, cap } of all) {
    const used = counts.find((count) => count.scope === scope && count.key.equals(key))?.used ?? 0;
    if (used > cap.max) throw tooMany(deps, { scope, cap });
  }
}

/** The counter of wrong codes for a phone. Null without a phone, and for fixed test people, who are not counted. */
export function guessOf(deps: Deps, phone: Phone | undefined): Use | null {
  if (phone === undefined || deps.phones.isFixed(phone)) return null;
  return useOf(deps, { scope: wrongCodes, key: phoneKey(deps, phone), window: deps.caps.wrongCodesOfPhone });
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
