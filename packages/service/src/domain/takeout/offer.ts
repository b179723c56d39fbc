/** Offers a credential to the person's wallet, and exchanges the offer's codes for a token. */

import { minuteMs } from "@countersign/contract/time";
import type { Trx } from "../../store/database.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import {
  compareCode,
  consumeOffer,
  countOfferAttempt,
  makeTransactionCode,
  type OneTimeCode,
} from "../one-time-code.ts";
import type { Person } from "../person.ts";
import { randomToken, tokenHash } from "../token.ts";
import { isForWallet, type WalletApp } from "./authorization.ts";
import { WalletRefusal } from "./refusal.ts";
import { type Claims, countOpen, insertTakeout, type Taken } from "./takeout-rows.ts";

/** How long an offer can be accepted, in milliseconds. */
export const offerLifeMs = 10 * minuteMs;
/** How long a token can be used, in milliseconds. */
export const tokenLifeMs = 5 * minuteMs;
/** Maximum open offers of a person. Each one allows three guesses at its six digits. */
const openMax = 5;
export type Offer = { uuid: string; code: string; transactionCode: OneTimeCode; expiresAt: number };

/**
 * Makes an offer. The caller has locked the person, so that offers are counted one by one, and the brand's credential,
 * so that a concurrent revocation ends this offer too.
 */
export async function makeOffer(
  deps: Deps,
  trx: Trx,
  input: Taken & { person: Person; sessionUuid: string; claims: Claims },
): Promise<Offer> {
  if ((await countOpen(deps, trx, input.person.uuid)) >= openMax)
    throw refuse(429, "Too many credentials wait for a wallet app. Try again in ten minutes.");
  const uuid = deps.random.uuid();
  const code = randomToken(deps.random);
  const { code: transactionCode, hash: transactionHash } = makeTransactionCode(deps, uuid);
  const expiresAt = deps.clock.now() + offerLifeMs;
  await insertTakeout(deps, trx, { ...input, uuid, code, transactionHash, expiresAt });
  return { uuid, code, transactionCode, expiresAt };
}

/** What a wallet sends with its code: the six digits, or its PKCE verifier. */
export type OfferSecret = { transactionCode: string } | { wallet: Omit<WalletApp, "challenge"> & { verifier: string } };

/** Exchanges an offer's code for a token, once. A wrong transaction code or verifier uses one of three attempts. */
export async function redeemOffer(
  deps: Deps,
  { code, shown }: { code: string; shown: OfferSecret },
): Promise<{ token: string; expiresInSeconds: number }> {
  const counted = await countOfferAttempt(deps, tokenHash(code));
  const isRight =
    counted !== null &&
    ("wallet" in shown
      ? isForWallet(deps, counted, shown.wallet)
      : compareCode(deps, counted.uuid, shown.transactionCode, counted.hash));
  const token = randomToken(deps.random);
  const expiresAt = deps.clock.now() + tokenLifeMs;
  const isFirst = isRight && (await consumeOffer(deps, counted, { hash: tokenHash(token), expiresAt }));
  if (!isFirst) throw new WalletRefusal("invalid_grant", "The offer is over, or what you sent with its code is wrong.");
  return { token, expiresInSeconds: tokenLifeMs / 1_000 };
}
