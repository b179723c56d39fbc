import { dayMs, hourMs } from "@countersign/contract/time";
import type { Caps } from "../domain/ports.ts";

/** Limits where real people get texts. */
export const productionCaps: Caps = {
  textsToPhone: [
    { windowMs: hourMs, max: 5 },
    { windowMs: dayMs, max: 10 },
  ],
  textsToBlock: { windowMs: hourMs, max: 30 },
  textsOfBrand: { windowMs: hourMs, max: 3_200 },
  textsInAll: { windowMs: hourMs, max: 16_000 },
  wrongCodesOfPhone: { windowMs: hourMs, max: 15 },
  wrongCodesOfBrand: { windowMs: hourMs, max: 1_000 },
  questionsAboutPhone: { windowMs: hourMs, max: 60 },
  signIns: {
    fromAddress: { windowMs: hourMs, max: 20 },
    fromNetwork: { windowMs: hourMs, max: 100 },
    toPhone: [
      { windowMs: hourMs, max: 5 },
      { windowMs: dayMs, max: 10 },
    ],
    toBlock: { windowMs: hourMs, max: 20 },
    inAll: { windowMs: hourMs, max: 1_600 },
  },
  authorizations: { fromAddress: { windowMs: hourMs, max: 1_000 }, fromNetwork: { windowMs: hourMs, max: 5_000 } },
  pumping: {
    verifiedShareMin: 0.1,
    brand: { textsMin: 100, textsMax: 320 },
    block: { textsMin: 20, textsMax: 20 },
    signIn: { textsMin: 100, textsMax: 0 },
    signInBlock: { textsMin: 10, textsMax: 0 },
  },
};

/** Limits where nobody gets texts: high enough for customers' tests, but low enough to stop runaway code. */
export const sandboxCaps: Caps = {
  textsToPhone: [{ windowMs: hourMs, max: 1_000 }],
  textsToBlock: { windowMs: hourMs, max: 5_000 },
  textsOfBrand: { windowMs: hourMs, max: 160_000 },
  textsInAll: { windowMs: hourMs, max: 800_000 },
  wrongCodesOfPhone: { windowMs: hourMs, max: 1_000 },
  wrongCodesOfBrand: { windowMs: hourMs, max: 50_000 },
  questionsAboutPhone: { windowMs: hourMs, max: 1_000 },
  signIns: {
    fromAddress: { windowMs: hourMs, max: 10_000 },
    fromNetwork: { windowMs: hourMs, max: 40_000 },
    toPhone: [{ windowMs: hourMs, max: 1_000 }],
    toBlock: { windowMs: hourMs, max: 5_000 },
    inAll: { windowMs: hourMs, max: 160_000 },
  },
  authorizations: { fromAddress: { windowMs: hourMs, max: 10_000 }, fromNetwork: { windowMs: hourMs, max: 40_000 } },
  pumping: null,
};
