/** The counters of texts, answers and wrong codes: their names, keys and time windows. All processes share them. */
import type { Deps } from "../../deps.ts";
import type { OpenPage } from "../../journey.ts";
import type { Cap, Phone } from "../../ports.ts";
import type { Use } from "./use-count-rows.ts";

/**
 * A text and its brand. `brandUuid`: null for the service's own sign-in texts. `openPage`: the page on which a stranger
 * may have requested it; such texts have their own counters, so strangers cannot use up the brands' texts.
 */
export type Texted = { phone: Phone; brandUuid: string | null; openPage?: OpenPage | null };

/** Leading characters of a phone number that identify its block: `+1` and seven digits. */
const blockLength = 9;
/** Shards of a busy counter, so that transactions rarely wait for the same row lock. */
export const textParts = 16;

/**
 * The names of the counters of texts and of their answers. Each key is a shard of the counter, or a block of numbers.
 */
export const textScopes = {
  phone: (texted: Texted, windowMs: number) => `text.${of(texted)}phone.${windowMs}`,
  block: (texted: Texted) => `text.${of(texted)}block`,
  brand: (texted: Texted) => `text.${of(texted)}brand.${texted.brandUuid}`,
  all: (texted: Texted) => `text.${of(texted)}all`,
  signInBlock: "text.signIn.block",
  signIn: "text.signIn.all",
  verifiedInBlock: (texted: Texted) => `verified.${of(texted)}block`,
  verifiedOfBrand: (texted: Texted) => `verified.${of(texted)}brand.${texted.brandUuid}`,
  verifiedSignInBlock: "verified.signIn.block",
  verifiedSignIn: "verified.signIn",
};

const of = ({ openPage }: Texted) => (openPage ? `${openPage}.` : "");

/** Where a call comes from: its address and its network, as they are counted. */
export type CalledFrom = { address: string; network: string };

type Window = Pick<Cap, "windowMs">;

export const windowAt = (deps: Pick<Deps, "clock">, { windowMs }: Window) =>
  Math.floor(deps.clock.now() / windowMs) * windowMs;

/**
 * The key of a phone's counters. It differs from the index that finds a person, because counters outlive a deletion by
 * up to a day and must not identify anyone.
 */
export const phoneKey = (deps: Deps, phone: Phone) => deps.vault.keyedHash("caps", phone);

/** The key of a caller's address, network or session. A hash, so that none is stored in plain text. */
export const callerKey = (deps: Pick<Deps, "vault">, from: string) => deps.vault.keyedHash("caps", from);

/** The key of the alarm about a brand's texts. */
export const brandKey = (texted: Texted) => Buffer.from(`${of(texted)}${texted.brandUuid}`);

/**
 * The key of a text's block of a thousand numbers. SMS pumping usually uses a purchased block of numbers. Alarms are
 * found by this key, so texts of an open page have their own.
 */
export const blockKey = ({ vault }: Deps, texted: Texted): Buffer =>
  vault.keyedHash("caps", `${of(texted)}${texted.phone.slice(0, blockLength)}`);

/** How long a counter is kept, milliseconds: the longest window of any limit. */
export const dayMs = 24 * 60 * 60_000;

/** One increment of a counter in the current window. */
export function useOf(
  deps: Pick<Deps, "clock" | "environment">,
  { scope, key, window }: Pick<Use, "scope" | "key"> & { window: Window },
): Use {
  return { environment: deps.environment, scope, key, window_start: windowAt(deps, window) };
}
