import { createHash } from "node:crypto";
import type { Random } from "./ports.ts";

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A random string of letters and digits. 16 characters have 95 bits of entropy, 43 have 256. */
export function randomWord(random: Random, length: number): string {
  return Array.from({ length }, () => base62.charAt(random.integer(base62.length))).join("");
}

/** The hash to store of a random string. It has too much entropy to be guessed, so it needs no key and no slow hash. */
export function wordHash(word: string): Buffer {
  return createHash("sha256").update(word).digest();
}
