import { createHash } from "node:crypto";
import type { Random } from "./ports.ts";

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** How many characters of a token name its cell. */
const cellMarkLength = 3;

/** The usual length of a token: 238 random bits after its cell's mark. A PKCE verifier needs at least 43 characters. */
export const tokenLength = 43;

/**
 * A string of letters and digits. In a cell, it starts with the cell's mark. The rest is random: 19 characters have 113
 * bits of entropy, 40 have 238.
 */
export function randomToken(random: Random, length = tokenLength): string {
  const drawn = Array.from({ length }, () => base62.charAt(random.integer(base62.length))).join("");
  const rest = drawn.slice(cellMarkLength);
  const mark = random.cellMarkOf(rest);
  return mark === "" ? drawn : `${mark}${rest}`;
}

/** The hash of a token, for storage. Tokens are too random to guess, so it needs no key and no slow hash. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
