/** Nonces for the proofs of wallets. Anyone can request one, so a nonce is stored only when it is used. */

import { timingSafeEqual } from "node:crypto";
import { minuteMs } from "@countersign/contract/time";
import type { Deps } from "../deps.ts";
import { randomToken } from "../token.ts";
import { insertUsedNonces } from "./nonce-rows.ts";
import { WalletRefusal } from "./refusal.ts";

/** How long a nonce can be used, in milliseconds. */
export const nonceLifeMs = 5 * minuteMs;
const tokenLength = 22;

type Store = Pick<Deps, "home" | "environment" | "vault" | "clock" | "random">;

/** A new nonce: its expiry, a random token, and a keyed hash of both. */
export function makeNonce(deps: Store): string {
  const text = `${(deps.clock.now() + nonceLifeMs).toString(36)}.${randomToken(deps.random, tokenLength)}`;
  return `${text}.${macOf(deps, text).toString("base64url")}`;
}

function macOf({ vault, environment }: Store, text: string): Buffer {
  return vault.keyedHash(`takeout nonce|${environment}`, text);
}

/** When our nonce expires. Null if it is not ours or has expired. */
function expiryOf(deps: Store, nonce: string): number | null {
  const [expiry = "", token = "", mac = ""] = nonce.split(".");
  const given = Buffer.from(mac, "base64url");
  const expected = macOf(deps, `${expiry}.${token}`);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const expiresAt = Number.parseInt(expiry, 36);
  return expiresAt > deps.clock.now() ? expiresAt : null;
}

/** Uses the nonces of a request. Throws if one is not ours, has expired, or was used before. */
export async function useNonces(deps: Store, nonces: readonly string[]): Promise<void> {
  const known = [...new Set(nonces)].map((nonce) => ({ nonce, expiresAt: expiryOf(deps, nonce) }));
  const valid = known.flatMap(({ nonce, expiresAt }) => (expiresAt === null ? [] : [{ nonce, expiresAt }]));
  if (valid.length === 0 || valid.length < known.length || !(await insertUsedNonces(deps, valid)))
    throw new WalletRefusal("invalid_nonce", "The nonce is unknown, expired or used. Request a new one.");
}
