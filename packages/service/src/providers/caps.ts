import type { Caps } from "../domain/ports.ts";

const hour = 60 * 60_000;
const day = 24 * hour;

/** Limits where real people get texts. */
export const productionCaps: Caps = {
  textsToPhone: [
    { windowMs: hour, max: 5 },
    { windowMs: day, max: 10 },
  ],
  textsToBlock: { windowMs: hour, max: 30 },
  textsOfBrand: { windowMs: hour, max: 3_200 },
  textsInAll: { windowMs: hour, max: 16_000 },
  wrongCodesOfPhone: { windowMs: hour, max: 15 },
  wrongCodesOfBrand: { windowMs: hour, max: 1_000 },
  questionsAboutPhone: { windowMs: hour, max: 60 },
  signIns: {
    fromAddress: { windowMs: hour, max: 20 },
    fromNetwork: { windowMs: hour, max: 100 },
    toPhone: [
      { windowMs: hour, max: 5 },
      { windowMs: day, max: 10 },
    ],
    toBlock: { windowMs: hour, max: 20 },
    inAll: { windowMs: hour, max: 1_600 },
  },
  authorizations: { fromAddress: { windowMs: hour, max: 1_000 }, fromNetwork: { windowMs: hour, max: 5_000 } },
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
  textsToPhone: [{ windowMs: hour, max: 1_000 }],
  textsToBlock: { windowMs: hour, max: 5_000 },
  textsOfBrand: { windowMs: hour, max: 160_000 },
  textsInAll: { windowMs: hour, max: 800_000 },
  wrongCodesOfPhone: { windowMs: hour, max: 1_000 },
  wrongCodesOfBrand: { windowMs: hour, max: 50_000 },
  questionsAboutPhone: { windowMs: hour, max: 1_000 },
  signIns: {
    fromAddress: { windowMs: hour, max: 10_000 },
    fromNetwork: { windowMs: hour, max: 40_000 },
    toPhone: [{ windowMs: hour, max: 1_000 }],
    toBlock: { windowMs: hour, max: 5_000 },
    inAll: { windowMs: hour, max: 160_000 },
  },
  authorizations: { fromAddress: { windowMs: hour, max: 10_000 }, fromNetwork: { windowMs: hour, max: 40_000 } },
  pumping: null,
};
